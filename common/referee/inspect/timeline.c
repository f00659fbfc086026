#include "timeline.h"

#include <string.h>

#include "referee/base/json.h"
#include "referee/machine/gpu.h"
#include "referee/machine/machine.h"
#include "one_program.h"
#include "timeline_print.h"

enum { SIZE_ON_GPU = 30000, SIZE_ON_CPU = 4096, TIMELINE_ITERATIONS = 3 };

/* The build `timeline` where there are a GPU and nvcc, else the plain one of cpucuda. */
static enum outcome choose_program(struct programs *programs, const struct options *options,
                                   const struct program **program) {
    const char *variant = one_variant(options->step, options->variant);
    int cuda = options->arch || (options->backend && !strcmp(options->backend, "cuda"));
    enum outcome outcome = OUTCOME_ACCEPTED;

    *program = NULL;
    if (gpu_of_programs() >= 0 && (cuda || !options->backend))
        outcome = one_program(programs, "timeline", variant, program);
    if (outcome || *program)
        return outcome;
    if (cuda)
        return complain(OUTCOME_NO_GPU, "timeline on a GPU needs nvcc and a GPU; leave BACKEND and "
                                        "ARCH out, or say BACKEND=cpucuda");
    outcome = one_program(programs, "plain", variant, program);
    if (!outcome && !*program)
        return complain(OUTCOME_INTERNAL, "timeline needs a C++ compiler, g++ or clang++");
    return outcome;
}

/* Writes the times down and draws them. */
static enum outcome record_times(const struct programs *programs, const struct program *program,
                                 const struct counters *counters, int n,
                                 const struct options *options) {
    static struct fact facts[MOST_TIMELINE_FACTS];
    struct record record;
    char run[RUN_BYTES];
    enum outcome outcome = record_open(&record, options->results, machine_name(options));
    int count;

    if (outcome)
        return outcome;
    record_name_run(run);
    count = timeline_facts(programs->step->name, program, counters, n, run, facts);
    outcome = record_append_facts(&record, facts, count);
    return outcome ? outcome : record_draw(&record, "timeline", options->json);
}

enum outcome timeline(const struct options *options) {
    const struct step *step = options->step;
    static struct programs programs;
    static struct counters counters;
    const struct program *program;
    int iterations = options->iterations ? options->iterations : TIMELINE_ITERATIONS, n, timed;
    enum outcome outcome;

    if (!step_is_cuda(step))
        return complain(OUTCOME_USAGE,
                        "%s is C; timeline shows copies and kernels, as in `make timeline STEP=03`",
                        step->name);
    if ((outcome = programs_choose(&programs, step, options, 0)) ||
        (outcome = choose_program(&programs, options, &program)))
        return outcome;
    timed = !strcmp(program->backend, "cuda");
    n = options->n ? options->n : timed ? SIZE_ON_GPU : SIZE_ON_CPU;
    outcome = count_run(&programs, program, n, iterations, options->seed, &counters);
    if (outcome)
        return outcome;
    print_run(&programs, program, n, iterations, options->json);
    if (options->json) {
        timeline_print_json(program, &counters);
        print_json("}");
    } else {
        timeline_print(program, &counters);
    }
    return timed ? record_times(&programs, program, &counters, n, options) : OUTCOME_ACCEPTED;
}
