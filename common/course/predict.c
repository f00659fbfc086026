#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictions.h"
#include "problems/text.h"
#include "verbs.h"

/* The words, joined by commas. */
static const char *list(const struct step *step, char text[128]) {
    const struct limit *limit;

    *text = 0;
    for (limit = predictions_limits(step); limit->word; limit++)
        text_add(text, 128, "%s%s", *text ? ", " : "", limit->word);
    return text;
}

/* What each of them means, a line each. */
static void explain_limits(const struct step *step, FILE *stream) {
    const struct limit *limit;

    for (limit = predictions_limits(step); limit->word; limit++)
        fprintf(stream, "  %-8s %s\n", limit->word, limit->meaning);
}

static enum outcome read_limit(const struct step *step, const char *word,
                               struct prediction *prediction) {
    const struct limit *limit;
    char text[128];

    for (limit = predictions_limits(step); limit->word; limit++)
        if (!strcmp(limit->word, word)) {
            snprintf(prediction->limit, sizeof prediction->limit, "%s", word);
            return OUTCOME_ACCEPTED;
        }
    complain(OUTCOME_USAGE, "PREDICT_LIMIT=%s: what may limit %s is needed, one of %s", word,
             step->name, list(step, text));
    explain_limits(step, stderr);
    return OUTCOME_USAGE;
}

/* Asks until there is an answer; OUTCOME_USAGE: there will be none. */
static enum outcome ask(const struct step *step, const struct options *options,
                        struct prediction *prediction) {
    char line[128], text[128];

    while (*step->builds_on && !options->predict_speedup && !(prediction->speedup > 0)) {
        printf("How many times as fast as %s, at the largest n at which a bench times both? ",
               step->builds_on);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            return OUTCOME_USAGE;
        line[strcspn(line, "\r\n")] = 0;
        read_positive("PREDICT_SPEEDUP", line, LARGEST_SPEEDUP, &prediction->speedup);
    }
    if (!*prediction->limit)
        explain_limits(step, stdout);
    while (!*prediction->limit) {
        printf("What limits it? One of %s: ", list(step, text));
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            return OUTCOME_USAGE;
        line[strcspn(line, "\r\n")] = 0;
        read_limit(step, line, prediction);
    }
    return OUTCOME_ACCEPTED;
}

static enum outcome say_missing(const struct step *step) {
    char text[128];

    complain(OUTCOME_USAGE, "a prediction needs %sPREDICT_LIMIT=, one of %s",
             *step->builds_on ? "PREDICT_SPEEDUP=, a ratio as 1.5, and " : "", list(step, text));
    explain_limits(step, stderr);
    return OUTCOME_USAGE;
}

enum outcome predict(const struct options *options) {
    const struct step *step = options->step;
    struct prediction prediction = {.speedup = options->predict_speedup};
    struct student_rows rows;
    enum outcome outcome;

    snprintf(prediction.step, sizeof prediction.step, "%s", step->name);
    if (options->predict_speedup && !*step->builds_on)
        return complain(OUTCOME_USAGE,
                        "PREDICT_SPEEDUP=: %s builds on no other step; predict only its limit",
                        step->name);
    if (options->predict_limit && (outcome = read_limit(step, options->predict_limit, &prediction)))
        return outcome;
    if ((*step->builds_on && !options->predict_speedup) || !options->predict_limit)
        if (!isatty(STDIN_FILENO) || ask(step, options, &prediction))
            return say_missing(step);
    student_rows_read(options->results, NULL, &rows);
    prediction.late = student_rows_any(&rows, step->name);
    student_rows_free(&rows);
    if ((outcome = predictions_add(options->results, &prediction)))
        return outcome;
    printf("%s: written down", step->name);
    if (prediction.speedup > 0)
        printf(", %g times %s", prediction.speedup, step->builds_on);
    printf(", limit %s%s\n", prediction.limit,
           prediction.late ? "; marked late, since it was timed before" : "");
    return OUTCOME_ACCEPTED;
}
