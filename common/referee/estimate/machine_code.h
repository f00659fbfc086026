/* What cpucuda's build `sass` wrote down of a program's kernels (engine/sass_launch.cpp): each
 * instruction with how often it was issued, and the paths of a block's warps. */
#ifndef MACHINE_CODE_H
#define MACHINE_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/sass_operations.h"

/* What of an instruction its time depends on. The last bits of each instruction say what the
 * compiler promises: cycles until the warp's next one, barriers that it sets and waits for. */
struct instruction {
    uint64_t low, high;
    double issued; /* per launch, summed over warps */
    double sectors, hits,
        shared;         /* of global memory; hits in L1; of them what another warp brought */
    double wavefronts;  /* of shared memory; of MATCH, the values that it tells apart */
    unsigned operation; /* enum sass_operation */
    enum sass_pipe pipe;
    enum sass_memory memory;
    enum sass_access access;
    int stall, sets, frees, waits; /* sets, frees: a barrier or 7; waits: a bit each */
    int contended;                 /* a load of what several blocks change by atomic operations */
    int conflict;                  /* cycles that its operands wait for a bank of registers */
    int of, prior; /* of DEPBAR: for which barrier it waits, but for its last so many groups */
};

/* A segment of a path, or the end of a loop's body: then `times` is not 0. */
struct path_item {
    int first, count; /* of a repeat: count is how many items stand before it */
    uint32_t times;
};

struct path {
    struct path_item *items;
    int count;
};

struct kernel {
    char name[512];
    double blocks;
    int threads, registers;
    double static_bytes, dynamic_bytes;
    double launches;
    double executed; /* instructions that cpucuda executed per launch; the others it counted */
    double loaded, stored; /* sectors that a launch touches first by a load, by a store */
    double rewritten;      /* sectors that it stores after it loaded them */
    struct instruction *code;
    int code_count;
    struct path *paths; /* of the warps of one block */
    int path_count;
};

struct machine_code {
    int devices; /* GPUs that kernels ran on */
    double copies_in, bytes_in, pinned_in, copies_out, bytes_out, pinned_out, launches, fills;
    double by_graphs; /* of the launches */
    struct kernel *kernels;
    int count;
};

/* Returns 0, or -1: the file is not there or no such file. */
int machine_code_read(struct machine_code *code, const char *path);
void machine_code_free(struct machine_code *code);

/* Fills all but the counts in from the two words. */
void instruction_decode(struct instruction *instruction);

#endif
