#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_cases.h"
#include "check_program.h"
#include "check_trials.h"
#include "referee/build/manifest.h"
#include "referee/play/last_words.h"
#include "referee/play/process_tree.h"
#include "sanitizer.h"
#include "problems/random.h"
#include "problems/text.h"

/* What went wrong, from the cause to its symptoms: of two failures the earlier one decides. What is
 * not listed comes last, and that a variant was not rejected after all else. A kernel that leaves
 * its array also races with the owner of what is beside it; threads of OpenMP that race for an
 * index also leave their arrays. */
static const enum outcome causes[] = {
    OUTCOME_MISSING_CALL, OUTCOME_HOST_POINTER, OUTCOME_DEVICE_POINTER, OUTCOME_COPY,
    OUTCOME_LAUNCH,       OUTCOME_LEAKED_ERROR, OUTCOME_ORDER,          OUTCOME_BARRIER,
    OUTCOME_WARP_MASK,    OUTCOME_MEMORY,       OUTCOME_RACE,           OUTCOME_UNINITIALISED,
    OUTCOME_UNFREED,
};

size_t rank_of_cause(const struct step *step, enum outcome outcome) {
    size_t i, count = sizeof causes / sizeof *causes;

    if (outcome == OUTCOME_RACE && !step_is_cuda(step))
        return 0;
    if (outcome == OUTCOME_EXPECTED)
        return count + 1;
    for (i = 0; i < count && causes[i] != outcome; i++)
        ;
    return outcome ? i : count + 2;
}

/* CPU seconds of one iteration, and of its busiest thread, in a process of its own: of several
 * iterations each may be another thread's, none of them shared; `omp single` does that. Where it
 * fails nothing is observed. */
static void observe_shares(const struct programs *programs, const struct program *program,
                           const struct task *task, int patience, uint64_t seed,
                           struct observed *observed) {
    const struct problem *problem = task->problem;
    const struct check_case one = {task->distribution, task->n};
    double allowed = task_seconds(task, 1), seconds, busiest, waited;
    void *output = malloc(task_output_bytes(task));
    char message[512];
    struct player *player =
        cases_player(program, programs->step->name, problem, &one, 1, 1, seed, message);

    if (output && player &&
        player_create(player, task->parameters, problem->parameters_bytes, task_input_bytes(task),
                      task_output_bytes(task)) == OUTCOME_ACCEPTED) {
        struct thread_times before = thread_times_of(player_pid(player));
        double all = cpu_seconds(player_pid(player));

        if (player_run(player, task->runs[0].input, output, 1, patience * allowed, &seconds) ==
            OUTCOME_ACCEPTED) {
            most_since(&before, player_pid(player), &busiest, &waited);
            observed->cpu_seconds = cpu_seconds(player_pid(player)) - all;
            observed->busiest_seconds = busiest;
        }
    }
    player_end(player);
    free(output);
}

/* A CPU computes the large case for the default variant; the others, many by now, get a smaller
 * one, and the ends of a range; one that is another variant above some size, nothing above that. */
static int largest_size(const struct programs *programs, const struct program *program) {
    int is_default = !strcmp(program->variant, programs->list[0].variant);
    int most = problem_find(programs->step->problem)->sizes->variants, own;
    char name[96], value[MOST_VALUE];

    if (!strcmp(program->backend, "cuda") || is_default)
        return INT_MAX;
    snprintf(name, sizeof name, "largest_%s", program->variant);
    own = manifest_value(programs->step->manifest, name, value) ? atoi(value) : most;
    return own < most ? own : most;
}

static int is_dear(const struct task *task) {
    struct check_case one = {task->distribution, task->n};

    return task->kind == TASK_FIXED || task_kind_of(task->problem, &one, task->n, 1) == TASK_SHORT;
}

/* The trials of a case in a process of their own, in another order of threads for each seed. */
static int try_case(const struct programs *programs, const struct program *program,
                    const struct task *task, int workers, uint64_t seed, struct judgement *one,
                    char text[640]) {
    struct check_case only = {task->distribution, task->n};
    char tolerance[32], message[512];
    struct player *player = cases_player(program, programs->step->name, task->problem, &only, 1,
                                         workers, seed, message);
    int right;

    *text = 0;
    *one = (struct judgement){0};
    cell_value(programs->step->tolerance, program->variant, tolerance);
    right = player && trials_tell(player, task, atof(tolerance), one, text, 640);
    player_end(player);
    return right;
}

/* What the program of the told case does right. If that is right by itself, an earlier object may
 * have left something behind, but not if the first run of a process is wrong for another case:
 * then, as when it does something else with one worker, the order of threads matters. If one
 * iteration is wrong, too, that is told: it is simpler. (Of NaN more iterations tell more.) */
