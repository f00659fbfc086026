/* Sorting on the device, by CUB, which comes with the toolkit; on a CPU by the C++ library. */
#ifndef SORT_H
#define SORT_H

#include "cuda_check.h"

#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>
#else
#include <algorithm>
#include <vector>
#endif

/* Sorts n pairs of a key and a value by their keys; those of equal keys keep their order. All
 * arrays are on the device, and the results are others than the inputs. It uses `bytes` bytes of
 * `memory`, also there; with memory == NULL it only says in *bytes how many it will need. */
static inline void sort_pairs(void *memory, size_t *bytes, const unsigned long long *keys,
                              unsigned long long *sorted_keys, const int *values,
                              int *sorted_values, int n) {
#ifdef __CUDACC__
    CUDA_CHECK(cub::DeviceRadixSort::SortPairs(memory, *bytes, keys, sorted_keys, values,
                                               sorted_values, n));
#else
    if (!memory) {
        *bytes = 1;
        return;
    }
    std::vector<unsigned long long> host_keys(n);
    std::vector<int> host_values(n), place(n);

    CUDA_CHECK(cudaMemcpy(host_keys.data(), keys, n * sizeof *keys, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(host_values.data(), values, n * sizeof *values, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        place[i] = i;
    std::stable_sort(place.begin(), place.end(),
                     [&](int a, int b) { return host_keys[a] < host_keys[b]; });
    std::vector<unsigned long long> keys_in_order(n);
    std::vector<int> values_in_order(n);

    for (int i = 0; i < n; i++)
        keys_in_order[i] = host_keys[place[i]], values_in_order[i] = host_values[place[i]];
    CUDA_CHECK(
        cudaMemcpy(sorted_keys, keys_in_order.data(), n * sizeof *keys, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(sorted_values, values_in_order.data(), n * sizeof *values,
                          cudaMemcpyHostToDevice));
#endif
}

#endif
