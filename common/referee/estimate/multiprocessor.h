/* A multiprocessor of a GPU, played cycle by cycle: its schedulers, pipes and caches execute the
 * paths of a kernel's warps. */
#ifndef MULTIPROCESSOR_H
#define MULTIPROCESSOR_H

#include "gpu_model.h"
#include "machine_code.h"

/* What a kernel's blocks take on one multiprocessor. */
struct played {
    double cycles;      /* for `blocks` of them, resident at the same time */
    double busy[PIPES]; /* share of cycles, of the busiest scheduler's pipe */
    double issuing;     /* share of cycles in which a scheduler issues */
};

/* Up to that many instructions of all blocks together are played; the first for a rate, the second
 * to compare two. */
enum { ROOM = 2400000, LITTLE_ROOM = 400000 };

/* Plays `blocks` blocks that begin together. Long loops are played in part, by `room`, and the rest
 * is as fast as their second half. `l2_misses` is the share of what L1 lacks that comes from DRAM;
 * `sharers` is how many multiprocessors share L2 and DRAM. */
struct played multiprocessor_play(const struct kernel *kernel, const struct gpu_model *gpu,
                                  int blocks, double l2_misses, double sharers, double room);

#endif
