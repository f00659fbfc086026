/* CUDA_CHECK(call) around every call of the CUDA runtime, and CUDA_CHECK(cudaGetLastError()) after
 * every launch. A call that fails ends the process with one line on stderr:
 *
 *   nbody.cu:52: cudaMemcpy(to, from, bytes, kind): invalid argument
 *
 * With it come malloc, free and memcpy. A kernel's mathematical functions are CUDA's own. */
#ifndef CUDA_CHECK_H
#define CUDA_CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA_CHECK(call) cuda_check(call, #call, __FILE__, __LINE__)

static inline void cuda_check(cudaError_t error, const char *call, const char *file, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

/* Like cudaMalloc(), for the host's memory; if there is none, the process ends in the same way. */
template <typename T> static inline void host_malloc(T **memory, size_t bytes) {
    *memory = (T *)malloc(bytes);
    if (*memory)
        return;
    fprintf(stderr, "malloc(%zu): out of memory\n", bytes);
    exit(1);
}

#endif
