#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/judge/check.h"
#include "referee/judge/rounds.h"
#include "referee/machine/gpu.h"
#include "referee/machine/machine.h"
#include "referee/play/player_process.h"
#include "problems/random.h"
#include "problems/sorted.h"
#include "timing.h"

/* A run shorter than this drowns in the clock's and the wake-up's noise. */
static const double shortest_run = 0.02;

/* Seconds after which a program is warm, and a few runs tell enough; of a companion one run, above
 * the other. */
static const double long_run = 1, slow_run = 10;

/* What a program may lose by the other's presence before the comparison means nothing. */
static const double allowed_slowdown = 1.05;

/* What others may keep busy, in cores, and how far the GPU's clock may move before a time is
 * marked. */
static const double busy_cores = 0.1;
static const double steady_clock = 1.03;

enum { TRIES = 3, MOST_CONTENDERS = 2 };

struct contender {
    const struct problem *problem;
    struct player *player;
    char name[96]; /* step and variant */
    const char *distribution;
    int n, iterations, threads, companion;
    int on_gpu, wrong; /* wrong: it is known to be, and timed all the same */
    int device_clock;  /* kernel-only: the computation is timed without copies, by the device's own
                          clock */
    struct trusted *trusted;
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    double tolerance, estimate; /* the step's; seconds of one run */
};

struct samples {
    double seconds[REPEATS], energy[REPEATS], sm_mhz[REPEATS];
    struct figures figures[REPEATS];
    int count, gpu_others;
    double others, wall;
};

/* Those of our processes that use the GPU. */
struct ours {
    pid_t players[MOST_CONTENDERS + MOST_TRUSTED];
    int count;
};

static int fail(struct timing *timing, enum outcome outcome, const char *message) {
    timing->outcome = outcome;
    snprintf(timing->message, sizeof timing->message, "%s", message);
    return 0;
}

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

/* A run of the contender's own number of iterations. */
static enum outcome turn(struct contender *contender, const void *input, double *seconds) {
    return player_run(contender->player, input, output_with(output_bytes(contender)),
                      contender->iterations, allowance(contender), seconds);
}

static enum outcome create(struct contender *contender, int iterations) {
    const struct problem *problem = contender->problem;

    contender->iterations = iterations;
    problem_timed_parameters(problem, contender->parameters, contender->distribution, contender->n,
                             iterations);
    return player_create(contender->player, contender->parameters, problem->parameters_bytes,
                         input_bytes(contender), output_bytes(contender));
}

/* The object that the device's clock times, and its first run, of which the errors are wanted. */
static int prepare_with_error(struct contender *contender, const struct subject *subject,
                              struct timing *timing) {
    const struct program *program = subject->program;
    struct verdict *errors = subject->errors;
    enum outcome outcome = create(contender, subject->iterations);

    memset(errors, 0, sizeof *errors);
    snprintf(errors->variant, sizeof errors->variant, "%s", program->variant);
    if (!outcome)
        outcome =
            check_one_iteration(contender->player, contender->problem, contender->parameters,
                                contender->n, contender->distribution, subject->errors_seed,
                                contender->tolerance, output_with(output_bytes(contender)), errors);
    return outcome == OUTCOME_ACCEPTED ||
           fail(timing, outcome,
                outcome == OUTCOME_INTERNAL && !*player_message(contender->player)
                    ? "no memory for its input"
                    : player_message(contender->player));
}

