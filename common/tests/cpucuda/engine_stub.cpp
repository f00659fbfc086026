/* As much of the engine as the runtime's tests need: the threads of a launch one after the other.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace cpucuda {

__thread const void **asked_key;
static __thread bool in_kernel;
static launch next;

void fail(const char *word, const char *format, ...) {
    va_list arguments;

    fprintf(stderr, "cpucuda: %s: ", word);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    _exit(67);
}

void configure(place kernel, dim3 grid, dim3 block, size_t dynamic_bytes, cudaStream_t stream) {
    next = launch{kernel, grid, block, dynamic_bytes, stream, nullptr, nullptr};
}

void launch_configured(void (*run)(const void *), std::shared_ptr<const void> closure) {
    next.run = run;
    next.closure = closure;
    enqueue_launch(next);
}

void run_launch(const launch &launch) {
    open_device_memory();
    in_kernel = true;
    blockDim = launch.block;
    for (blockIdx.x = 0; blockIdx.x < launch.grid.x; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < launch.block.x; threadIdx.x++)
            launch.run(launch.closure.get());
    in_kernel = false;
    close_device_memory();
}

const char *over_limit(const launch &launch, size_t dynamic_limit) {
    if (launch.block.x > MOST_THREADS)
        return "2048 threads a block; at most 1024";
    return launch.dynamic_bytes > dynamic_limit ? "too much dynamic shared memory" : nullptr;
}

uint64_t seed() {
    return getenv("CPUCUDA_SEED") ? strtoull(getenv("CPUCUDA_SEED"), nullptr, 10) : 1;
}

uint64_t random_of(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

int thread_index() {
    return in_kernel ? (int)threadIdx.x : -1;
}

void describe_thread(char *text, size_t size) {
    snprintf(text, size, "thread (%u,0,0) of block (%u,0,0) of kernel", threadIdx.x, blockIdx.x);
}

} // namespace cpucuda
