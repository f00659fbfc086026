/* What targets feel, in double, by the contract or with a fault that is made on purpose. */
#include "jerk_problem.h"

#include <math.h>
#include <stdlib.h>

/* Distances of neighbours, squared: so far apart two are as near by roundings of float. */
static const double as_near = 2e-6;

static int is_itself(const struct particle *source, int place, const struct particle *target,
                     double r2, enum jerk_rule rule) {
    switch (rule) {
    case SELF_COUNTS:
        return 0;
    case SELF_BY_PLACE:
        return r2 == 0;
    case INDEX_AS_PLACE:
        return place == target->index;
    default:
        return source->index == target->index;
    }
}

/* The distance by which a neighbour is chosen. A softened one is one in float: in double it would
 * be right. */
static double distance2(double r2, double softening, enum jerk_rule rule) {
    return rule == SOFTENED_NEIGHBOUR   ? (float)((float)r2 + (float)(softening * softening))
           : rule == FARTHEST_NEIGHBOUR ? -r2
                                        : r2;
}

struct felt jerk_feel(const struct jerk_parameters *parameters, const struct particle *sources,
                      const struct particle *target, enum jerk_rule rule, int given) {
    double softening = rule == NO_SOFTENING ? 0 : parameters->softening;
    double softening2 = rule == SOFTENING_NOT_SQUARED ? softening : softening * softening;
    int n = parameters->sources - (rule == NO_LAST_SOURCE);
    const struct star *own = &target->star;
    struct felt felt = {.force.neighbour = -1, .nearest2 = INFINITY, .given2 = INFINITY};
    double acceleration[3] = {0}, jerk[3] = {0}, potential = 0;

    for (int j = 0; j < n; j++) {
        const struct star *other = &sources[j].star;
        double r[3], v[3], r2 = 0, rv = 0, other2 = 0, own2 = 0;
        double mass = rule == MASS_OF_TARGET ? own->mass : other->mass;

        for (int c = 0; c < 3; c++) {
            r[c] = rule == FLOAT_PLACES ? (float)other->x[c] - (double)(float)own->x[c]
                                        : other->x[c] - own->x[c];
            v[c] = other->v[c] - own->v[c];
            r2 += r[c] * r[c];
            rv += r[c] * v[c];
            other2 += other->v[c] * other->v[c];
            own2 += own->v[c] * own->v[c];
        }
        double s2 = r2 + softening2, near2 = distance2(r2, softening, rule);
        int index = rule == PLACE_OF_NEIGHBOUR ? j : sources[j].index;
        int itself = is_itself(&sources[j], j, target, r2, rule);

        if ((!itself || rule == SELF_AS_NEIGHBOUR) && rule != NO_NEIGHBOUR) {
            if (index == given)
                felt.given2 = near2;
            if (near2 < felt.nearest2 || (rule == LAST_NEIGHBOUR && near2 == felt.nearest2)) {
                felt.nearest2 = near2;
                felt.force.neighbour = index;
            }
        }
        if (s2 == 0 || (itself && rule != SELF_IN_POTENTIAL))
            continue;
        double s = sqrt(s2), scale = mass / (s2 * s), approach = 3 * rv / s2;

        potential += mass / s;
        if (itself)
            continue;
        approach = rule == NO_SECOND_TERM ? 0 : rule == NO_FACTOR ? rv / s2 : approach;
        for (int c = 0; c < 3; c++) {
            acceleration[c] += scale * r[c];
            jerk[c] += scale * (v[c] - approach * r[c]);
        }
        felt.of_acceleration += fabs(scale) * sqrt(r2);
        felt.of_jerk += fabs(scale) * (sqrt(other2) + sqrt(own2)) * (1 + 3 * r2 / s2);
        felt.of_potential += fabs(mass) / s;
    }
    for (int c = 0; c < 3; c++) {
        felt.force.acceleration[c] = rule == MINUS_R ? -acceleration[c] : acceleration[c];
        felt.force.jerk[c] = rule == MINUS_V ? -jerk[c] : rule == NO_JERK ? 0 : jerk[c];
    }
    felt.force.potential = rule == PLUS_POTENTIAL ? potential : -potential;
    return felt;
}

void *jerk_answer(const void *memory, const void *input, const char *distribution, int iterations) {
    const struct jerk_parameters *parameters = memory;
    const struct particle *targets = jerk_targets(parameters, input);
    struct felt *felt = malloc((size_t)parameters->targets * sizeof *felt);

    (void)distribution, (void)iterations;
#pragma omp parallel for if ((double)parameters->sources * parameters->targets > 1e5)
    for (int i = 0; i < parameters->targets; i++)
        if (felt)
            felt[i] = jerk_feel(parameters, input, &targets[i], RIGHT, -1);
    return felt;
}

static double relative(double error2, double magnitude) {
    return error2 > 0 ? sqrt(error2) / (magnitude > 0 ? magnitude : 1) : 0;
}

void jerk_errors(const struct felt *right, const struct force *force, double errors[3]) {
    double acceleration = 0, jerk = 0, potential = force->potential - right->force.potential;

    for (int c = 0; c < 3; c++) {
        double a = force->acceleration[c] - right->force.acceleration[c];
        double j = force->jerk[c] - right->force.jerk[c];

        acceleration += a * a;
        jerk += j * j;
    }
    errors[0] = relative(acceleration, right->of_acceleration);
    errors[1] = relative(jerk, right->of_jerk);
    errors[2] = relative(potential * potential, right->of_potential);
}

int jerk_is_off(const struct felt *right, const struct force *force, enum jerk_part part,
                double tolerance) {
    int given = force->neighbour;
    double errors[3];

    jerk_errors(right, force, errors);
    if (part != NEIGHBOUR)
        return !(errors[part - ACCELERATION] <= tolerance);
    /* Another one may be as near, to rounding; of those at the same distance it is the first. */
    return given != right->force.neighbour &&
           (given < 0 || right->given2 == right->nearest2 ||
            !(right->given2 <= right->nearest2 + as_near * fabs(right->nearest2)));
}

enum jerk_part jerk_wrong(const struct jerk_parameters *parameters, const void *input,
                          const struct particle *target, const struct felt *right,
                          const struct force *force, double tolerance) {
    struct felt again;

    for (enum jerk_part part = ACCELERATION; part < NEIGHBOUR; part++)
        if (jerk_is_off(right, force, part, tolerance))
            return part;
    if (force->neighbour == right->force.neighbour)
        return NOTHING;
    again = jerk_feel(parameters, input, target, RIGHT, force->neighbour);
    return jerk_is_off(&again, force, NEIGHBOUR, tolerance) ? NEIGHBOUR : NOTHING;
}
