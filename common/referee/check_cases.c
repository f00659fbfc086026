#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_cases.h"

enum { SMALL_SIZE = 1000 };

const struct task *task_get(const struct problem *problem, const char *distribution, int n,
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

int usable_cpus(void) {
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

int is_build(const struct program *program, const char *build) {
    return !strcmp(program->build, build);
}

struct player *cases_player(const struct program *program, const char *name,
                            const struct problem *problem, const struct check_case *cases,
                            int count, int workers, uint64_t seed, char *message) {
    struct player_options options = {
        .path = program->path, .name = name, .passive = 1, .trusted = program->trusted};
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

enum outcome task_run(struct player *player, const struct task *task, int patience,
                      double tolerance, struct judgement *judgement, struct observed *observed) {
    const struct problem *problem = task->problem;
    double allowed = task_seconds(task, CHECK_ITERATIONS), seconds;
    void *output = malloc(task_output_bytes(task));
    enum outcome outcome = OUTCOME_INTERNAL;

    memset(judgement, 0, sizeof *judgement);
    if (output)
        outcome = player_create(player, task->parameters, problem->parameters_bytes,
                                task_input_bytes(task), task_output_bytes(task));
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

void conclude(struct verdict *verdict, const struct judgement *judgements,
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
