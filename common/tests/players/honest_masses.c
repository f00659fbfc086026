/* The honest step with a mass a body: of the problem `nbody_masses`, as the Makefile links it. */
#include "nbody_masses.h"

#include <math.h>
#include <string.h>

#include "honest.h"

static const float *masses; /* NULL: all are 1 */

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *in_masses,
                                                 struct body *out) {
    masses = in_masses;
    return honest_create(parameters, in, out);
}

static void velocities(const struct parameters *parameters, struct body *bodies) {
    for (int i = 0; i < parameters->n; i++)
        for (int j = 0; j < parameters->n; j++) {
            float dx = bodies[j].x - bodies[i].x;
            float dy = bodies[j].y - bodies[i].y;
            float dz = bodies[j].z - bodies[i].z;
            float inverse_distance =
                1.0f / sqrtf(dx * dx + dy * dy + dz * dz + parameters->softening);
            float scale = parameters->dt * (masses ? masses[j] : 1) * inverse_distance *
                          inverse_distance * inverse_distance;

            bodies[i].vx += dx * scale;
            bodies[i].vy += dy * scale;
            bodies[i].vz += dz * scale;
        }
}

int simulation_run(struct simulation *simulation, int iterations) {
    memcpy(simulation->out, simulation->in, honest_bytes(simulation));
    for (int iteration = 0; iteration < iterations; iteration++) {
        velocities(&simulation->parameters, simulation->out);
        honest_positions(&simulation->parameters, simulation->out);
    }
    return 0;
}