static void explain_case(const struct programs *programs, const struct program *program,
                         const struct task *const *failed, int count, int told, int workers,
                         uint64_t seed, struct judgement *judgement) {
    static const char kept[] = "; right as the only object of its process: is something kept from "
                               "one object to the next, or does the order of threads matter?",
                      order[] = "; it was not the same when it was run again: does the order of "
                                "threads matter?";
    enum { TRIES = 4 };
    struct judgement one, other;
    char text[640], again[640];
    const char *said = text;
    uint64_t k;

    if (is_dear(failed[told]))
        return;
    if (try_case(programs, program, failed[told], workers, seed, &one, text)) {
        for (said = kept; said == kept && count--;) {
            struct task first = failed[count] ? *failed[count] : (struct task){0};

            first.run_count = 1;
            if (failed[count] && !is_dear(failed[count]) &&
                !try_case(programs, program, &first, workers, seed + 1, &other, again))
                said = order;
        }
    } else {
        for (k = 1; k < TRIES && said == text && *text; k++) {
            try_case(programs, program, failed[told], 1, seed + k, &other, again);
            said = strcmp(again, text) ? order : text;
        }
    }
    if (one.outcome == OUTCOME_WRONG && judgement->outcome == OUTCOME_WRONG)
        memcpy(judgement->message, one.message, sizeof one.message);
    text_add(judgement->message, sizeof judgement->message, "%s", said);
}

/* A size that was asked for, with each distribution that sanitizers get; or with the asked one. */
static void asked_cases(const struct problem *problem, const struct options *options, int fixed,
                        struct check_case *cases) {
    const struct check_case *from = problem->sanitizer_cases;
    int count = 0, i;

    if (options->distribution) {
        *cases = (struct check_case){options->distribution, options->n, 0, fixed ? FIXED : EACH};
        return;
    }
    for (; from->distribution; from++) {
        for (i = 0; i < count && strcmp(cases[i].distribution, from->distribution); i++)
            ;
        if (i == count)
            cases[count++] = (struct check_case){from->distribution, options->n, 0,
                                                 fixed || from->kind == FIXED ? FIXED : EACH};
    }
}

static int is_of_result(enum outcome outcome) {
    return outcome == OUTCOME_WRONG || outcome == OUTCOME_NOT_FINITE ||
           outcome == OUTCOME_UNWRITTEN;
}

/* Device memory that was not given back spoils no result: the verdict on memory has it, wrong
 * results or not, and that on results if there is nothing else to say. */
static void take_unfreed(const struct program *program, const char *printed,
                         struct verdict *verdict) {
    int of_results =
        verdict->outcome >= OUTCOME_UNWRITTEN && verdict->outcome <= OUTCOME_TIMED_OUTPUT;
    char message[512];

    if ((is_build(program, "plain") && !verdict->outcome) ||
        (is_build(program, "address") && (!verdict->outcome || of_results))) {
        if (last_words(printed, program->path, message, sizeof message) != OUTCOME_UNFREED)
            return;
        verdict->outcome = OUTCOME_UNFREED;
        snprintf(verdict->message, sizeof verdict->message, "%s", message);
    }
}

