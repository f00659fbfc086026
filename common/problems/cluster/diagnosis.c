/* What a wrong output comes from: the faults that are usual here are made on purpose, and that one
 * is named which gives the same stars. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster_problem.h"

/* Up to here a fault is made in a moment. */
enum { MOST_STARS = 300, MOST_OF_SUBTLE_FAULTS = 128 };

/* A fault explains an output whose error from it is so much smaller than from the right one. */
static const double explained = 0.1;

/* A subtle fault, whose output may be within the limit, is told from right programs by being so
 * much nearer to the output than the scheme without it is. Measured, with forces in float: the
 * faulty at most 0.21 of that, the right one at least 5.7. */
static const double betrayed = 0.3;

static const struct fault {
    struct scheme scheme; /* what is 0 and not in the table's head is as in `hermite` */
    const char *name;
    int is_subtle;
} faults[] = {
#define FAULT(text, ...)                                                                           \
    { .scheme = {__VA_ARGS__}, .name = text }
#define SUBTLE_FAULT(text, ...)                                                                    \
    { .scheme = {__VA_ARGS__}, .name = text, .is_subtle = 1 }
#define PREDICTOR .place_a = 1.0 / 2, .place_j = 1.0 / 6, .speed_j = 1.0 / 2
#define CORRECTOR .speed = 1, .place = 1
#define WHOLE     PREDICTOR, CORRECTOR, .jerk = 1, .first = 1
    FAULT("this is the result without the corrector: predicted positions and velocities are "
          "of the second and third order only",
          WHOLE, .correct = CORRECT_NOTHING),
    SUBTLE_FAULT(
        "velocities are corrected and positions are not: x + (v + v') dt / 2 + (a - a') dt^2 / "
        "12 is missing",
        WHOLE, .correct = CORRECT_SPEED),
    FAULT("positions are corrected and velocities are not", WHOLE, .correct = CORRECT_PLACE),
    SUBTLE_FAULT(
        "the corrected position is made with the predicted velocity: correct the velocity first",
        WHOLE, .correct = CORRECT_SWAPPED),
    FAULT("the corrector adds to the predicted position and velocity; it starts from those before "
          "the step",
          WHOLE, .correct = CORRECT_FROM_NEW),
    FAULT("the predictor's acceleration term is a dt^2; it is a dt^2 / 2", .place_a = 1,
          .place_j = 1.0 / 6, .speed_j = 1.0 / 2, CORRECTOR, .jerk = 1, .first = 1),
    FAULT("the predictor's positions lack a dt^2 / 2", .place_j = 1.0 / 6, .speed_j = 1.0 / 2,
          CORRECTOR, .jerk = 1, .first = 1),
    FAULT("the predicted position is made with the predicted velocity: predict the position first",
          .place_a = 3.0 / 2, .place_j = 2.0 / 3, .speed_j = 1.0 / 2, CORRECTOR, .jerk = 1,
          .first = 1),
    SUBTLE_FAULT("the predictor's jerk term is j dt^3 / 2; it is j dt^3 / 6", .place_a = 1.0 / 2,
                 .place_j = 1.0 / 2, .speed_j = 1.0 / 2, CORRECTOR, .jerk = 1, .first = 1),
    SUBTLE_FAULT("the predictor's jerk term is j dt^3 / 3; it is j dt^3 / 6", .place_a = 1.0 / 2,
                 .place_j = 1.0 / 3, .speed_j = 1.0 / 2, CORRECTOR, .jerk = 1, .first = 1),
    SUBTLE_FAULT("the predictor's positions lack j dt^3 / 6", .place_a = 1.0 / 2,
                 .speed_j = 1.0 / 2, CORRECTOR, .jerk = 1, .first = 1),
    SUBTLE_FAULT("the predictor has jerks with the wrong sign", .place_a = 1.0 / 2,
                 .place_j = -1.0 / 6, .speed_j = -1.0 / 2, CORRECTOR, .jerk = 1, .first = 1),
    FAULT("the corrected velocity has the difference of jerks with the wrong sign: it is j - j', "
          "old less new",
          PREDICTOR, .speed = -1, .place = 1, .jerk = 1, .first = 1),
    FAULT("the corrected velocity lacks (j - j') dt^2 / 12", PREDICTOR, .place = 1, .jerk = 1,
          .first = 1),
    FAULT("the corrected velocity has (j - j') dt^2 / 6; it is dt^2 / 12", PREDICTOR, .speed = 2,
          .place = 1, .jerk = 1, .first = 1),
    FAULT("the corrected position has the difference of accelerations with the wrong sign: it is "
          "a - a', old less new",
          PREDICTOR, .speed = 1, .place = -1, .jerk = 1, .first = 1),
    FAULT("the corrected position lacks (a - a') dt^2 / 12", PREDICTOR, .speed = 1, .jerk = 1,
          .first = 1),
    FAULT("the corrected position has (a - a') dt^2 / 6; it is dt^2 / 12", PREDICTOR, .speed = 1,
          .place = 2, .jerk = 1, .first = 1),
    FAULT("the first step is the whole interval: it is to be a small share of |a| / |j|, of the "
          "star where that is least",
          PREDICTOR, CORRECTOR, .jerk = 1, .first = INFINITY),
    FAULT("the softening is left out", WHOLE, .softening = UNSOFTENED),
    FAULT("the softening is added to r^2 as it is: it is a length, and its square is to be added",
          WHOLE, .softening = UNSQUARED),
    FAULT("forces on a star have its own mass as a factor; that of the other star is wanted", WHOLE,
          .masses = OWN_MASS),
    FAULT("all masses are taken for equal", WHOLE, .masses = MEAN_MASS),
    FAULT("the last star attracts nobody: does the loop over stars end at n - 1?", WHOLE,
          .sources_left_out = 1),
#undef WHOLE
#undef CORRECTOR
#undef PREDICTOR
#undef SUBTLE_FAULT
#undef FAULT
};

