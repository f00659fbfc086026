#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_trials.h"
#include "problems/text.h"

/* One trial after another, up to the first that the program does not survive. */
struct trials {
    struct player *player;
    const struct task *task;
    double tolerance;
    struct judgement last, one; /* of the last trial, and of the one iteration that is wrong */
    int over;
};

/* Whether the object is right in every run. */
static int is_right(struct trials *trials, const struct task *task) {
    trials->over =
        trials->over || task_run(trials->player, task, 1, trials->tolerance, &trials->last, NULL);
    return !trials->over && !trials->last.outcome;
}

/* The same for an object that runs once, on an input of the task, for so many iterations. The right
 * answer is that for `parameters`. */
static int is_right_for(struct trials *trials, const struct task *task, int run, int iterations,
                        const void *parameters) {
    struct task once = *task;
    int is;

    once.run_count = 1;
    once.runs[0].iterations = iterations;
    once.runs[0].input = task->runs[run].input;
    once.runs[0].answer =
        task->problem->answer(parameters, once.runs[0].input, once.distribution, iterations);
    trials->over = trials->over || !once.runs[0].answer;
    is = is_right(trials, &once);
    free(once.runs[0].answer);
    return is;
}

static int is_right_after(struct trials *trials, const struct task *task, int run, int iterations) {
    return is_right_for(trials, task, run, iterations, task->parameters);
}

/* "1, 3 and 5": the numbers up to TASK_ITERATIONS for which `right` is `which`. */
static void list(const int *right, int which, char text[40]) {
    int count = 0, said = 0, i;

    for (i = 1; i <= TASK_ITERATIONS; i++)
        count += right[i] == which;
    *text = 0;
    for (i = 1; i <= TASK_ITERATIONS; i++)
        if (right[i] == which)
            text_add(text, 40, "%s%d", !said++ ? "" : said == count ? " and " : ", ", i);
}

/* Whether some numbers of iterations are right and some wrong; says so. */
static int tell_iterations(struct trials *trials, int run, char *text, size_t size) {
    const struct problem *problem = trials->task->problem;
    int right[TASK_ITERATIONS + 1], count = 0, first = 0, odd = 0, i;
    char rights[40], wrongs[40], plural[40];

    for (i = 1; i <= TASK_ITERATIONS; i++) {
        right[i] = is_right_after(trials, trials->task, run, i);
        if (i == 1)
            trials->one = trials->last;
        count += right[i];
        odd += right[i] && i % 2;
        first += right[i] && first == i - 1;
    }
    if (trials->over || count == 0 || count == TASK_ITERATIONS)
        return 0;
    list(right, 1, rights);
    list(right, 0, wrongs);
    problem_iterations(problem, count, plural);
    text_add(text, size, "; right after %s %s, wrong after %s", rights, strchr(plural, ' ') + 1,
             wrongs);
    if (first == count && count == 1)
        text_add(text, size, ": does each %s leave behind what the next one needs?",
                 problem_iteration(problem));
    else if (first == count)
        text_add(text, size, ": what is done only in the first %d?", count);
    else if (odd == 0 || (odd == count && count == (TASK_ITERATIONS + 1) / 2))
        text_add(text, size, ": which of two buffers is the last one that was written?");
    return 1;
}

/* Whether errors in one iteration are within a few times what is allowed: what changes such errors
 * need not be their cause. */
static int is_near(struct trials *trials, int run) {
    struct trials loose = *trials;
    int is;

    loose.tolerance *= 5;
    is = is_right_after(&loose, trials->task, run, 1);
    trials->over = loose.over;
    return is;
}

/* The usual value or, where that was asked for, the highest. */
static double other_value(const struct task *usual, const struct task *task,
                          const struct varied *one) {
    double value = varied_value(one, usual->parameters);

    return value != varied_value(one, task->parameters) ? value : one->high;
}

/* What the program makes of the input in one iteration; NULL, and no trial any more, if it fails.
 */
static void *output_of(struct trials *trials, const struct task *task, int run) {
    void *output = malloc(task_output_bytes(task));
    double seconds;

    trials->over = trials->over || !output ||
                   player_create(trials->player, task->parameters, task->problem->parameters_bytes,
                                 task_input_bytes(task), task_output_bytes(task)) ||
                   player_run(trials->player, task->runs[run].input, output, 1,
                              task_seconds(task, 1), &seconds) ||
                   player_destroy(trials->player);
    if (!trials->over)
        return output;
    free(output);
    return NULL;
}

/* Whether the right outputs of two tasks differ, by the trusted program. */
static int is_different(const struct task *task, const struct task *other, int run) {
    const struct problem *problem = task->problem;
    size_t bytes = task_output_bytes(task);
    void *output = malloc(bytes), *changed = malloc(bytes);
    int is = output && changed &&
             !problem->trusted(task->parameters, task->runs[run].input, output, 1) &&
             !problem->trusted(other->parameters, task->runs[run].input, changed, 1) &&
             memcmp(output, changed, bytes);

    free(output);
    free(changed);
    return is;
}