/* All cases of one program, in one process; up to the first that fails with `one_failure`. */
static enum outcome check_once(const struct programs *programs, const struct program *program,
                               const struct options *options, int workers, int one_failure,
                               struct verdict *verdict, struct observed *observed) {
    const struct problem *problem = problem_find(programs->step->problem);
    int fast = is_build(program, "plain") || is_build(program, "cuda");
    int sanitized = is_build(program, "address") || is_build(program, "thread");
    /* ThreadSanitizer of gcc is hundreds of times slower than the plain build. */
    int patience = fast ? 1 : strcmp(program->backend, "cpucuda") ? 10 : 100;
    const struct check_case *wanted = fast        ? problem->cases
                                      : sanitized ? problem->sanitizer_cases
                                                  : problem->trace_cases;
    const char *observed_distribution =
        problem->trace_cases ? problem->trace_cases->distribution : problem->distributions[0];
    int most = largest_size(programs, program);
    int thin = fast && most < INT_MAX;
    /* Of a build, beside the plain one. A variant may be a slow one, and what a second run tells,
     * small sizes tell. */
    int slowness = !fast ? 10 : thin ? 8 : 1;
    struct check_case cases[MOST_CASES + 1] = {0};
    struct judgement judgements[MOST_CASES] = {0};
    const struct task *failed[MOST_CASES] = {0};
    char tolerance[32], message[SANITIZER_MESSAGE];
    struct player *player;
    enum outcome outcome = OUTCOME_ACCEPTED, found;
    int i, n, count = 0, wanted_count = 0, largest = 0, told, is_observed;

    memset(verdict, 0, sizeof *verdict);
    snprintf(verdict->variant, sizeof verdict->variant, "%s", program->variant);
    snprintf(verdict->aspect, sizeof verdict->aspect, "%s", program->build);
    cell_value(programs->step->tolerance, program->variant, tolerance);
    if (options->n)
        asked_cases(problem, options, is_build(program, "trace"), cases);
    else
        cases_drawn(wanted, options->seed, most, cases);
    while (cases[wanted_count].distribution)
        wanted_count++;
    for (i = 0; i < wanted_count; i++)
        largest = cases[i].n > largest ? cases[i].n : largest;
    player = cases_player(program, programs->step->name, problem, cases, wanted_count, workers,
                          options->seed, message);
    if (!player)
        return complain(OUTCOME_INTERNAL, "%s", message);
    for (i = 0; i < wanted_count && outcome == OUTCOME_ACCEPTED; i++) {
        const struct check_case one = cases[i];
        const char *distribution = one.distribution;
        int from = cases[i].n, to = cases[i].to ? cases[i].to : from;
        const struct task *task = NULL;

        count++;
        is_observed =
            observed && cases[i].n == largest && !strcmp(distribution, observed_distribution);
        /* The smallest of a range that fails stands for it. */
        for (n = from; n <= to && !judgements[i].outcome;
             n = thin && n < to ? to : case_next(&one, n, options->seed)) {
            task = task_get(problem, distribution, n, seed_of(options->seed, (uint64_t)i),
                            task_kind_of(problem, &one, n, slowness));
            if (!task) {
                player_end(player);
                return complain(OUTCOME_INTERNAL, "no memory for %d elements", n);
            }
            outcome = task_run(player, task, patience, atof(tolerance), &judgements[i],
                               is_observed || is_soft(problem, distribution) ? observed : NULL);
            keep_worst(verdict, &judgements[i]);
            if (judgements[i].outcome) {
                cases[i] = (struct check_case){distribution, n};
                failed[i] = task;
            }
        }
        if (is_observed && outcome == OUTCOME_ACCEPTED && fast && !strcmp(program->backend, "cpu"))
            observe_shares(programs, program, task, patience, options->seed, observed);
        if (one_failure && judgements[i].outcome)
            break;
    }
    told = case_told(judgements, cases, count);
    if (told >= 0 && fast && !one_failure && is_of_result(judgements[told].outcome) &&
        judgements[told].outcome != step_expects(programs->step, program->variant))
        explain_case(programs, program, failed, count, told, workers, options->seed,
                     &judgements[told]);
    conclude_cases(verdict, judgements, cases, count,
                   sanitized ? "in the build with sanitizers, "
                   : fast    ? ""
                             : "in the trace build, ");
    verdict->suspected = verdict->outcome == OUTCOME_RACE;
    found = sanitized ? sanitizer_read(player_printed(player), programs->source, message)
                      : OUTCOME_ACCEPTED;
    /* A thread that stays away from a barrier races with those that wait there. */
    if (found &&
        rank_of_cause(programs->step, found) <= rank_of_cause(programs->step, verdict->outcome)) {
        verdict->outcome = found;
        verdict->suspected = 0;
        snprintf(verdict->message, sizeof verdict->message, "n = %d: %s", cases[count - 1].n,
                 message);
    }
    take_unfreed(program, player_printed(player), verdict);
    if (is_build(program, "thread") && program->all_threads &&
        !sanitizer_knows_openmp(player_printed(player))) {
        verdict->outcome = OUTCOME_ACCEPTED;
        verdict->skipped = 1;
        snprintf(verdict->message, sizeof verdict->message,
                 "libarcher was not loaded: no parallel region ran, or libomp "
                 "comes without it; without it every OpenMP barrier looks like a race");
    }
    player_end(player);
    return OUTCOME_ACCEPTED;
}

int rejected_as_expected(const struct step *step, const struct verdict *verdict) {
    return verdict->outcome && verdict->outcome == step_expects(step, verdict->variant);
}

enum outcome check_program(const struct programs *programs, const struct program *program,
                           const struct options *options, struct verdict *verdict,
                           struct observed *observed) {
    struct verdict again;
    /* ThreadSanitizer knows the threads of a kernel whichever CPU they ran on, and several workers
     * wait for each other's mappings longer than they save. Elsewhere there are two at least:
     * blocks that never run side by side hide that one does not wait for another. */
    int workers = is_build(program, "thread") ? 1 : usable_cpus() > 1 ? usable_cpus() : 2;
    enum outcome outcome = check_once(programs, program, options, workers, 0, verdict, observed);

    if (outcome || !verdict->outcome || verdict->outcome == OUTCOME_UNFREED ||
        rejected_as_expected(programs->step, verdict) || strcmp(program->backend, "cpucuda") ||
        workers == 1)
        return outcome;
    /* With one worker the seed alone decides the order of threads. */
    if ((outcome = check_once(programs, program, options, 1, 1, &again, NULL)))
        return outcome;
    if (!again.outcome)
        text_add(verdict->message, sizeof verdict->message,
                 verdict->outcome == OUTCOME_HUNG
                     ? " (but did with one worker: is this machine busy, or does a thread wait for "
                       "another?)"
                     : " (did not repeat with one worker: the order of threads matters)");
    return OUTCOME_ACCEPTED;
}
