#include "trace_step.h"

#include <stdio.h>
#include <string.h>

#include "referee/base/json.h"
#include "one_program.h"
#include "trace_print.h"

/* Those of the check whose idea rests on the same counts. */
enum { TRACED_ITERATIONS = 2 };

static double work(const struct problem *problem, int n, int iterations) {
    return problem->work(problem->distributions[0], n) * iterations;
}

enum outcome trace_step(const struct options *options) {
    const struct step *step = options->step;
    static struct programs programs;
    static struct counters counters;
    const struct problem *problem = problem_find(step->problem);
    const struct program *program;
    int n = options->n ? options->n : problem->trace_cases->n;
    int iterations = options->iterations ? options->iterations : TRACED_ITERATIONS;
    enum outcome outcome;

    if (!step_is_cuda(step))
        return complain(OUTCOME_USAGE,
                        "%s is C; trace counts what kernels ask of memory, as in "
                        "`make trace STEP=03`",
                        step->name);
    if (options->arch || (options->backend && strcmp(options->backend, "cpucuda")))
        return complain(OUTCOME_USAGE, "only cpucuda makes a trace; leave BACKEND and ARCH out");
    if ((outcome = programs_choose(&programs, step, options, 0)) ||
        (outcome = one_program(&programs, "trace", one_variant(step, options->variant), &program)))
        return outcome;
    if (!program)
        return complain(OUTCOME_INTERNAL, "trace needs a C++ compiler, g++ or clang++");
    outcome = count_run(&programs, program, n, iterations, options->seed, &counters);
    if (outcome)
        return outcome;
    print_run(&programs, program, n, iterations, options->json);
    if (options->json) {
        trace_print_json(program->path, &counters, problem, work(problem, n, iterations));
        print_json("}");
    } else {
        trace_print(program->path, &counters, problem, work(problem, n, iterations));
    }
    return OUTCOME_ACCEPTED;
}

enum outcome trace_record(const struct session *session, const struct programs *programs,
                          const char *variant) {
    static struct programs traced;
    static struct counters counters;
    struct trace_fact said[TRACE_FACTS];
    struct fact facts[TRACE_FACTS];
    const struct problem *problem = problem_find(programs->step->problem);
    const struct program *program;
    int n = problem->trace_cases->n, count, i;
    enum outcome outcome;

    traced = *programs;
    if ((outcome = programs_build(&traced, "trace", variant)))
        return outcome;
    if (!(program = programs_find(&traced, variant, "trace")))
        return OUTCOME_ACCEPTED;
    outcome = count_run(&traced, program, n, TRACED_ITERATIONS, session->options->seed, &counters);
    if (outcome)
        return outcome;
    count = trace_facts(&counters, problem, work(problem, n, TRACED_ITERATIONS), said);
    for (i = 0; i < count; i++)
        fact_set(&facts[i], session->run, traced.step->name, variant, said[i].name, said[i].value,
                 said[i].unit, "trace");
    return record_append_facts(&session->record, facts, count);
}
