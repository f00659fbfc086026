/* A sample of the forces: all of a timed run would take a CPU minutes. */
#include "jerk_problem.h"

#include <math.h>
#include <string.h>

/* Targets of the sample, at most; and how far those of a timed run may be off. */
enum { SAMPLE = 512 };
static const double timed_limit = 1e-5;

/* Where the sample begins, drawn from the sources, which are others in every run. */
static int first_of(const struct jerk_parameters *parameters, const struct particle *sources,
                    int *step) {
    uint64_t bits = 0;

    for (int c = 0; c < 3; c++) {
        uint64_t more;

        memcpy(&more, &sources[0].star.x[c], sizeof more);
        bits = (bits ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    }
    *step = (parameters->targets + SAMPLE - 1) / SAMPLE;
    return (int)((bits >> 32) % (uint64_t)*step);
}

int jerk_trusted(const void *memory, const void *input, void *output, int iterations) {
    const struct jerk_parameters *parameters = memory;
    const struct particle *targets = jerk_targets(parameters, input);
    struct force *forces = output;
    int step, first = first_of(parameters, input, &step);

    (void)iterations;
#pragma omp parallel for schedule(dynamic)
    for (int i = first; i < parameters->targets; i += step)
        forces[i] = jerk_feel(parameters, input, &targets[i], RIGHT, -1).force;
    return 0;
}

double jerk_sampled_error(const void *memory, const void *input, const void *output) {
    const struct jerk_parameters *parameters = memory;
    const struct particle *targets = jerk_targets(parameters, input);
    const struct force *forces = output;
    int step, first = first_of(parameters, input, &step);
    double of_errors = 0, of_all = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : of_errors, of_all)
    for (int i = first; i < parameters->targets; i += step) {
        struct felt right = jerk_feel(parameters, input, &targets[i], RIGHT, -1);
        double errors[3];

        jerk_errors(&right, &forces[i], errors);
        of_errors += errors[0] * errors[0] * right.of_acceleration * right.of_acceleration;
        of_all += right.of_acceleration * right.of_acceleration;
    }
    return of_all > 0 ? sqrt(of_errors / of_all) : 0;
}

void jerk_judge_timed(const void *memory, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement) {
    const struct jerk_parameters *parameters = memory;
    const struct force *right = trusted, *forces = output;
    int step, first = first_of(parameters, input, &step);

    (void)tolerance;
    memset(judgement, 0, sizeof *judgement);
    if (!jerk_is_finite(forces, parameters->targets, judgement))
        return;
    for (int i = first; i < parameters->targets; i += step) {
        double error = 0, norm = 0;

        for (int c = 0; c < 3; c++) {
            double off = forces[i].acceleration[c] - right[i].acceleration[c];

            error += off * off;
            norm += right[i].acceleration[c] * right[i].acceleration[c];
        }
        if (error > timed_limit * timed_limit * norm ||
            fabs(forces[i].potential - right[i].potential) >
                timed_limit * fabs(right[i].potential)) {
            judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                     "forces of the timed run are wrong: target %d has acceleration.x %.9g and "
                     "potential %.9g and should have %.9g and %.9g; does the program do in every "
                     "pass what it does in the first two?",
                     i, forces[i].acceleration[0], forces[i].potential, right[i].acceleration[0],
                     right[i].potential);
            return;
        }
    }
}
