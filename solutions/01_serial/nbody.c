/* Step 01: every pair of bodies, one after the other, on one thread. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nbody.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
};

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. */
static void update_velocities(struct body *bodies, const struct parameters *parameters) {
    int n = parameters->n;
    float dt = parameters->dt, softening = parameters->softening;

    for (int i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;

        for (int j = 0; j < n; j++) {
            /* part 1, 9 lines: The pull of body j on body i, added to the force. */
            float dx = bodies[j].x - bodies[i].x;
            float dy = bodies[j].y - bodies[i].y;
            float dz = bodies[j].z - bodies[i].z;
            float distance_squared = dx * dx + dy * dy + dz * dz + softening;
            float inverse_distance = 1.0f / sqrtf(distance_squared);
            float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

            fx += dx * inverse_cube;
            fy += dy * inverse_cube;
            fz += dz * inverse_cube;
            /* until solved:
            (void)bodies, (void)softening;
            */
            /* end of part 1 */
        }
        /* part 2, 3 lines: The change of velocity that the force makes in one time step. */
        bodies[i].vx += dt * fx;
        bodies[i].vy += dt * fy;
        bodies[i].vz += dt * fz;
        /* until solved:
        (void)dt, (void)fx, (void)fy, (void)fz;
        */
        /* end of part 2 */
    }
}

/* x += dt v for every body; only now, since all forces need the old positions. */
static void update_positions(struct body *bodies, const struct parameters *parameters) {
    float dt = parameters->dt;

    /* part 3, 5 lines: Every body moves with its new velocity. */
    for (int i = 0; i < parameters->n; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
    /* until solved:
    (void)bodies, (void)dt;
    */
    /* end of part 3 */
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = malloc(sizeof *simulation);

    if (simulation)
        *simulation = (struct simulation){*parameters, in, out};
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    const struct parameters *parameters = &simulation->parameters;
    struct body *bodies = simulation->out;

    memcpy(bodies, simulation->in, (size_t)parameters->n * sizeof *bodies);
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities(bodies, parameters);
        update_positions(bodies, parameters);
    }
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    free(simulation);
}
