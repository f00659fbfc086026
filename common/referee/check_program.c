#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_program.h"
#include "player_process.h"
#include "sanitizer.h"
#include "timing.h"
#include "random.h"

/* An input with its right answer; kept, since all programs of a command get the same. */
struct task {
    const struct problem *problem;
    const char *distribution;
    int n;
    uint64_t seed;
    unsigned char parameters[PARAMETERS_BYTES];
    void *input, *answer;
    struct task *next;
};

enum { SMALL_SIZE = 1000 };

/* Iterations of a run that is held against the oracle: the seed's. */
enum { CHECK_ITERATIONS = 2 };

static const struct task *task_get(const struct problem *problem, const char *distribution, int n,
                                   uint64_t seed) {
    static struct task *tasks;
    struct task *task;

    for (task = tasks; task; task = task->next)
        if (task->problem == problem && task->n == n && task->seed == seed &&
            !strcmp(task->distribution, distribution))
            return task;
    if (!(task = calloc(1, sizeof *task)))
        return NULL;
    task->problem = problem;
    task->distribution = distribution;
    task->n = n;
    task->seed = seed;
    task->input = malloc(problem->input_bytes(distribution, n));
    if (!task->input) {
        free(task);
        return NULL;
    }
    problem->set_parameters(task->parameters, distribution, n, CHECK_ITERATIONS);
    problem->generate(task->input, distribution, n, seed);
    task->answer = problem->answer(task->parameters, task->input, distribution, CHECK_ITERATIONS);
    if (!task->answer) {
        free(task->input);
        free(task);
        return NULL;
    }
    task->next = tasks;
    return tasks = task;
}

static size_t input_bytes(const struct task *task) {
    return task->problem->input_bytes(task->distribution, task->n);
}

static size_t output_bytes(const struct task *task) {
    return task->problem->output_bytes(task->distribution, task->n);
}

/* Seconds that so many iterations of any program handed in take at most. */
static double allowed_seconds(const struct task *task, int iterations) {
    const struct problem *problem = task->problem;

    return problem->work(task->distribution, task->n) * iterations / problem->slowest_rate;
}

/* Whether of such a run only `soft` is kept: what is timed alone may also be what is observed. */
static int is_soft(const struct problem *problem, const char *distribution) {
    return has_name(problem->device_distributions, distribution) &&
           strcmp(distribution, problem->distributions[0]) != 0;
}

/* Creates, runs and destroys a step's program on a task; judges the output. It may take
 * `patience` times as long as the slowest plain program. `observed` may be NULL. */
static enum outcome run_task(struct player *player, const struct task *task, int patience,
                             double tolerance, struct judgement *judgement,
                             struct observed *observed) {
    const struct problem *problem = task->problem;
    double allowed = allowed_seconds(task, CHECK_ITERATIONS), seconds;
    void *output = malloc(output_bytes(task));
    enum outcome outcome = OUTCOME_INTERNAL;

    memset(judgement, 0, sizeof *judgement);
    if (output)
        outcome = player_create(player, task->parameters, problem->parameters_bytes,
                                input_bytes(task), output_bytes(task));
    if (outcome == OUTCOME_ACCEPTED)
        outcome =
            player_run(player, task->input, output, CHECK_ITERATIONS, patience * allowed, &seconds);
    if (outcome == OUTCOME_ACCEPTED) {
        if (observed && is_soft(problem, task->distribution)) {
            const struct counters counters = player_counters(player);

            if (task->n >= observed->soft.n) {
                observed->soft.n = task->n;
                observed->soft.rsqrtf_calls = counters.rsqrtf_calls;
                observed->soft.other_roots = counters.other_roots;
                observed->soft.tensor_products = counters.tensor_products;
            }
        } else if (observed) {
            *observed =
                (struct observed){task->n, CHECK_ITERATIONS, 0, 0, player_counters(player), 0, "",
                                  "",      observed->soft};
        }
        problem->judge(task->parameters, task->input, task->answer, output, task->distribution,
                       tolerance, judgement);
        outcome = player_destroy(player);
    }
    if (outcome != OUTCOME_ACCEPTED) {
        judgement->outcome = outcome;
        snprintf(judgement->message, sizeof judgement->message, "%s",
                 output ? player_message(player) : "no memory for its output");
    }
    free(output);
    return outcome;
}

