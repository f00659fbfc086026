/* Linked to a step's build `timeline` on a GPU: CUDA events before and after every copy and launch.
 * The linker's --wrap puts these functions between the step and the runtime. An event costs about
 * as much as a launch, so this build's times are for the picture, never for a rate.
 *
 * A launch begins with __cudaPushCallConfiguration, nvcc's form of <<<>>> in every version from 9.2
 * on, and its end is taken at the cudaGetLastError() that every step calls after it; without one,
 * at the next copy or launch. */
#include <cuda_runtime.h>

#include "protocol/counters.h"
#include "protocol/player.h"

#include "cuda_check.h"

static struct interval intervals[MOST_INTERVALS];
static cudaEvent_t begins[MOST_INTERVALS], ends[MOST_INTERVALS];
static uint64_t count;
static int64_t launch = -1; /* the interval of a launch that has not ended */
static cudaStream_t launch_stream;

extern "C" {
extern const char __executable_start;

cudaError_t __real_cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t __real_cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream);
unsigned __real___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes,
                                            struct CUstream_st *stream);
cudaError_t __real_cudaGetLastError(void);
}

static void end(int64_t i, cudaStream_t stream) {
    if (i >= 0)
        CUDA_CHECK(cudaEventRecord(ends[i], stream));
}

static void end_launch() {
    end(launch, launch_stream);
    launch = -1;
}

static int64_t begin(interval_kind kind, size_t bytes, cudaStream_t stream, const void *caller) {
    uint64_t i = count++;

    end_launch();
    if (i >= MOST_INTERVALS)
        return -1;
    if (!begins[i]) {
        CUDA_CHECK(cudaEventCreate(&begins[i]));
        CUDA_CHECK(cudaEventCreate(&ends[i]));
    }
    intervals[i].kind = (uint8_t)kind;
    intervals[i].bytes = bytes;
    intervals[i].offset = (uint64_t)((const char *)caller - &__executable_start) - 1;
    CUDA_CHECK(cudaEventRecord(begins[i], stream));
    return (int64_t)i;
}

extern "C" cudaError_t __wrap_cudaMemcpy(void *to, const void *from, size_t bytes,
                                         cudaMemcpyKind kind) {
    int64_t i = begin(kind == cudaMemcpyHostToDevice ? COPY_IN : COPY_OUT, bytes, 0,
                      __builtin_return_address(0));
    cudaError_t error = __real_cudaMemcpy(to, from, bytes, kind);

    end(i, 0);
    return error;
}

extern "C" cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                              cudaMemcpyKind kind, cudaStream_t stream) {
    int64_t i = begin(kind == cudaMemcpyHostToDevice ? COPY_IN : COPY_OUT, bytes, stream,
                      __builtin_return_address(0));
    cudaError_t error = __real_cudaMemcpyAsync(to, from, bytes, kind, stream);

    end(i, stream);
    return error;
}

extern "C" unsigned __wrap___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes,
                                                       struct CUstream_st *stream) {
    launch = begin(KERNEL, 0, stream, __builtin_return_address(0));
    launch_stream = stream;
    return __real___cudaPushCallConfiguration(grid, block, bytes, stream);
}

extern "C" cudaError_t __wrap_cudaGetLastError(void) {
    end_launch();
    return __real_cudaGetLastError();
}

extern "C" void device_turn_begins(void) {
    count = 0;
}

extern "C" void device_turn_ends(int turn, int status, struct counters *counters) {
    end_launch();
    if (turn != TURN_RUN || status)
        return;
    CUDA_CHECK(cudaDeviceSynchronize());
    counters->interval_count = count;
    for (uint64_t i = 0; i < count && i < MOST_INTERVALS; i++) {
        float from = 0, to = 0; /* ms */

        CUDA_CHECK(cudaEventElapsedTime(&from, begins[0], begins[i]));
        CUDA_CHECK(cudaEventElapsedTime(&to, begins[0], ends[i]));
        counters->intervals[i] = intervals[i];
        counters->intervals[i].begin = 1e-3 * from;
        counters->intervals[i].end = 1e-3 * to;
    }
}
