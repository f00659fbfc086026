/* A small engine for tests of the trace: the host's thread runs blocks one after the other, and in
 * a block the threads in order, each to its next barrier. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <vector>

#include "engine_for_tests.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace cpucuda {

enum { STACK = 65536 };

struct thread {
    ucontext_t context;
    char *stack;
    bool ended;
};

struct counters counters;
__thread const void **asked_key;

static std::vector<allocation> allocations;
static thread_local launch launched;
static thread_local thread threads[MOST_THREADS];
static thread_local ucontext_t scheduler;
static thread_local int running = -1;
static thread_local char arena[MOST_SHARED] __attribute__((aligned(256)));
static thread_local std::vector<shared_place> variables; /* `offset` is that in the arena */
static thread_local std::vector<const void *> keys;

void fail(const char *word, const char *format, ...) {
    va_list arguments;

    fprintf(stderr, "cpucuda: %s: ", word);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    _Exit(1);
}

int thread_index() {
    return running;
}

void describe_thread(char *text, size_t size) {
    snprintf(text, size, "thread (%u,0,0) of block (%u,0,0) of %s", threadIdx.x, blockIdx.x,
             launched.kernel.name);
}

const allocation *find_allocation(const void *address) {
    for (const allocation &allocation : allocations)
        if (address >= allocation.start && address < allocation.start + allocation.bytes)
            return &allocation;
    return nullptr;
}

void *device_memory(size_t bytes) {
    char *start = static_cast<char *>(aligned_alloc(256, (bytes + 255) / 256 * 256));

    memset(start, 0, bytes);
    allocations.push_back({start, bytes, DEVICE, {}, false});
    return start;
}

void *shared_variable(const void *key, size_t bytes, size_t alignment, place where) {
    size_t offset = 0;

    for (size_t i = 0; i < keys.size(); i++) {
        if (keys[i] == key)
            return arena + variables[i].offset;
        offset = variables[i].offset + variables[i].bytes;
    }
    offset = (offset + alignment - 1) / alignment * alignment;
    keys.push_back(key);
    variables.push_back({where, bytes, offset, false});
    return arena + offset;
}

bool find_shared(const void *address, shared_place *found) {
    const size_t offset = (size_t)(static_cast<const char *>(address) - arena);

    for (const shared_place &variable : variables)
        if (offset - variable.offset < variable.bytes) {
            *found = variable;
            found->offset = offset - variable.offset;
            return true;
        }
    return false;
}

int block_barrier(int predicate, const char *, const char *, int) {
    swapcontext(&threads[running].context, &scheduler);
    return predicate;
}

static void run_thread_here() {
    trace_thread_starts();
    launched.run(launched.closure.get());
    threads[running].ended = true;
}

static void run_block() {
    const int count = (int)launched.block.x;
    int left = count;

    trace_shared_starts(arena, sizeof arena);
    for (int i = 0; i < count; i++) {
        thread *thread = &threads[i];

        if (!thread->stack)
            thread->stack = static_cast<char *>(malloc(STACK));
        thread->ended = false;
        getcontext(&thread->context);
        thread->context.uc_stack.ss_sp = thread->stack;
        thread->context.uc_stack.ss_size = STACK;
        thread->context.uc_link = &scheduler;
        makecontext(&thread->context, run_thread_here, 0);
    }
    while (left) {
        for (int i = 0; i < count; i++) {
            if (threads[i].ended)
                continue;
            running = i;
            threadIdx = {(unsigned)i, 0, 0};
            swapcontext(&scheduler, &threads[i].context);
            running = -1;
            left -= threads[i].ended;
        }
        trace_meets();
    }
}

void configure(place kernel, dim3 grid, dim3 block, size_t dynamic_bytes, cudaStream_t stream) {
    launched = {kernel, grid, block, dynamic_bytes, stream, nullptr, nullptr};
}

void launch_configured(void (*run)(const void *), std::shared_ptr<const void> closure) {
    launched.run = run;
    launched.closure = closure;
    gridDim = launched.grid;
    blockDim = launched.block;
    for (unsigned block = 0; block < launched.grid.x; block++) {
        blockIdx = {block, 0, 0};
        run_block();
    }
}

} // namespace cpucuda