/* CPU seconds of one iteration, and of its busiest thread. Of several iterations each may be
 * another thread's, none of them shared: `omp single` does that. Where it fails nothing is
 * observed. */
static void observe_shares(struct player *player, const struct task *task, int patience,
                           struct observed *observed) {
    const struct problem *problem = task->problem;
    double allowed = allowed_seconds(task, 1), seconds, all[2], busiest[2];
    void *output = malloc(output_bytes(task));

    if (output && player_create(player, task->parameters, problem->parameters_bytes,
                                input_bytes(task), output_bytes(task)) == OUTCOME_ACCEPTED) {
        player_cpu_seconds(player, &all[0], &busiest[0]);
        if (player_run(player, task->input, output, 1, patience * allowed, &seconds) ==
            OUTCOME_ACCEPTED) {
            player_cpu_seconds(player, &all[1], &busiest[1]);
            observed->cpu_seconds = all[1] - all[0];
            observed->busiest_seconds = busiest[1] - busiest[0];
            player_destroy(player);
        }
    }
    free(output);
}

/* A case that is judged by decimals has its errors judged by nobody: they stay out. */
static void keep_worst(struct verdict *verdict, const struct judgement *judgement) {
    if (judgement->first_wrong_decimal) {
        verdict->first_wrong_decimal = judgement->first_wrong_decimal;
        memcpy(verdict->decimals, judgement->decimals, sizeof verdict->decimals);
        return;
    }
    if (judgement->error_l2 > verdict->error_l2)
        verdict->error_l2 = judgement->error_l2;
    if (judgement->error_p99 > verdict->error_p99)
        verdict->error_p99 = judgement->error_p99;
    if (judgement->error_max > verdict->error_max)
        verdict->error_max = judgement->error_max;
}

