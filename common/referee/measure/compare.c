#include "compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "referee/machine/gpu.h"
#include "problems/random.h"
#include "referee/base/json.h"
#include "problems/sorted.h"
#include "referee/timing/timing.h"

/* From so many rounds on the first and last of their order are left out: the median of ten lies
 * between the second and the ninth with 98% (David and Nagaraja, Order Statistics, 7.1). */
enum { ROUNDS_WITHOUT_ENDS = 8 };

struct side {
    struct programs programs;
    const struct step *step; /* NULL: there is none */
    struct contender *contender;
    struct timing timing; /* beside the submission */
    struct timing beside; /* the submission's, meanwhile */
};

static enum outcome choose(struct side *side, const struct step *step,
                           const struct options *options, int solution) {
    const struct options plain = {.results = options->results};
    enum outcome outcome =
        programs_choose(&side->programs, step, solution ? &plain : options, solution);

    side->step = step;
    return outcome
               ? outcome
               : programs_build_timed(&side->programs, options->backend, gpu_of_programs() >= 0, 0);
}

/* Opens a contender; `iterations` 0: as many as it needs itself, and on a CPU, which has no costs
 * of a launch or a copy for them to make up for, hardly more: a class has hundreds of runs. */
static int enter(struct side *side, int n, int iterations, struct trusted *trusted,
                 struct timing *timing) {
    const struct problem *problem = problem_find(side->step->problem);
    const struct subject subject = {.programs = &side->programs,
                                    .program = &side->programs.list[0],
                                    .distribution = problem->distributions[0],
                                    .n = n,
                                    .iterations = iterations,
                                    .growth = step_is_cuda(side->step) ? 0 : 2,
                                    .trusted = trusted};

    return (side->contender = contender_open(&subject, timing)) != NULL;
}

static double per_iteration(const struct timing *timing, double seconds) {
    return seconds / timing->iterations;
}

static void print_pair(const char *name, const struct side *side) {
    double shares[REPEATS];
    int count =
        side->timing.repeats < side->beside.repeats ? side->timing.repeats : side->beside.repeats;
    int ends = count >= ROUNDS_WITHOUT_ENDS, i;

    if (!side->step || count == 0) {
        print_json("%s=null", name);
        return;
    }
    for (i = 0; i < count; i++)
        shares[i] = per_iteration(&side->timing, side->timing.seconds[i]) /
                    per_iteration(&side->beside, side->beside.seconds[i]);
    sort_ascending(shares, count);
    print_json("%s={ step=%s seconds=%.6g seconds_submission=%.6g share=%.5g share_low=%.5g "
               "share_high=%.5g }",
               name, side->step->name, per_iteration(&side->timing, side->timing.median),
               per_iteration(&side->beside, side->beside.median), median_of_sorted(shares, count),
               shares[ends], shares[count - 1 - ends]);
}

/* Times `other` in isolation and then in turns with the submission. */
static enum outcome pair(struct side *submission, struct side *other, int n, int iterations,
                         struct trusted *trusted, uint64_t seed) {
    struct timing isolated;

    if (!enter(other, n, iterations, trusted, &isolated))
        return complain(isolated.outcome, "%s: %s", other->step->name, isolated.message);
    time_isolated(other->contender, seed_of(seed, 0), 0, &isolated);
    if (isolated.outcome)
        return complain(isolated.outcome, "%s: %s", other->step->name, isolated.message);
    if (!submission->contender &&
        !enter(submission, n, isolated.iterations, trusted, &submission->timing))
        other->beside = submission->timing;
    else
        time_pair(other->contender, submission->contender, &isolated, seed_of(seed, 1),
                  &other->timing, &other->beside);
    if (other->timing.outcome && !other->beside.outcome)
        return complain(other->timing.outcome, "%s: %s", other->step->name, other->timing.message);
    return OUTCOME_ACCEPTED;
}

enum outcome compare(const struct options *options) {
    const struct step *step = options->step;
    static struct side submission, solution, previous;
    const struct step *before =
        *step->builds_on ? catalogue_find(options->catalogue, step->builds_on) : NULL;
    const struct program *program = &submission.programs.list[0];
    const struct timing *decisive = &solution.beside;
    const struct sizes *sizes = problem_find(step->problem)->sizes;
    struct trusted trusted = {0};
    enum outcome outcome;
    int n;

    if (before && step_is_cuda(before) != step_is_cuda(step))
        before = NULL;
    if ((outcome = choose(&submission, step, options, 0)) ||
        (outcome = choose(&solution, step, options, 1)) ||
        (before && (outcome = choose(&previous, before, options, 1))))
        return outcome;
    if (strcmp(program->backend, step_is_cuda(step) ? "cuda" : "cpu"))
        return complain(OUTCOME_NO_GPU,
                        "%s: a CPU that plays a GPU tells nothing of speed; a comparison needs a "
                        "GPU and nvcc",
                        step->name);
    n = options->n ? options->n : step_is_cuda(step) ? sizes->on_gpu : sizes->on_cpu;
    if ((outcome = trusted_open(&trusted, problem_find(step->problem), n, options->seed)) ||
        (before &&
         (outcome = trusted_open(&trusted, problem_find(before->problem), n, options->seed))))
        return outcome;
    outcome =
        pair(&submission, &solution, n, options->iterations, &trusted, seed_of(options->seed, 1));
    if (!outcome && before && !solution.beside.outcome) {
        outcome = pair(&submission, &previous, n, solution.timing.iterations, &trusted,
                       seed_of(options->seed, 2));
        decisive = &previous.beside;
    }
    contender_close(submission.contender);
    contender_close(solution.contender);
    contender_close(previous.contender);
    trusted_close(&trusted);
    if (outcome)
        return outcome;
    print_json("{ step=%s backend=%s variant=%s n=%d iterations=%d rounds=%d seed=%" PRIu64
               " outcome=%s message=%s",
               step->name, program->backend, program->variant, n, solution.beside.iterations,
               solution.beside.repeats, options->seed, outcome_word(decisive->outcome),
               decisive->message);
    print_pair("solution", &solution);
    print_pair("previous", &previous);
    print_json("}");
    return decisive->outcome;
}
