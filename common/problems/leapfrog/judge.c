#include "leapfrog_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/stars/whole.h"
#include "problems/text.h"

/* What honest programs keep over the cases of a check, the worst body's error of velocity, 60
 * seeds: 4.4e-12, 2.0e-12 and 7.6e-13 were the largest, the median 1e-13. It is that of two bodies
 * that were put at one place and are not far apart yet; where they move alike it may be larger. A
 * program with places in float is off by 1e-5 or more. */

static const char *const axes[] = {"x", "y", "z"};

static const struct star_words words = {
    .one = "body",
    .several = "bodies",
    .run = "integration_run",
    .not_finite = "without softening a body's own pull is 0/0, and so is that of two bodies at one "
                  "place: are they left out? Is every sum set to 0 first?",
    .mass = "masses do not change"};

void leapfrog_judge(const void *parameters, const void *input, const void *answer,
                    const void *output, const char *distribution, int iterations, double tolerance,
                    struct judgement *judgement) {
    const struct integration_parameters *p = parameters;
    const struct cluster *right = answer;
    const struct star *out = output;
    struct leapfrog_errors errors;
    long double *const *at;
    const double *got;

    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!stars_are_whole(input, out, p->n, &words, judgement))
        return;
    if (leapfrog_errors(right, input, out, iterations, tolerance, &errors)) {
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        return;
    }
    judgement->error_l2 = errors.kick_l2;
    judgement->error_p99 = errors.kick_p99;
    judgement->error_max = errors.kick_max;
    if (!errors.wrong)
        return;
    at = errors.is_velocity ? right->v : right->x;
    got = errors.is_velocity ? out[errors.body].v : out[errors.body].x;
    judge_as(judgement, OUTCOME_WRONG,
             "%d of %d bodies %s off, the first is body %d; the worst is body %d, whose %s %s is "
             "%.9g and should be %.9g, wrong by %.2g of its change (tolerance %g)%s",
             errors.wrong, p->n, errors.wrong == 1 ? "is" : "are", errors.first, errors.body,
             errors.is_velocity ? "velocity" : "position", axes[errors.component],
             got[errors.component], (double)at[errors.component][errors.body], errors.worst,
             tolerance,
             strcmp(distribution, "reversed") ? ""
                                              : "; velocities were turned round, so the bodies "
                                                "should return to where they came from");
    char cause[320] = "";
    leapfrog_diagnose(p, input, right, out, iterations, cause, sizeof cause);
    if (*cause)
        text_add(judgement->message, sizeof judgement->message, "; %s", cause);
}

/* From the start of timed runs (set_timed_parameters() in problem.c) right programs stay together:
 * the worst body of the step's own, over 1, 10, 100 and 1000 steps at n = 1024, 2048 and 8192, was
 * off by 2.8e-13. Half as many steps of twice the length are off by 1e-5 in the mean. */
void leapfrog_judge_timed(const void *parameters, const void *input, const void *trusted,
                          const void *output, double tolerance, struct judgement *judgement) {
    static const double limit = 1e-8;
    const struct integration_parameters *p = parameters;
    struct leapfrog_errors errors;
    struct cluster *right;

    (void)tolerance;
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!stars_are_whole(input, output, p->n, &words, judgement))
        return;
    right = cluster_new(p, trusted);
    if (!right || leapfrog_errors(right, input, output, 0, limit, &errors)) {
        free(right);
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        return;
    }
    free(right);
    judgement->error_l2 = errors.kick_l2;
    judgement->error_p99 = errors.kick_p99;
    judgement->error_max = errors.kick_max;
    if (errors.wrong)
        judge_as(judgement, OUTCOME_TIMED_OUTPUT,
                 "%d of %d bodies of the timed run differ from the trusted program's, body %d by "
                 "%.2g of its change (limit %g); does the program compute every force in every "
                 "step?",
                 errors.wrong, p->n, errors.body, errors.worst, limit);
}
