#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learner.h"
#include "referee/machine/machine.h"
#include "predictions.h"
#include "verbs.h"

/* In a few words, how far the learner is. */
static void describe(const struct state *state, char text[96]) {
    const struct part *part = parts_unfinished(&state->parts);
    const char *before = state->once_accepted ? " (accepted before)" : "";

    if (state->accepted)
        snprintf(text, 96, "accepted");
    else if (!state->there)
        snprintf(text, 96, "no source%s", before);
    else if (state->is_skeleton && !state->once_accepted)
        snprintf(text, 96, "not begun");
    else if (part)
        snprintf(text, 96, "part %d of %d%s", part->number, state->parts.count, before);
    else if (!*state->check.time_utc)
        snprintf(text, 96, "not checked yet%s", before);
    else if (!learner_outcome(&state->check))
        snprintf(text, 96, "accepted; changed since");
    else
        snprintf(text, 96, "failing: %s%s%s", state->check.result,
                 state->changed ? "; changed since" : "", before);
}

static void print_line(const struct step *step, const struct state *state, const struct row *best,
                       const struct prediction *prediction) {
    char how_far[96], rate[64] = "-", expected[64] = "-";

    describe(state, how_far);
    if (best) { /* three digits, but not as a power of ten */
        double gps = atof(best->field[COLUMN_rate_gps]);

        snprintf(rate, sizeof rate, gps < 1000 ? "%.3g at n = %.12s" : "%.0f at n = %.12s", gps,
                 best->field[COLUMN_n]);
    }
    if (prediction && prediction->speedup > 0)
        snprintf(expected, sizeof expected, "%.2f times, %s%s", prediction->speedup,
                 prediction->limit, prediction->late ? " (late)" : "");
    else if (prediction)
        snprintf(expected, sizeof expected, "%s%s", prediction->limit,
                 prediction->late ? " (late)" : "");
    printf("%-22s %-36s %-22s %s\n", step->name, how_far, rate, expected);
}

enum outcome show_progress(const struct options *options) {
    const struct catalogue *catalogue = options->catalogue;
    static struct state state;
    struct predictions predictions = {0};
    struct student_rows rows = {0};
    struct events events = {0};
    enum outcome outcome;
    int i;

    if (!(outcome = journal_read(options->results, &events)))
        outcome = predictions_read(options->results, &predictions);
    if (!outcome) {
        student_rows_read(options->results, machine_name(options), &rows);
        printf("%-22s %-36s %-22s %s\n", "step", "state", "best rate, G/s", "predicted");
    }
    for (i = 0; i < catalogue->count && !outcome; i++) {
        const struct step *step = &catalogue->steps[i];

        if (!(outcome = learner_state(step, options, &events, &state)))
            print_line(step, &state, student_rows_best(&rows, step->name),
                       predictions_last(&predictions, step->name));
    }
    journal_free(&events);
    predictions_free(&predictions);
    student_rows_free(&rows);
    return outcome;
}

/* The handout's goal, a paragraph that begins with **Goal.** and ends before the next of its kind.
 */
static void print_goal(const struct step *step) {
    char path[96], line[512];
    int inside = 0;
    FILE *file;

    snprintf(path, sizeof path, "steps/%s/README.md", step->name);
    if (!(file = fopen(path, "r")))
        return;
    while (fgets(line, sizeof line, file)) {
        int begins = !strncmp(line, "**Goal.** ", 10);

        line[strcspn(line, "\r\n")] = 0;
        if (inside && (!*line || !strncmp(line, "**", 2)))
            break;
        inside = inside || begins;
        if (inside)
            printf("  %s\n", line + (begins ? 10 : 0));
    }
    fclose(file);
}

static void print_next(const struct step *step, const struct state *state, int predicted) {
    const struct part *part = parts_unfinished(&state->parts);
    char how_far[96], sentence[PART_BYTES];

    describe(state, how_far);
    printf("%s: %s\n", step->name, how_far);
    print_goal(step);
    printf("  the handout: steps/%s/README.md\n", step->name);
    if (part) {
        part_sentence(part, sentence);
        printf("  %s\n", sentence);
    }
    if (!predicted)
        printf("  make predict STEP=%.2s\n", step->name);
    printf("  make check STEP=%.2s\n", step->name);
    if (*state->check.time_utc && learner_outcome(&state->check))
        printf("  make hint STEP=%.2s\n", step->name);
}

/* The step that the learner checked or asked a hint for last, 0 without one. */
static int last_step(const struct catalogue *catalogue, const struct events *events) {
    for (int i = 0; i < catalogue->count && events->count; i++)
        if (!strcmp(catalogue->steps[i].name, events->list[events->count - 1].step))
            return i;
    return 0;
}

/* From that step on, or from those right before it that failed; then from the first: who began in
 * the middle is not sent back. */
enum outcome show_next(const struct options *options) {
    const struct catalogue *catalogue = options->catalogue;
    static struct state state;
    struct predictions predictions = {0};
    struct events events = {0};
    enum outcome outcome;
    int i, from;

    if (!(outcome = journal_read(options->results, &events)))
        outcome = predictions_read(options->results, &predictions);
    for (from = last_step(catalogue, &events); from > 0 && !outcome; from--) {
        outcome = learner_state(&catalogue->steps[from - 1], options, &events, &state);
        if (state.accepted || !*state.check.time_utc || !learner_outcome(&state.check))
            break;
    }
    for (i = 0; i < catalogue->count && !outcome; i++) {
        const struct step *step = &catalogue->steps[(from + i) % catalogue->count];

        if (!(outcome = learner_state(step, options, &events, &state)) && !state.accepted) {
            print_next(step, &state, predictions_last(&predictions, step->name) != NULL);
            break;
        }
    }
    if (!outcome && i == catalogue->count)
        printf("All %d steps are accepted.\n", catalogue->count);
    journal_free(&events);
    predictions_free(&predictions);
    return outcome;
}
