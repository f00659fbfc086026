/* The errors of a program that is timed, for its row of the record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check_cases.h"
#include "problems/random.h"
#include "rounds.h"

enum outcome check_accuracy(const struct programs *programs, const struct program *program, int n,
                            const char *distribution, uint64_t seed, struct verdict *verdict) {
    const struct problem *problem = problem_find(programs->step->problem);
    struct judgement judgements[2] = {0};
    const struct check_case cases[] = {{distribution, n, 0},
                                       {problem->decimals_distribution, n, 0}};
    char tolerance[32], message[512];
    struct player *player;
    int i, count = 0, wanted = problem->decimals_distribution ? 2 : 1;

    memset(verdict, 0, sizeof *verdict);
    snprintf(verdict->variant, sizeof verdict->variant, "%s", program->variant);
    cell_value(programs->step->tolerance, program->variant, tolerance);
    player = cases_player(program, programs->step->name, problem, cases, wanted, usable_cpus(),
                          seed, message);
    if (!player)
        return complain(OUTCOME_INTERNAL, "%s", message);
    for (i = 0; i < wanted; i++) {
        const struct task *task =
            task_get(problem, cases[i].distribution, n, seed_of(seed, (uint64_t)i), TASK_FIXED);

        if (!task) {
            player_end(player);
            return complain(OUTCOME_INTERNAL, "no memory for %d elements", n);
        }
        count++;
        if (task_run(player, task, 1, atof(tolerance), &judgements[i], NULL))
            break;
        keep_worst(verdict, &judgements[i]);
    }
    conclude_cases(verdict, judgements, cases, count, "");
    player_end(player);
    return OUTCOME_ACCEPTED;
}

enum outcome check_one_iteration(struct player *player, const struct problem *problem,
                                 const void *parameters, int n, const char *distribution,
                                 uint64_t seed, double tolerance, void *output,
                                 struct verdict *verdict) {
    const struct task task = {.problem = problem, .distribution = distribution, .n = n};
    struct round *round = round_get(problem, distribution, n, seed_of(~seed, 0));
    struct judgement judgement = {0};
    enum outcome outcome = OUTCOME_INTERNAL;
    double seconds;

    verdict->error_p99 = verdict->error_max = -1;
    if (round) {
        if (problem->bring_to_rest)
            problem->bring_to_rest(round->input, n);
        outcome = player_run(player, round->input, output, 1, task_seconds(&task, 1), &seconds);
    }
    if (!outcome && problem->sampled_error) {
        verdict->error_l2 = problem->sampled_error(parameters, round->input, output);
        outcome = verdict->error_l2 < 0 ? OUTCOME_INTERNAL : OUTCOME_ACCEPTED;
    } else if (!outcome) {
        if (!round->answer)
            round->answer = problem->answer(parameters, round->input, distribution, 1);
        if (!round->answer) {
            outcome = OUTCOME_INTERNAL;
        } else {
            problem->judge(parameters, round->input, round->answer, output, distribution, 1,
                           tolerance, &judgement);
            verdict->error_l2 = judgement.error_l2;
            verdict->outcome = judgement.outcome;
            snprintf(verdict->message, sizeof verdict->message, "%s", judgement.message);
        }
    }
    return outcome;
}
