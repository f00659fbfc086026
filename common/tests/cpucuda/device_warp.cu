/* Warp and block operations against their definitions, lane by lane. Every block size also leaves
 * the last warp partly filled. */
#include "device.h"

#include <initializer_list>

#include "cooperative_groups/reduce.h"

namespace cg = cooperative_groups;

enum { SIZES = 4 };
static const int sizes[SIZES] = {32, 64, 50, 97};

static uint64_t value_of(int lane) {
    return 0x9e3779b97f4a7c15ull * (uint64_t)(lane + 1);
}

/* The source of each shuffle as PTX writes it; -1: its own. */
static int source_of(int kind, int lane, int b, int width) {
    int segment = 32 - width, end = (lane & segment) | (31 & ~segment), j;
    if (kind == 0)
        return (lane & segment) | (b & ~segment & 31);
    j = kind == 1 ? lane - (b & 31) : kind == 2 ? lane + (b & 31) : lane ^ (b & 31);
    if (kind == 1)
        return j >= (lane & segment) ? j : lane;
    return j <= end ? j : lane;
}

template <class T> __device__ void shuffles(unsigned mask, int lane) {
    T value = (T)value_of(lane), got = 0;
    for (int kind = 0; kind < 4; kind++)
        for (int width = 1; width <= 32; width *= 2)
            for (int b = -1; b<34; b += b> 3 ? 7 : 1) {
                int source = source_of(kind, lane, b, width);
                /* All lanes of the mask must find theirs within it. */
                bool inside = true;
                for (int i = 0; i < 32; i++)
                    if (mask >> i & 1)
                        inside &= mask >> source_of(kind, i, b, width) & 1;
                if (!inside)
                    continue;
                if (kind == 0)
                    got = __shfl_sync(mask, value, b, width);
                else if (kind == 1)
                    got = __shfl_up_sync(mask, value, (unsigned)b, width);
                else if (kind == 2)
                    got = __shfl_down_sync(mask, value, (unsigned)b, width);
                else
                    got = __shfl_xor_sync(mask, value, b, width);
                EXPECT(got == (T)value_of(source), "kind %d lane %d b %d width %d", kind, lane, b,
                       width);
            }
}

__device__ void votes(unsigned mask, int lane) {
    for (unsigned set : {0u, 0xffffffffu, 0x80000001u, 0x0ff0u, 0x13579bdfu, mask}) {
        int mine = set >> lane & 1 ? 4 : 0, all;
        EXPECT(__ballot_sync(mask, mine) == (set & mask), "set %x mask %x", set, mask);
        EXPECT(__all_sync(mask, mine) == ((set & mask) == mask), "set %x mask %x", set, mask);
        EXPECT(__any_sync(mask, mine) == ((set & mask) != 0), "set %x mask %x", set, mask);
        EXPECT(__match_any_sync(mask, mine) == (mine ? set & mask : ~set & mask), "set %x", set);
        /* These differ in the upper word alone. */
        unsigned long long wide = mine ? 1ull << 40 : 1ull << 41;
        EXPECT(__match_any_sync(mask, wide) == (mine ? set & mask : ~set & mask), "set %x", set);
        unsigned same = __match_all_sync(mask, wide, &all);
        bool equal = (set & mask) == 0 || (set & mask) == mask;
        EXPECT(same == (equal ? mask : 0) && all == equal, "set %x", set);
    }
    unsigned sum = 0, conjunction = ~0u, disjunction = 0, parity = 0;
    int least = INT32_MAX, most = INT32_MIN;
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1) {
            unsigned value = (unsigned)value_of(i);
            sum += value, conjunction &= value, disjunction |= value, parity ^= value;
            least = (int)value < least ? (int)value : least;
            most = (int)value > most ? (int)value : most;
        }
    unsigned value = (unsigned)value_of(lane);
    EXPECT(__reduce_add_sync(mask, value) == sum, "mask %x", mask);
    EXPECT(__reduce_min_sync(mask, (int)value) == least, "mask %x", mask);
    EXPECT(__reduce_max_sync(mask, (int)value) == most, "mask %x", mask);
    EXPECT(__reduce_and_sync(mask, value) == conjunction, "mask %x", mask);
    EXPECT(__reduce_or_sync(mask, value) == disjunction, "mask %x", mask);
    EXPECT(__reduce_xor_sync(mask, value) == parity, "mask %x", mask);
}

