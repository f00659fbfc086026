/* What this machine can do at most, measured on the spot by small kernels: the measured limits
 * that a step's rate is held against. */
#ifndef CEILINGS_H
#define CEILINGS_H

#include <stdio.h>

#include "problems/outcome.h"

/* One measured ceiling. Resources of a CPU:
 *   fma     fused multiply-adds of float32, lanes per second
 *   rsqrt   1.0f / sqrtf(x), correctly rounded, lanes per second
 *   copy    bytes per second of a copy far larger than the caches, read plus written, with plain or
 *           non-temporal stores, whichever are faster
 * Of a GPU:
 *   gpu_issue   instructions, lanes per second: 32 for each that is issued to a warp
 *   gpu_fma     additions, products and multiply-adds of float32, lanes per second
 *   gpu_mufu    reciprocal square roots by the special function units, lanes per second
 *   gpu_lds     wavefronts of shared memory, lanes of 4 bytes per second: 32 for each; a load at
 *               one address for all lanes is one if it has 4 or 8 bytes, two if 16 (measured on an
 *               H200)
 *   gpu_copy_in_pageable, gpu_copy_in_pinned, gpu_copy_out_pageable, gpu_copy_out_pinned
 *               copies of 64 MiB to the device and back, bytes per second
 *   gpu_memory  bytes per second of a copy in the device's memory, read plus written
 *   gpu_tensor  multiply-adds per second of mma.sync with halves and float sums
 *   copy_in_pageable_4096 and so on
 *               bytes per second of a copy of so many bytes, powers of two up to 64 MiB, by the
 *               host's clock and until they are there: no limit, but how it is approached
 *   l2_bytes    the size of the second-level cache, by the driver */
struct ceiling {
    const char *resource;
    int threads;  /* 1, or all that this process may use; 0: of a GPU */
    double value; /* units per second; 0 if the system gave no thread or no memory */
    const char *unit;
};

/* So many there are; of a CPU's resources one for one core and one for all. */
enum { CPU_RESOURCES = 3, CPU_CEILINGS = 2 * CPU_RESOURCES, GPU_CEILINGS = 11 + 4 * 15 };

/* Whether a resource of that name is measured on some machine. */
int ceiling_is_known(const char *resource);

/* A ceiling as a fact: ceiling_<resource>_<threads>, of a GPU ceiling_<resource>; what is no limit
 * has the resource's name. ceiling_of() makes one of a fact's name and value again, and returns 0
 * if it is none. */
enum { CEILING_NAME = 48 };
void ceiling_name(const struct ceiling *ceiling, char name[CEILING_NAME]);
int ceiling_of(const char *name, const char *value, struct ceiling *ceiling);

/* Those of the CPU, which build/ceilings_cpu measures in about a second. */
enum outcome ceilings_cpu(struct ceiling ceilings[CPU_CEILINGS]);

/* Those of the GPU, which build/ceilings_gpu measures in a few seconds; `count` of them: none
 * without a GPU, or if nothing was built for it. */
enum outcome ceilings_gpu(struct ceiling ceilings[GPU_CEILINGS], int *count);

/* Reads what such a program prints, at most `most` lines `resource value unit`, of a CPU with
 * ` threads` behind it, each once. Complains of any other line. */
enum outcome ceilings_read(FILE *output, const char *program, int most, struct ceiling *ceilings,
                           int *count);

#endif
