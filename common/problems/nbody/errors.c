#include "nbody_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double relative_error(double error, double change) {
    return change > 0 ? error / change : error;
}

double body_error(double error, double change, double median_change) {
    return relative_error(error, fmax(change, median_change));
}

static double squared(double x, double y, double z) {
    return x * x + y * y + z * z;
}

static double median_of(const double *values, double *scratch, int n) {
    memcpy(scratch, values, (size_t)n * sizeof *values);
    return percentile_of(scratch, n, 0.5);
}

struct errors *errors_of(const struct oracle *right, const struct body *in,
                         const struct body *out) {
    int n = right->n;
    struct errors *errors = malloc(sizeof *errors + 5 * (size_t)n * sizeof(double));
    if (!errors)
        return NULL;
    double *memory = (double *)(errors + 1);
    *errors = (struct errors){.n = n,
                              .kick = memory,
                              .kick_error = memory + n,
                              .drift = memory + 2 * (size_t)n,
                              .drift_error = memory + 3 * (size_t)n,
                              .relative = memory + 4 * (size_t)n};

    double kick2 = 0, kick_error2 = 0, drift_error2 = 0, position2 = 0;
    for (int i = 0; i < n; i++) {
        double x = right->x[i], y = right->y[i], z = right->z[i];
        double vx = right->vx[i], vy = right->vy[i], vz = right->vz[i];
        double kick = squared(vx - in[i].vx, vy - in[i].vy, vz - in[i].vz);
        double drift = squared(x - in[i].x, y - in[i].y, z - in[i].z);
        double kick_error = squared(vx - out[i].vx, vy - out[i].vy, vz - out[i].vz);
        double drift_error = squared(x - out[i].x, y - out[i].y, z - out[i].z);
        kick2 += kick;
        kick_error2 += kick_error;
        drift_error2 += drift_error;
        position2 += squared(x, y, z);
        errors->kick[i] = sqrt(kick);
        errors->drift[i] = sqrt(drift);
        errors->kick_error[i] = sqrt(kick_error);
        errors->drift_error[i] = sqrt(drift_error);
    }
    errors->kick_l2 = relative_error(sqrt(kick_error2), sqrt(kick2));
    errors->position_l2 = relative_error(sqrt(drift_error2), sqrt(position2));
    errors->kick_median = median_of(errors->kick, errors->relative, n);
    errors->drift_median = median_of(errors->drift, errors->relative, n);
    for (int i = 0; i < n; i++)
        errors->relative[i] = relative_error(errors->kick_error[i], errors->kick[i]);
    return errors;
}