static int cpus(void) {
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static int is(const struct program *program, const char *build) {
    return !strcmp(program->build, build);
}

/* A player for all of the cases. `workers` and `seed` are for cpucuda. */
static struct player *start(const struct program *program, const char *name,
                            const struct problem *problem, const struct check_case *cases,
                            int count, int workers, uint64_t seed, char *message) {
    struct player_options options = {
        .path = program->path, .name = name, .passive = 1, .trusted = program->trusted};
    int i;

    for (i = 0; i < count; i++) {
        int n = cases[i].to ? cases[i].to : cases[i].n;
        size_t in = problem->input_bytes(cases[i].distribution, n);
        size_t out = problem->output_bytes(cases[i].distribution, n);

        options.input_bytes = in > options.input_bytes ? in : options.input_bytes;
        options.output_bytes = out > options.output_bytes ? out : options.output_bytes;
    }

    /* At least two threads, so that a race has somebody to race with. */
    options.threads = !program->all_threads ? 1 : cpus() > 1 ? cpus() : 2;
    if (!strcmp(program->backend, "cpucuda")) {
        options.workers = workers;
        options.seed = seed & INT64_MAX;
    }
    options.sanitized = is(program, "address") || is(program, "thread");
    return player_start(&options, message);
}

/* What the cases said, put together. Told is the largest of the small sizes that failed, and of
 * equal ones the first: a learner can still count its bodies, and it is more than a tile, so that
 * its cause can be named. */
static void conclude(struct verdict *verdict, const struct judgement *judgements,
                     const struct check_case *cases, int count, const char *where) {
    char failed[256] = "", right[256] = "";
    int i, told = -1;

    for (i = 0; i < count; i++) {
        struct case_verdict *one = &verdict->cases[i];

        *one = (struct case_verdict){cases[i].n, cases[i].distribution, judgements[i].outcome, ""};
        snprintf(one->message, sizeof one->message, "%s", judgements[i].message);
    }
    verdict->case_count = count;
    for (i = 0; i < count; i++)
        if (judgements[i].outcome &&
            (told < 0 || (cases[i].n <= SMALL_SIZE &&
                          (cases[told].n > SMALL_SIZE || cases[i].n > cases[told].n))))
            told = i;
    for (i = 0; i < count; i++) {
        char *list = judgements[i].outcome ? failed : right;
        int other = strcmp(cases[i].distribution, cases[0].distribution) != 0;

        if (i != told && strlen(list) < 200)
            sprintf(list + strlen(list), "%s%d%s%s%s", *list ? ", " : "", cases[i].n,
                    other ? " (" : "", other ? cases[i].distribution : "", other ? ")" : "");
    }
    if (told < 0)
        return;
    verdict->outcome = judgements[told].outcome;
    snprintf(verdict->message, sizeof verdict->message, "%sn = %d (%s): %s%s%s%s%s",
             verdict->outcome >= OUTCOME_UNWRITTEN ? where : "", cases[told].n,
             cases[told].distribution, judgements[told].message, *failed ? "; also at n = " : "",
             failed, *right ? "; right at n = " : "", right);
}

/* A CPU computes the large case for the default variant; the others, many by now, get a smaller
 * one, and the ends of a range. */
static int largest_size(const struct programs *programs, const struct program *program) {
    int is_default = !strcmp(program->variant, programs->list[0].variant);

    return !strcmp(program->backend, "cuda") || is_default
               ? INT_MAX
               : problem_find(programs->step->problem)->sizes->small;
}

/* A size that was asked for, with each distribution that sanitizers get; or with the asked one. */
static void asked_cases(const struct problem *problem, const struct options *options,
                        struct check_case *cases) {
    const struct check_case *from = problem->sanitizer_cases;
    int count = 0, i;

    if (options->distribution) {
        *cases = (struct check_case){options->distribution, options->n};
        return;
    }
    for (; from->distribution; from++) {
        for (i = 0; i < count && strcmp(cases[i].distribution, from->distribution); i++)
            ;
        if (i == count)
            cases[count++] = (struct check_case){from->distribution, options->n};
    }
}

/* All cases of one program, in one process; up to the first that fails with `one_failure`. */
static enum outcome check_once(const struct programs *programs, const struct program *program,
                               const struct options *options, int workers, int one_failure,
                               struct verdict *verdict, struct observed *observed) {
    const struct problem *problem = problem_find(programs->step->problem);
    int fast = is(program, "plain") || is(program, "cuda");
    int sanitized = is(program, "address") || is(program, "thread");
    /* ThreadSanitizer of gcc is hundreds of times slower than the plain build. */
    int patience = fast ? 1 : strcmp(program->backend, "cpucuda") ? 10 : 100;
    const struct check_case *wanted = fast        ? problem->cases
                                      : sanitized ? problem->sanitizer_cases
                                                  : problem->trace_cases;
    int most = largest_size(programs, program);
    struct check_case cases[MOST_CASES + 1] = {0};
    struct judgement judgements[MOST_CASES] = {0};
    char tolerance[32], message[512];
    struct player *player;
    enum outcome outcome = OUTCOME_ACCEPTED;
    int thin = fast && most < INT_MAX;
    int i, n, count = 0, wanted_count = 0, largest = 0, is_observed;

    memset(verdict, 0, sizeof *verdict);
    snprintf(verdict->variant, sizeof verdict->variant, "%s", program->variant);
    snprintf(verdict->aspect, sizeof verdict->aspect, "%s", program->build);
    cell_value(programs->step->tolerance, program->variant, tolerance);
    if (options->n)
        asked_cases(problem, options, cases);
    for (i = 0; !options->n && i < MOST_CASES && wanted[i].distribution; i++) {
        cases[i] = wanted[i];
        cases[i].n = cases[i].n < most ? cases[i].n : most;
    }
    while (cases[wanted_count].distribution)
        wanted_count++;
    for (i = 0; i < wanted_count; i++)
        largest = cases[i].n > largest ? cases[i].n : largest;
    player = start(program, programs->step->name, problem, cases, wanted_count, workers,
                   options->seed, message);
    if (!player)
        return complain(OUTCOME_INTERNAL, "%s", message);
    for (i = 0; i < wanted_count && outcome == OUTCOME_ACCEPTED; i++) {
        const char *distribution = cases[i].distribution;
        int from = cases[i].n, to = cases[i].to ? cases[i].to : from;
        const struct task *task = NULL;

        count++;
        is_observed =
            observed && cases[i].n == largest && !strcmp(distribution, problem->distributions[0]);
        /* The smallest of a range that fails stands for it. */
        for (n = from; n <= to && !judgements[i].outcome; n += thin && n < to ? to - n : 1) {
            task = task_get(problem, distribution, n, seed_of(options->seed, (uint64_t)i));
            if (!task) {
                player_end(player);
                return complain(OUTCOME_INTERNAL, "no memory for %d elements", n);
            }
            outcome = run_task(player, task, patience, atof(tolerance), &judgements[i],
                               is_observed || is_soft(problem, distribution) ? observed : NULL);
            keep_worst(verdict, &judgements[i]);
            if (judgements[i].outcome)
                cases[i] = (struct check_case){distribution, n, 0};
        }
        if (is_observed && outcome == OUTCOME_ACCEPTED && fast && !strcmp(program->backend, "cpu"))
            observe_shares(player, task, patience, observed);
        if (one_failure && judgements[i].outcome)
            break;
    }
    conclude(verdict, judgements, cases, count,
             sanitized ? "in the build with sanitizers, "
             : fast    ? ""
                       : "in the trace build, ");
    if (sanitized && sanitizer_read(player_printed(player), programs->source, message)) {
        verdict->outcome = sanitizer_read(player_printed(player), programs->source, message);
        snprintf(verdict->message, sizeof verdict->message, "n = %d: %s", cases[count - 1].n,
                 message);
    }
    if (is(program, "thread") && program->all_threads &&
        !sanitizer_knows_openmp(player_printed(player))) {
        verdict->outcome = OUTCOME_ACCEPTED;
        verdict->skipped = 1;
        snprintf(verdict->message, sizeof verdict->message,
                 "race check skipped: libarcher was not loaded (no parallel region ran, or libomp "
                 "comes without it); without it every OpenMP barrier looks like a race");
    }
    player_end(player);
    return OUTCOME_ACCEPTED;
}

int rejected_as_expected(const struct step *step, const struct verdict *verdict) {
    return step_expects_rejection(step, verdict->variant) &&
           (verdict->outcome == OUTCOME_WRONG || verdict->outcome == OUTCOME_DECIMALS ||
            verdict->outcome == OUTCOME_NOT_FINITE);
}

enum outcome check_program(const struct programs *programs, const struct program *program,
                           const struct options *options, struct verdict *verdict,
                           struct observed *observed) {
    struct verdict again;
    size_t length;
    /* ThreadSanitizer knows the threads of a kernel whichever CPU they ran on, and several workers
     * wait for each other's mappings longer than they save. */
    int workers = is(program, "thread") ? 1 : cpus();
    enum outcome outcome = check_once(programs, program, options, workers, 0, verdict, observed);

    if (outcome || !verdict->outcome || rejected_as_expected(programs->step, verdict) ||
        strcmp(program->backend, "cpucuda") || workers == 1)
        return outcome;
    /* With one worker the seed alone decides the order of threads. */
    if ((outcome = check_once(programs, program, options, 1, 1, &again, NULL)))
        return outcome;
    length = strlen(verdict->message);
    if (!again.outcome)
        snprintf(verdict->message + length, sizeof verdict->message - length,
                 verdict->outcome == OUTCOME_HUNG
                     ? " (but did with one worker: is this machine busy, or does a thread wait for "
                       "another?)"
                     : " (did not repeat with one worker: the order of threads matters)");
    return OUTCOME_ACCEPTED;
}

enum outcome check_accuracy(const struct programs *programs, const struct program *program, int n,
                            uint64_t seed, struct verdict *verdict) {
    const struct problem *problem = problem_find(programs->step->problem);
    struct judgement judgements[2] = {0};
    const struct check_case cases[] = {{problem->distributions[0], n, 0},
                                       {problem->decimals_distribution, n, 0}};
    char tolerance[32], message[512];
    struct player *player;
    int i, count = 0, wanted = problem->decimals_distribution ? 2 : 1;

    memset(verdict, 0, sizeof *verdict);
    snprintf(verdict->variant, sizeof verdict->variant, "%s", program->variant);
    cell_value(programs->step->tolerance, program->variant, tolerance);
    player = start(program, programs->step->name, problem, cases, wanted, cpus(), seed, message);
    if (!player)
        return complain(OUTCOME_INTERNAL, "%s", message);
    for (i = 0; i < wanted; i++) {
        const struct task *task =
            task_get(problem, cases[i].distribution, n, seed_of(seed, (uint64_t)i));

        if (!task) {
            player_end(player);
            return complain(OUTCOME_INTERNAL, "no memory for %d elements", n);
        }
        count++;
        if (run_task(player, task, 1, atof(tolerance), &judgements[i], NULL))
            break;
        keep_worst(verdict, &judgements[i]);
    }
    conclude(verdict, judgements, cases, count, "");
    player_end(player);
    return OUTCOME_ACCEPTED;
}

enum outcome check_one_iteration(const struct programs *programs, const struct program *program,
                                 int n, const char *distribution, uint64_t seed,
                                 struct verdict *verdict) {
    const struct problem *problem = problem_find(programs->step->problem);
    const struct check_case one = {distribution, n, 0};
    const struct task task = {.problem = problem, .distribution = distribution, .n = n};
    void *input = malloc(input_bytes(&task)), *output = malloc(output_bytes(&task)), *answer = NULL;
    struct judgement judgement = {0};
    char tolerance[32];
    unsigned char parameters[PARAMETERS_BYTES];
    char message[512] = "no memory for its input";
    struct player *player = NULL;
    enum outcome outcome = OUTCOME_INTERNAL;
    double seconds;

    memset(verdict, 0, sizeof *verdict);
    if (input && output)
        player = start(program, programs->step->name, problem, &one, 1, cpus(), seed, message);
    if (player) {
        problem->set_parameters(parameters, distribution, n, 1);
        problem->generate(input, distribution, n, seed);
        if (problem->bring_to_rest)
            problem->bring_to_rest(input, n);
        outcome = player_create(player, parameters, problem->parameters_bytes, input_bytes(&task),
                                output_bytes(&task));
        if (!outcome)
            outcome = player_run(player, input, output, 1, allowed_seconds(&task, 1), &seconds);
        verdict->outcome = outcome;
        snprintf(verdict->message, sizeof verdict->message, "%s", player_message(player));
        if (!outcome && problem->sampled_error) {
            verdict->error_l2 = problem->sampled_error(parameters, input, output);
        } else if (!outcome && (answer = problem->answer(parameters, input, distribution, 1))) {
            cell_value(programs->step->tolerance, program->variant, tolerance);
            problem->judge(parameters, input, answer, output, distribution, atof(tolerance),
                           &judgement);
            verdict->error_l2 = judgement.error_l2;
            verdict->outcome = judgement.outcome;
            snprintf(verdict->message, sizeof verdict->message, "%s", judgement.message);
        } else if (!outcome) {
            verdict->error_l2 = -1;
        }
        verdict->error_p99 = verdict->error_max = -1;
        outcome = verdict->error_l2 < 0 ? OUTCOME_INTERNAL : OUTCOME_ACCEPTED;
    }
    player_end(player);
    free(answer);
    free(input);
    free(output);
    return outcome ? complain(outcome, "%s", message) : OUTCOME_ACCEPTED;
}