/* By objects of their own. */
static int find_errors(struct contender *contender, const struct subject *subject,
                       struct timing *timing) {
    struct verdict *errors = subject->errors;
    enum outcome outcome =
        check_two_iterations(contender->player, subject->programs->step, subject->program->variant,
                             contender->n, contender->distribution, subject->errors_seed, errors);

    return outcome == OUTCOME_ACCEPTED || fail(timing, outcome, "no memory for its input");
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
    enum outcome outcome;
    int i, wanted = problem->least_iterations ? problem->least_iterations : 1;
    int growth = subject->growth ? subject->growth : 10;

    if (!warm)
        return fail(timing, OUTCOME_INTERNAL, "no memory for its input");
    outcome = create(contender, 1);
    for (i = 0; i < (last < 2 * shortest_run ? 4 : 2) && outcome == OUTCOME_ACCEPTED &&
                seconds <= long_run;
         i++) {
        outcome = turn(contender, warm->input, &last);
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
    return outcome == OUTCOME_ACCEPTED || fail(timing, outcome, player_message(contender->player));
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
        fail(timing, OUTCOME_INTERNAL, message);
        contender_close(contender);
        return NULL;
    }
    if (iterations > problem->most_iterations) {
        snprintf(message, sizeof message,
                 "%d iterations are too many to compare two float32 programs after; at most %d",
                 iterations, problem->most_iterations);
        fail(timing, OUTCOME_SIZE, message);
        contender_close(contender);
        return NULL;
    }
    if (threads == 0 && program->all_threads)
        threads = usable_cpus();
    contender->problem = problem;
    contender->companion = subject->companion;
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
        !(subject->errors && contender->device_clock ? prepare_with_error
                                                     : prepare)(contender, subject, timing)) {
        if (!timing->outcome)
            fail(timing, OUTCOME_INTERNAL, message);
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

/* The joules spent so far by what the contender runs on; negative: not known. What else is known of
 * the GPU goes to `samples`. */
static double observe(const struct contender *contender, const struct ours *ours,
                      struct samples *samples) {
    struct gpu_reading gpu;

    if (!contender->on_gpu)
        return machine_energy(NULL);
    gpu_read(ours->players, ours->count, &gpu);
    if (gpu.others > samples->gpu_others)
        samples->gpu_others = gpu.others;
    samples->sm_mhz[samples->count] = gpu.sm_mhz;
    return gpu.energy;
}

/* One checked run on the round's input. The GPU's clock is read right after it: before the first
 * run it may still be that of an idle GPU. */
static int sample(struct contender *contender, struct round *round, const struct ours *ours,
                  struct samples *samples, struct timing *timing) {
    const struct problem *problem = contender->problem;
    struct judgement judgement = {0};
    struct cpu_times before, after;
    double energy = observe(contender, ours, samples), more;
    char message[512];
    enum outcome outcome;

    cpu_times_read(&before, player_pid(contender->player));
    outcome = turn(contender, round->input, &samples->seconds[samples->count]);
    cpu_times_read(&after, player_pid(contender->player));
    more = observe(contender, ours, samples);
    samples->energy[samples->count] = energy < 0 || more < energy ? -1 : more - energy;
    samples->figures[samples->count] = player_figures(contender->player);
    if (contender->device_clock) {
        samples->seconds[samples->count] = samples->figures[samples->count].device_seconds;
        samples->energy[samples->count] = -1; /* the reading is of more */
    }
    samples->others += cpu_times_others(&before, &after) * (after.wall - before.wall);
    samples->wall += after.wall - before.wall;
    samples->count++;
    if (outcome)
        return fail(timing, outcome, player_message(contender->player));
    if (contender->device_clock && !(samples->seconds[samples->count - 1] > 0))
        return fail(timing, OUTCOME_OWN_ERROR,
                    "took no time by the device's clock: the optional function of its contract is "
                    "to queue the computation");
    if (contender->wrong)
        return 1;
    if (round->right_iterations != contender->iterations) {
        outcome =
            trusted_run(contender->trusted, problem, contender->parameters, contender->distribution,
                        contender->n, round->input, round->right, contender->iterations, message);
        if (outcome)
            return fail(timing, outcome, message);
        round->right_iterations = contender->iterations;
    }
    problem->judge_timed(contender->parameters, round->input, round->right,
                         output_with(output_bytes(contender)), contender->tolerance, &judgement);
    if (judgement.error_l2 > timing->difference)
        timing->difference = judgement.error_l2;
    return judgement.outcome == OUTCOME_ACCEPTED ||
           fail(timing, judgement.outcome, judgement.message);
}

static double median(const double *values, int count) {
    double sorted[REPEATS];

    memcpy(sorted, values, (size_t)count * sizeof *values);
    sort_ascending(sorted, count);
    return median_of_sorted(sorted, count);
}

/* NVML's counter moves in steps of up to 100 ms, so single runs tell little of it: the mean. */
static double mean_energy(const struct samples *samples) {
    double sum = 0;
    int i;

    for (i = 0; i < samples->count; i++) {
        if (samples->energy[i] < 0)
            return -1;
        sum += samples->energy[i];
    }
    return sum / samples->count;
}

static void summarize(const struct contender *contender, const struct samples *samples,
                      struct timing *timing) {
    int i, nearest = 0;

    if (timing->outcome)
        return;
    timing->iterations = contender->iterations;
    timing->device_clock = contender->device_clock;
    timing->threads = contender->threads;
    timing->repeats = samples->count;
    timing->median = median(samples->seconds, samples->count);
    timing->minimum = timing->maximum = samples->seconds[0];
    timing->sm_mhz = median(samples->sm_mhz, samples->count);
    timing->sm_mhz_least = timing->sm_mhz_most = samples->sm_mhz[0];
    for (i = 0; i < samples->count; i++) {
        double seconds = timing->seconds[i] = samples->seconds[i];

        if (seconds < timing->minimum)
            timing->minimum = seconds;
        if (seconds > timing->maximum)
            timing->maximum = seconds;
        if (samples->sm_mhz[i] < timing->sm_mhz_least)
            timing->sm_mhz_least = samples->sm_mhz[i];
        if (samples->sm_mhz[i] > timing->sm_mhz_most)
            timing->sm_mhz_most = samples->sm_mhz[i];
        if ((seconds - timing->median) * (seconds - timing->median) <
            (samples->seconds[nearest] - timing->median) *
                (samples->seconds[nearest] - timing->median))
            nearest = i;
    }
    timing->energy = mean_energy(samples);
    timing->gpu_others = samples->gpu_others;
    timing->figures = samples->figures[nearest];
    timing->others = samples->wall > 0 ? samples->others / samples->wall : 0;
}

void timing_marks(const struct timing *timing, char *text) {
    snprintf(text, 32, "%s%s%s", timing->others > busy_cores ? ":busy" : "",
             timing->gpu_others > 0 ? ":gpu-busy" : "",
             timing->sm_mhz_most > steady_clock * timing->sm_mhz_least ? ":clock" : "");
}

/* Rounds on a fresh input each, in which every contender runs once until it has had its `repeats`;
 * the last contender has most. Contenders of two problems get an input each from the same seed. */
static void rounds(struct contender *const *contenders, struct timing *const *timings, int count,
                   const int *repeats, uint64_t seed) {
    struct trusted *trusted = contenders[0]->trusted;
    struct samples samples[MOST_CONTENDERS] = {0};
    struct ours ours = {.count = 0};
    int i, number, failed = 0;

    if (trusted)
        ours.count = trusted_pids(trusted, ours.players);
    for (i = 0; i < count; i++) {
        memset(timings[i], 0, sizeof *timings[i]);
        timings[i]->energy = -1;
        if (contenders[i]->on_gpu)
            ours.players[ours.count++] = player_pid(contenders[i]->player);
    }
    for (number = 0; number < repeats[count - 1] && !failed; number++)
        for (i = 0; i < count && !failed; i++) {
            struct contender *contender = contenders[i];
            struct round *round;

            if (number >= repeats[i])
                continue;
            round = round_get(contender->problem, contender->distribution, contender->n,
                              seed_of(seed, (uint64_t)number));
            failed = round ? !sample(contender, round, &ours, &samples[i], timings[i])
                           : !fail(timings[i], OUTCOME_INTERNAL, "no memory for its input");
        }
    for (i = 0; i < count; i++)
        summarize(contenders[i], &samples[i], timings[i]);
}

int timing_repeats(double seconds, int companion) {
    return companion && seconds > slow_run ? 1 : seconds > long_run ? SLOW_REPEATS : REPEATS;
}

/* What the device's clock times is many computations already. */
static int repeats_of(const struct contender *contender) {
    return contender->device_clock ? SLOW_REPEATS
                                   : timing_repeats(contender->estimate, contender->companion);
}

void time_isolated(struct contender *contender, uint64_t seed, int repeats, struct timing *timing) {
    if (!repeats)
        repeats = repeats_of(contender);
    rounds(&contender, &timing, 1, &repeats, seed);
}

void time_pair(struct contender *first, struct contender *second, const struct timing *isolated,
               uint64_t seed, struct timing *first_timing, struct timing *timing) {
    struct contender *contenders[] = {first, second};
    struct timing *timings[] = {first_timing, timing}, again;
    int most = repeats_of(second), fewer = repeats_of(first) < most ? repeats_of(first) : most;
    int repeats[] = {fewer, most};
    double before = isolated->median;
    int attempt;

    for (attempt = 0; attempt < TRIES; attempt++) {
        /* First the inputs of time_isolated(), of which the right outputs may be known. */
        rounds(contenders, timings, 2, repeats, attempt ? seed_of(seed, (uint64_t)attempt) : seed);
        if (timing->outcome || first_timing->outcome)
            return;
        if (first_timing->median <= allowed_slowdown * before)
            return;
        if (attempt + 1 < TRIES) {
            /* Perhaps the machine itself has slowed: what does the first take in isolation now? */
            time_isolated(first, seed_of(seed, 100 + (uint64_t)attempt),
                          fewer < SLOW_REPEATS ? fewer : SLOW_REPEATS, &again);
            if (again.outcome)
                return;
            before = again.median;
        }
    }
    timing->outcome = OUTCOME_INCONCLUSIVE;
    snprintf(
        timing->message, sizeof timing->message,
        "%s ran %.0f%% slower in turns with %s than in isolation; measure again on a quiet machine",
        first->name, 100 * (first_timing->median / before - 1), second->name);
}
