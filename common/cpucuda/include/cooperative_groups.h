/* Cooperative groups of a grid, of a block and of parts of a warp. Those of a cluster are not here:
 * the compiler says that cooperative_groups has no this_cluster. */
#ifndef CPUCUDA_COOPERATIVE_GROUPS_H
#define CPUCUDA_COOPERATIVE_GROUPS_H

#include "cpucuda/engine.h"

#include "cpucuda/warp.h"

namespace cooperative_groups {

class thread_block {
  public:
    static void sync(CPUCUDA_CALLER) {
        cpucuda::block_barrier(0, "thread_block::sync", file, line);
    }
    static unsigned size() {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static unsigned num_threads() {
        return size();
    }
    static unsigned thread_rank() {
        return (unsigned)cpucuda::thread_index();
    }
    static dim3 group_index() {
        return blockIdx;
    }
    static dim3 thread_index() {
        return threadIdx;
    }
    static dim3 dim_threads() {
        return blockDim;
    }
    static dim3 group_dim() {
        return blockDim;
    }
};

inline thread_block this_thread_block() {
    return thread_block();
}

class grid_group {
  public:
    static void sync(CPUCUDA_CALLER) {
        cpucuda::grid_barrier(file, line);
    }
    static bool is_valid() {
        return cpucuda::grid_is_cooperative();
    }
    static unsigned long long size() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
    }
    static unsigned long long num_threads() {
        return size();
    }
    static unsigned long long thread_rank() {
        return (((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
                blockIdx.x) *
                   thread_block::size() +
               thread_block::thread_rank();
    }
    static dim3 group_dim() {
        return gridDim;
    }
};

inline grid_group this_grid() {
    return grid_group();
}

/* `Size` neighbours of a warp. */
template <unsigned Size, class Parent = void> class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

    unsigned index, count; /* of this tile among those of the parent */

    static unsigned first() {
        return cpucuda::lane() / Size * Size;
    }
    static unsigned mask() {
        return (unsigned)((1ull << Size) - 1) << first();
    }

  public:
    thread_block_tile(unsigned index, unsigned count) : index(index), count(count) {
    }
    /* From a tile whose parent is known to one that leaves it open. */
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other> &other)
        : index(other.meta_group_rank()), count(other.meta_group_size()) {
    }
    void sync(CPUCUDA_CALLER) const {
        __syncwarp(mask(), file, line);
    }
    static constexpr unsigned size() {
        return Size;
    }
    static constexpr unsigned num_threads() {
        return Size;
    }
    unsigned thread_rank() const {
        return cpucuda::lane() % Size;
    }
    unsigned meta_group_rank() const {
        return index;
    }
    unsigned meta_group_size() const {
        return count;
    }
    template <class T> auto shfl(T value, int rank, CPUCUDA_CALLER) const {
        return __shfl_sync(mask(), value, rank, Size, file, line);
    }
    template <class T> auto shfl_up(T value, unsigned delta, CPUCUDA_CALLER) const {
        return __shfl_up_sync(mask(), value, delta, Size, file, line);
    }
    template <class T> auto shfl_down(T value, unsigned delta, CPUCUDA_CALLER) const {
        return __shfl_down_sync(mask(), value, delta, Size, file, line);
    }
    template <class T> auto shfl_xor(T value, unsigned lanes, CPUCUDA_CALLER) const {
        return __shfl_xor_sync(mask(), value, (int)lanes, Size, file, line);
    }
    int any(int predicate, CPUCUDA_CALLER) const {
        return __any_sync(mask(), predicate, file, line);
    }
    int all(int predicate, CPUCUDA_CALLER) const {
        return __all_sync(mask(), predicate, file, line);
    }
    /* Bit i is of rank i. */
    unsigned ballot(int predicate, CPUCUDA_CALLER) const {
        return __ballot_sync(mask(), predicate, file, line) >> first();
    }
    template <class T> unsigned match_any(T value, CPUCUDA_CALLER) const {
        return __match_any_sync(mask(), value, file, line) >> first();
    }
};

/* The parent's size must be a multiple of Size. */
template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &parent, CPUCUDA_CALLER) {
    if (parent.size() % Size)
        cpucuda::fail("warp-mask",
                      "%s:%d: tiled_partition<%u> of %u threads, which is no multiple of it", file,
                      line, Size, parent.size());
    return thread_block_tile<Size, Parent>(parent.thread_rank() / Size, parent.size() / Size);
}

/* The calling lane alone, as __activemask(). */
class coalesced_group {
  public:
    static void sync() {
    }
    static unsigned size() {
        return 1;
    }
    static unsigned num_threads() {
        return 1;
    }
    static unsigned thread_rank() {
        return 0;
    }
    template <class T> T shfl(T value, int) const {
        return value;
    }
    template <class T> T shfl_up(T value, int) const {
        return value;
    }
    template <class T> T shfl_down(T value, int) const {
        return value;
    }
    int any(int predicate) const {
        return predicate != 0;
    }
    int all(int predicate) const {
        return predicate != 0;
    }
    unsigned ballot(int predicate) const {
        return predicate != 0;
    }
    template <class T> unsigned match_any(T) const {
        return 1;
    }
};

inline coalesced_group coalesced_threads() {
    return coalesced_group();
}

template <unsigned Size, class Parent>
void sync(const thread_block_tile<Size, Parent> &group, CPUCUDA_CALLER) {
    group.sync(file, line);
}
inline void sync(const thread_block &group, CPUCUDA_CALLER) {
    group.sync(file, line);
}
inline void sync(const coalesced_group &) {
}
inline void sync(const grid_group &group, CPUCUDA_CALLER) {
    group.sync(file, line);
}

} // namespace cooperative_groups

#endif
