#include <stdio.h>
#include <string.h>

#include "problems/random.h"
#include "problems/sorted.h"
#include "referee/judge/check.h"
#include "referee/judge/rounds.h"
#include "referee/machine/gpu.h"
#include "referee/machine/machine.h"
#include "referee/play/player_process.h"
#include "timing.h"
#include "timing_parts.h"

/* Seconds after which a program is warm, and a few runs tell enough, or one. */
static const double long_run = 1, slow_run = 10;

/* What a program may lose by the other's presence before the comparison means nothing. */
static const double allowed_slowdown = 1.05;

/* What others may keep busy, in cores, and how far the GPU's clock may move before a time is
 * marked. */
static const double busy_cores = 0.1;
static const double steady_clock = 1.03;

enum { TRIES = 3, MOST_CONTENDERS = 2 };

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

int timing_fail(struct timing *timing, enum outcome outcome, const char *message) {
    timing->outcome = outcome;
    snprintf(timing->message, sizeof timing->message, "%s", message);
    return 0;
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
    int for_errors = contender->errors && !samples->count;
    double energy = observe(contender, ours, samples), more;
    const void *output;
    char message[512];
    enum outcome outcome;

    if (for_errors && problem->bring_to_rest)
        problem->bring_to_rest(round->input, contender->n);
    cpu_times_read(&before, player_pid(contender->player));
    outcome = contender_turn(contender, round->input, &output, &samples->seconds[samples->count]);
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
        return timing_fail(timing, outcome, player_message(contender->player));
    if (contender->device_clock && !(samples->seconds[samples->count - 1] > 0))
        return timing_fail(
            timing, OUTCOME_OWN_ERROR,
            "took no time by the device's clock: the optional function of its contract is "
            "to queue the computation");
    if (for_errors) {
        outcome = check_round(problem, contender->parameters, contender->distribution, round,
                              contender->tolerance, output, contender->errors);
        return !outcome || timing_fail(timing, outcome, "no memory for its errors");
    }
    if (contender->wrong)
        return 1;
    if (round->right_iterations != contender->iterations) {
        outcome =
            trusted_run(contender->trusted, problem, contender->parameters, contender->distribution,
                        contender->n, round->input, round->right, contender->iterations, message);
        if (outcome)
            return timing_fail(timing, outcome, message);
        round->right_iterations = contender->iterations;
    }
    problem->judge_timed(contender->parameters, round->input, round->right, output,
                         contender->tolerance, &judgement);
    if (judgement.error_l2 > timing->difference)
        timing->difference = judgement.error_l2;
    return judgement.outcome == OUTCOME_ACCEPTED ||
           timing_fail(timing, judgement.outcome, judgement.message);
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
                           : !timing_fail(timings[i], OUTCOME_INTERNAL, "no memory for its input");
        }
    for (i = 0; i < count; i++)
        summarize(contenders[i], &samples[i], timings[i]);
}

int timing_repeats(double seconds) {
    return seconds > slow_run ? 1 : seconds > long_run ? SLOW_REPEATS : REPEATS;
}

/* What the device's clock times is many computations already. */
static int repeats_of(const struct contender *contender) {
    return contender->device_clock ? SLOW_REPEATS : timing_repeats(contender->estimate);
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
        "%s ran %.0f%% slower interleaved with %s than alone; measure again on a quiet machine",
        first->name, 100 * (first_timing->median / before - 1), second->name);
}
