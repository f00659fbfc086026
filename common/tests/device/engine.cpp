/* The least engine that the device headers run on, for their tests: a host thread for each block, a
 * ucontext for each CUDA thread, taking turns. Compiled without sanitizers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

#include "fences.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

extern "C" {
#define WEAK __attribute__((weak))
WEAK void *__tsan_create_fiber(unsigned);
WEAK void *__tsan_get_current_fiber();
WEAK void __tsan_switch_to_fiber(void *, unsigned);
WEAK void __tsan_acquire(void *);
WEAK void __tsan_release(void *);
}

namespace cpucuda {

__thread const void **asked_key;
__thread int turns_left;

struct fiber {
    ucontext_t context;
    void *sanitizer;
    uint3 index;
    bool ended, waits;
    unsigned mask;
    uint64_t value, values[32];
};

struct block_state {
    const launch *launched;
    uint3 index;
    std::vector<fiber> fibers;
    ucontext_t scheduler;
    void *sanitizer;
    struct fences fences;
    int live, arrived, sum, results[2], generation, running;
    char barrier[2], start, end, warps[32];
    const void *keys[8];
    char *arena;
    size_t used;
};
static __thread block_state *block;
static launch pending;

void fail(const char *word, const char *format, ...) {
    va_list arguments;

    fprintf(stderr, "cpucuda: %s: ", word);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    _exit(3);
}

int thread_index() {
    return block ? block->running : -1;
}

static void yields() {
    fiber &self = block->fibers[block->running];

    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(block->sanitizer, 1);
    swapcontext(&self.context, &block->scheduler);
}

void turns_over() {
    turns_left = 0;
    yields();
}

void leaves(place) {
}

int64_t clock_now() {
    static int64_t now;

    return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED);
}

static void order(void (*function)(void *), char *place) {
    if (function)
        function(place);
}

int block_barrier(int predicate, const char *, const char *, int) {
    int mine = block->generation;

    order(__tsan_release, &block->barrier[mine % 2]);
    block->sum += predicate;
    block->arrived++;
    while (block->generation == mine) {
        if (block->arrived == block->live) {
            block->results[mine % 2] = block->sum;
            block->sum = block->arrived = 0;
            block->generation++;
        } else {
            yields();
        }
    }
    order(__tsan_acquire, &block->barrier[mine % 2]);
    return block->results[mine % 2];
}

const uint64_t *warp_meet(unsigned mask, uint64_t value, const char *, const char *, int) {
    int lane = block->running % 32, first = block->running - lane, i, j;
    fiber *warp = &block->fibers[first], &self = warp[lane];
    int lanes = (int)block->fibers.size() - first;

    if (lanes > 32)
        lanes = 32;
    order(__tsan_release, &block->warps[first / 32]);
    self.mask = mask, self.value = value, self.waits = true;
    while (self.waits) {
        for (i = 0; i < lanes; i++)
            if ((mask >> i & 1) && !warp[i].ended && !(warp[i].waits && warp[i].mask == mask))
                break;
        if (i < lanes) {
            yields();
            continue;
        }
        for (i = 0; i < lanes; i++)
            for (j = 0; (mask >> i & 1) && j < 32; j++)
                warp[i].values[j] =
                    (mask >> j & 1) && j < lanes && warp[j].waits ? warp[j].value : 0;
        for (i = 0; i < lanes; i++)
            if (mask >> i & 1)
                warp[i].waits = false;
    }
    order(__tsan_acquire, &block->warps[first / 32]);
    return self.values;
}

void *shared_variable(const void *key, size_t bytes, size_t, place) {
    for (int i = 0; i < 8; i++) {
        if (block->keys[i] && block->keys[i] != key)
            continue;
        if (!block->keys[i])
            block->used += bytes;
        block->keys[i] = key;
        return block->arena + i * 4096;
    }
    fail("stub", "too many shared variables");
}

static void run_fiber() {
    order(__tsan_acquire, &block->start);
    block->launched->run(block->launched->closure.get());
    block->fibers[block->running].ended = true;
    block->live--;
    order(__tsan_release, &block->end);
    for (;;)
        yields();
}

static void run_block(block_state *state) {
    block = state;
    blockIdx = block->index, blockDim = block->launched->block, gridDim = block->launched->grid;
    if (__tsan_get_current_fiber) {
        block->sanitizer = __tsan_get_current_fiber();
        fences = &block->fences;
    }
    order(__tsan_release, &block->start); /* the host thread's own thread-local variables */
    while (block->live)
        for (block->running = 0; block->running < (int)block->fibers.size(); block->running++) {
            fiber &next = block->fibers[block->running];

            if (next.ended)
                continue;
            threadIdx = next.index;
            if (__tsan_switch_to_fiber)
                __tsan_switch_to_fiber(next.sanitizer, 1);
            swapcontext(&block->scheduler, &next.context);
        }
    order(__tsan_acquire, &block->end);
    fences = nullptr;
    block = nullptr;
}

void configure(place kernel, dim3 grid, dim3 block, size_t bytes, cudaStream_t stream) {
    pending = launch{kernel, grid, block, bytes, stream, nullptr, nullptr};
}

static void start_fiber(fiber *fiber, uint3 index) {
    fiber->index = index;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_size = 1 << 17;
    fiber->context.uc_stack.ss_sp = calloc(1, fiber->context.uc_stack.ss_size);
    makecontext(&fiber->context, run_fiber, 0);
    if (__tsan_create_fiber)
        fiber->sanitizer = __tsan_create_fiber(0);
}

void launch_configured(void (*run)(const void *), std::shared_ptr<const void> closure) {
    unsigned size = pending.block.x * pending.block.y * pending.block.z;
    std::vector<block_state> blocks(pending.grid.x);
    std::vector<std::thread> threads;

    pending.run = run, pending.closure = closure;
    for (unsigned i = 0; i < pending.grid.x; i++) {
        block_state &b = blocks[i];

        b.launched = &pending;
        b.index = uint3{i, 0, 0};
        b.fibers.resize(size);
        b.live = (int)size;
        b.arena = (char *)calloc(8, 4096);
        for (unsigned j = 0; j < size; j++)
            start_fiber(&b.fibers[j],
                        uint3{j % pending.block.x, j / pending.block.x % pending.block.y,
                              j / pending.block.x / pending.block.y});
    }
    for (block_state &b : blocks)
        threads.emplace_back(run_block, &b);
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace cpucuda
