/* Keys of 64 bits sorted on the device, each with a number: by CUB, of the toolkit, and on a CPU by
 * the C++ library. Equal keys keep their order. */
#ifndef KEY_SORT_H
#define KEY_SORT_H

#include "cuda_check.h"

#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>
#else
#include <algorithm>
#include <vector>
#endif

struct key_sort {
    int n;
    unsigned long long *keys, *sorted_keys;
    int *numbers, *order; /* the caller's, such as 0, 1, 2, ...; the same behind the sorted keys */
    void *memory;         /* of CUB, `bytes` bytes */
    size_t bytes;
};

/* With memory == NULL it only sets `bytes` to what it will need. */
static inline void key_sort_run(struct key_sort *sort) {
#ifdef __CUDACC__
    CUDA_CHECK(cub::DeviceRadixSort::SortPairs(sort->memory, sort->bytes, sort->keys,
                                               sort->sorted_keys, sort->numbers, sort->order,
                                               sort->n));
#else
    size_t n = sort->n, key_bytes = n * sizeof(unsigned long long), bytes = n * sizeof(int);
    std::vector<unsigned long long> keys(n), sorted_keys(n);
    std::vector<int> numbers(n), places(n), order(n);

    sort->bytes = 1;
    if (!sort->memory)
        return;
    CUDA_CHECK(cudaMemcpy(keys.data(), sort->keys, key_bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(numbers.data(), sort->numbers, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        places[i] = (int)i;
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    for (size_t i = 0; i < n; i++) {
        sorted_keys[i] = keys[places[i]];
        order[i] = numbers[places[i]];
    }
    CUDA_CHECK(
        cudaMemcpy(sort->sorted_keys, sorted_keys.data(), key_bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(sort->order, order.data(), bytes, cudaMemcpyHostToDevice));
#endif
}

static inline void key_sort_create(struct key_sort *sort, int n) {
    *sort = {};
    sort->n = n;
    CUDA_CHECK(cudaMalloc(&sort->keys, 2 * (size_t)n * sizeof *sort->keys));
    sort->sorted_keys = sort->keys + n;
    CUDA_CHECK(cudaMalloc(&sort->numbers, 2 * (size_t)n * sizeof *sort->numbers));
    sort->order = sort->numbers + n;
    key_sort_run(sort);
    CUDA_CHECK(cudaMalloc(&sort->memory, sort->bytes));
}

static inline void key_sort_destroy(struct key_sort *sort) {
    CUDA_CHECK(cudaFree(sort->memory));
    CUDA_CHECK(cudaFree(sort->numbers));
    CUDA_CHECK(cudaFree(sort->keys));
}

#endif
