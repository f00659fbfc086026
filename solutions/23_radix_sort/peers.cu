/* Beside step 23, on a GPU: CUB's sort, of the CUDA toolkit. It leaves its input as it is, as the
 * step does. CUB takes both zeros for equal keys, which the contract does not: keys that are not
 * unsigned are made so before, and back after, in kernels that are timed with it. */
#include <cub/device/device_radix_sort.cuh>
#include <stdlib.h>

#include "cuda_check.h"
#include "radix_sort.h"

enum { OF_BLOCK = 256 }; /* threads */

struct radix_sort {
    struct radix_sort_parameters parameters;
    const void *in;
    void *out;
    void *keys, *sorted_keys; /* the input, but for key 0 as it was; the result */
    void *unsigned_keys;      /* what is sorted: the keys themselves if they are unsigned */
    unsigned *values, *sorted_values;
    void *scratch; /* CUB's */
    size_t scratch_bytes;
    int made; /* sorts */
};

template <typename K> __device__ K ordered(K bits, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);

    if (kind == FLOAT_KEYS && bits & sign)
        return ~bits;
    return bits ^ sign;
}

template <typename K> __device__ K unordered(K bits, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);

    if (kind == FLOAT_KEYS && !(bits & sign))
        return ~bits;
    return bits ^ sign;
}

template <typename K>
__global__ void make_unsigned(const K *keys, K *unsigned_keys, int n, int kind) {
    int i = blockIdx.x * OF_BLOCK + threadIdx.x;

    if (i < n)
        unsigned_keys[i] = ordered(keys[i], kind);
}

template <typename K> __global__ void make_back(K *keys, int n, int kind) {
    int i = blockIdx.x * OF_BLOCK + threadIdx.x;

    if (i < n)
        keys[i] = unordered(keys[i], kind);
}

template <typename K> __global__ void change(K *keys, const K *sorted, int n) {
    keys[0] += sorted[n / 2];
}

/* With scratch == NULL it only says how many bytes of that it needs. */
template <typename K> static void sort_keys(struct radix_sort *sort, void *scratch) {
    const K *keys = (const K *)sort->unsigned_keys;
    K *sorted = (K *)sort->sorted_keys;
    int n = sort->parameters.n;

    CUDA_CHECK(sort->parameters.has_values
                   ? cub::DeviceRadixSort::SortPairs(scratch, sort->scratch_bytes, keys, sorted,
                                                     (const unsigned *)sort->values,
                                                     sort->sorted_values, n)
                   : cub::DeviceRadixSort::SortKeys(scratch, sort->scratch_bytes, keys, sorted, n));
}

template <typename K> static void sort_once(struct radix_sort *sort) {
    int n = sort->parameters.n, kind = sort->parameters.key_kind;
    int blocks = (n + OF_BLOCK - 1) / OF_BLOCK;
    K *keys = (K *)sort->keys, *sorted = (K *)sort->sorted_keys;

    if (n == 0)
        return;
    if (sort->made++ > 0)
        change<<<1, 1>>>(keys, sorted, n);
    if (kind != UNSIGNED_KEYS)
        make_unsigned<<<blocks, OF_BLOCK>>>(keys, (K *)sort->unsigned_keys, n, kind);
    sort_keys<K>(sort, sort->scratch);
    if (kind != UNSIGNED_KEYS)
        make_back<<<blocks, OF_BLOCK>>>(sorted, n, kind);
    CUDA_CHECK(cudaGetLastError());
}

struct radix_sort *radix_sort_create(const struct radix_sort_parameters *parameters, const void *in,
                                     void *out) {
    struct radix_sort *sort = (struct radix_sort *)calloc(1, sizeof *sort);
    size_t room = parameters->n + 1, keys_bytes = room * parameters->key_bytes;

    if (!sort)
        return NULL;
    sort->parameters = *parameters;
    sort->in = in;
    sort->out = out;
    CUDA_CHECK(cudaMalloc(&sort->keys, keys_bytes));
    CUDA_CHECK(cudaMalloc(&sort->sorted_keys, keys_bytes));
    CUDA_CHECK(cudaMalloc(&sort->values, room * sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&sort->sorted_values, room * sizeof(unsigned)));
    sort->unsigned_keys = sort->keys;
    if (parameters->key_kind != UNSIGNED_KEYS)
        CUDA_CHECK(cudaMalloc(&sort->unsigned_keys, keys_bytes));
    parameters->key_bytes == 8 ? sort_keys<unsigned long long>(sort, NULL)
                               : sort_keys<unsigned>(sort, NULL);
    CUDA_CHECK(cudaMalloc(&sort->scratch, sort->scratch_bytes));
    return sort;
}

void radix_sort_passes(struct radix_sort *sort, int sorts) {
    for (int s = 0; s < sorts; s++)
        sort->parameters.key_bytes == 8 ? sort_once<unsigned long long>(sort)
                                        : sort_once<unsigned>(sort);
}

int radix_sort_run(struct radix_sort *sort, int sorts) {
    size_t keys_bytes = (size_t)sort->parameters.n * sort->parameters.key_bytes;
    size_t values_bytes = sort->parameters.has_values * sizeof(unsigned) * sort->parameters.n;

    CUDA_CHECK(cudaMemcpy(sort->keys, sort->in, keys_bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(sort->values, (const char *)sort->in + keys_bytes, values_bytes,
                          cudaMemcpyHostToDevice));
    sort->made = 0;
    radix_sort_passes(sort, sorts);
    CUDA_CHECK(cudaMemcpy(sort->out, sort->sorted_keys, keys_bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy((char *)sort->out + keys_bytes, sort->sorted_values, values_bytes,
                          cudaMemcpyDeviceToHost));
    return 0;
}

void radix_sort_destroy(struct radix_sort *sort) {
    if (sort->unsigned_keys != sort->keys)
        CUDA_CHECK(cudaFree(sort->unsigned_keys));
    CUDA_CHECK(cudaFree(sort->keys));
    CUDA_CHECK(cudaFree(sort->sorted_keys));
    CUDA_CHECK(cudaFree(sort->values));
    CUDA_CHECK(cudaFree(sort->sorted_values));
    CUDA_CHECK(cudaFree(sort->scratch));
    free(sort);
}
