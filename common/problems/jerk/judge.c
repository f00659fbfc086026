/* Whether forces are right, and where they are not. */
#include "jerk_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/sorted.h"

static int is_poison(const void *at, size_t bytes) {
    unsigned words[2];

    memcpy(words, at, bytes);
    return words[0] == POISON && (bytes < sizeof words || words[1] == POISON);
}

static const char axes[] = "xyz";

/* Number k of a force's seven, and what it is called. */
static double number(const struct force *force, int k) {
    return k < 3 ? force->acceleration[k] : k < 6 ? force->jerk[k - 3] : force->potential;
}

static void name(int k, char text[32]) {
    if (k < 6)
        snprintf(text, 32, "%s.%c", k < 3 ? "acceleration" : "jerk", axes[k % 3]);
    else
        snprintf(text, 32, "potential");
}

/* No sum of an input comes near it; the words of unwritten memory make a larger double. */
static const double largest = 1e290;

int jerk_is_finite(const struct force *forces, int targets, struct judgement *judgement) {
    int unwritten = 0, first_unwritten = 0, bad = 0, first_bad = 0, of_first = 0;
    char text[32];

    for (int i = 0; i < targets; i++) {
        int of_this = is_poison(&forces[i].neighbour, sizeof forces[i].neighbour), wrong = -1;

        for (int k = 6; k >= 0; k--) {
            double value = number(&forces[i], k);

            of_this += is_poison(&value, sizeof value);
            wrong = fabs(value) < largest ? wrong : k;
        }
        if (of_this && !unwritten++)
            first_unwritten = i;
        if (wrong >= 0 && !bad++) {
            first_bad = i;
            of_first = wrong;
        }
    }
    if (unwritten) {
        judge_as(judgement, OUTCOME_UNWRITTEN,
                 "forces of %d of %d targets were never written, or not all of them; the first is "
                 "that of target %d%s",
                 unwritten, targets, first_unwritten,
                 unwritten == targets ? ": does gravity_run copy them to `forces`?" : "");
        return 0;
    }
    if (!bad)
        return 1;
    name(of_first, text);
    double value = number(&forces[first_bad], of_first);
    judge_as(
        judgement, OUTCOME_NOT_FINITE,
        "forces of %d of %d targets have no finite value, the first is target %d with %s = %g: "
        "%s",
        bad, targets, first_bad, text, value,
        isfinite(value) ? "it comes from memory that was never written; is every sum set to 0 "
                          "first, and every part of it stored?"
                        : "is the target itself left out by its index, and without softening a "
                          "source at its place?");
    return 0;
}

/* Of accelerations; *worst has the largest. The percentile is left out if memory is short. */
static void measure(const struct felt *right, const struct force *forces, int targets,
                    struct judgement *judgement) {
    double *errors = malloc((size_t)targets * sizeof *errors), of_errors = 0, of_all = 0;

    for (int i = 0; i < targets; i++) {
        double own[3];

        jerk_errors(&right[i], &forces[i], own);
        of_errors += own[0] * own[0] * right[i].of_acceleration * right[i].of_acceleration;
        of_all += right[i].of_acceleration * right[i].of_acceleration;
        judgement->error_max = fmax(judgement->error_max, own[0]);
        if (errors)
            errors[i] = own[0];
    }
    judgement->error_l2 = of_all > 0 ? sqrt(of_errors / of_all) : 0;
    if (errors && targets > 0)
        judgement->error_p99 = percentile_of(errors, targets, 0.99);
    free(errors);
}

/* Of the numbers of a part, that which is farthest from the right one. */
static int worst_of(const struct felt *right, const struct force *force, enum jerk_part part) {
    int first = 3 * ((int)part - ACCELERATION), worst = first;

    for (int k = first; part != POTENTIAL && k < first + 3; k++)
        if (fabs(number(force, k) - number(&right->force, k)) >
            fabs(number(force, worst) - number(&right->force, worst)))
            worst = k;
    return worst;
}

void jerk_judge(const void *memory, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement) {
    const struct jerk_parameters *parameters = memory;
    const struct particle *targets = jerk_targets(parameters, input);
    const struct felt *right = answer;
    const struct force *forces = output;
    static const char *const parts[] = {NULL, "acceleration", "jerk", "potential", "neighbour"};
    int count = parameters->targets, of_part[NEIGHBOUR + 1] = {0}, first[NEIGHBOUR + 1];
    enum jerk_part part = NOTHING;

    (void)distribution, (void)iterations;
    memset(judgement, 0, sizeof *judgement);
    if (!jerk_is_finite(forces, count, judgement))
        return;
    measure(right, forces, count, judgement);
    for (int i = 0; i < count; i++) {
        enum jerk_part wrong =
            jerk_wrong(parameters, input, &targets[i], &right[i], &forces[i], tolerance);

        if (!of_part[wrong]++)
            first[wrong] = i;
    }
    while (part <= NEIGHBOUR && (part == NOTHING || !of_part[part]))
        part++;
    if (part > NEIGHBOUR)
        return;

    int i = first[part];
    char where[64], values[128], text[32], cause[320];

    snprintf(where, sizeof where, "target %d, of index %d", i, targets[i].index);
    if (part == NEIGHBOUR) {
        snprintf(values, sizeof values, "where it is %d and should be %d", forces[i].neighbour,
                 right[i].force.neighbour);
    } else {
        int k = worst_of(&right[i], &forces[i], part);

        name(k, text);
        snprintf(values, sizeof values, "where %s is %.9g and should be %.9g", text,
                 number(&forces[i], k), number(&right[i].force, k));
    }
    jerk_diagnose(parameters, input, right, forces, part, tolerance, cause, sizeof cause);
    judge_as(judgement, OUTCOME_WRONG, "%d of %d targets have a wrong %s; the first is %s, %s%s%s",
             of_part[part], count, parts[part], where, values, *cause ? ": " : "", cause);
}
