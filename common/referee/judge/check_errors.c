/* The errors of a program that is timed, for its row of the record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check_cases.h"
#include "problems/random.h"
#include "rounds.h"

/* On which inputs: the distribution that was asked for, and the problem's with decimals. */
static int cases_of(const struct problem *problem, const char *distribution, int n,
                    struct check_case cases[2]) {
    cases[0] = (struct check_case){distribution, n, 0};
    cases[1] = (struct check_case){problem->decimals_distribution, n, 0};
    return problem->decimals_distribution ? 2 : 1;
}

enum outcome check_iterations(struct player *player, const struct step *step, const char *variant,
                              int n, const char *distribution, int iterations, uint64_t seed,
                              struct verdict *verdict) {
    const struct problem *problem = problem_find(step->problem);
    struct judgement judgements[2] = {0};
    struct check_case cases[2];
    int wanted = cases_of(problem, distribution, n, cases), count;
    enum outcome outcome = OUTCOME_ACCEPTED;
    char tolerance[32];

    memset(verdict, 0, sizeof *verdict);
    snprintf(verdict->variant, sizeof verdict->variant, "%s", variant);
    cell_value(step->tolerance, variant, tolerance);
    for (count = 0; count < wanted && !outcome; count++) {
        const struct task *fixed = task_get(problem, cases[count].distribution, n,
                                            seed_of(seed, (uint64_t)count), TASK_FIXED);
        struct task task = fixed ? *fixed : (struct task){0};

        if (fixed && iterations) {
            task.runs[0].iterations = iterations;
            task.runs[0].answer =
                problem->answer(task.parameters, task.runs[0].input, task.distribution, iterations);
        }
        if (!task.runs[0].answer)
            return complain(OUTCOME_INTERNAL, "no memory for %d elements", n);
        outcome = task_run(player, &task, 1, atof(tolerance), &judgements[count], NULL);
        if (iterations)
            free(task.runs[0].answer);
        if (!outcome)
            keep_worst(verdict, &judgements[count]);
    }
    conclude_cases(verdict, judgements, cases, count, "");
    return OUTCOME_ACCEPTED;
}

enum outcome check_accuracy(const struct programs *programs, const struct program *program, int n,
                            const char *distribution, int iterations, uint64_t seed,
                            struct verdict *verdict) {
    const struct problem *problem = problem_find(programs->step->problem);
    struct check_case cases[2];
    int count = cases_of(problem, distribution, n, cases);
    char message[512];
    struct player *player = cases_player(program, programs->step->name, problem, cases, count,
                                         usable_cpus(), seed, message);
    enum outcome outcome;

    if (!player)
        return complain(OUTCOME_INTERNAL, "%s", message);
    outcome = check_iterations(player, programs->step, program->variant, n, distribution,
                               iterations, seed, verdict);
    player_end(player);
    return outcome;
}

enum outcome check_round(const struct problem *problem, const void *parameters,
                         const char *distribution, struct round *round, double tolerance,
                         const void *output, struct verdict *verdict) {
    struct judgement judgement = {0};

    verdict->error_p99 = verdict->error_max = -1;
    if (problem->sampled_error) {
        verdict->error_l2 = problem->sampled_error(parameters, round->input, output);
        return verdict->error_l2 < 0 ? OUTCOME_INTERNAL : OUTCOME_ACCEPTED;
    }
    if (!round->answer)
        round->answer = problem->answer(parameters, round->input, distribution, 1);
    if (!round->answer)
        return OUTCOME_INTERNAL;
    problem->judge(parameters, round->input, round->answer, output, distribution, 1, tolerance,
                   &judgement);
    verdict->error_l2 = judgement.error_l2;
    verdict->outcome = judgement.outcome;
    snprintf(verdict->message, sizeof verdict->message, "%s", judgement.message);
    return OUTCOME_ACCEPTED;
}
