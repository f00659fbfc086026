#include "technique.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of those that a text asks for: NAME RELATION BOUND, or NAME. */
struct wanted {
    const struct technique *technique;
    char relation[3];
    double bound;
};

static const char *const relations[] = {"<=", ">=", ">", "=", NULL};

static const struct technique *find(const struct problem *problem, const char *name) {
    const struct technique *const *table = problem->techniques;

    for (; table && *table; table++)
        for (const struct technique *known = *table; known->name; known++)
            if (!strcmp(known->name, name))
                return known;
    return NULL;
}

/* Takes the first of `*text`, up to a comma. Returns 0 if it is none, and says why. */
static int take(const struct problem *problem, const char **text, struct wanted *wanted,
                char *message) {
    char term[128], name[64] = "", bound[32] = "", rest[2] = "", *end = bound;
    size_t length = strcspn(*text, ",");
    int words;

    snprintf(term, sizeof term, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == ',');
    *wanted = (struct wanted){NULL, "", 0};
    words = sscanf(term, "%63s %2s %31s %1s", name, wanted->relation, bound, rest);
    if (!(wanted->technique = find(problem, name))) {
        snprintf(message, 512, "the problem %s has no technique `%s`", problem->name, name);
        return 0;
    }
    if (wanted->technique->unbounded && words == 1)
        return 1;
    wanted->bound = strtod(bound, &end);
    if (!wanted->technique->unbounded && words == 3 && end != bound &&
        has_name(relations, wanted->relation) &&
        !strcmp(end, wanted->technique->per ? wanted->technique->per : ""))
        return 1;
    if (wanted->technique->unbounded)
        snprintf(message, 512, "%s is wanted alone, without a bound", name);
    else
        snprintf(message, 512, "%s wants <=, >=, > or = and a number%s behind it", name,
                 wanted->technique->per ? wanted->technique->per : "");
    return 0;
}

static int holds(const char *relation, double value, double bound) {
    return !strcmp(relation, "<=")   ? value <= bound
           : !strcmp(relation, ">=") ? value >= bound
           : !strcmp(relation, "=")  ? value == bound
                                     : value > bound; /* or it has none, and is 1 or 0 */
}

double technique_elements(const struct observed *observed) {
    return (double)observed->n * observed->iterations;
}

double technique_blocks(const struct observed *observed) {
    const struct interval *kernel = NULL;
    uint64_t most = 0;

    while ((kernel = next_kernel(&observed->counters, kernel)))
        most = kernel->blocks > most ? kernel->blocks : most;
    return (double)most;
}

struct tally technique_tally(const struct observed *observed,
                             double (*value)(const struct trace_line *line)) {
    const struct trace_line *line = NULL;
    struct tally tally = {0};
    double most = 0;

    while ((line = next_traced_line(&observed->counters, line))) {
        tally.sum += value(line);
        if (value(line) > most) {
            most = value(line);
            tally.most = line;
        }
    }
    return tally;
}

int technique_check(const struct problem *problem, const char *text,
                    const struct observed *observed, char *message) {
    struct wanted wanted;

    if (!*text)
        return -1;
    while (*text) {
        if (!take(problem, &text, &wanted, message))
            return 0;
        if (wanted.technique->bound_for)
            wanted.bound = wanted.technique->bound_for(observed, wanted.bound);
        if (!holds(wanted.relation, wanted.technique->measure(observed), wanted.bound)) {
            wanted.technique->say(observed, wanted.bound, message);
            return 0;
        }
    }
    return 1;
}

int technique_wrong(const struct problem *problem, const char *text, char *message) {
    struct wanted wanted;

    while (*text)
        if (!take(problem, &text, &wanted, message))
            return 1;
    return 0;
}

/* The work of the other threads together over that of the busiest. Two threads that share fairly
 * reach 1; a serial program stays below 0.01. */
double technique_work_of_others(const struct observed *observed) {
    double others = observed->cpu_seconds - observed->busiest_seconds;

    return observed->busiest_seconds > 0 ? others / observed->busiest_seconds : INFINITY;
}

void technique_say_unshared(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512,
             "one thread did %.0f%% of the work: the loop over bodies is not shared out; a "
             "`#pragma omp parallel` around the iterations and a `#pragma omp for` before each "
             "loop would do it",
             100 * observed->busiest_seconds / observed->cpu_seconds);
}
