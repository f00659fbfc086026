/* From counts and paths to times: the kernels of a run on a GPU, and what stands around them. */
#ifndef MODEL_H
#define MODEL_H

#include "multiprocessor.h"

struct kernel_time {
    const struct kernel *kernel;
    double seconds; /* of a launch, by the device's clock */
    int resident;   /* blocks that a multiprocessor can hold */
    double waves;   /* grid / (multiprocessors * resident) */
    double slots;   /* instructions of warps, of a launch */
    struct played played;
    double l2_share, dram_share, shared_share; /* of what they could do in that time */
    double start_share;                        /* of the time, for the starts of its blocks */
    const char *limit;                         /* what bounds it, in words */
};

/* How many blocks of the kernel a multiprocessor of the architecture holds; 0: none. */
int resident_blocks(const struct kernel *kernel, const char *architecture);

/* `room`: multiprocessor.h. */
struct kernel_time kernel_estimate(const struct kernel *kernel, const struct gpu_model *gpu,
                                   double room);

/* Seconds of one copy between host and device. */
double copy_estimate(const struct gpu_model *gpu, double bytes, int pinned);

#endif
