/* What this machine can do at most, measured on the spot by small kernels: the measured limits
 * that a step's rate is held against. */
#ifndef CEILINGS_H
#define CEILINGS_H

#include <stdio.h>

#include "problems/outcome.h"

/* One measured ceiling. Resources of a CPU:
 *   fma     fused multiply-adds of float32, lanes a second
 *   rsqrt   1.0f / sqrtf(x), correctly rounded, lanes a second
 *   copy    bytes per second of a copy far larger than the caches, read plus written, with plain or
 *           non-temporal stores, whichever are faster
 * Of a GPU:
 *   gpu_issue       instructions, lanes a second: 32 for each that is issued to a warp
 *   gpu_fma         additions, products and multiply-adds of float32, lanes a second
 *   gpu_mufu        reciprocal square roots by the special function units, lanes a second
 *   gpu_lds         passes over the banks of shared memory, lanes of 4 bytes per second: 32 for
 * each; a load at one address for all lanes is one pass if it has 4 or 8 bytes, two if 16 (measured
 * on an H200) gpu_copy_in_pageable, gpu_copy_in_pinned, gpu_copy_out_pageable, gpu_copy_out_pinned
 * copies of 64 MiB to the device and back, bytes per second gpu_memory      bytes a second of a
 * copy in the device's memory, read plus written gpu_tensor      multiply-adds a second of mma.sync
 * with halves and float sums copy_in_pageable_4096 and so on bytes per second of a copy of so many
 * bytes, powers of two up to 64 MiB, by the host's clock and until they are there: no limit, but
 * how it is approached l2_bytes        the size of the second-level cache, by the driver */
struct ceiling {
    const char *resource;
    int threads;  /* 1, or all that this process may use; 0: of a GPU */
    double value; /* units per second; 0 if the system gave no thread or no memory */
    const char *unit;
};

/* The most ceilings that ceilings_cpu() and ceilings_gpu() write. */
enum { CPU_CEILINGS = 6, GPU_CEILINGS = 11 + 4 * 15 };

/* Whether a resource of that name is measured on some machine. */
int ceiling_is_known(const char *resource);

/* Measures the CPU's ceilings in about a second: one core and all cores of each resource. */
void ceilings_cpu(struct ceiling ceilings[CPU_CEILINGS]);

/* Those of the GPU, which build/ceilings_gpu measures in a few seconds; `count` of them: none
 * without a GPU, or if nothing was built for it. */
enum outcome ceilings_gpu(struct ceiling ceilings[GPU_CEILINGS], int *count);

/* Reads what that program prints: lines `resource value unit`, each resource once. Complains of any
 * other line. */
enum outcome ceilings_gpu_read(FILE *output, struct ceiling ceilings[GPU_CEILINGS], int *count);

#endif
