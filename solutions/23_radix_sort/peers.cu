/* Beside step 23, on a GPU: CUB's sort, of the CUDA toolkit. It leaves its input as it is, as the
 * step does. CUB takes both zeros for equal keys, which the contract does not. So kernels that are
 * timed with it make signed and float keys unsigned before, and undo this after. */
#include <cub/device/device_radix_sort.cuh>

#include "keys.h"

enum { OF_BLOCK = 256 }; /* threads */

template <typename K>
__global__ void make_unsigned(const K *keys, K *unsigned_keys, int n, int kind) {
    const K sign = (K)1 << (8 * sizeof(K) - 1);
    int i = blockIdx.x * OF_BLOCK + threadIdx.x;

    if (i < n)
        unsigned_keys[i] = kind == FLOAT_KEYS && keys[i] & sign ? ~keys[i] : keys[i] ^ sign;
}

template <typename K> __global__ void make_back(K *keys, int n, int kind) {
    int i = blockIdx.x * OF_BLOCK + threadIdx.x;

    if (i < n)
        keys[i] = unordered(keys[i], kind);
}

/* What CUB sorts: the keys themselves if they are unsigned, else their unsigned copies. */
template <typename K> static K *unsigned_keys(const struct radix_sort *sort) {
    return (K *)(sort->parameters.key_kind == UNSIGNED_KEYS ? sort->keys : sort->sorted_keys[1]);
}

/* With scratch == NULL it only sets scratch_bytes. */
template <typename K, int HAS_VALUES> static void sort_keys(struct radix_sort *sort) {
    const K *keys = unsigned_keys<K>(sort);
    K *sorted = (K *)sort->sorted_keys[0];
    int n = sort->parameters.n;

    CUDA_CHECK(HAS_VALUES ? cub::DeviceRadixSort::SortPairs(
                                sort->scratch, sort->scratch_bytes, keys, sorted,
                                (const unsigned *)sort->values, sort->sorted_values[0], n)
                          : cub::DeviceRadixSort::SortKeys(sort->scratch, sort->scratch_bytes, keys,
                                                           sorted, n));
}

template <typename K, int HAS_VALUES> static void sort_once(struct radix_sort *sort) {
    int n = sort->parameters.n, kind = sort->parameters.key_kind, blocks = divide_up(n, OF_BLOCK);
    K *keys = (K *)sort->keys, *sorted = (K *)sort->sorted_keys[0];

    if (n == 0)
        return;
    if (sort->made++ > 0)
        change<<<1, 1>>>(keys, sorted, n);
    if (kind != UNSIGNED_KEYS)
        make_unsigned<<<blocks, OF_BLOCK>>>(keys, unsigned_keys<K>(sort), n, kind);
    sort_keys<K, HAS_VALUES>(sort);
    if (kind != UNSIGNED_KEYS)
        make_back<<<blocks, OF_BLOCK>>>(sorted, n, kind);
    CUDA_CHECK(cudaGetLastError());
}

template <typename K, int HAS_VALUES> static void prepare(struct radix_sort *sort) {
    sort->sort_once = sort_once<K, HAS_VALUES>;
    sort_keys<K, HAS_VALUES>(sort);
    sort->scratch_bytes += !sort->scratch_bytes; /* so that scratch is not NULL */
}

/* radix_sort_run, radix_sort_passes and radix_sort_destroy are those of keys.h. */
struct radix_sort *radix_sort_create(const struct radix_sort_parameters *parameters, const void *in,
                                     void *out) {
    return sort_create(parameters, in, out, FOR_KEYS(prepare, parameters));
}
