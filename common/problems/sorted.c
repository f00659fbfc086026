#include "sorted.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void sort_ascending(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, ascending);
}

double percentile_of(const double *sorted, int n, double share) {
    int rank = (int)ceil(share * n);

    return sorted[rank < 1 ? 0 : rank - 1];
}

double median_of_sorted(const double *sorted, int n) {
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}
