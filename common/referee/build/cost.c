#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/machine/ceilings.h"
#include "cost.h"
#include "manifest.h"
#include "problems/problem.h"

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

int cost_read(const struct problem *problem, const char *value, const char *distribution,
              struct cost costs[MOST_COSTS], char *message) {
    char word[64];
    int count = 0;

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
