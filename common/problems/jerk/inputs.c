/* Inputs of the problem `jerk`. */
#include "jerk_problem.h"

#include <stdlib.h>
#include <string.h>

#include "problems/random.h"
#include "problems/stars/systems.h"

/* Plummer spheres, softened and not; groups of three stars within a few millionths of the sphere,
 * and the same much softened, some of them at one place; pairs at one place; and blocks of few
 * targets. */
const char *const jerk_distributions[] = {"plummer",    "unsoftened",  "close",    "crowded",
                                          "coincident", "block_16",    "block_64", "block_256",
                                          "block_2048", "block_16384", NULL};

/* Places of the groups' members, in units of the sphere's length. */
static const double closest = 1e-6;

enum { GROUP = 3, MOVED = 7, TEST_POINTS = 11 };

static int is(const char *distribution, const char *name) {
    return !strcmp(distribution, name);
}

static int block_of(const char *distribution) {
    static const char prefix[] = "block_";

    return strncmp(distribution, prefix, sizeof prefix - 1)
               ? 0
               : atoi(distribution + sizeof prefix - 1);
}

int jerk_targets_of(const char *distribution, int n) {
    int block = block_of(distribution);

    return block ? block : n;
}

double jerk_softening_of(const char *distribution) {
    return is(distribution, "crowded")                             ? 0.05
           : is(distribution, "plummer") || block_of(distribution) ? 1.0 / 256
                                                                   : 0;
}

static void move(struct star *star, double least, double most, struct random *random) {
    double direction[3], length = least + (most - least) * random_unit(random);

    random_direction(random, direction);
    for (int c = 0; c < 3; c++)
        star->x[c] += length * direction[c];
}

/* Members of a group lie beside its first. */
static void gather(struct particle *sources, const char *distribution, int n, uint64_t seed) {
    int pairs = is(distribution, "coincident"), crowded = is(distribution, "crowded");

    if (!pairs && !crowded && !is(distribution, "close"))
        return;
    for (int j = 0; j < n; j++) {
        int member = j % GROUP;
        const struct star *first = &sources[j - member].star;
        struct random random = random_of(~seed, (uint64_t)j);

        if (!member || (pairs && member == 1 && j + 1 < n))
            continue;
        memcpy(sources[j].star.x, first->x, sizeof first->x);
        if (!pairs && !(crowded && member == 2 && j / GROUP % 2))
            move(&sources[j].star, member * closest, 2 * member * closest, &random);
    }
}

int jerk_index_of(const char *distribution, int n, uint64_t seed, int j) {
    static const unsigned odd = 0x5bd1e995u, most = 0x7fffffffu;

    if (is(distribution, "unsoftened"))
        return (int)(((unsigned)j * odd + (unsigned)seed) & most);
    return (int)(((uint64_t)(n - 1) * (uint64_t)j + seed % 7) % (uint64_t)n);
}

void jerk_generate(void *input, const char *distribution, int n, uint64_t seed) {
    struct particle *sources = input, *targets = sources + n;
    int count = jerk_targets_of(distribution, n), is_block = block_of(distribution) != 0;
    struct star *stars = malloc((size_t)n * sizeof *stars);

    memset(input, 0, ((size_t)n + (size_t)count) * sizeof *sources);
    if (!stars)
        return;
    stars_plummer_of_masses(stars, n, seed);
    for (int j = 0; j < n; j++) {
        sources[j].star = stars[j];
        sources[j].index = jerk_index_of(distribution, n, seed, j);
    }
    gather(sources, distribution, n, seed);
    for (int i = 0; i < count; i++) {
        struct random random = random_of(seed + 1, (uint64_t)i);
        int j = is_block ? (int)(random_bits(&random) % (uint64_t)n) : i;

        targets[i] = sources[j];
        /* A target as a block step has it, a little away from its source; and a test point. */
        if (i % MOVED == 3)
            move(&targets[i].star, 1e-4, 1e-3, &random);
        if (i % TEST_POINTS == 5) {
            targets[i].index = -1;
            if (!is(distribution, "coincident"))
                move(&targets[i].star, 0.1, 0.2, &random);
        }
    }
    free(stars);
}

/* The first and last source stay where they were before, and so do targets. */
void jerk_sharpen(void *input, const void *before, const char *distribution, int n) {
    int count = jerk_targets_of(distribution, n);
    struct particle *now = input;
    const struct particle *last = before;
    const int ends[] = {0, n - 1, n, n + count - 1};

    for (int e = 0; before && e < 4; e++)
        now[ends[e]].star = last[ends[e]].star;
}
