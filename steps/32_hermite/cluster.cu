/* Step 32: Hermite's scheme of the fourth order with one time step for all stars. The GPU computes
 * accelerations and jerks; the host predicts, corrects and chooses the step, in double. */
#include "cluster.h"
#include "pulls.h"

struct evolution {
    struct cluster_parameters parameters;
    const struct star *in;
    struct star *out;
    /* At the beginning of a step, and at its end. */
    struct star *stars, *next;
    struct pull *felt, *felt_next;
    struct pulls pulls;
};

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Where a star will be after a time dt, if its jerk does not change. */
static void predict(const struct star *star, const struct pull *felt, double dt,
                    struct star *next) {
    *next = *star;
    for (int c = 0; c < 3; c++) {
        double a = felt->acceleration[c], j = felt->jerk[c];

        /* part 1, 2 lines: The Taylor series of position and velocity, up to the jerk. */
        /* until solved */
        (void)a, (void)j, (void)dt;
        /* end of until solved */
        /* end of part 1 */
    }
}

/* The end of the step, once it is known what the star feels at the predicted place: the integrals
 * of the cubic that has the acceleration and the jerk of both ends. */
static void correct(const struct star *star, const struct pull *felt, const struct pull *felt_next,
                    double dt, struct star *next) {
    for (int c = 0; c < 3; c++) {
        double a0 = felt->acceleration[c], a1 = felt_next->acceleration[c];
        double j0 = felt->jerk[c], j1 = felt_next->jerk[c];

        /* part 2, 3 lines: The velocity, and with it the position. */
        /* until solved */
        (void)star, (void)a0, (void)a1, (void)j0, (void)j1, (void)dt, (void)next;
        /* end of until solved */
        /* end of part 2 */
    }
}

/* The square of the step that a star allows at the end of one of length dt, by Aarseth's criterion:
 * eta (|a| |s| + |j|^2) / (|j| |c| + |s|^2), with the second and third derivatives s and c of the
 * acceleration, those of the corrector's cubic. In a short step s and c are mostly rounding errors
 * of the forces; what rounding can contribute is subtracted. A step so short that rounding alone
 * would ask for a shorter one may double. */
static double allowed(const struct pull *felt, const struct pull *felt_next, double dt, double eta,
                      double rounding) {
    double a = length_of(felt_next->acceleration), j = length_of(felt_next->jerk);
    double snap[3], crackle[3], s, c;

    if (eta * dt * j < 6 * rounding)
        return 4 * dt * dt;
    /* part 3, 6 lines: The derivatives at the end of the step. */
    /* until solved */
    for (int k = 0; k < 3; k++)
        snap[k] = crackle[k] = 0;
    (void)felt, (void)dt;
    /* end of until solved */
    /* end of part 3 */
    s = fmax(0, length_of(snap) - 18 * rounding / (dt * dt));
    c = fmax(0, length_of(crackle) - 12 * rounding / (dt * dt * dt));
    return eta * (a * s + j * j) / (j * c + s * s);
}

/* The first step, when there is no cubic yet: a quarter of what the criterion gives on a circular
 * orbit, the least of all stars. A star that feels nothing, 0 / 0, allows any step. */
static double first_step(const struct evolution *evolution) {
    double least = INFINITY, share = sqrt(evolution->parameters.accuracy) / 4;

    for (int i = 0; i < evolution->parameters.n; i++) {
        const struct pull *felt = &evolution->felt[i];

        least = fmin(least, share * length_of(felt->acceleration) / length_of(felt->jerk));
    }
    return least;
}

/* The least step of all stars, at most twice the last one. A star's acceleration is as inexact as
 * its terms, which may be as large as the acceleration of any star. */
static double next_step(const struct evolution *evolution, double dt) {
    double largest = 0, least = INFINITY, eta = evolution->parameters.accuracy;

    for (int i = 0; i < evolution->parameters.n; i++)
        largest = fmax(largest, length_of(evolution->felt_next[i].acceleration));
    for (int i = 0; i < evolution->parameters.n; i++)
        least = fmin(least, allowed(&evolution->felt[i], &evolution->felt_next[i], dt, eta,
                                    pulls_rounding * largest));
    return fmin(sqrt(least), 2 * dt);
}

/* Predict, evaluate, correct. Returns the step that should follow. */
static double advance(struct evolution *evolution, double dt) {
    struct star *stars = evolution->stars, *next = evolution->next;
    struct pull *felt = evolution->felt, *felt_next = evolution->felt_next;
    double following = dt;

    /* part 4, 6 lines: Predict all stars; evaluate there; find the next step; correct all. */
    /* until solved */
    (void)predict, (void)correct, (void)next_step;
    memcpy(next, stars, evolution->parameters.n * sizeof *next);
    memcpy(felt_next, felt, evolution->parameters.n * sizeof *felt_next);
    /* end of until solved */
    /* end of part 4 */
    evolution->stars = next;
    evolution->next = stars;
    evolution->felt = felt_next;
    evolution->felt_next = felt;
    return following;
}

struct evolution *evolution_create(const struct cluster_parameters *parameters,
                                   const struct star *in, struct star *out) {
    struct evolution *evolution;
    size_t n = parameters->n;

    host_malloc(&evolution, sizeof *evolution);
    evolution->parameters = *parameters;
    evolution->in = in;
    evolution->out = out;
    host_malloc(&evolution->stars, n * sizeof *evolution->stars);
    host_malloc(&evolution->next, n * sizeof *evolution->next);
    host_malloc(&evolution->felt, n * sizeof *evolution->felt);
    host_malloc(&evolution->felt_next, n * sizeof *evolution->felt_next);
    evolution->pulls = pulls_create(parameters->n, parameters->softening);
    return evolution;
}

/* Steps per interval; no run would ever finish an interval of more. */
#define MOST_STEPS 0x1p32

int evolution_run(struct evolution *evolution, int intervals) {
    size_t bytes = evolution->parameters.n * sizeof *evolution->stars;
    double step;

    memcpy(evolution->stars, evolution->in, bytes);
    pulls_compute(&evolution->pulls, evolution->stars, evolution->felt);
    step = first_step(evolution);
    for (int interval = 0; interval < intervals; interval++) {
        double left = evolution->parameters.interval;

        while (left > 0) {
            double dt = left;

            /* part 5, 2 lines: Cut what is left into equal steps, none longer than `step`. */
            /* until solved */
            (void)step;
            /* end of until solved */
            /* end of part 5 */
            step = advance(evolution, dt);
            left = dt < left ? left - dt : 0;
            if (step < evolution->parameters.interval / MOST_STEPS) {
                fprintf(stderr,
                        "the time step fell to %.2g, too short to end an interval of %.2g: snap "
                        "and crackle are wrong, or nothing but rounding\n",
                        step, evolution->parameters.interval);
                return 1;
            }
        }
    }
    memcpy(evolution->out, evolution->stars, bytes);
    return 0;
}

void evolution_destroy(struct evolution *evolution) {
    pulls_destroy(&evolution->pulls);
    free(evolution->stars);
    free(evolution->next);
    free(evolution->felt);
    free(evolution->felt_next);
    free(evolution);
}
