#include <math.h>
#include <stdlib.h>

#include "galaxy_problem.h"
#include "problems/sorted.h"
#include "problems/stars/whole.h"
#include "problems/text.h"

static const char *const components[] = {"halo", "stellar halo", "bulge", "disk"};

/* A body may be off by so many times the tolerance of all velocities: what tables of different
 * steps make of the rarest bodies, far out and fast. */
static const double of_a_body = 10;

/* A program's faults are sought with no more bodies than this: up to here each is made in a moment.
 */
enum { MOST_BODIES = 1000 };

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance(const double a[3], const double b[3]) {
    const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};

    return length(difference);
}

int galaxy_errors(const struct galaxy_parameters *parameters, const struct star *right,
                  const struct star *out, double tolerance, struct galaxy_errors *errors) {
    int n = parameters->n;
    double *of_velocities = malloc((size_t)n * sizeof *of_velocities), error2 = 0, all2 = 0;

    *errors = (struct galaxy_errors){.component = COMPONENTS};
    if (!of_velocities)
        return -1;
    for (int c = 0; c < COMPONENTS; c++) {
        int begin = galaxy_first(parameters, c), end = galaxy_first(parameters, c + 1);
        int wrong = 0, first = -1, is_velocity = 0;
        double v2 = 0, got2 = 0, reach = 0, got_reach = 0, usual;

        for (int i = begin; i < end; i++) {
            v2 += pow(length(right[i].v), 2);
            got2 += pow(length(out[i].v), 2);
            reach += length(right[i].x);
            got_reach += length(out[i].x);
        }
        usual = sqrt(v2 / fmax(end - begin, 1)) + 1e-9;
        for (int i = begin; i < end; i++) {
            double of_place =
                distance(out[i].x, right[i].x) / (length(right[i].x) + 0.1 * parameters->scale[c]);
            double off = distance(out[i].v, right[i].v);

            error2 += off * off;
            of_velocities[i] = off / (length(right[i].v) + 0.1 * usual);
            if (of_place <= of_a_body * tolerance && of_velocities[i] <= of_a_body * tolerance)
                continue;
            if (!wrong++) {
                first = i;
                is_velocity = of_place <= of_a_body * tolerance;
            }
        }
        all2 += v2;
        if (errors->component == COMPONENTS && wrong > (end - begin) / 100) {
            *errors = (struct galaxy_errors){.component = c,
                                             .wrong = wrong,
                                             .of = end - begin,
                                             .first = first,
                                             .is_velocity = is_velocity,
                                             .speed_ratio = sqrt(got2 / v2),
                                             .reach = got_reach / reach};
        }
    }
    errors->l2 = sqrt(error2 / fmax(all2, 1e-300));
    errors->p99 = percentile_of(of_velocities, n, 0.99);
    errors->max = percentile_of(of_velocities, n, 1);
    free(of_velocities);
    return 0;
}

static const char *const causes[GALAXY_FAULTS] = {
    [GALAXY_OWN_POTENTIAL] = "every sphere has the speeds that it would have alone: the potential "
                             "is that of all components",
    [GALAXY_NO_DISK_MASS] = "spheres have the speeds that they would have without the disk: its "
                            "mass belongs to the potential",
    [GALAXY_NO_ROOT] =
        "f(E) is dg / d potential here; Eddington's integral over 1 / sqrt(potential "
        "- E) is missing",
    [GALAXY_NO_WEIGHT] =
        "speeds are drawn from f(E) alone: the number of velocities with speed v grows as v^2 dv",
    [GALAXY_HALF_ENERGY] =
        "the energy of a body is taken as potential + v^2: half of v^2 is wanted",
    [GALAXY_NO_DRIFT] = "the disk turns with v_c; its bodies lag behind by the asymmetric drift",
    [GALAXY_ROUND] = "sigma_phi is as large as sigma_R: it is kappa R / (2 v_c) times that",
    [GALAXY_KEPLER] =
        "kappa is v_c / R here, as around a point mass: does it have the rise of v_c?",
    [GALAXY_SELF_ONLY] = "sigma_z holds the disk against itself only: the spheres pull, too",
    [GALAXY_NOT_CENTRED] = "the centre of mass is not at the origin, or not at rest",
    [GALAXY_FIRST_SEED] = "these are the bodies of *seed; each pass has a seed one higher",
};

/* A fault explains what is off if with it so little is left. */
static const double left_of_it = 0.1;

