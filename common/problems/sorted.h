/* Numbers in order. */
#ifndef SORTED_H
#define SORTED_H

void sort_ascending(double *values, int n);

/* By nearest rank, of an array in ascending order; share in (0, 1]. */
double percentile_of(const double *sorted, int n, double share);

/* Of an even number the mean of the two in the middle. */
double median_of_sorted(const double *sorted, int n);

#endif
