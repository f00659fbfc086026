/* Step 02: the bodies of both loops shared out among threads, in one parallel region. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "nbody.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
};

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. Called by all threads of the region: each takes its share
 * of the bodies and waits at the end for the others. */
static void update_velocities(struct body *bodies, const struct parameters *parameters) {
    int n = parameters->n;
    float dt = parameters->dt, softening = parameters->softening;

    /* part 1, 1 line: The threads share out the bodies. */
#pragma omp for schedule(SCHEDULE)
    /* end of part 1 */
    for (int i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;

        for (int j = 0; j < n; j++) {
            float dx = bodies[j].x - bodies[i].x;
            float dy = bodies[j].y - bodies[i].y;
            float dz = bodies[j].z - bodies[i].z;
            float distance_squared = dx * dx + dy * dy + dz * dz + softening;
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
}

/* x += dt v for every body; only now, since all forces need the old positions. Called by all
 * threads. */
static void update_positions(struct body *bodies, const struct parameters *parameters) {
    float dt = parameters->dt;

    /* part 2, 1 line: Here, too, the threads share out the bodies. */
#pragma omp for schedule(SCHEDULE)
    /* end of part 2 */
    for (int i = 0; i < parameters->n; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
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
    /* part 3, 1 line: One region of threads around all iterations. */
#pragma omp parallel
    /* end of part 3 */
    for (int iteration = 0; iteration < iterations; iteration++) {
        double start = omp_get_wtime();

        update_velocities(bodies, parameters);
        double middle = omp_get_wtime();

        update_positions(bodies, parameters);
#pragma omp master
        {
            figures->force_seconds += middle - start;
            figures->position_seconds += omp_get_wtime() - middle;
        }
    }
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    free(simulation);
}