/* Whether the parameters of two tasks lead to the same bytes, and these are neither the input nor
 * all alike, which says nothing of parameters. */
static int is_same(struct trials *trials, const struct task *task, const struct task *other,
                   int run) {
    void *output = output_of(trials, task, run), *changed = output_of(trials, other, run);
    size_t bytes = task_output_bytes(task);
    int is = output && changed && !memcmp(output, changed, bytes) &&
             memcmp(output, (char *)output + 1, bytes - 1) &&
             !(bytes == task_input_bytes(task) && !memcmp(output, task->runs[run].input, bytes));

    free(output);
    free(changed);
    return is;
}

/* Which other value of the parameter the program's result is right for; says so. */
static int tell_value(struct trials *trials, const struct varied *one, int run, char *text,
                      size_t size) {
    const double drawn = varied_value(one, trials->task->parameters);
    const struct {
        double value;
        const char *cause;
    } values[] = {{2 * drawn, "used twice"},
                  {3 * drawn, "used three times"},
                  {drawn / 2, "halved"},
                  {drawn * drawn, "squared"},
                  {sqrt(drawn), "its root"}};
    struct task acted = *trials->task;
    size_t i;

    for (i = 0; i < sizeof values / sizeof *values; i++) {
        varied_set(one, acted.parameters, values[i].value);
        if (!is_right_for(trials, trials->task, run, 1, acted.parameters))
            continue;
        text_add(text, size, "; the result is that of %s %.3g, and %.3g was asked for: is it %s?",
                 one->name, values[i].value, drawn, values[i].cause);
        return 1;
    }
    return 0;
}

/* What the program does with a parameter: whether it is right for another value of it, would be
 * right if that were asked for, or is the same with any; says so. The other value is the usual one,
 * where that was not asked for. */
static int tell_parameters(struct trials *trials, int run, char *text, size_t size) {
    const struct problem *problem = trials->task->problem;
    const struct varied *one = problem->varied;
    struct task usual = *trials->task, changed;

    problem->set_parameters(usual.parameters, usual.distribution, usual.n, 1);
    for (; one && one->name; one++) {
        const double drawn = varied_value(one, trials->task->parameters);
        const double value = other_value(&usual, trials->task, one);

        if (drawn == 0 || one->is_accuracy)
            continue;
        if (tell_value(trials, one, run, text, size))
            return 1;
        changed = *trials->task;
        varied_set(one, changed.parameters, value);
        if (!is_right_after(trials, &changed, run, 1))
            continue;
        text_add(text, size,
                 "; right with %s %.3g, wrong with %.3g: is it a constant, or left out?", one->name,
                 value, drawn);
        return 1;
    }
    if (problem->varied && is_right_after(trials, &usual, run, 1)) {
        text_add(text, size, "; right with");
        for (one = problem->varied; one->name; one++)
            text_add(text, size, "%s %s %.3g", one == problem->varied ? "" : " and", one->name,
                     varied_value(one, usual.parameters));
        text_add(text, size, ", wrong with");
        for (one = problem->varied; one->name; one++)
            text_add(text, size, "%s %.3g", one == problem->varied ? "" : " and",
                     varied_value(one, trials->task->parameters));
        text_add(text, size, ": are they constants?");
        return 1;
    }
    /* Results that are no numbers are alike whatever they come from. */
    for (one = problem->varied; one && one->name && trials->last.outcome == OUTCOME_WRONG; one++) {
        changed = *trials->task;
        varied_set(one, changed.parameters, other_value(&usual, trials->task, one));
        if (!is_different(trials->task, &changed, run) ||
            !is_same(trials, trials->task, &changed, run))
            continue;
        text_add(text, size,
                 "; the result is the same with %s %.3g and %.3g: is it a constant, or left out?",
                 one->name, varied_value(one, changed.parameters),
                 varied_value(one, trials->task->parameters));
        return 1;
    }
    return 0;
}

int trials_tell(struct player *player, const struct task *task, double tolerance,
                struct judgement *one, char *text, size_t size) {
    struct trials trials = {.player = player, .task = task, .tolerance = tolerance};
    int run = 0;

    if (is_right(&trials, task))
        return 1;
    /* The run that is wrong although it is an object's first; if there is none, the second was. */
    while (run < task->run_count && is_right_after(&trials, task, run, task->runs[run].iterations))
        run++;
    if (trials.over)
        return 0;
    if (run == task->run_count)
        text_add(
            text, size,
            "; right in the first run of an object, wrong in the second: what does a run leave "
            "behind, and what is set up only in create?");
    else if (!tell_iterations(&trials, run, text, size) && !is_near(&trials, run) &&
             !tell_parameters(&trials, run, text, size) && run > 0 && !trials.over)
        text_add(text, size,
                 "; does the program keep what it takes for the same input, by its size or by its "
                 "first and last element?");
    *one = trials.one;
    return 0;
}
