/* The contract of a step that scans an array: a step defines these functions and its own struct
 * scan. Nothing else of the harness is visible to it. */
#ifndef SCAN_H
#define SCAN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Result i of an inclusive scan combines elements 0 to i, result i of an exclusive scan elements 0
 * to i - 1. So result 0 of an exclusive scan is the neutral element, 0 for sums and INT_MIN for
 * maxima. Sums wrap around at 2^32. Add as unsigned, since overflow of int is undefined in C and
 * C++. */
struct scan_parameters {
    int n;            /* elements, 0 or more */
    int of_maxima;    /* elements are combined to the larger of two; 0: to their sum */
    int is_exclusive; /* 0: inclusive */
};

/* The step's own. */
struct scan;

/* Prepares the scan of parameters->n elements; not timed. `in` and `out` (n elements each, apart
 * from each other) stay where they are until scan_destroy; their contents are not defined yet.
 * Returns NULL on failure. */
struct scan *scan_create(const struct scan_parameters *parameters, const int *in, int *out);

/* Timed. Reads `in`, which is filled anew before every call, makes `passes` passes, 1 or more, and
 * writes the result of the last one to `out`. The first pass scans the elements of `in`, each later
 * pass the results of the previous one. Returns 0 when done; any other value is reported as the
 * step's own error. */
int scan_run(struct scan *scan, int passes);

void scan_destroy(struct scan *scan);

/* Optional, for a step on a GPU that is also timed by the device's own clock: puts `passes` passes
 * into the default stream, over what the last run has left behind, and waits for none. What they
 * leave behind is never looked at. */
void scan_passes(struct scan *scan, int passes);

#ifdef __cplusplus
}
#endif

#endif
