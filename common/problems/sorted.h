/* Numbers in order. */
#ifndef SORTED_H
#define SORTED_H

void sort_ascending(double *values, int n);

/* By nearest rank, of numbers in any order, which change places; share in (0, 1]. Of many this is
 * quicker than to sort them. */
double percentile_of(double *values, int n, double share);

/* Of an even number the mean of the two in the middle. */
double median_of_sorted(const double *sorted, int n);

#endif
