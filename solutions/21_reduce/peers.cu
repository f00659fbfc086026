/* Beside step 21: CUB's DeviceReduce, of the CUDA toolkit. Elements are changed as they are loaded,
 * by an iterator. */
#include <cub/device/device_reduce.cuh>
#include <stdlib.h>
#include <thrust/iterator/transform_iterator.h>

#include "cuda_check.h"
#include "reduce.h"

struct reduction {
    struct reduce_parameters parameters;
    const void *in;
    void *out;
    void *elements, *sums, *scratch; /* n; two; CUB's */
    size_t scratch_bytes;
    int pass;
};

struct changed_integer {
    const unsigned *last;
    __device__ unsigned operator()(unsigned element) const {
        return change_integer(element, *last);
    }
};

struct changed_float {
    const float *last;
    __device__ float operator()(float element) const {
        return change_float(element, factor_after(*last));
    }
};

template <typename T, typename Changed>
static cudaError_t sum(struct reduction *reduction, void *scratch, size_t *bytes) {
    T *sums = (T *)reduction->sums, *own = sums + reduction->pass % 2;
    Changed changed = {sums + (reduction->pass + 1) % 2};

    return cub::DeviceReduce::Sum(
        scratch, *bytes, thrust::make_transform_iterator((const T *)reduction->elements, changed),
        own, reduction->parameters.n);
}

static cudaError_t sum_any(struct reduction *reduction, void *scratch, size_t *bytes) {
    return reduction->parameters.of_floats
               ? sum<float, changed_float>(reduction, scratch, bytes)
               : sum<unsigned, changed_integer>(reduction, scratch, bytes);
}

struct reduction *reduction_create(const struct reduce_parameters *parameters, const void *in,
                                   void *out) {
    struct reduction *reduction = (struct reduction *)calloc(1, sizeof *reduction);

    if (!reduction)
        return NULL;
    reduction->parameters = *parameters;
    reduction->in = in;
    reduction->out = out;
    CUDA_CHECK(cudaMalloc(&reduction->elements, (parameters->n + 1) * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&reduction->sums, 2 * sizeof(int)));
    CUDA_CHECK(sum_any(reduction, NULL, &reduction->scratch_bytes)); /* asks for its size */
    CUDA_CHECK(cudaMalloc(&reduction->scratch, reduction->scratch_bytes));
    return reduction;
}

void reduction_passes(struct reduction *reduction, int passes) {
    for (int pass = 0; pass < passes; pass++, reduction->pass++)
        CUDA_CHECK(sum_any(reduction, reduction->scratch, &reduction->scratch_bytes));
}

int reduction_run(struct reduction *reduction, int passes) {
    CUDA_CHECK(cudaMemcpy(reduction->elements, reduction->in, reduction->parameters.n * sizeof(int),
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(reduction->sums, 0, 2 * sizeof(int)));
    reduction->pass = 0;
    reduction_passes(reduction, passes);
    CUDA_CHECK(cudaMemcpy(reduction->out, (int *)reduction->sums + (passes - 1) % 2, sizeof(int),
                          cudaMemcpyDeviceToHost));
    return 0;
}

void reduction_destroy(struct reduction *reduction) {
    CUDA_CHECK(cudaFree(reduction->elements));
    CUDA_CHECK(cudaFree(reduction->sums));
    CUDA_CHECK(cudaFree(reduction->scratch));
    free(reduction);
}
