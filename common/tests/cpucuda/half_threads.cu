/* Loads, atomic sums, and shuffles against a warp whose 32 values are known. */
#include <atomic>
#include <thread>

#include "half_reference.h"
#include "half.h"

static int lane;
static uint64_t brought[32];
static const char *called;

namespace cpucuda {

int thread_index() {
    return 64 + lane;
}

const uint64_t *warp_meet(unsigned mask, uint64_t value, const char *operation, const char *,
                          int line) {
    check(mask == 0xffffffff && value == brought[lane] && line, "warp_meet");
    called = operation;
    return brought;
}

} // namespace cpucuda

template <class T> unsigned bits_of_any(T value) {
    unsigned bits = 0;

    memcpy((void *)&bits, (const void *)&value, sizeof value);
    return bits;
}

template <class T> void try_shuffles(int width, int step) {
    int group = lane / width * width,
        source[4] = {group + step % width, lane - step, lane + step, lane ^ step};
    const char *names[4] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"};
    T mine, got[4];

    if (source[1] < group)
        source[1] = lane;
    for (int i = 2; i < 4; i++) {
        if (source[i] >= group + width)
            source[i] = lane;
    }
    memcpy((void *)&mine, &brought[lane], sizeof mine);
    got[0] = __shfl_sync(0xffffffff, mine, step, width);
    check(!strcmp(called, names[0]), "%s calls itself %s", names[0], called);
    got[1] = __shfl_up_sync(0xffffffff, mine, step, width);
    check(!strcmp(called, names[1]), "%s calls itself %s", names[1], called);
    got[2] = __shfl_down_sync(0xffffffff, mine, step, width);
    check(!strcmp(called, names[2]), "%s calls itself %s", names[2], called);
    got[3] = __shfl_xor_sync(0xffffffff, mine, step, width);
    check(!strcmp(called, names[3]), "%s calls itself %s", names[3], called);
    for (int i = 0; i < 4; i++)
        check(bits_of_any(got[i]) == brought[source[i]], "%s by %d, width %d, of lane %d", names[i],
              step, width, lane);
}

template <class T> void shuffles(void) {
    for (int i = 0; i < 32; i++)
        brought[i] = sizeof(T) == 2 ? 0x3c01u + i : 0x3c01u + i + ((0x4400u + i) << 16);
    for (lane = 0; lane < 32; lane++) {
        for (int width = 1; width <= 32; width *= 2) {
            for (int step = 0; step < 32; step++)
                try_shuffles<T>(width, step);
        }
    }
    lane = 5;
    check(bits_of_any(__shfl_sync(0xffffffff, brought[5] ? __ldg((T *)&brought[5]) : T(), 40)) ==
              brought[8],
          "__shfl_sync of lane 40 is lane 8");
}

static half2 sums;

/* Ones that cancel, by two threads at the same time. */
static void add_ones(void) {
    static std::atomic<int> ready;

    ready++;
    while (ready < 2)
        std::this_thread::yield();
    for (int i = 0; i < 100000; i++)
        atomicAdd(&sums, i % 2 ? __floats2half2_rn(1, -2) : __floats2half2_rn(-1, 2));
}

void test_threads(void) {
    half sum = 1.0f;

    shuffles<half>();
    shuffles<half2>();
    check((float)atomicAdd(&sum, half(2.0f)) == 1 && (float)sum == 3, "atomicAdd");
    sums = __float2half2_rn(0);
    std::thread other(add_ones);
    add_ones();
    other.join();
    check(__low2float(sums) == 0 && __high2float(sums) == 0, "atomicAdd by two: %g, %g",
          __low2float(sums), __high2float(sums));
}
