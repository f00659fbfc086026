/* What is counted of a run: for idea checks, trace and timeline. Part of the player's own word. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TRACE_LINES = 64 };

enum memory_space { GLOBAL_MEMORY, SHARED_MEMORY, CONSTANT_MEMORY, MEMORY_SPACES };

/* All accesses of one line of the source, of one kind and width. A request is what the lanes of a
 * warp ask for at one execution of an instruction. A load of global or constant memory that a warp
 * repeats between two barriers, as that of its own bodies in a loop, is one: a compiler keeps the
 * value in a register. */
struct trace_line {
    uint64_t offset;     /* of an instruction there, into the program; the referee knows lines */
    uint8_t space;       /* memory_space */
    uint8_t stores;      /* 1: stores, 0: loads */
    uint16_t width;      /* bytes per lane */
    uint64_t requests;   /* by warps */
    uint64_t bytes;      /* asked for, summed over lanes */
    uint64_t sectors;    /* 32-byte sectors touched (global memory) */
    uint64_t broadcasts; /* requests in which all lanes have the same address */
    uint64_t varied_requests, varied_sectors; /* of requests whose addresses differ by lane */
    uint64_t wavefronts; /* wavefronts (shared memory); at best 1 per request, for an array
                            of 8 bytes per lane 2, of 16 bytes 4 */
    uint64_t again; /* of `bytes`, those of loads that are repeated only because of a barrier */
};

/* A copy or kernel of a run, in the order in which they began. */
enum interval_kind { COPY_IN, COPY_OUT, KERNEL };

struct interval {
    uint8_t kind;      /* interval_kind */
    char kernel[39];   /* its name, from cpucuda; on a GPU `offset` tells the launch's line */
    uint64_t offset;   /* of the call, into the program */
    uint64_t bytes;    /* of a copy */
    double begin, end; /* by the device's clock, s from the first one's begin; 0 from cpucuda */
    /* Of a kernel, from cpucuda: roots taken; blocks; a block's threads and bytes of shared memory,
     * those of its arrays and those of the launch. */
    uint64_t roots, blocks, threads, static_bytes, dynamic_bytes;
};

/* What stands behind a `#pragma unroll`: a constant's name, or an expression with one; the same of
 * a macro, which nvcc does not take, as no macro is expanded there; a number; nothing; what is no
 * expression or has a name that the source declares as no constant, which nvcc does not take
 * either. */
enum unroll_factor {
    UNROLL_BY_NAME = 1,
    UNROLL_BY_MACRO,
    UNROLL_BY_NUMBER,
    UNROLL_BY_NOTHING,
    UNROLL_BY_NO_CONSTANT
};

enum { MOST_INTERVALS = 128, MOST_DEVICES = 16 };

struct counters {
    uint64_t launches, launches_by_graphs; /* the first are all */
    /* Calls that kernels made of rsqrtf(), and of all other functions that take a root. */
    uint64_t rsqrtf_calls, other_roots;
    uint64_t tensor_products; /* matrix products of warps, by mma.h; from cpucuda */
    uint64_t barriers;        /* of blocks, once for each thread of the block; from cpucuda */
    uint64_t unrolled_loops;  /* loops below a `#pragma unroll` whose factor is UNROLL_BY_NAME */
    /* Another one, if there is one: its unroll_factor and line; one that nvcc ignores goes first.
     */
    uint64_t other_unroll, other_unroll_line;
    /* Copies and bytes between host and device, and how many copies had page-locked memory. */
    uint64_t copies_in, bytes_in, pinned_in;
    uint64_t copies_out, bytes_out, pinned_out;
    uint64_t bare_barriers; /* 1: a block had a barrier and no shared memory; from cpucuda */
    uint64_t fills;         /* of device memory: cudaMemset and its like */
    /* Of several devices: how many there are, what each did, and copies from one to another. */
    uint64_t devices, launches_on[MOST_DEVICES], roots_on[MOST_DEVICES];
    uint64_t copies_between, bytes_between;
    uint64_t launches_beside; /* that do not wait for such a copy to their device under way */
    /* What cpucuda saw and does not fail for, but would be the reason of a result that is wrong: a
     * line "cpucuda: WORD: text"; else empty. */
    char suspect[512];
    uint64_t interval_count; /* all of them; `intervals` holds the first ones */
    struct interval intervals[MOST_INTERVALS];
    /* Of the trace build; sums over all kernels. */
    uint64_t global_bytes; /* loads and stores of global memory, summed over lanes */
    uint64_t traced_lines; /* that is how many of `lines` are in use */
    struct trace_line lines[TRACE_LINES];
};

#ifdef __cplusplus
}
#endif

#endif
