/* What wrong forces come from: the faults that are usual here are made on purpose, and that one is
 * named which gives the same forces. */
#include "jerk_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/text.h"

/* Up to so many pairs a fault is made in a moment. Of that, errors may be a few times those that
 * right forces may have. */
static const double most_pairs = 4e6, loosely = 4;

static const char *const explanations[RULES] = {
    [SELF_IN_POTENTIAL] =
        "the potential has a term -m / softening of the target itself, which is no source",
    [SELF_COUNTS] = "the target itself is among its sources; its index tells which one is left out",
    [SELF_BY_PLACE] = ("the target is told from other sources by its place; compare its index, "
                       "since another source may lie there"),
    [INDEX_AS_PLACE] = ("the target itself is looked for at the place in the array that its index "
                        "says; an index is a number that a source has, not a place"),
    [FLOAT_PLACES] = "places are rounded to float before they are subtracted",
    [NO_LAST_SOURCE] = "the last source is left out",
    [MASS_OF_TARGET] = "the target's mass is taken where the source's belongs",
    [NO_SOFTENING] = "the softening is left out",
    [SOFTENING_NOT_SQUARED] =
        "the softening is a length, and is added to r^2 without being squared",
    [MINUS_R] = "the acceleration has the wrong sign: r is x_source - x_target",
    [MINUS_V] = "the jerk has the wrong sign: v is v_source - v_target",
    [NO_JERK] = "the jerk is 0 everywhere",
    [NO_SECOND_TERM] = "the jerk's second term, -3 (r.v) r / s^5, is left out",
    [NO_FACTOR] = "the jerk's second term lacks its factor 3",
    [PLUS_POTENTIAL] = "the potential has the wrong sign",
    [NO_NEIGHBOUR] = "no neighbour was looked for",
    [SELF_AS_NEIGHBOUR] = "the target itself is taken for its own neighbour",
    [SOFTENED_NEIGHBOUR] = ("it is the nearest by r^2 + softening^2, where float cannot tell near "
                            "sources apart; compare r^2 alone"),
    [FARTHEST_NEIGHBOUR] = "it is the farthest source",
    [PLACE_OF_NEIGHBOUR] = "it is the neighbour's place in the array, where its index is wanted",
    [LAST_NEIGHBOUR] = "among equally near sources it is the last; the first is wanted",
};

/* Targets whose forces are wrong in a part, and behind them some that are right, at most so many of
 * each. */
enum { MOST = 64 };
struct sample {
    enum jerk_part part;
    int wrong, count, targets[2 * MOST];
};

static void draw_sample(const struct jerk_parameters *parameters, const void *input,
                        const struct felt *right, const struct force *forces, double tolerance,
                        struct sample *sample) {
    const struct particle *targets = jerk_targets(parameters, input);
    int fine[MOST] = {0}, count = 0;

    for (int i = 0; i < parameters->targets && sample->wrong < MOST; i++) {
        enum jerk_part part =
            jerk_wrong(parameters, input, &targets[i], &right[i], &forces[i], tolerance);

        if (part == sample->part)
            sample->targets[sample->wrong++] = i;
        else if (part == NOTHING && count < MOST)
            fine[count++] = i;
    }
    memcpy(sample->targets + sample->wrong, fine, (size_t)count * sizeof *fine);
    sample->count = sample->wrong + count;
}

static double distance2(const struct force *a, const struct force *b, enum jerk_part part) {
    double sum = 0;

    for (int c = 0; c < 3; c++) {
        double off = part == ACCELERATION ? a->acceleration[c] - b->acceleration[c]
                     : part == JERK       ? a->jerk[c] - b->jerk[c]
                                          : (a->potential - b->potential) / sqrt(3);

        sum += off * off;
    }
    return sum;
}

/* Whether a force is much nearer to what the fault gives than to the right one, in a part in which
 * it is wrong. */
static int is_made(const struct felt *right, const struct felt *made, const struct force *force,
                   enum jerk_part part, double tolerance) {
    static const double nearer = 0.1;

    if (part == NEIGHBOUR)
        return made->force.neighbour != right->force.neighbour &&
               !jerk_is_off(made, force, part, tolerance);
    return distance2(&made->force, force, part) <=
           nearer * nearer * distance2(&right->force, force, part);
}

/* Whether the fault gives these wrong forces, but for few: what a program does at its first or last
 * source may depend on more than the fault. `wholly`: and all else that these targets and others
 * feel. */
