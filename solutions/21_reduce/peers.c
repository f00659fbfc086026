/* Beside step 21, on a CPU: the plain loop, on one core or on all. A float sum has as many parts as
 * the compiler likes. */
#include <stdlib.h>
#include <string.h>

#include "reduce.h"

struct reduction {
    struct reduce_parameters parameters;
    const void *in;
    void *out;
};

static unsigned sum_of_integers(const unsigned *in, int n, unsigned last) {
    unsigned sum = 0;

#ifdef _OPENMP
#pragma omp parallel for simd reduction(+ : sum)
#endif
    for (int i = 0; i < n; i++)
        sum += change_integer(in[i], last);
    return sum;
}

static float sum_of_floats(const float *in, int n, float last) {
    float factor = factor_after(last), sum = 0;

#ifdef _OPENMP
#pragma omp parallel for simd reduction(+ : sum)
#endif
    for (int i = 0; i < n; i++)
        sum += change_float(in[i], factor);
    return sum;
}

struct reduction *reduction_create(const struct reduce_parameters *parameters, const void *in,
                                   void *out) {
    struct reduction *reduction = malloc(sizeof *reduction);

    if (reduction)
        *reduction = (struct reduction){*parameters, in, out};
    return reduction;
}

int reduction_run(struct reduction *reduction, int passes) {
    int n = reduction->parameters.n;
    unsigned of_integers = 0;
    float of_floats = 0;

    for (int pass = 0; pass < passes; pass++)
        if (reduction->parameters.of_floats)
            of_floats = sum_of_floats(reduction->in, n, of_floats);
        else
            of_integers = sum_of_integers(reduction->in, n, of_integers);
    if (reduction->parameters.of_floats)
        memcpy(reduction->out, &of_floats, sizeof of_floats);
    else
        memcpy(reduction->out, &of_integers, sizeof of_integers);
    return 0;
}

void reduction_destroy(struct reduction *reduction) {
    free(reduction);
}
