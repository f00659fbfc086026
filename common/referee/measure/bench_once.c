#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "referee/judge/check.h"
#include "referee/judge/check_cases.h"
#include "referee/judge/check_program.h"
#include "referee/machine/gpu.h"
#include "referee/timing/plan.h"
#include "referee/base/json.h"
#include "referee/base/print.h"
#include "referee/timing/timing.h"

/* A run of cpucuda: right or not, and no time. */
static enum outcome check_once(const struct programs *programs, const struct program *program,
                               const struct options *options) {
    const struct problem *problem = problem_find(programs->step->problem);
    const char *distribution = problem_distribution(problem, options->distribution);
    int n = options->n ? options->n : problem->sizes->small;
    int expected, iterations = options->iterations;
    struct verdict verdict;
    enum outcome outcome;

    /* As many as a check takes: it is not timed, so more would tell nothing. */
    if (iterations > TASK_ITERATIONS)
        iterations = TASK_ITERATIONS;
    outcome =
        check_accuracy(programs, program, n, distribution, iterations, options->seed, &verdict);
    if (outcome)
        return outcome;
    expected = rejected_as_expected(programs->step, &verdict);
    if (verdict.outcome && !expected)
        return complain(verdict.outcome, "%s, variant %s, n = %d: %s", programs->step->name,
                        program->variant, n, verdict.message);
    if (options->json) {
        char word[32];

        snprintf(word, sizeof word, "%s%s", outcome_word(verdict.outcome),
                 expected ? ":expected" : "");
        print_json("{ step=%s variant=%s backend=%s n=%d error_l2=%.6g outcome=%s }",
                   programs->step->name, program->variant, program->backend, n, verdict.error_l2,
                   word);
    } else if (expected)
        printf("%s, variant %s, n = %d: rejected, as expected: %s\n", programs->step->name,
               program->variant, n, verdict.message);
    else
        printf("%s: %s%s, variant %s, backend %s: n = %d, output right, error %.1e (a CPU that "
               "plays a GPU tells nothing of speed)\n",
               programs->step->name, programs_source(programs, program),
               programs_why(programs, program), program->variant, program->backend, n,
               verdict.error_l2);
    return OUTCOME_ACCEPTED;
}

enum outcome bench_once(const struct options *options) {
    const struct step *step = options->step;
    static struct programs programs;
    const struct program *program;
    const struct problem *problem = problem_find(step->problem);
    const char *distribution = problem_distribution(problem, options->distribution);
    struct trusted trusted = {0};
    struct subject subject = {.programs = &programs,
                              .distribution = distribution,
                              .n = options->n ? options->n : problem->sizes->single,
                              .iterations = options->iterations,
                              .trusted = &trusted};
    int n = subject.n;
    struct contender *contender;
    struct timing timing;
    char readable[32];
    enum outcome outcome;
    double seconds, rate;

    if ((outcome = programs_choose(&programs, step, options, 0)) ||
        (outcome = programs_build_timed(&programs, options->backend, gpu_of_programs() >= 0, 0)))
        return outcome;
    program = options->variant ? programs_find(&programs, options->variant, programs.list[0].build)
                               : &programs.list[0];
    if (!program || !strcmp(program->build, "missing"))
        return programs_no_variant(&programs,
                                   options->variant ? options->variant : programs.list[0].variant);
    if (!plan_is_timed(program->backend))
        return check_once(&programs, program, options);
    if ((outcome = trusted_open(&trusted, problem, n, options->seed)))
        return outcome;
    subject.program = program;
    contender = contender_open(&subject, &timing);
    if (contender)
        time_isolated(contender, options->seed, 1, &timing);
    contender_close(contender);
    trusted_close(&trusted);
    if (timing.outcome)
        return complain(timing.outcome, "%s, variant %s, n = %d: %s", step->name, program->variant,
                        n, timing.message);
    seconds = timing.median / timing.iterations;
    rate = 1e-9 * problem->work(distribution, n) / seconds;
    if (options->json)
        print_json("{ step=%s variant=%s backend=%s n=%d iterations=%d threads=%d seconds=%.6g "
                   "rate_gps=%.6g difference=%.3g outcome=%s }",
                   step->name, program->variant, program->backend, n, timing.iterations,
                   timing.threads, timing.median, rate, timing.difference,
                   outcome_word(OUTCOME_ACCEPTED));
    else
        printf("%s: %s%s, variant %s, backend %s, %d thread%s: n = %d, %s per iteration (%d in a "
               "run), %.*f G/s, output %s\n",
               step->name, programs_source(&programs, program), programs_why(&programs, program),
               program->variant, program->backend, timing.threads, timing.threads > 1 ? "s" : "", n,
               readable_seconds(seconds, readable), timing.iterations,
               rate < 0.1   ? 4
               : rate < 10  ? 2
               : rate < 100 ? 1
                            : 0,
               rate, step_expects(step, program->variant) ? "expected to be wrong" : "right");
    return OUTCOME_ACCEPTED;
}
