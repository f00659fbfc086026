/* Films of galaxies: the program's bodies, moved by an octree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "galaxy_problem.h"
#include "problems/orbits/orbits_problem.h"

/* How two galaxies begin: so many kpc apart; they come nearer by as many km/s as M31 and the Milky
 * Way do today, and pass each other sideways. */
static const double apart = 100, towards = 110, sideways = 60;

/* A billion years of M31, and how two of them meet. */
static const struct scene scenes[] = {{"m31", 1 << 15, 1e9 / YEARS, 1e9 / YEARS / 71, 25},
                                      {"meeting", 1 << 15, 1.5e9 / YEARS, 1.5e9 / YEARS / 71, 70},
                                      {NULL, 0, 0, 0, 0}};

static int halves(const char *distribution) {
    return strcmp(distribution, "meeting") ? 1 : 2;
}

/* Bodies of galaxy `half`; the first one has one more if n is odd. */
static int bodies_of(const char *distribution, int n, int half) {
    return (n + halves(distribution) - 1 - half) / halves(distribution);
}

/* Halos come first, in a meeting both of them. */
static int dark(const char *distribution, int n) {
    struct galaxy_parameters parameters;
    int bodies = 0;

    for (int half = 0; half < halves(distribution); half++) {
        galaxy_problem.set_parameters(&parameters, galaxy_problem.distributions[0],
                                      bodies_of(distribution, n, half), 1);
        bodies += galaxy_first(&parameters, STELLAR_HALO);
    }
    return bodies;
}

/* Puts a galaxy in its place. The plane of their orbit is that of the first one's disk, which turns
 * the way that the orbit does; the second one's axis lies in that plane. */
static void place(struct star *stars, int n, int half) {
    const double x[3] = {apart, 0, 0}, v[3] = {-towards, sideways, 0};

    for (int i = 0; i < n; i++) {
        const struct star own = stars[i];

        for (int c = 0; c < 3; c++) {
            stars[i].x[c] = own.x[(c + half) % 3] + (half ? 0.5 : -0.5) * x[c];
            stars[i].v[c] = own.v[(c + half) % 3] + (half ? 0.5 : -0.5) * v[c];
        }
    }
}

/* Makes two galaxies in `made` and puts them into `stars`, halos first. */
static int make_two(const struct surveyed *program, int n, uint64_t seed, struct star *made,
                    struct star *stars) {
    int all_dark = dark("meeting", n), before = 0, before_dark = 0;

    for (int half = 0; half < 2; half++) {
        int count = bodies_of("meeting", n, half), own_dark;
        const uint64_t own_seed = seed + (uint64_t)half;
        struct galaxy_parameters parameters;

        galaxy_problem.set_parameters(&parameters, galaxy_problem.distributions[0], count, 1);
        own_dark = galaxy_first(&parameters, STELLAR_HALO);
        if (program->run(program->referee, &parameters, count, 1, &own_seed, made))
            return -1;
        place(made, count, half);
        memcpy(stars + before_dark, made, (size_t)own_dark * sizeof *made);
        memcpy(stars + all_dark + before - before_dark, made + own_dark,
               (size_t)(count - own_dark) * sizeof *made);
        before += count;
        before_dark += own_dark;
    }
    return 0;
}

static int make(const struct surveyed *program, const char *distribution, int n, uint64_t seed,
                void *elements) {
    struct galaxy_parameters parameters;
    struct star *made;
    int failed;

    if (halves(distribution) == 1 || n < 2) {
        galaxy_problem.set_parameters(&parameters, galaxy_problem.distributions[0], n, 1);
        return program->run(program->referee, &parameters, n, 1, &seed, elements);
    }
    made = malloc((size_t)n * sizeof *made);
    failed = !made || make_two(program, n, seed, made, elements);
    free(made);
    return failed ? -1 : 0;
}

/* The softening, in kpc, is larger than the usual one: bodies of a film are few and heavy, and
 * steps are shorter the less they are softened. */
static void set_parameters(void *memory, const char *distribution, int n, double dt) {
    struct orbits_parameters *parameters = memory;

    (void)distribution;
    orbits_problem.set_parameters(parameters, galaxy_problem.distributions[0], n, 1);
    parameters->softening = 0.25;
    parameters->interval = dt;
}

static const struct making making = {
    .make = make, .move = orbits_by_tree, .mover = "block steps by an octree", .dark = dark};

const struct motion galaxy_motion = {.scenes = scenes,
                                     .element = sizeof(struct star),
                                     .position = offsetof(struct star, x),
                                     .velocity = offsetof(struct star, v),
                                     .is_double = 1,
                                     .making = &making,
                                     .set_parameters = set_parameters};