static double square(double value) {
    return value * value;
}

/* By how much later than asked for the stars are where they are, if that explains them; else 0. */
static double time_off(const struct flow *right, const struct star *out, double time, double own) {
    struct flow *moved;
    struct cluster_errors errors;
    double along = 0, speed = 0, late;
    int is_explained = 0;

    for (int c = 0; c < 3; c++)
        for (int i = 0; i < right->n; i++) {
            along += (out[i].x[c] - right->x[c][i]) * right->v[c][i];
            speed += square(right->v[c][i]);
        }
    late = speed > 0 ? along / speed : 0;
    /* A short time on, by the derivatives there. */
    struct cluster_parameters rest = {.n = right->n,
                                      .softening = sqrt(right->softening_squared),
                                      .accuracy = right->accuracy,
                                      .interval = fabs(late)};
    struct star *at = malloc((size_t)right->n * sizeof *at);

    if (!at || !(fabs(late) > 1e-9 * time)) {
        free(at);
        return 0;
    }
    flow_end(right, at);
    for (int i = 0; i < right->n && late < 0; i++)
        for (int c = 0; c < 3; c++)
            at[i].v[c] = -at[i].v[c];
    if ((moved = flow_new(&rest, at))) {
        flow_run(moved, &hermite, 1);
        for (int i = 0; i < right->n; i++) {
            for (int c = 0; c < 3 && late < 0; c++)
                moved->v[c][i] = -moved->v[c][i];
            moved->kick[i] = right->kick[i];
        }
        is_explained = !cluster_errors(moved, out, time, &errors) && errors.max < explained * own;
    }
    free(moved);
    free(at);
    return is_explained ? late : 0;
}

/* By how much later than asked for one star is where it is, if that explains it; else 0. It is no
 * error of a scheme where that is a thousandth of the time or more. */
static double star_off(const struct flow *right, const struct star *star, int i, double time) {
    double along = 0, speed = 0, late, gap = 0, rest = 0;

    for (int c = 0; c < 3; c++) {
        along += (star->x[c] - right->x[c][i]) * right->v[c][i];
        speed += square(right->v[c][i]);
    }
    late = speed > 0 ? along / speed : 0;
    for (int c = 0; c < 3; c++) {
        double moved = late * (right->v[c][i] + late / 2 * right->a[c][i]);

        gap += square(star->x[c] - right->x[c][i]);
        rest += square(star->x[c] - right->x[c][i] - moved);
    }
    return fabs(late) > 1e-3 * time && rest < square(explained) * gap ? late : 0;
}

static int is_input(const struct star *in, const struct star *out, int n) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            if (in[i].x[c] != out[i].x[c] || in[i].v[c] != out[i].v[c])
                return 0;
    return 1;
}

/* How far the output is from what a scheme gives; INFINITY if it gives nothing. */
static double error_from(const struct scheme *scheme, const struct cluster_parameters *parameters,
                         const struct star *in, const struct flow *right, const struct star *out,
                         int intervals) {
    struct flow *made = flow_new(parameters, in);
    struct scheme limited = *scheme;
    struct cluster_errors errors = {.max = INFINITY};

    limited.accuracy = 1;
    limited.most_steps = 10 * right->steps + 100;
    if (!made || flow_run(made, &limited, intervals) ||
        cluster_errors(made, out, intervals * parameters->interval, &errors))
        errors.max = INFINITY;
    free(made);
    return errors.max;
}

const char *cluster_subtle_fault(const struct cluster_parameters *parameters, const struct star *in,
                                 const struct flow *right, const struct star *out, int intervals,
                                 double own) {
    double least;

    if (parameters->n > MOST_OF_SUBTLE_FAULTS)
        return NULL;
    least = betrayed * fmin(own, error_from(&hermite, parameters, in, right, out, intervals));
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        if (faults[f].is_subtle &&
            error_from(&faults[f].scheme, parameters, in, right, out, intervals) < least)
            return faults[f].name;
    return NULL;
}

void cluster_diagnose(const struct cluster_parameters *parameters, const struct star *in,
                      const struct flow *right, const struct star *out, int intervals, char *text,
                      size_t size) {
    const double time = intervals * parameters->interval;
    struct cluster_errors errors;
    double own, least = INFINITY, late;
    const char *cause = NULL;

    *text = 0;
    if (cluster_errors(right, out, time, &errors))
        return;
    own = errors.max;
    if (is_input(in, out, parameters->n)) {
        snprintf(text, size, "the stars are those of the input: are they moved at all?");
        return;
    }
    if (parameters->n <= MOST_STARS && (late = time_off(right, out, time, own)) != 0) {
        snprintf(text, size,
                 "the stars are where they belong at time %.4g, and %.4g was asked for: %s",
                 time + late, time,
                 late > 0 ? "is the last step of an interval cut so that it ends there?"
                          : "do all steps and intervals count?");
        return;
    }
    if ((late = star_off(right, &out[errors.worst], errors.worst, time)) != 0) {
        snprintf(text, size,
                 "it is where it belongs at time %.4g, and %.4g was asked for: does its last step "
                 "end with the interval?",
                 time + late, time);
        return;
    }
    if (parameters->n > MOST_STARS)
        return;
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        double error = error_from(&faults[f].scheme, parameters, in, right, out, intervals);

        if (error < least) {
            least = error;
            cause = faults[f].name;
        }
    }
    if (least < explained * own)
        snprintf(text, size, "%s", cause);
}
