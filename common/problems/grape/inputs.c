/* Inputs of the problem `grape`. */
#include "grape_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/random.h"
#include "problems/stars/systems.h"

/* Plummer spheres that all bodies ask about, with softening and without; bodies at rest in pairs at
 * one place; and blocks of few bodies that ask. */
const char *const grape_distributions[] = {"sphere",   "unsoftened", "coincident", "block_16",
                                           "block_64", "block_256",  "block_2048", NULL};

static int is(const char *distribution, const char *name) {
    return !strcmp(distribution, name);
}

/* As many as ask, as after a block step, but not more than there are. */
int grape_written_of(const char *distribution, int n) {
    int asking = jerk_targets_of(distribution, n);

    return asking < n ? asking : (n + 1) / 2;
}

/* Derivatives of orbits in Henon units, with a time step that makes each of them count. */
static void draw_motion(struct j_body *body, struct random *random) {
    for (int c = 0; c < 3; c++) {
        body->aby2[c] = random_unit(random) - 0.5;
        body->a1by6[c] = random_unit(random) - 0.5;
        body->a2by18[c] = random_unit(random) - 0.5;
    }
    body->tj = -0.25 * random_unit(random);
}

static void draw_body(struct j_body *body, const struct star *star, int index,
                      struct random *random) {
    memset(body, 0, sizeof *body);
    memcpy(body->x, star->x, sizeof body->x);
    memcpy(body->v, star->v, sizeof body->v);
    body->mass = star->mass;
    body->index = index;
    draw_motion(body, random);
}

/* It stays where it is. */
static void rest(struct j_body *body) {
    memset(body->v, 0, sizeof body->v);
    memset(body->aby2, 0, sizeof body->aby2);
    memset(body->a1by6, 0, sizeof body->a1by6);
    memset(body->a2by18, 0, sizeof body->a2by18);
}

/* Squares of radii: no neighbours; a few; of small spheres the core, and most bodies. */
static double radius2(int i, int n) {
    double few = cbrt(8.0 / n);

    return i % 3 == 1               ? 0
           : i % 32 == 2 && n < 600 ? 2.25
           : i % 16 == 2 && n < 600 ? 0.25
                                    : 0.25 * few * few;
}

/* Of bodies at rest, with one just inside: floats cannot tell on which side it is. */
static double radius2_to(const struct j_body *one, const struct j_body *other) {
    double r2 = 0;

    for (int c = 0; c < 3; c++)
        r2 += (one->x[c] - other->x[c]) * (one->x[c] - other->x[c]);
    return r2 * (1 + 1e-9);
}

void grape_generate(void *input, const char *distribution, int n, uint64_t seed) {
    int asks = jerk_targets_of(distribution, n), writes = grape_written_of(distribution, n);
    struct j_body *bodies = input;
    struct written_body *written = (struct written_body *)(bodies + n);
    struct i_body *asking = (struct i_body *)(written + writes);
    struct star *stars = malloc((size_t)n * sizeof *stars);

    memset(written, 0, (size_t)writes * sizeof *written);
    memset(asking, 0, (size_t)asks * sizeof *asking);
    if (!stars)
        return;
    stars_plummer_of_masses(stars, n, seed);
    for (int j = 0; j < n; j++) {
        struct random random = random_of(seed, (uint64_t)j);

        draw_body(&bodies[j], &stars[j], jerk_index_of(distribution, n, seed, j), &random);
        if (is(distribution, "coincident")) {
            rest(&bodies[j]);
            if (j % 3 == 2)
                memcpy(bodies[j].x, bodies[j - 1].x, sizeof bodies[j].x);
        }
    }
    /* Others come in their place: at scattered addresses, of which every eighth comes twice. */
    for (int k = 0; k < writes; k++) {
        struct random random = random_of(seed + 1, (uint64_t)k);
        int address = (int)((uint64_t)(k - k % 8 / 7) * 7919u % (uint64_t)n);

        written[k].address = address;
        written[k].body = bodies[address];
        if (!is(distribution, "coincident"))
            draw_motion(&written[k].body, &random);
    }
    /* Strangers ask from between two bodies: from a body's place they feel that body alone where
     * prediction moves it by less than the softening, and the roundings of one pair are all of the
     * error. */
    for (int i = 0; i < asks; i++) {
        struct random random = random_of(seed + 2, (uint64_t)i);
        int place = asks == n ? i : (int)(random_bits(&random) % (uint64_t)n);
        const struct j_body *body = &bodies[place];
        int is_stranger = i % 11 == 5;

        memcpy(asking[i].x, body->x, sizeof asking[i].x);
        memcpy(asking[i].v, body->v, sizeof asking[i].v);
        asking[i].index = is_stranger ? -1 : body->index;
        if (is_stranger && !is(distribution, "coincident"))
            for (int c = 0; c < 3; c++)
                asking[i].x[c] = (body->x[c] + bodies[(place + 1) % n].x[c]) / 2;
        asking[i].h2 = is(distribution, "coincident") && i % 4 == 3
                           ? radius2_to(body, &bodies[(i + 5) % n])
                           : radius2(i, n);
    }
    free(stars);
}
