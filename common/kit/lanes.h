/* A simulation on a CPU's vectors: bodies as an array for each coordinate, padded to whole tiles,
 * sets of forces and their addition, and the functions of the contract except simulation_run. */
#ifndef LANES_H
#define LANES_H

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "nbody_masses.h"

enum {
    LANES = 16, /* floats of the widest vector */
    TILE = 512, /* bodies j whose pulls are summed before the force gets them */
    PART = 64,  /* with Newton's third law: bodies j of a tile that keep a sum for each lane */
};

struct arrays {
    float *x, *y, *z;
};

/* Adds the pulls of bodies from ... to - 1 to the forces on bodies i, i + 1, ... */
typedef void pull_function(const struct simulation *simulation, int i, int from, int to,
                           struct arrays force);

struct simulation {
    struct parameters parameters;
    const struct body *in;
    const float *masses; /* NULL: all are 1 */
    struct body *out;
    pull_function *pull;
    int width;     /* bodies i that it takes at once */
    int padded;    /* n, rounded up; bodies from n on have no mass */
    int is_mutual; /* the pull between two bodies is computed once, for both */
    int sets;      /* of forces: one, or with is_mutual one for each thread */
    float *memory; /* of all that follows, padded floats each */
    float *mass;
    struct arrays at; /* positions */
    float *forces;    /* sets times x, y and z */
};

static struct arrays three(float *memory, int padded) {
    return (struct arrays){memory, memory + padded, memory + 2 * (size_t)padded};
}

/* The step's own: sets `pull`, `width` and `is_mutual`. */
static void choose(struct simulation *simulation);

/* v += dt F and x += dt v, by all threads; F is the sum of all sets, always in the same order. */
static void move(const struct simulation *simulation) {
    struct arrays at = simulation->at;
    float dt = simulation->parameters.dt;

#pragma omp for schedule(static)
    for (int i = 0; i < simulation->parameters.n; i++) {
        struct body *body = &simulation->out[i];

        for (int set = 0; set < simulation->sets; set++) {
            struct arrays force = three(simulation->forces + (size_t)set * 3 * simulation->padded,
                                        simulation->padded);

            body->vx += dt * force.x[i];
            body->vy += dt * force.y[i];
            body->vz += dt * force.z[i];
        }
        at.x[i] = body->x += dt * body->vx;
        at.y[i] = body->y += dt * body->vy;
        at.z[i] = body->z += dt * body->vz;
    }
}

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    struct simulation *simulation = calloc(1, sizeof *simulation);
    size_t padded = ((size_t)parameters->n + TILE - 1) / TILE * TILE, bytes;

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters, simulation->padded = (int)padded;
    simulation->in = in, simulation->masses = masses, simulation->out = out;
    choose(simulation);
    simulation->sets = simulation->is_mutual ? omp_get_max_threads() : 1;
    bytes = padded * (4 + 3 * (size_t)simulation->sets) * sizeof(float);
    simulation->memory = aligned_alloc(64, bytes);
    if (!simulation->memory) {
        free(simulation);
        return NULL;
    }
    memset(simulation->memory, 0, bytes);
    simulation->at = three(simulation->memory, simulation->padded);
    simulation->mass = simulation->memory + 3 * padded;
    simulation->forces = simulation->memory + 4 * padded;
    return simulation;
}

void simulation_destroy(struct simulation *simulation) {
    free(simulation->memory);
    free(simulation);
}

#endif
