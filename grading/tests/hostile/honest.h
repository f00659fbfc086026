/* The honest part of the hostile submissions in C: step 02, right and clean. hostile.sh puts this
 * file in the place of the line that includes it, since a submission is one file. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nbody.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
};

__attribute__((unused)) static void honest_iteration(struct body *bodies,
                                                     const struct parameters *parameters) {
    float dt = parameters->dt;

#pragma omp parallel for
    for (int i = 0; i < parameters->n; i++) {
        float fx = 0, fy = 0, fz = 0;

        for (int j = 0; j < parameters->n; j++) {
            float dx = bodies[j].x - bodies[i].x;
            float dy = bodies[j].y - bodies[i].y;
            float dz = bodies[j].z - bodies[i].z;
            float distance_squared = dx * dx + dy * dy + dz * dz + parameters->softening;
            float inverse_distance = 1.0f / sqrtf(distance_squared);
            float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            fx += dx * inverse_cube;
            fy += dy * inverse_cube;
            fz += dz * inverse_cube;
        }
        bodies[i].vx += dt * fx;
        bodies[i].vy += dt * fy;
        bodies[i].vz += dt * fz;
    }
#pragma omp parallel for
    for (int i = 0; i < parameters->n; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

__attribute__((unused)) static int honest_run(struct simulation *simulation, int iterations) {
    memcpy(simulation->out, simulation->in,
           (size_t)simulation->parameters.n * sizeof *simulation->out);
    for (int iteration = 0; iteration < iterations; iteration++)
        honest_iteration(simulation->out, &simulation->parameters);
    return 0;
}

/* A result that no size accepts: what an attack hands in that has failed. */
__attribute__((unused)) static int wrong_run(struct simulation *simulation) {
    memset(simulation->out, 0, (size_t)simulation->parameters.n * sizeof *simulation->out);
    return 0;
}

/* Leaves a trace of an attack that came through, wherever it can. */
__attribute__((unused)) static void boast(const char *what) {
    static const char *const paths[] = {"@CANARIES@/touched", "@OUT@/touched", "@HOME@/touched",
                                        "/tmp/hostile-touched"};

    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        int fd = open(paths[i], O_WRONLY | O_CREAT | O_APPEND, 0666);

        if (fd >= 0) {
            dprintf(fd, "%s\n", what);
            close(fd);
        }
    }
}

/* What a successful attack would earn: its results are right only then. */
__attribute__((unused)) static int run_if(int succeeded, const char *what,
                                          struct simulation *simulation, int iterations) {
    if (!succeeded)
        return wrong_run(simulation);
    boast(what);
    return honest_run(simulation, iterations);
}

#define HONEST_CREATE                                                                              \
    struct simulation *simulation_create(const struct parameters *parameters,                      \
                                         const struct body *in, struct body *out) {                \
        struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);           \
                                                                                                   \
        if (simulation)                                                                            \
            *simulation = (struct simulation){*parameters, in, out};                               \
        return simulation;                                                                         \
    }
#define HONEST_RUN                                                                                 \
    int simulation_run(struct simulation *simulation, int iterations) {                            \
        return honest_run(simulation, iterations);                                                 \
    }
#define HONEST_DESTROY                                                                             \
    void simulation_destroy(struct simulation *simulation) {                                       \
        free(simulation);                                                                          \
    }
#define HONEST_STEP HONEST_CREATE HONEST_RUN HONEST_DESTROY
/* The body of its run follows. */
#define HONEST_BUT_ITS_RUN                                                                         \
    HONEST_CREATE HONEST_DESTROY int simulation_run(                                               \
        __attribute__((unused)) struct simulation *simulation,                                     \
        __attribute__((unused)) int iterations)
