/* Beside step 22, on a CPU: the loop of the textbook's template, on one core; or on all, where each
 * core reads its share twice: once for its total and once to scan it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "scan.h"

struct scan {
    struct scan_parameters parameters;
    const int *in;
    int *out;
};

static int nothing(const struct scan_parameters *parameters) {
    return parameters->of_maxima ? INT_MIN : 0;
}

static int combine(int of_maxima, int a, int b) {
    return !of_maxima ? (int)((unsigned)a + (unsigned)b) : a > b ? a : b;
}

static void scan_after(const int *in, int *out, int n, int of_maxima, int is_exclusive,
                       int before) {
    for (int i = 0; i < n; i++) {
        int with = combine(of_maxima, before, in[i]);

        out[i] = is_exclusive ? before : with;
        before = with;
    }
}

#ifdef _OPENMP
/* `before` combined with n elements from x on. */
static int total_of(const int *x, int n, int of_maxima, int before) {
    for (int i = 0; i < n; i++)
        before = combine(of_maxima, before, x[i]);
    return before;
}

static void make_pass(const struct scan_parameters *own, const int *in, int *out) {
    int *totals = malloc(((size_t)omp_get_max_threads() + 1) * sizeof *totals);

    if (!totals)
        abort();
#pragma omp parallel
    {
        long n = own->n, threads = omp_get_num_threads(), thread = omp_get_thread_num();
        int begin = (int)(thread * n / threads), end = (int)((thread + 1) * n / threads), before;

        totals[thread] = total_of(in + begin, end - begin, own->of_maxima, nothing(own));
#pragma omp barrier
        before = total_of(totals, (int)thread, own->of_maxima, nothing(own));
        scan_after(in + begin, out + begin, end - begin, own->of_maxima, own->is_exclusive, before);
    }
    free(totals);
}
#else
static void make_pass(const struct scan_parameters *own, const int *in, int *out) {
    scan_after(in, out, own->n, own->of_maxima, own->is_exclusive, nothing(own));
}
#endif

struct scan *scan_create(const struct scan_parameters *parameters, const int *in, int *out) {
    struct scan *scan = malloc(sizeof *scan);

    if (scan)
        *scan = (struct scan){*parameters, in, out};
    return scan;
}

int scan_run(struct scan *scan, int passes) {
    for (int pass = 0; pass < passes; pass++)
        make_pass(&scan->parameters, pass ? scan->out : scan->in, scan->out);
    return 0;
}

void scan_destroy(struct scan *scan) {
    free(scan);
}
