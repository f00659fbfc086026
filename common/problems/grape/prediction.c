/* Where bodies of the memory are, by the contract or with a fault that is made on purpose. */
#include <stdlib.h>
#include <string.h>

#include "grape_problem.h"

static void predict(const struct j_body *body, double ti, enum grape_rule rule,
                    struct particle *particle) {
    double dt = rule == NOT_PREDICTED ? 0 : rule == BACKWARDS ? body->tj - ti : ti - body->tj;

    particle->star.mass = body->mass;
    particle->index = body->index;
    for (int c = 0; c < 3; c++) {
        double v = body->v[c], a = body->aby2[c], j = body->a1by6[c], k = body->a2by18[c];

        if (rule == NO_SNAP)
            k = 0;
        if (rule == FACTORS_TWICE)
            a /= 2, j /= 6, k /= 18;
        particle->star.x[c] =
            body->x[c] +
            dt * (v + dt * (a + dt * ((rule == POSITION_WITHOUT_JERK ? 0 : j) +
                                      dt * (rule == SNAP_WITHOUT_FACTOR ? 1 : 0.75) * k)));
        particle->star.v[c] = rule == VELOCITY_STAYS ? v
                              : rule == POWERS_OF_VELOCITY
                                  ? v + dt * (2 * a + dt * dt * (3 * j + dt * 6 * k))
                                  : v + dt * (2 * a + dt * (3 * j + dt * 3 * k));
    }
}

struct particle *grape_as_jerk(const struct grape_parameters *parameters, const void *input,
                               enum grape_rule rule, struct jerk_parameters *as_jerk) {
    const struct j_body *bodies = input;
    const struct written_body *written = grape_written(parameters, input);
    const struct i_body *asking = grape_asking(parameters, input);
    size_t n = (size_t)parameters->bodies, asks = (size_t)parameters->asking;
    struct particle *particles = calloc(n + asks, sizeof *particles);

    *as_jerk =
        (struct jerk_parameters){parameters->bodies, parameters->asking, parameters->softening};
    if (!particles)
        return NULL;
    for (size_t j = 0; j < n; j++)
        predict(&bodies[j], parameters->ti, rule, &particles[j]);
    for (int k = 0; k < parameters->written && rule != BEFORE_THE_WRITES; k++)
        predict(&written[k].body, parameters->ti, rule, &particles[written[k].address]);
    for (size_t i = 0; i < asks; i++) {
        memcpy(particles[n + i].star.x, asking[i].x, sizeof asking[i].x);
        memcpy(particles[n + i].star.v, asking[i].v, sizeof asking[i].v);
        particles[n + i].index = asking[i].index;
    }
    return particles;
}