static int explains(const struct jerk_parameters *parameters, const void *input,
                    const struct felt *right, const struct force *forces, double tolerance,
                    const struct sample *sample, enum jerk_rule rule, int wholly) {
    const struct particle *targets = jerk_targets(parameters, input);
    int unexplained = 0, others = 0;

    for (int k = 0; k < (wholly ? sample->count : sample->wrong); k++) {
        int i = sample->targets[k], is_wrong = k < sample->wrong;
        struct felt made = jerk_feel(parameters, input, &targets[i], rule, forces[i].neighbour);
        int fits = !is_wrong || is_made(&right[i], &made, &forces[i], sample->part, tolerance);

        for (enum jerk_part part = ACCELERATION; wholly && part <= NEIGHBOUR; part++)
            fits = fits && !jerk_is_off(&made, &forces[i], part, loosely * tolerance);
        *(is_wrong ? &unexplained : &others) += !fits;
        if (10 * unexplained > sample->wrong || 10 * others > sample->count - sample->wrong)
            return 0;
    }
    return 1;
}

/* By what the right part of every target was multiplied; 0 if by nothing that all have in common.
 * Of few targets any part would be. */
static double common_factor(const struct jerk_parameters *parameters, const struct felt *right,
                            const struct force *forces, enum jerk_part part, double tolerance) {
    static const struct force none;
    enum { FEW = 3 };
    double largest = 0, factor = 0;

    for (int i = 0; i < parameters->targets; i++) {
        double own2 = distance2(&right[i].force, &none, part);
        double both2 = (own2 + distance2(&forces[i], &none, part) -
                        distance2(&right[i].force, &forces[i], part)) /
                       2;

        if (own2 > largest) {
            largest = own2;
            factor = both2 / own2;
        }
    }
    for (int i = 0; i < parameters->targets; i++) {
        struct felt scaled = right[i];

        for (int c = 0; c < 3; c++) {
            scaled.force.acceleration[c] *= factor;
            scaled.force.jerk[c] *= factor;
        }
        scaled.force.potential *= factor;
        if (jerk_is_off(&scaled, &forces[i], part, loosely * fmax(fabs(factor), 1) * tolerance))
            return 0;
    }
    return parameters->targets < FEW ? 0 : factor;
}

/* Parts of every target that are the right ones times a number, and which others are right. */
static int tell_factor(const struct jerk_parameters *parameters, const struct felt *right,
                       const struct force *forces, enum jerk_part wrong, double tolerance,
                       char *cause, size_t size) {
    static const char *const names[] = {NULL, "accelerations", "jerks", "potentials"};
    double factors[NEIGHBOUR] = {0};
    char same[64] = "", others[64] = "";
    int count = 0;

    if (wrong == NEIGHBOUR)
        return 0;
    for (enum jerk_part part = ACCELERATION; part < NEIGHBOUR; part++)
        factors[part] = common_factor(parameters, right, forces, part, tolerance);
    if (factors[wrong] == 0)
        return 0;
    for (enum jerk_part part = ACCELERATION; part < NEIGHBOUR; part++) {
        int is_same = fabs(factors[part] / factors[wrong] - 1) < 100 * tolerance;
        char *list = is_same ? same : others;

        count += is_same;
        if (is_same || fabs(factors[part] - 1) < 100 * tolerance)
            text_add(list, sizeof same, "%s%s", *list ? " and " : "", names[part]);
    }
    if (count == 3)
        snprintf(cause, size,
                 "accelerations, jerks and potentials of all targets are %.6g times the right "
                 "ones: is a part counted twice, or a factor forgotten?",
                 factors[wrong]);
    else
        snprintf(cause, size, "the %s of all targets are %.6g times the right ones%s%s%s", same,
                 factors[wrong], *others ? ", and the " : "", others, *others ? " are right" : "");
    return 1;
}

/* The first of the faults that explains the forces, wholly or for the most part. */
static const char *fault_of(const struct jerk_parameters *parameters, const void *input,
                            const struct felt *right, const struct force *forces, double tolerance,
                            const struct sample *sample, int wholly) {
    if ((double)parameters->sources * sample->count > most_pairs)
        return NULL;
    for (int rule = RIGHT + 1; rule < RULES; rule++)
        if (explains(parameters, input, right, forces, tolerance, sample, (enum jerk_rule)rule,
                     wholly))
            return explanations[rule];
    return NULL;
}

void jerk_diagnose(const struct jerk_parameters *parameters, const void *input,
                   const struct felt *right, const struct force *forces, enum jerk_part part,
                   double tolerance, char *cause, size_t size) {
    struct sample sample = {.part = part};
    const char *fault;

    draw_sample(parameters, input, right, forces, tolerance, &sample);
    fault = fault_of(parameters, input, right, forces, tolerance, &sample, 1);
    if (!fault && tell_factor(parameters, right, forces, part, tolerance, cause, size))
        return;
    if (!fault)
        fault = fault_of(parameters, input, right, forces, tolerance, &sample, 0);
    snprintf(cause, size, "%s", fault ? fault : "");
}
