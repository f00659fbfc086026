/* Beside step 22: CUB's DeviceScan, of the CUDA toolkit, in place like the step's scan. */
#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <limits.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "scan.h"

struct scan {
    struct scan_parameters parameters;
    const int *in;
    int *out;
    int *elements; /* n */
    void *scratch; /* CUB's */
    size_t scratch_bytes;
};

template <typename T, typename Op>
static cudaError_t scan_by(const struct scan *scan, void *scratch, size_t *bytes, Op op,
                           T nothing) {
    T *x = (T *)scan->elements;
    int n = scan->parameters.n;

    return scan->parameters.is_exclusive
               ? cub::DeviceScan::ExclusiveScan(scratch, *bytes, x, x, op, nothing, n)
               : cub::DeviceScan::InclusiveScan(scratch, *bytes, x, x, op, n);
}

/* By operators that CUB knows and has tunings for. */
static cudaError_t make_pass(const struct scan *scan, void *scratch, size_t *bytes) {
    return scan->parameters.of_maxima ? scan_by(scan, scratch, bytes, cuda::maximum<>(), INT_MIN)
                                      : scan_by(scan, scratch, bytes, cuda::std::plus<>(), 0u);
}

struct scan *scan_create(const struct scan_parameters *parameters, const int *in, int *out) {
    struct scan *scan = (struct scan *)calloc(1, sizeof *scan);

    if (!scan)
        return NULL;
    scan->parameters = *parameters;
    scan->in = in;
    scan->out = out;
    CUDA_CHECK(cudaMalloc(&scan->elements, (parameters->n + 1) * sizeof(int)));
    CUDA_CHECK(make_pass(scan, NULL, &scan->scratch_bytes)); /* asks for its size */
    CUDA_CHECK(cudaMalloc(&scan->scratch, scan->scratch_bytes + 1));
    return scan;
}

void scan_passes(struct scan *scan, int passes) {
    for (int pass = 0; pass < passes; pass++)
        CUDA_CHECK(make_pass(scan, scan->scratch, &scan->scratch_bytes));
}

int scan_run(struct scan *scan, int passes) {
    size_t bytes = scan->parameters.n * sizeof(int);

    CUDA_CHECK(cudaMemcpy(scan->elements, scan->in, bytes, cudaMemcpyHostToDevice));
    scan_passes(scan, passes);
    CUDA_CHECK(cudaMemcpy(scan->out, scan->elements, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

void scan_destroy(struct scan *scan) {
    CUDA_CHECK(cudaFree(scan->elements));
    CUDA_CHECK(cudaFree(scan->scratch));
    free(scan);
}
