#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/random.h"
#include "referee/judge/check.h"
#include "referee/judge/rounds.h"
#include "referee/machine/machine.h"
#include "referee/play/player_process.h"
#include "timing.h"
#include "timing_parts.h"

/* A run shorter than this drowns in the clock's and the wake-up's noise. */
static const double shortest_run = 0.02;

static double allowance(const struct contender *contender) {
    const struct problem *problem = contender->problem;

    return problem->work(contender->distribution, contender->n) * contender->iterations /
           problem->slowest_rate;
}

static size_t input_bytes(const struct contender *contender) {
    return contender->problem->input_bytes(contender->distribution, contender->n);
}

static size_t output_bytes(const struct contender *contender) {
    return contender->problem->output_bytes(contender->distribution, contender->n);
}

/* Where the one output lies that waits for its judgement. It only grows: a new one would have to be
 * given its pages anew for every contender. NULL: there is no memory. */
static void *output_with(size_t bytes) {
    static void *output;
    static size_t size;

    if (!output || bytes > size) {
        free(output);
        output = malloc(bytes);
        size = bytes;
    }
    return output;
}

enum outcome contender_turn(struct contender *contender, const void *input, const void **output,
                            double *seconds) {
    void *lies = output_with(output_bytes(contender));

    *output = lies;
    return player_run(contender->player, input, lies, contender->iterations, allowance(contender),
                      seconds);
}

static enum outcome create(struct contender *contender, int iterations) {
    const struct problem *problem = contender->problem;

    contender->iterations = iterations;
    problem_timed_parameters(problem, contender->parameters, contender->distribution, contender->n,
                             iterations);
    return player_create(contender->player, contender->parameters, problem->parameters_bytes,
                         input_bytes(contender), output_bytes(contender));
}

/* The object that the device's clock times, whose first timed run tells the errors. */
static int prepare_with_errors(struct contender *contender, const struct subject *subject,
                               struct timing *timing) {
    struct verdict *errors = contender->errors = subject->errors;
    enum outcome outcome = create(contender, subject->iterations);

    memset(errors, 0, sizeof *errors);
    snprintf(errors->variant, sizeof errors->variant, "%s", subject->program->variant);
    return outcome == OUTCOME_ACCEPTED ||
           timing_fail(timing, outcome, player_message(contender->player));
}

/* By objects of their own. */
static int find_errors(struct contender *contender, const struct subject *subject,
                       struct timing *timing) {
    struct verdict *errors = subject->errors;
    enum outcome outcome =
        check_iterations(contender->player, subject->programs->step, subject->program->variant,
                         contender->n, contender->distribution, 0, subject->errors_seed, errors);

    return outcome == OUTCOME_ACCEPTED || timing_fail(timing, outcome, "no memory for its input");
}

/* Runs of one iteration, the first of which warms up, errors if they are wanted, then an object for
 * the iterations a run needs. A program that takes long is warm after one run, and if that is known
 * beforehand none is needed; a short one is run three times more, since one of them may have been
 * held up. */
static int prepare(struct contender *contender, const struct subject *subject,
                   struct timing *timing) {
    const struct problem *problem = contender->problem;
    struct round *warm = round_get(problem, contender->distribution, contender->n, seed_of(0, 1));
    double seconds = subject->expected, last = 0;
    const void *output;
    enum outcome outcome;
    int i, wanted = problem->least_iterations ? problem->least_iterations : 1;
    int growth = subject->growth ? subject->growth : 10;

    if (!warm)
        return timing_fail(timing, OUTCOME_INTERNAL, "no memory for its input");
    outcome = create(contender, 1);
    for (i = 0; i < (last < 2 * shortest_run ? 4 : 2) && outcome == OUTCOME_ACCEPTED &&
                timing_repeats(seconds) == REPEATS;
         i++) {
        outcome = contender_turn(contender, warm->input, &output, &last);
        seconds = i < 2 || last < seconds ? last : seconds;
    }
    while (seconds * wanted < shortest_run && wanted * growth <= problem->most_iterations)
        wanted *= growth;
    if (subject->iterations)
        wanted = subject->iterations;
    if (outcome == OUTCOME_ACCEPTED && (wanted != 1 || subject->errors)) {
        outcome = player_destroy(contender->player);
        if (outcome == OUTCOME_ACCEPTED && subject->errors &&
            !find_errors(contender, subject, timing))
            return 0;
        if (outcome == OUTCOME_ACCEPTED)
            outcome = create(contender, wanted);
    }
    contender->estimate = seconds * wanted;
    return outcome == OUTCOME_ACCEPTED ||
           timing_fail(timing, outcome, player_message(contender->player));
}

struct contender *contender_open(const struct subject *subject, struct timing *timing) {
    const struct step *step = subject->programs->step;
    const struct program *program = subject->program;
    const struct problem *problem = problem_find(step->problem);
    struct contender *contender = calloc(1, sizeof *contender);
    struct player_options options = {.path = program->path, .name = step->name, .problem = problem};
    int n = subject->n, iterations = subject->iterations, threads = subject->threads;
    char message[512] = "no memory", tolerance[32];

    memset(timing, 0, sizeof *timing);
    timing->energy = -1;
    options.input_bytes = problem->input_bytes(subject->distribution, n);
    options.output_bytes = problem->output_bytes(subject->distribution, n);
    if (!contender || !output_with(options.output_bytes)) {
        timing_fail(timing, OUTCOME_INTERNAL, message);
        contender_close(contender);
        return NULL;
    }
    if (iterations > problem->most_iterations) {
        snprintf(message, sizeof message,
                 "%d iterations are too many to compare two float32 programs after; at most %d",
                 iterations, problem->most_iterations);
        timing_fail(timing, OUTCOME_SIZE, message);
        contender_close(contender);
        return NULL;
    }
    if (threads == 0 && program->all_threads)
        threads = usable_cpus();
    contender->problem = problem;
    cell_value(step->tolerance, program->variant, tolerance);
    contender->tolerance = atof(tolerance);
    contender->wrong = step_expects(step, program->variant) != OUTCOME_ACCEPTED;
    contender->device_clock = !strcmp(program->build, "device");
    contender->on_gpu = !strcmp(program->backend, "cuda");
    contender->trusted = subject->trusted;
    snprintf(contender->name, sizeof contender->name, "%s %s", step->name, program->variant);
    contender->distribution = subject->distribution;
    contender->n = n;
    contender->threads = options.threads = threads ? threads : 1;
    if (!(contender->player = player_start(&options, message)) ||
        !(subject->errors && contender->device_clock ? prepare_with_errors
                                                     : prepare)(contender, subject, timing)) {
        if (!timing->outcome)
            timing_fail(timing, OUTCOME_INTERNAL, message);
        contender_close(contender);
        return NULL;
    }
    return contender;
}

void contender_close(struct contender *contender) {
    if (!contender)
        return;
    player_end(contender->player);
    free(contender);
}
