#include <math.h>
#include <stdlib.h>

#include "cluster_problem.h"
#include "problems/sorted.h"

/* What rounding alone may do to a place or a velocity. */
static const double rounding = 1e-13;

int cluster_errors(const struct flow *right, const struct star *out, double time,
                   struct cluster_errors *errors) {
    int n = right->n;
    double *of_stars = calloc(2 * (size_t)n, sizeof *of_stars), *copied;
    double squares[2] = {0}, kicks = 0, typical;

    *errors = (struct cluster_errors){.worst = 0};
    if (!of_stars)
        return -1;
    copied = of_stars + n;
    for (int i = 0; i < n; i++)
        copied[i] = right->kick[i];
    typical = percentile_of(copied, n, 0.5);
    for (int i = 0; i < n; i++) {
        double kick = fmax(right->kick[i], typical);

        kicks += kick * kick;
        for (int is_velocity = 0; is_velocity < 2; is_velocity++) {
            double scale = is_velocity ? kick : kick * time, sum = 0, largest = -1;
            int component = 0;

            for (int c = 0; c < 3; c++) {
                double wanted = is_velocity ? right->v[c][i] : right->x[c][i];
                double got = is_velocity ? out[i].v[c] : out[i].x[c];
                double error = fmax(0, fabs(got - wanted) - rounding * (1 + fabs(wanted)));

                sum += error * error;
                if (error > largest) {
                    largest = error;
                    component = c;
                }
            }
            squares[is_velocity] += sum / (is_velocity ? 1 : time * time);
            of_stars[i] = fmax(of_stars[i], sqrt(sum) / (scale > 0 ? scale : rounding));
            if (of_stars[i] > errors->max) {
                errors->max = of_stars[i];
                errors->worst = i;
                errors->is_velocity = is_velocity;
                errors->component = component;
            }
        }
    }
    errors->l2 = sqrt(fmax(squares[0], squares[1]) / (kicks > 0 ? kicks : rounding * rounding));
    for (int i = 0; i < n; i++)
        copied[i] = of_stars[i];
    errors->p99 = percentile_of(copied, n, 0.99);
    free(of_stars);
    return 0;
}
