/* Inputs of the problem `tree`. */
#include "tree_problem.h"

#include <math.h>
#include <string.h>

#include "problems/random.h"

/* A Plummer sphere, of which `single` wants leaves of one body; a cold uniform sphere; a disk with
 * bulge and halo; two far clumps; all at one place; all on a line; powers of two, the edges of
 * cells, and the floats before them; groups closer than the finest cells. */
const char *const tree_distributions[] = {"plummer",   "sphere", "galaxy", "clumps", "single",
                                          "one_place", "line",   "edges",  "close",  NULL};

enum { GROUP = 40 }; /* of `close`: more than a leaf has */

static void set(struct tree_body *body, const double direction[3], double length) {
    body->x = (float)(direction[0] * length);
    body->y = (float)(direction[1] * length);
    body->z = (float)(direction[2] * length);
}

/* Of x in (0, 1], by the series of atanh: libm's differs between machines. */
static double logarithm(double x) {
    static const double ln_2 = 0.69314718055994530942;
    int exponent;
    double m = frexp(x, &exponent), t = (m - 1) / (m + 1), power = t, sum = 0;

    for (int k = 1; k < 70; k += 2, power *= t * t)
        sum += power / k;
    return 2 * sum + exponent * ln_2;
}

static double positive(struct random *random) {
    return 1 - random_unit(random);
}

/* Plummer's sphere, scale length 1, cut at 99.9% of the mass: M(r) = r^3 / (1 + r^2)^(3/2). */
static void plummer(struct tree_body *body, double scale, struct random *random) {
    double direction[3], root = cube_root(0.999 * positive(random));

    random_direction(random, direction);
    set(body, direction, scale * root / sqrt(1 - root * root));
}

/* Hernquist's sphere (1990), M(r) = r^2 / (r + a)^2, within `most`. */
static void hernquist(struct tree_body *body, double a, double most, struct random *random) {
    double direction[3], edge = most / (most + a), root = edge * sqrt(positive(random));

    random_direction(random, direction);
    set(body, direction, a * root / (1 - root));
}

/* Surface density exp(-R) within 10, height sech^2(z / 0.05). */
static void disk(struct tree_body *body, struct random *random) {
    double direction[3], radius, u = random_unit(random);

    do
        radius = -logarithm(positive(random)) - logarithm(positive(random));
    while (radius > 10);
    random_direction(random, direction);
    radius /= sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    set(body, direction, radius);
    u = fmin(fmax(u, 1e-12), 1 - 1e-12);
    body->z = (float)(0.025 * (logarithm(u) - logarithm(1 - u)));
}

/* 5% bulge, 20% disk, 75% halo. */
static void galaxy(struct tree_body *body, struct random *random) {
    double part = random_unit(random);

    if (part < 0.05)
        hernquist(body, 0.2, 20, random);
    else if (part < 0.25)
        disk(body, random);
    else
        hernquist(body, 5, 100, random);
}

/* A power of two or 0, of either sign, and sometimes the float nearer to 0. */
static float edge(struct random *random) {
    uint64_t bits = random_bits(random);
    float value = bits % 23 ? ldexpf(1, -(int)(bits % 23)) : 0;

    if (bits >> 32 & 1)
        value = nextafterf(value, 0);
    return bits >> 33 & 1 ? -value : value;
}

static void place(struct tree_body *body, const char *distribution, int i, uint64_t seed) {
    struct random random = random_of(seed, (uint64_t)i), first = random_of(seed + 1, 0);
    double direction[3];

    if (!strcmp(distribution, "sphere")) {
        random_direction(&random, direction);
        set(body, direction, cube_root(random_unit(&random)));
    } else if (!strcmp(distribution, "galaxy")) {
        galaxy(body, &random);
    } else if (!strcmp(distribution, "clumps")) {
        plummer(body, 0x1p-10, &random);
        body->x += i % 2 ? 700 : -300;
    } else if (!strcmp(distribution, "one_place")) {
        plummer(body, 1, &first);
    } else if (!strcmp(distribution, "line")) {
        random_direction(&first, direction);
        set(body, direction, random_sign(&random));
        if (seed % 2)
            body->y = body->z = 0.5f;
    } else if (!strcmp(distribution, "edges")) {
        body->x = edge(&random);
        body->y = edge(&random);
        body->z = edge(&random);
    } else if (!strcmp(distribution, "close")) {
        struct random of_group = random_of(seed + 2, (uint64_t)(i / GROUP));

        for (int c = 0; c < 3; c++)
            direction[c] = random_unit(&of_group) + 0x1p-24 * (double)(random_bits(&random) % 4);
        set(body, direction, 1);
    } else {
        plummer(body, 1, &random);
    }
}

/* Masses from 1/2 to 3/2 of the mean. */
void tree_generate(void *input, const char *distribution, int n, uint64_t seed) {
    struct tree_body *bodies = input;

#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++) {
        struct random random = random_of(~seed, (uint64_t)i);

        place(&bodies[i], distribution, i, seed);
        bodies[i].mass = (float)((0.5 + random_unit(&random)) / n);
    }
}

size_t tree_input_bytes(const char *distribution, int n) {
    (void)distribution;
    return (size_t)n * sizeof(struct tree_body);
}

void tree_sharpen(void *input, const void *before, const char *distribution, int n) {
    (void)distribution;
    keep_ends(input, before, n, sizeof(struct tree_body));
}
