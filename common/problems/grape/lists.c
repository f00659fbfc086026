/* Whether lists of neighbours are right, and where they are not. */
#include <math.h>
#include <stdlib.h>

#include "grape_problem.h"

/* So near the rim, as a share of h2, the rounding of a sum may decide. */
static const double rim = 1e-12;

static double distance2(const struct particle *a, const struct particle *b) {
    double sum = 0;

    for (int c = 0; c < 3; c++)
        sum += (a->star.x[c] - b->star.x[c]) * (a->star.x[c] - b->star.x[c]);
    return sum;
}

static int ascending(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;

    return (left > right) - (left < right);
}

/* What the list looks like that came, in words that end a sentence; NULL: nothing known. */
static const char *cause_of(const struct particle *sources, int n, const struct particle *target,
                            double h2, double softening, const int *list, int count) {
    int itself = 0, right = 0, within_h = 0, softened = 0, addresses = 1;

    for (int k = 1; k < count && k < MOST_LISTED; k++)
        if (list[k] < list[k - 1])
            return ": it is not in ascending order";
    for (int k = 0; k < count && k < MOST_LISTED; k++)
        if (list[k] == target->index)
            itself = 1;
    if (itself)
        return ": the body itself is in its list";
    for (int j = 0; j < n; j++) {
        double r2 = distance2(&sources[j], target);

        if (sources[j].index == target->index)
            continue;
        within_h += r2 < sqrt(h2);
        softened += r2 + softening * softening < h2;
        if (r2 < h2) {
            right++;
            int is_there = 0;

            for (int k = 0; k < count && k < MOST_LISTED; k++)
                is_there = is_there || list[k] == j;
            addresses = addresses && is_there;
        }
    }
    return count == 0          ? ": it is empty"
           : addresses         ? ": it has addresses where indices are wanted"
           : count == right    ? ""
           : count == within_h ? ": h2 is the square of the radius"
           : count == softened ? ": r^2 is compared with h2 without softening"
                               : "";
}

int grape_lists_are_right(const struct grape_parameters *parameters, const struct particle *as_jerk,
                          const void *input, const void *output, struct judgement *judgement) {
    const struct i_body *asking = grape_asking(parameters, input);
    const int *counts = grape_counts(parameters, (void *)output);
    const int *lists = grape_lists(parameters, (void *)output);
    int n = parameters->bodies, *wanted = malloc(((size_t)n + 1) * sizeof *wanted);

    for (int i = 0; wanted && i < parameters->asking; i++) {
        const struct particle *target = &as_jerk[n + i];
        const int *list = lists + (size_t)i * MOST_LISTED;
        int count = 0, at_the_rim = 0, same = 1;

        for (int j = 0; j < n; j++) {
            double r2 = distance2(&as_jerk[j], target);

            if (as_jerk[j].index != target->index && r2 < asking[i].h2)
                wanted[count++] = as_jerk[j].index;
            at_the_rim |= asking[i].h2 > 0 && fabs(r2 - asking[i].h2) <= rim * asking[i].h2;
        }
        if (at_the_rim)
            continue;
        qsort(wanted, (size_t)count, sizeof *wanted, ascending);
        for (int k = 0; k < count && k < counts[i] && k < MOST_LISTED; k++)
            same = same && wanted[k] == list[k];
        if (count == counts[i] && same)
            continue;
        judge_as(
            judgement, OUTCOME_WRONG,
            "the list of neighbours of asking body %d, with index %d and h2 = %.3g, has %d indices "
            "and should have %d%s%s",
            i, target->index, asking[i].h2, counts[i], count, count == counts[i] ? ", others" : "",
            cause_of(as_jerk, n, target, asking[i].h2, parameters->softening, list, counts[i]));
        free(wanted);
        return 0;
    }
    free(wanted);
    return 1;
}
