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

/* The value that an ascending order has at that place, from 0. */
static double value_at(double *values, int n, int rank) {
    int low = 0, high = n - 1;

    while (low < high) { /* quickselect, by Hoare's partition */
        double pivot = values[low + (high - low) / 2];
        int i = low, j = high;

        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j) {
                double swapped = values[i];

                values[i++] = values[j];
                values[j--] = swapped;
            }
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break; /* equal to the pivot */
    }
    return values[rank];
}

double percentile_of(double *values, int n, double share) {
    int rank = (int)ceil(share * n);

    return value_at(values, n, rank < 1 ? 0 : rank - 1);
}

double median_of_sorted(const double *sorted, int n) {
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}
