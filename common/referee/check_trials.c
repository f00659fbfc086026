#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_trials.h"

/* One trial after another, up to the first that the program does not survive. */
struct trials {
    struct player *player;
    const struct task *task;
    int patience;
    double tolerance;
    int over;
};

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* Whether the object is right in every run. */
static int is_right(struct trials *trials, const struct task *task) {
    struct judgement judgement;

    trials->over = trials->over || task_run(trials->player, task, trials->patience,
                                            trials->tolerance, &judgement, NULL);
    return !trials->over && !judgement.outcome;
}

/* The same for an object that runs once, on an input of the task, for so many iterations. */
static int is_right_after(struct trials *trials, const struct task *task, int run, int iterations) {
    struct task once = *task;
    int is;

    once.run_count = 1;
    once.runs[0].iterations = iterations;
    once.runs[0].input = task->runs[run].input;
    once.runs[0].answer =
        task->problem->answer(once.parameters, once.runs[0].input, once.distribution, iterations);
    trials->over = trials->over || !once.runs[0].answer;
    is = is_right(trials, &once);
    free(once.runs[0].answer);
    return is;
}

/* "1, 3 and 5": the numbers up to TASK_ITERATIONS for which `right` is `which`. */
static void list(const int *right, int which, char text[40]) {
    int count = 0, said = 0, i;

    for (i = 1; i <= TASK_ITERATIONS; i++)
        count += right[i] == which;
    *text = 0;
    for (i = 1; i <= TASK_ITERATIONS; i++)
        if (right[i] == which)
            append(text, 40, "%s%d", !said++ ? "" : said == count ? " and " : ", ", i);
}

/* Whether some numbers of iterations are right and some wrong; says so. */
static int tell_iterations(struct trials *trials, int run, char *text, size_t size) {
    const struct problem *problem = trials->task->problem;
    int right[TASK_ITERATIONS + 1], count = 0, first = 0, odd = 0, i;
    char rights[40], wrongs[40], plural[40];

    for (i = 1; i <= TASK_ITERATIONS; i++) {
        right[i] = is_right_after(trials, trials->task, run, i);
        count += right[i];
        odd += right[i] && i % 2;
        first += right[i] && first == i - 1;
    }
    if (trials->over || count == 0 || count == TASK_ITERATIONS)
        return 0;
    list(right, 1, rights);
    list(right, 0, wrongs);
    problem_iterations(problem, count, plural);
    append(text, size, "; right after %s %s, wrong after %s", rights, strchr(plural, ' ') + 1,
           wrongs);
    if (first == count && count == 1)
        append(text, size, ": does each %s leave behind what the next one needs?",
               problem_iteration(problem));
    else if (first == count)
        append(text, size, ": what is done only in the first %d?", count);
    else if (odd == 0 || (odd == count && count == (TASK_ITERATIONS + 1) / 2))
        append(text, size, ": which of two buffers is the last one that was written?");
    return 1;
}

static float parameter(const struct task *task, const struct varied *one) {
    float value;

    memcpy(&value, task->parameters + one->offset, sizeof value);
    return value;
}

/* Which of the parameters that were drawn would be right with its usual value; says so. */
static int tell_parameters(struct trials *trials, int run, char *text, size_t size) {
    const struct problem *problem = trials->task->problem;
    const struct varied *one = problem->varied;
    struct task usual = *trials->task, changed;

    problem->set_parameters(usual.parameters, usual.distribution, usual.n, 1);
    for (; one && one->name; one++) {
        float value = parameter(&usual, one);

        changed = *trials->task;
        memcpy(changed.parameters + one->offset, &value, sizeof value);
        if (is_right_after(trials, &changed, run, 1)) {
            append(text, size,
                   "; right with %s %.3g, wrong with %.3g: is it a constant, left out, or used "
                   "twice?",
                   one->name, value, parameter(trials->task, one));
            return 1;
        }
    }
    if (!problem->varied || !is_right_after(trials, &usual, run, 1))
        return 0;
    append(text, size, "; right with");
    for (one = problem->varied; one->name; one++)
        append(text, size, "%s %s %.3g", one == problem->varied ? "" : " and", one->name,
               parameter(&usual, one));
    append(text, size, ", wrong with");
    for (one = problem->varied; one->name; one++)
        append(text, size, "%s %.3g", one == problem->varied ? "" : " and",
               parameter(trials->task, one));
    append(text, size, ": are they constants?");
    return 1;
}

void trials_tell(struct player *player, const struct task *task, int patience, double tolerance,
                 char *text, size_t size) {
    struct trials trials = {player, task, patience, tolerance, 0};
    int run = 0;

    if (is_right(&trials, task) && !trials.over) {
        append(text, size,
               "; right as the only object of its process: is something kept from one object to "
               "the next, or does the order of threads matter?");
        return;
    }
    /* The run that is wrong although it is an object's first; if there is none, the second was. */
    while (run < task->run_count && is_right_after(&trials, task, run, task->runs[run].iterations))
        run++;
    if (trials.over)
        return;
    if (run == task->run_count)
        append(text, size,
               "; right in the first run of an object, wrong in the second: what does a run leave "
               "behind, and what is set up in create alone?");
    else if (!tell_iterations(&trials, run, text, size) &&
             !tell_parameters(&trials, run, text, size) && run > 0 && !trials.over)
        append(text, size,
               "; does the program keep what it takes for the same input, by its size or by its "
               "first and last element?");
}
