#include "leapfrog_problem.h"

#include <math.h>
#include <stdlib.h>

#include "problems/sorted.h"

/* A program that rounds a coordinate once per step is off by half of this. */
static const double rounding = 0x1p-52;

/* A body's change of place or velocity, of the right run. */
static double change_of(long double *const at[3], const double from[3], int i) {
    double sum = 0;

    for (int c = 0; c < 3; c++)
        sum += pow((double)(at[c][i] - from[c]), 2);
    return sqrt(sum);
}

/* What is left of an error beyond roundings. */
static double beyond(long double right, double got, int steps) {
    return fmax(0, fabs((double)(right - got)) - (steps + 2) * rounding * fabs((double)right));
}

/* Of places, or of velocities. */
static void compare(const struct cluster *right, const struct star *out, int steps, int is_velocity,
                    const double *change, double median, double *of_bodies,
                    struct leapfrog_errors *errors) {
    for (int i = 0; i < right->n; i++) {
        long double *const *at = is_velocity ? right->v : right->x;
        const double *got = is_velocity ? out[i].v : out[i].x;
        double scale = fmax(change[i], median), sum = 0;

        for (int c = 0; c < 3; c++) {
            double error = beyond(at[c][i], got[c], steps);
            double of_change = scale > 0 ? error / scale : error;

            sum += error * error;
            if (of_change > errors->worst) {
                errors->worst = of_change;
                errors->body = i;
                errors->component = c;
                errors->is_velocity = is_velocity;
            }
            of_bodies[i] = fmax(of_bodies[i], of_change);
        }
        if (is_velocity)
            errors->kick_l2 += sum;
    }
}

int leapfrog_errors(const struct cluster *right, const struct star *in, const struct star *out,
                    int steps, double limit, struct leapfrog_errors *errors) {
    int n = right->n;
    double *memory = calloc(4 * (size_t)n, sizeof *memory), *copied, *of_places, *of_velocities;
    double kick2 = 0;

    *errors = (struct leapfrog_errors){.first = -1};
    if (!memory)
        return -1;
    copied = memory + n;
    of_places = copied + n;
    of_velocities = of_places + n;
    for (int is_velocity = 0; is_velocity < 2; is_velocity++) {
        double *of_bodies = is_velocity ? of_velocities : of_places;

        for (int i = 0; i < n; i++) {
            copied[i] = memory[i] =
                is_velocity ? change_of(right->v, in[i].v, i) : change_of(right->x, in[i].x, i);
            kick2 += is_velocity * memory[i] * memory[i];
        }
        compare(right, out, steps, is_velocity, memory, percentile_of(copied, n, 0.5), of_bodies,
                errors);
    }
    for (int i = 0; i < n; i++)
        if (!(fmax(of_places[i], of_velocities[i]) <= limit) && !errors->wrong++)
            errors->first = i;
    errors->kick_l2 = sqrt(errors->kick_l2 / (kick2 > 0 ? kick2 : 1));
    errors->kick_p99 = percentile_of(of_velocities, n, 0.99);
    errors->kick_max = percentile_of(of_velocities, n, 1);
    free(memory);
    return 0;
}