template <unsigned Size> __device__ void tiles() {
    cg::thread_block block = cg::this_thread_block();
    auto part = cg::tiled_partition<Size>(block);
    int rank = (int)(block.thread_rank() % Size), first = (int)block.thread_rank() - rank, sum = 0;
    for (int i = 0; i < (int)Size; i++)
        sum += first + i;
    EXPECT(part.thread_rank() == (unsigned)rank && part.size() == Size, "%d", rank);
    EXPECT(part.meta_group_rank() == block.thread_rank() / Size, "%d", rank);
    EXPECT(part.meta_group_size() == block.size() / Size, "%d", rank);
    EXPECT(cg::reduce(part, first + rank, cg::plus<int>()) == sum, "%d", rank);
    EXPECT(cg::reduce(part, first + rank, cg::greater<int>()) == first + (int)Size - 1, "%d", rank);
    EXPECT(cg::reduce(part, (float)(first + rank), cg::less<float>()) == first, "%d", rank);
    EXPECT(part.shfl(rank, 0) == 0 && part.ballot(rank == 0) == 1, "%d", rank);
    EXPECT(part.match_any(rank) == 1u << rank, "%d", rank);
    EXPECT(part.any(rank == (int)Size - 1) && part.all(rank < (int)Size), "%d", rank);
    EXPECT(part.shfl_down(rank, 1) == (rank + 1 < (int)Size ? rank + 1 : rank), "%d", rank);
    EXPECT(part.shfl_up(rank, 1) == (rank ? rank - 1 : 0), "%d", rank);
    part.sync();
    cg::sync(part);
}

__global__ void all_of_it() {
    int thread = (int)(threadIdx.x + blockDim.x * threadIdx.y), lane = thread % 32;
    int size = (int)(blockDim.x * blockDim.y), there = size - (thread - lane);
    unsigned full = there >= 32 ? ~0u : (1u << there) - 1, even = full & 0x55555555;

    shuffles<int>(full, lane);
    shuffles<double>(full, lane);
    shuffles<unsigned long long>(full, lane);
    shuffles<float>(full, lane);
    votes(full, lane);
    votes(lane % 2 ? full & ~even : even, lane);
    if (lane % 2 == 0)
        shuffles<long>(even, lane);
    EXPECT(__shfl_sync(full, (short)-5, 0) == -5, "short");
    EXPECT(__activemask() == 1u << lane, "%x", __activemask());
    EXPECT(__syncthreads_count(thread % 3 ? 0 : 4) == (size + 2) / 3, "%d", size);
    EXPECT(__syncthreads_and(thread >= 0) && !__syncthreads_and(thread != 7), "%d", thread);
    EXPECT(__syncthreads_or(thread == 7) && !__syncthreads_or(thread < 0), "%d", thread);
    if (size % 32 == 0) {
        tiles<32>(), tiles<16>(), tiles<4>(), tiles<1>();
        if (thread >= 20) /* ended lanes are not counted */
            return;
        EXPECT(__ballot_sync(~0u, 1) == 0xfffff && __all_sync(~0u, 1), "%d", thread);
    }
}

/* Only __nanosleep() lets the thread that is waited for run: the loop counts. */
__global__ void alone(volatile int *flag) {
    cg::coalesced_group group = cg::coalesced_threads();
    long long before = clock64(), after = clock64();

    EXPECT(before < after && clock64() > after, "%lld %lld", before, after);
    EXPECT(group.size() == 1 && group.num_threads() == 1 && group.thread_rank() == 0, "alone");
    EXPECT(group.shfl(threadIdx.x, 0) == threadIdx.x && group.ballot(1) == 1, "alone");
    EXPECT(group.any(2) && !group.any(0) && group.all(2) && !group.all(0), "alone");
    group.sync();
    if (threadIdx.x + blockIdx.x == 0)
        *flag = 1;
    while (!*flag)
        __nanosleep(100);
}

__global__ void faults(int fault) {
    int lane = (int)threadIdx.x;

    if (fault == 1 && lane == 3)
        __shfl_sync(0xffff0000, 1, 16);
    if (fault == 2 && lane < 16)
        __shfl_sync(0xffff, lane, 20);
    if (fault == 3)
        __shfl_sync(~0u, lane, 0, 5);
    if (fault == 4 && lane < 30)
        __shfl_sync(~0u, lane, 31);
    if (fault == 5)
        cg::tiled_partition<16>(cg::this_thread_block());
    if (fault == 6 && lane == 7)
        __trap();
}

int main(int argc, char **argv) {
    volatile int *flag;
    int multiprocessors;

    if (argc > 1) {
        int fault = atoi(argv[1]);
        faults<<<1, fault == 5 ? 24 : 32>>>(fault);
        wait_for_kernels();
        return 0;
    }
    for (int size : sizes)
        all_of_it<<<2, size>>>();
    all_of_it<<<1, dim3(8, 12)>>>();
    if (cudaMalloc((void **)&flag, sizeof *flag) || cudaMemset((void *)flag, 0, sizeof *flag))
        return 2;
    /* Blocks wait for the first one, as they may where it was asked that all have room. */
    if (cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0) ||
        multiprocessors < 3)
        return 2;
    alone<<<3, 40>>>(flag);
    wait_for_kernels();
    return wrong != 0;
}