/* Appends the cause: of the faults that can spoil what is off, the first that explains it. */
static void diagnose(const struct galaxy_parameters *p, const struct star *out, uint64_t seed,
                     int passes, double tolerance, const struct galaxy_errors *seen,
                     struct judgement *judgement) {
    struct star *made = malloc((size_t)p->n * sizeof *made);
    int fault = GALAXY_RIGHT + 1, end = GALAXY_FAULTS;
    const char *cause = "do tables of radius and speed have enough entries?";

    if (seen->component < COMPONENTS) {
        fault = !seen->is_velocity        ? GALAXY_NOT_CENTRED
                : seen->component == DISK ? GALAXY_NO_DRIFT
                                          : GALAXY_OWN_POTENTIAL;
        end = !seen->is_velocity        ? GALAXY_FAULTS
              : seen->component == DISK ? GALAXY_NOT_CENTRED
                                        : GALAXY_NO_DRIFT;
        cause = NULL;
    }
    for (; made && fault < end && p->n <= MOST_BODIES; fault++) {
        struct galaxy_errors errors;

        if (galaxy_make(p, (enum galaxy_fault)fault, 0, seed, passes, made) ||
            galaxy_errors(p, made, out, tolerance, &errors))
            break;
        if (errors.l2 < left_of_it * seen->l2) {
            cause = causes[fault];
            break;
        }
    }
    if (cause)
        text_add(judgement->message, sizeof judgement->message, "; %s", cause);
    free(made);
}

/* Whether all numbers were written and are finite, and all masses equal. */
static int is_whole(const struct galaxy_parameters *p, const struct star *right,
                    const struct star *out, struct judgement *judgement) {
    static const struct star_words words = {
        .one = "body", .several = "bodies", .run = "galaxy_run"};

    if (!stars_are_written(out, p->n, &words, judgement))
        return 0;
    for (int i = 0; i < p->n; i++) {
        int c = 0;

        while (i >= galaxy_first(p, c + 1))
            c++;
        if (!isfinite(length(out[i].x)) || !isfinite(length(out[i].v))) {
            judge_as(judgement, OUTCOME_NOT_FINITE,
                     "the %s of body %d, of the %s, is not finite: is there a root of a negative "
                     "number, or 0 / 0?",
                     isfinite(length(out[i].x)) ? "velocity" : "position", i, components[c]);
            return 0;
        }
        if (!(fabs(out[i].mass / right[i].mass - 1) < 1e-9)) {
            judge_as(
                judgement, OUTCOME_WRONG,
                "the mass of body %d is %.9g; all masses should be that of the galaxy over n, %.9g",
                i, out[i].mass, right[i].mass);
            return 0;
        }
    }
    return 1;
}

/* Judges against `right`; 0 if bodies are off, and `errors` says how. */
static int compare(const struct galaxy_parameters *p, const struct star *right,
                   const struct star *out, double tolerance, enum outcome wrong,
                   struct galaxy_errors *errors, struct judgement *judgement) {
    *judgement = (struct judgement){.outcome = OUTCOME_ACCEPTED};
    if (!is_whole(p, right, out, judgement))
        return 1;
    if (galaxy_errors(p, right, out, tolerance, errors)) {
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short");
        return 1;
    }
    judgement->error_l2 = errors->l2;
    judgement->error_p99 = errors->p99;
    judgement->error_max = errors->max;
    if (errors->component < COMPONENTS) {
        int i = errors->first, is_velocity = errors->is_velocity;
        const double *got = is_velocity ? out[i].v : out[i].x;
        const double *should = is_velocity ? right[i].v : right[i].x;

        judge_as(judgement, wrong,
                 "%d of %d bodies of the %s are off, the first is body %d, whose %s is (%.6g, "
                 "%.6g, %.6g) and should be (%.6g, %.6g, %.6g); the component's bodies reach %.3g "
                 "times as far as they should, and are %.3g times as fast",
                 errors->wrong, errors->of, components[errors->component], i,
                 is_velocity ? "velocity" : "position", got[0], got[1], got[2], should[0],
                 should[1], should[2], errors->reach, errors->speed_ratio);
        return 0;
    }
    if (errors->l2 > tolerance) {
        judge_as(judgement, wrong, "velocities are off by %.2g (tolerance %g)", errors->l2,
                 tolerance);
        return 0;
    }
    return 1;
}

void galaxy_judge(const void *parameters, const void *input, const void *answer, const void *output,
                  const char *distribution, int iterations, double tolerance,
                  struct judgement *judgement) {
    const struct galaxy_parameters *p = parameters;
    struct galaxy_errors errors;

    (void)distribution;
    if (!compare(p, answer, output, tolerance, OUTCOME_WRONG, &errors, judgement))
        diagnose(p, output, *(const uint64_t *)input, iterations, tolerance, &errors, judgement);
}

void galaxy_judge_timed(const void *parameters, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement) {
    struct galaxy_errors errors;

    (void)input;
    compare(parameters, trusted, output, tolerance, OUTCOME_TIMED_OUTPUT, &errors, judgement);
}
