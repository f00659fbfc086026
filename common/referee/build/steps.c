#include <stdio.h>
#include <string.h>

#include "steps.h"

int steps_index(const struct catalogue *catalogue, const struct step *step) {
    return (int)(step - catalogue->steps);
}

/* Finds the step of a number in the text. */
static enum outcome find(const char *text, const char *number, const struct catalogue *catalogue,
                         int *index) {
    const struct step *step = catalogue_find(catalogue, number);

    if (!*number || (!step && strspn(number, "0123456789") != strlen(number)))
        return complain(OUTCOME_USAGE, "STEPS=%s: a range is needed, as in STEPS=03-09, or a step",
                        text);
    if (!step)
        return complain(OUTCOME_NO_STEP,
                        "STEPS=%s: there is no step %s; steps/ lists them, from %s to "
                        "%s",
                        text, number, catalogue->steps[0].name,
                        catalogue->steps[catalogue->count - 1].name);
    *index = steps_index(catalogue, step);
    return OUTCOME_ACCEPTED;
}

enum outcome steps_read(const char *text, const struct catalogue *catalogue,
                        char chosen[MOST_STEPS]) {
    const char *dash = text ? strchr(text, '-') : NULL;
    int first = 0, last = catalogue->count - 1, i;
    enum outcome outcome = OUTCOME_ACCEPTED;
    char number[48];

    if (text) {
        snprintf(number, sizeof number, "%.*s", dash ? (int)(dash - text) : 47, text);
        if (!(outcome = find(text, number, catalogue, &first)))
            outcome = find(text, dash ? dash + 1 : number, catalogue, &last);
    }
    if (!outcome && last < first)
        outcome = complain(OUTCOME_USAGE, "STEPS=%s: the range begins behind its end", text);
    for (i = 0; i < MOST_STEPS; i++)
        chosen[i] = !outcome && i >= first && i <= last;
    return outcome;
}
