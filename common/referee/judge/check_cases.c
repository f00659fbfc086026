#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_cases.h"
#include "problems/text.h"
#include "problems/random.h"

enum { SMALL_SIZE = 1000 };

/* The logarithm of each is uniform. */
static void draw_parameters(struct task *task, struct random *random) {
    const struct varied *one = task->problem->varied;

    for (; one && one->name; one++) {
        double value = one->low * pow(one->high / one->low, random_unit(random));

        if (varied_value(one, task->parameters) != 0)
            varied_set(one, task->parameters, value);
    }
}

/* All but the first run of a task have inputs of seeds of their own. */
static int prepare_run(struct task *task, int k, int iterations) {
    const struct problem *problem = task->problem;
    struct run *run = &task->runs[k];

    run->iterations = iterations;
    run->input = malloc(problem->input_bytes(task->distribution, task->n));
    if (!run->input)
        return 0;
    problem->generate(run->input, task->distribution, task->n,
                      k ? seed_of(task->seed, (uint64_t)k) : task->seed);
    if (problem->sharpen && task->kind != TASK_FIXED && task->n >= 3)
        problem->sharpen(run->input, k ? task->runs[k - 1].input : NULL, task->distribution,
                         task->n);
    run->answer = problem->answer(task->parameters, run->input, task->distribution, iterations);
    task->run_count = k + 1;
    return run->answer != NULL;
}

/* What an iteration may take, so that an object is run twice, and so that it is run for two of
 * them.
 */
static const double cheap_seconds = 0.015, dear_seconds = 0.8;

enum task_kind task_kind_of(const struct problem *problem, const struct check_case *one, int n,
                            int slowness) {
    double seconds = slowness * fmax(problem->work(one->distribution, n), problem->least_work) /
                     problem->slowest_rate;
    /* Of a long range each size is run once, but for its ends and some between. */
    int is_between = one->kind == EACH && n > one->n && n < one->to && n % 16;

    return one->kind == FIXED                      ? TASK_FIXED
           : seconds > dear_seconds                ? TASK_SHORT
           : is_between || seconds > cheap_seconds ? TASK_ONCE
                                                   : TASK_TWICE;
}

/* One beside a power of two or a multiple of a block, or the number itself. */
static int is_edge(int n) {
    enum { SMALLEST = 32, BLOCK = 128 };
    int next = n + 1;

    return next % BLOCK <= 2 || (n >= SMALLEST - 1 && n <= BLOCK && next % SMALLEST <= 2);
}

int case_next(const struct check_case *one, int n, uint64_t seed) {
    int widest = 2 * (one->to - one->n) / MOST_BETWEEN, step;

    if (widest < 2 * 2)
        return n + 1;
    step = 1 + (int)(seed_of(seed, (uint64_t)n) % (unsigned)widest);
    for (n++; n < one->to && --step && !is_edge(n); n++)
        ;
    return n;
}

/* Whether size n of the distribution is one of the cases, or between the ends of one. */
static int has_size(const struct check_case *cases, int count, const char *distribution, int n) {
    while (count-- &&
           (n < cases[count].n || n > (cases[count].to ? cases[count].to : cases[count].n) ||
            strcmp(cases[count].distribution, distribution) != 0))
        ;
    return count >= 0;
}

/* A size for a case that leaves it to the seed, if need be of the highest below `most`, that the
 * cases before it do not have. */
static int drawn_size(const struct check_case *wanted, int i, uint64_t seed, int most,
                      const struct check_case *cases, int count) {
    int above = wanted[i].n > most;
    int low = (above ? most - most / 64 : wanted[i].n) | 1,
        high = above || wanted[i].to > most ? most : wanted[i].to;
    int n, k = 0;

    do
        n = low + 2 * (int)(seed_of(~seed, (uint64_t)i + MOST_CASES * (uint64_t)k) %
                            (unsigned)((high - low) / 2 + 1));
    while (++k < MOST_CASES && has_size(cases, count, wanted[i].distribution, n));
    return n;
}

void cases_drawn(const struct check_case *wanted, uint64_t seed, int most,
                 struct check_case *cases) {
    int i, count = 0;

    for (i = 0; i < MOST_CASES && wanted[i].distribution; i++) {
        struct check_case one = wanted[i];
        int is_capped = one.kind != ONE_OF && (one.n > most || one.to > most);

        if (one.kind == ONE_OF) {
            one.n = drawn_size(wanted, i, seed, most, cases, count);
            one.to = 0;
        }
        one.n = one.n < most ? one.n : most;
        one.to = one.to < most ? one.to : most;
        if (one.to == one.n)
            one.to = 0;
        if (!is_capped || !has_size(cases, count, one.distribution, most))
            cases[count++] = one;
    }
}

