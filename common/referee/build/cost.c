#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/machine/ceilings.h"
#include "cost.h"
#include "manifest.h"

static const char *const origins[] = {"counted", "executed", "formula", NULL};

/* "8+12*rows" as a number; NAN if it is none. */
static double amount_of(const struct problem *problem, const char *text, const char *distribution) {
    double sum = 0;

    for (;;) {
        char name[32], *end;
        double value = strtod(text, &end);
        int is_number = end != text;

        if (!is_number || *end == '*') {
            end += is_number;
            snprintf(name, sizeof name, "%.*s", (int)strcspn(end, "+-"), end);
            end += strlen(name);
            value = (is_number ? value : 1) *
                    (problem->quantity ? problem->quantity(name, distribution) : NAN);
        }
        sum += value;
        if (*end != '+' && *end != '-')
            return *end ? NAN : sum;
        text = end + (*end == '+'); /* a minus is the number's */
    }
}

/* Reads the value of a line. Returns how many resources it names, -1 if it is wrong; `message` may
 * be NULL. */
static int read_costs(const struct problem *problem, const char *value, const char *distribution,
                      struct cost costs[MOST_COSTS], char *message) {
    char word[64], unused[512];
    int count = 0;

    message = message ? message : unused;
    if (!next_word(&value, word) || !has_name(origins, word)) {
        snprintf(message, 512, "`%s`: a cost begins with counted, executed or formula", word);
        return -1;
    }
    for (; next_word(&value, word); count++) {
        if (count == MOST_COSTS || !ceiling_is_known(word)) {
            snprintf(message, 512, "there is no resource `%s`, of which a ceiling is measured",
                     word);
            return -1;
        }
        snprintf(costs[count].resource, sizeof costs[count].resource, "%.23s", word);
        if (!next_word(&value, word) ||
            !((costs[count].amount = amount_of(problem, word, distribution)) > 0)) {
            snprintf(message, 512, "%s `%s`: an amount above 0 is needed, such as 8 or 8+12*NAME",
                     costs[count].resource, word);
            return -1;
        }
    }
    if (!count)
        snprintf(message, 512, "a resource and an amount are needed behind the first word");
    return count ? count : -1;
}

int cost_wrong(const struct problem *problem, const char *value, char *message) {
    struct cost costs[MOST_COSTS];

    return read_costs(problem, value, *problem->distributions, costs, message) < 0;
}

int step_costs(const struct step *step, const char *variant, const char *backend,
               const char *distribution, struct cost costs[MOST_COSTS]) {
    char name[80], value[MOST_VALUE];
    int count;

    snprintf(name, sizeof name, "cost_%s_%s", backend, variant);
    if (!manifest_value(step->manifest, name, value)) {
        snprintf(name, sizeof name, "cost_%s", backend);
        if (!manifest_value(step->manifest, name, value))
            return 0;
    }
    count = read_costs(problem_find(step->problem), value, distribution, costs, NULL);
    return count > 0 ? count : 0;
}
