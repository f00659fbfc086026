/* Whether what a backend found is right: its forces as the problem `jerk` judges them. */
#include <stdlib.h>
#include <string.h>

#include "grape_problem.h"

void *grape_answer(const void *memory, const void *input, const char *distribution,
                   int iterations) {
    struct jerk_parameters as_jerk;
    struct particle *particles = grape_as_jerk(memory, input, PREDICTED, &as_jerk);
    void *answer = particles ? jerk_answer(&as_jerk, particles, distribution, iterations) : NULL;

    free(particles);
    return answer;
}

static const char *const explanations[GRAPE_RULES] = {
    [NOT_PREDICTED] = "bodies are summed where they were at tj; they are at ti",
    [BACKWARDS] = "bodies are predicted backwards: dt = ti - tj",
    [VELOCITY_STAYS] = "velocities are not predicted",
    [NO_SNAP] = "the term of a2by18 is left out",
    [SNAP_WITHOUT_FACTOR] = "in the position, a2by18 has the factor 3/4 dt^4",
    [FACTORS_TWICE] = "aby2, a1by6 and a2by18 have been divided by 2, 6 and 18 already",
    [POWERS_OF_VELOCITY] = "in the velocity, a1by6 has the factor 3 dt^2 and a2by18 3 dt^3",
    [POSITION_WITHOUT_JERK] = "in the position, the term of a1by6 is left out",
    [BEFORE_THE_WRITES] = "bodies are as they were before some of them were written again",
};

/* The fault of prediction that gives the force of the first target that is wrong, and the forces of
 * some that come after it; NULL: none does. */
static const char *diagnosis(const struct grape_parameters *parameters, const void *input,
                             const struct felt *right, const struct force *forces,
                             double tolerance) {
    enum { SAMPLE = 32 };
    const char *found = NULL;

    for (enum grape_rule rule = PREDICTED + 1; rule < GRAPE_RULES && !found; rule++) {
        struct jerk_parameters as_jerk;
        struct particle *particles = grape_as_jerk(parameters, input, rule, &as_jerk);
        int wrong = 0, fits = particles != NULL;

        for (int i = 0; fits && i < parameters->asking && wrong < SAMPLE; i++) {
            const struct particle *target = &particles[parameters->bodies + i];
            struct felt made;

            if (!jerk_is_off(&right[i], &forces[i], ACCELERATION, tolerance) &&
                !jerk_is_off(&right[i], &forces[i], JERK, tolerance))
                continue;
            made = jerk_feel(&as_jerk, particles, target, RIGHT, forces[i].neighbour);
            fits = !jerk_is_off(&made, &forces[i], ACCELERATION, 4 * tolerance) &&
                   !jerk_is_off(&made, &forces[i], JERK, 4 * tolerance);
            wrong++;
        }
        if (fits && wrong)
            found = explanations[rule];
        free(particles);
    }
    return found;
}

void grape_judge(const void *memory, const void *input, const void *answer, const void *output,
                 const char *distribution, int iterations, double tolerance,
                 struct judgement *judgement) {
    const struct grape_parameters *parameters = memory;
    struct jerk_parameters as_jerk;
    struct particle *particles = grape_as_jerk(parameters, input, PREDICTED, &as_jerk);
    const char *cause;

    memset(judgement, 0, sizeof *judgement);
    if (!particles) {
        judge_as(judgement, OUTCOME_INTERNAL, "no memory to judge the forces");
        return;
    }
    jerk_judge(&as_jerk, particles, answer, output, distribution, iterations, tolerance, judgement);
    if (judgement->outcome == OUTCOME_ACCEPTED)
        grape_lists_are_right(parameters, particles, input, output, judgement);
    else if (judgement->outcome == OUTCOME_WRONG &&
             (cause = diagnosis(parameters, input, answer, output, tolerance)))
        judge_as(judgement, OUTCOME_WRONG, "forces are wrong: %s", cause);
    free(particles);
}

int grape_trusted(const void *memory, const void *input, void *output, int iterations) {
    struct jerk_parameters as_jerk;
    struct particle *particles = grape_as_jerk(memory, input, PREDICTED, &as_jerk);
    int failed = particles ? jerk_trusted(&as_jerk, particles, output, iterations) : -1;

    free(particles);
    return failed;
}

double grape_sampled_error(const void *memory, const void *input, const void *output) {
    struct jerk_parameters as_jerk;
    struct particle *particles = grape_as_jerk(memory, input, PREDICTED, &as_jerk);
    double error = particles ? jerk_sampled_error(&as_jerk, particles, output) : -1;

    free(particles);
    return error;
}

void grape_judge_timed(const void *memory, const void *input, const void *trusted,
                       const void *output, double tolerance, struct judgement *judgement) {
    struct jerk_parameters as_jerk;
    struct particle *particles = grape_as_jerk(memory, input, PREDICTED, &as_jerk);

    if (particles)
        jerk_judge_timed(&as_jerk, particles, trusted, output, tolerance, judgement);
    else
        judge_as(judgement, OUTCOME_INTERNAL, "no memory to judge the forces");
    free(particles);
}