static int prepare(struct task *task) {
    struct random random = random_of(task->seed, 0);
    int first = 1 + (int)(random_bits(&random) % TASK_ITERATIONS);
    int second =
        1 + (first + (int)(random_bits(&random) % (TASK_ITERATIONS - 1))) % TASK_ITERATIONS;

    task->problem->set_parameters(task->parameters, task->distribution, task->n, FIXED_ITERATIONS);
    if (task->kind == TASK_FIXED)
        return prepare_run(task, 0, FIXED_ITERATIONS);
    if (task->kind != TASK_TWICE)
        return prepare_run(task, 0, task->kind == TASK_SHORT ? 1 : 1 + first % 2);
    draw_parameters(task, &random);
    return prepare_run(task, 0, first) && prepare_run(task, 1, second);
}

static void task_free(struct task *task) {
    int k;

    for (k = 0; task && k < MOST_RUNS; k++) {
        free(task->runs[k].input);
        free(task->runs[k].answer);
    }
    free(task);
}

static struct task *tasks;

static struct task *find_or_prepare(const struct problem *problem, const char *distribution, int n,
                                    uint64_t seed, enum task_kind kind) {
    struct task *task;

    for (task = tasks; task; task = task->next)
        if (task->problem == problem && task->n == n && task->seed == seed && task->kind == kind &&
            !strcmp(task->distribution, distribution))
            return task;
    if (!(task = calloc(1, sizeof *task)))
        return NULL;
    task->problem = problem;
    task->distribution = distribution;
    task->n = n;
    task->seed = seed;
    task->kind = kind;
    if (!prepare(task)) {
        task_free(task);
        return NULL;
    }
    task->next = tasks;
    return tasks = task;
}

const struct task *task_get(const struct problem *problem, const char *distribution, int n,
                            uint64_t seed, enum task_kind kind) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const struct task *task;

    pthread_mutex_lock(&mutex);
    task = find_or_prepare(problem, distribution, n, seed, kind);
    pthread_mutex_unlock(&mutex);
    return task;
}

size_t task_input_bytes(const struct task *task) {
    return task->problem->input_bytes(task->distribution, task->n);
}

size_t task_output_bytes(const struct task *task) {
    return task->problem->output_bytes(task->distribution, task->n);
}

double task_seconds(const struct task *task, int iterations) {
    const struct problem *problem = task->problem;

    return problem->work(task->distribution, task->n) * iterations / problem->slowest_rate;
}

int is_soft(const struct problem *problem, const char *distribution) {
    return has_name(problem->device_distributions, distribution) &&
           strcmp(distribution, problem->distributions[0]) != 0;
}

int is_build(const struct program *program, const char *build) {
    return !strcmp(program->build, build);
}

struct player *cases_player(const struct program *program, const char *name,
                            const struct problem *problem, const struct check_case *cases,
                            int count, int workers, uint64_t seed, char *message) {
    struct player_options options = {.path = program->path,
                                     .name = name,
                                     .problem = problem,
                                     .passive = 1,
                                     .trusted = program->trusted};
    int i;

    for (i = 0; i < count; i++)
        problem_fit(problem, cases[i].distribution, cases[i].to ? cases[i].to : cases[i].n,
                    &options.input_bytes, &options.output_bytes);

    /* At least two threads, so that a race has somebody to race with. */
    options.threads = !program->all_threads ? 1 : usable_cpus() > 1 ? usable_cpus() : 2;
    if (!strcmp(program->backend, "cpucuda")) {
        options.workers = workers;
        options.seed = seed & INT64_MAX;
    }
    options.sanitized = is_build(program, "address") || is_build(program, "thread");
    return player_start(&options, message);
}

/* Puts the reason of a wrong result before it, where cpucuda saw one. */
static void explain_result(const struct player *player, struct judgement *judgement) {
    char reason[512], result[sizeof judgement->message];
    enum outcome outcome = player_suspect(player, reason);

    if (!judgement->outcome || !outcome)
        return;
    judgement->outcome = outcome;
    memcpy(result, judgement->message, sizeof result);
    snprintf(judgement->message, sizeof judgement->message, "%.380s; so %.*s", reason,
             (int)strcspn(result, ";"), result);
}

