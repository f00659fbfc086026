/* Nothing wrong with it: step 01, cut into pieces for the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "honest.h"

void honest_velocities(const struct parameters *parameters, struct body *bodies) {
    int n = parameters->n;
    float dt = parameters->dt, softening = parameters->softening;

    for (int i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;

        for (int j = 0; j < n; j++) {
            float dx = bodies[j].x - bodies[i].x;
            float dy = bodies[j].y - bodies[i].y;
            float dz = bodies[j].z - bodies[i].z;
            float inverse_distance = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
            float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            fx += dx * inverse_cube;
            fy += dy * inverse_cube;
            fz += dz * inverse_cube;
        }
        bodies[i].vx += dt * fx;
        bodies[i].vy += dt * fy;
        bodies[i].vz += dt * fz;
    }
}

void honest_positions(const struct parameters *parameters, struct body *bodies) {
    for (int i = 0; i < parameters->n; i++) {
        bodies[i].x += parameters->dt * bodies[i].vx;
        bodies[i].y += parameters->dt * bodies[i].vy;
        bodies[i].z += parameters->dt * bodies[i].vz;
    }
}

size_t honest_bytes(const struct simulation *simulation) {
    return (size_t)simulation->parameters.n * sizeof(struct body);
}

struct simulation *honest_create(const struct parameters *parameters, const struct body *in,
                                 struct body *out) {
    struct simulation *simulation = malloc(sizeof *simulation);

    if (simulation)
        *simulation = (struct simulation){*parameters, in, out};
    return simulation;
}

int honest_run(struct simulation *simulation, int iterations) {
    memcpy(simulation->out, simulation->in, honest_bytes(simulation));
    for (int iteration = 0; iteration < iterations; iteration++) {
        honest_velocities(&simulation->parameters, simulation->out);
        honest_positions(&simulation->parameters, simulation->out);
    }
    return 0;
}

__attribute__((weak)) struct simulation *
simulation_create(const struct parameters *parameters, const struct body *in, struct body *out) {
    return honest_create(parameters, in, out);
}

__attribute__((weak)) int simulation_run(struct simulation *simulation, int iterations) {
    return honest_run(simulation, iterations);
}

__attribute__((weak)) void simulation_destroy(struct simulation *simulation) {
    free(simulation);
}
