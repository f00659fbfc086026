#include "distribution.h"

#include <stdio.h>
#include <string.h>

#include "problems/problem.h"
#include "problems/text.h"

/* An input that the user has in a file brings its size along. */
static enum outcome read_file(struct options *options) {
    const struct step *step = options->step;
    const struct problem *problem = step ? problem_find(step->problem) : NULL;
    const char *path = NULL;
    char message[512];
    int n;

    if (problem && options->distribution)
        path = problem_file(problem, options->distribution);
    if (!path)
        return OUTCOME_ACCEPTED;
    if (strpbrk(path, ",\"\n"))
        return complain(OUTCOME_USAGE,
                        "distribution %s: the record takes no comma, no quote and no "
                        "new line; rename the file",
                        options->distribution);
    if (!(n = problem->read_file(path, message)))
        return complain(OUTCOME_INPUT, "%s", message);
    if (options->n && options->n != n)
        return complain(OUTCOME_SIZE, "N=%d: %s has n = %d; leave N out", options->n, path, n);
    options->n = n;
    return OUTCOME_ACCEPTED;
}

enum outcome distribution_read(struct options *options) {
    const struct catalogue *catalogue = options->catalogue;
    enum outcome outcome = read_file(options);
    char names[160];
    int i, j;

    if (outcome || !strcmp(options->verb, "film")) /* which has scenes, and names of its own */
        return outcome;

    for (i = 0; i < catalogue->count && options->distribution; i++) {
        const struct step *step = &catalogue->steps[i];
        const struct problem *problem = problem_find(step->problem);

        if (!problem || (options->step && options->step != step) ||
            problem_distribution(problem, options->distribution) == options->distribution)
            continue;
        *names = 0;
        for (j = 0; problem->distributions[j]; j++)
            text_add(names, sizeof names, "%s%s", j ? ", " : "", problem->distributions[j]);
        return complain(OUTCOME_USAGE, "distribution %s: %s%s is needed", options->distribution,
                        names, problem->read_file ? ", file:PATH" : "");
    }
    return OUTCOME_ACCEPTED;
}
