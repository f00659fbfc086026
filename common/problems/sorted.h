/* Numbers in order. */
#ifndef SORTED_H
#define SORTED_H

void sort_ascending(double *values, int n);

/* The value that an ascending order has at place `rank`, from 0; the others change places. Of many
 * numbers it is quicker to have than the order. */
double value_at_rank(double *values, int n, int rank);

/* By nearest rank, of an array in ascending order; share in (0, 1]. */
double percentile_of(const double *sorted, int n, double share);

/* Of an even number the mean of the two in the middle. */
double median_of_sorted(const double *sorted, int n);

#endif