static void observe(struct player *player, const struct task *task, int iterations,
                    struct observed *observed) {
    const struct counters counters = player_counters(player);

    if (!is_soft(task->problem, task->distribution)) {
        *observed =
            (struct observed){task->n, iterations, 0, 0, counters, 0, "", "", observed->soft};
    } else if (task->n >= observed->soft.n) {
        observed->soft.n = task->n;
        observed->soft.rsqrtf_calls = counters.rsqrtf_calls;
        observed->soft.other_roots = counters.other_roots;
        observed->soft.tensor_products = counters.tensor_products;
    }
}

/* Run k of the task's object, which exists. */
static enum outcome run_once(struct player *player, const struct task *task, int k, int patience,
                             double tolerance, void *output, struct judgement *judgement) {
    const struct problem *problem = task->problem;
    const struct run *run = &task->runs[k];
    double seconds;
    enum outcome outcome = player_run(player, run->input, output, run->iterations,
                                      patience * task_seconds(task, run->iterations), &seconds);
    char count[40], before[80] = "", message[640];

    if (outcome != OUTCOME_ACCEPTED)
        return outcome;
    problem->judge(task->parameters, run->input, run->answer, output, task->distribution,
                   run->iterations, tolerance, judgement);
    if (!judgement->outcome)
        return outcome;
    snprintf(message, sizeof message, "%.639s", judgement->message);
    if (k)
        snprintf(before, sizeof before, "in the object's second run, ");
    snprintf(judgement->message, sizeof judgement->message, "%safter %s: %s", before,
             problem_iterations(problem, run->iterations, count), message);
    if (player_counters(player).bare_barriers)
        text_add(judgement->message, sizeof judgement->message,
                 "; a kernel calls __syncthreads() and has no shared variable: is __shared__ "
                 "missing?");
    explain_result(player, judgement);
    return outcome;
}

enum outcome task_run(struct player *player, const struct task *task, int patience,
                      double tolerance, struct judgement *judgement, struct observed *observed) {
    void *output = malloc(task_output_bytes(task));
    enum outcome outcome = OUTCOME_INTERNAL;
    int k = 0;

    memset(judgement, 0, sizeof *judgement);
    if (output)
        outcome = player_create(player, task->parameters, task->problem->parameters_bytes,
                                task_input_bytes(task), task_output_bytes(task));
    for (; outcome == OUTCOME_ACCEPTED && k < task->run_count && !judgement->outcome; k++) {
        outcome = run_once(player, task, k, patience, tolerance, output, judgement);
        if (outcome == OUTCOME_ACCEPTED && observed)
            observe(player, task, task->runs[k].iterations, observed);
    }
    if (outcome == OUTCOME_ACCEPTED) {
        k = 0; /* no run is to blame */
        outcome = player_destroy(player);
    }
    if (outcome != OUTCOME_ACCEPTED) {
        judgement->outcome = outcome;
        snprintf(judgement->message, sizeof judgement->message, "%s%s",
                 output ? player_message(player) : "no memory for its output",
                 k > 1 ? "; this was in the object's second run, and the first was right" : "");
    }
    free(output);
    return outcome;
}

void keep_worst(struct verdict *verdict, const struct judgement *judgement) {
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

int case_told(const struct judgement *judgements, const struct check_case *cases, int count) {
    int i, told = -1;

    for (i = 0; i < count; i++)
        if (judgements[i].outcome &&
            (told < 0 || (cases[i].n <= SMALL_SIZE &&
                          (cases[told].n > SMALL_SIZE || cases[i].n > cases[told].n))))
            told = i;
    return told;
}

/* Whether another case of the same size, distribution and outcome is told in case i's place. */
static int told_already(const struct judgement *judgements, const struct check_case *cases, int i,
                        int told) {
    int k;

    for (k = 0; k <= i || k <= told; k++)
        if ((k < i || k == told) && cases[k].n == cases[i].n &&
            !judgements[k].outcome == !judgements[i].outcome &&
            !strcmp(cases[k].distribution, cases[i].distribution))
            return 1;
    return 0;
}

void conclude_cases(struct verdict *verdict, const struct judgement *judgements,
                    const struct check_case *cases, int count, const char *where) {
    char failed[256] = "", right[256] = "";
    int i, told = case_told(judgements, cases, count);

    for (i = 0; i < count; i++) {
        struct case_verdict *one = &verdict->cases[i];

        *one = (struct case_verdict){cases[i].n, cases[i].distribution, judgements[i].outcome, ""};
        snprintf(one->message, sizeof one->message, "%s", judgements[i].message);
    }
    verdict->case_count = count;
    for (i = 0; i < count; i++) {
        char *list = judgements[i].outcome ? failed : right;
        int other = strcmp(cases[i].distribution, cases[0].distribution) != 0;

        if (strlen(list) < 200 && !told_already(judgements, cases, i, told))
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
