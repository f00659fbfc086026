/* The techniques of N-body that loads and stores show, by numbers. */
#include "nbody_idea.h"

/* 4096 bodies in two iterations; the forces are the kernel with most roots. */
TEST(test_threads_that_share) {
    static const char step[] = "15_threads_per_body";
    struct observed observed = two_iterations();
    struct counters *counters = &observed.counters;

    lacks(step, &observed, "no kernel has 0 threads");
    counters->interval_count = 2;
    counters->intervals[0] =
        (struct interval){.kind = KERNEL, .roots = 9, .blocks = 32, .threads = 128, .kernel = "f"};
    counters->intervals[1] = (struct interval){.kind = KERNEL, .blocks = 64, .threads = 256};
    lacks(step, &observed, "f has 4096 threads for 4096 bodies; at least 2 per body are wanted");
    counters->intervals[0].blocks = 64;
    follows(step, &observed);
    counters->traced_lines = 3;
    counters->lines[0] =
        (struct trace_line){.space = GLOBAL_MEMORY, .stores = 1, .bytes = 96 * 2 * 4096};
    counters->lines[1] = (struct trace_line){.space = GLOBAL_MEMORY, .bytes = 1 << 30};
    counters->lines[2] = (struct trace_line){.space = SHARED_MEMORY, .stores = 1, .bytes = 1 << 30};
    follows(step, &observed);
    counters->lines[0].bytes += 2 * 4096;
    lacks(step, &observed, "kernels stored 97 bytes in global memory for a body and an iteration");
}

/* By hand: a warp's 32 floats from bodies of 24 bytes lie in 24 sectors, from an array in 4, or 5
 * if the array does not start at one. */
TEST(test_arrays_of_components) {
    struct observed observed = two_iterations();
    struct trace_line *lines = observed.counters.lines;

    lacks("04_soa", &observed, "no kernel accessed global memory at an address that differs");
    observed.counters.traced_lines = 3;
    /* What all lanes read alike, and shared memory, do not count. */
    lines[0] = (struct trace_line){.requests = 1000, .broadcasts = 1000, .sectors = 1000};
    lines[1] = (struct trace_line){
        .space = SHARED_MEMORY, .requests = 10, .varied_requests = 10, .varied_sectors = 320};
    lines[2] = (struct trace_line){.offset = 0x12ab, .varied_requests = 128, .varied_sectors = 512};
    follows("04_soa", &observed);
    lines[2].varied_sectors = 5 * 128;
    follows("04_soa", &observed);
    lines[2].varied_sectors = 5 * 128 + 1;
    lacks("04_soa", &observed, "5.0 at {+0x12ab}");
    lines[0].varied_requests = 128;
    lines[0].varied_sectors = 4 * 128;
    lines[2].varied_sectors = 24 * 128;
    lacks("04_soa", &observed, "14.0 sectors of 32 bytes, 24.0 at {+0x12ab}");
}

/* By hand: blocks of T threads load 12 bytes of every body once a block, so 12 / T an interaction,
 * and a thread at most 48 bytes of its own body, twice. */
TEST(test_bytes_of_an_interaction) {
    struct observed observed = two_iterations();
    struct counters *counters = &observed.counters;
    const uint64_t interactions = UINT64_C(2) * 4096 * 4096, own = 2 * 4096 * 96;

    counters->global_bytes = 12 * interactions;
    lacks("05_tiling", &observed,
          "12.000 bytes of global memory; with 256 threads per block at most 0.094 are wanted");
    counters->global_bytes = 12 * interactions / 256 + own;
    follows("05_tiling", &observed);
    counters->global_bytes = 12 * interactions / 64 + own;
    lacks("05_tiling", &observed, "0.211 bytes");
    counters->global_bytes = 12 * interactions / 128;
    follows("05_tiling", &observed);
    counters->global_bytes += interactions / 1000;
    lacks("05_tiling", &observed, "shared memory");
}

/* What is wanted of a tile goes by the threads of the block that computes forces. */
TEST(test_tiles_of_a_block) {
    struct observed observed = two_iterations();
    struct counters *counters = &observed.counters;
    const uint64_t interactions = UINT64_C(2) * 4096 * 4096, own = 2 * 4096 * 96;

    counters->interval_count = 2;
    counters->intervals[0] = (struct interval){.kind = KERNEL, .roots = 9, .threads = 96};
    counters->intervals[1] = (struct interval){.kind = KERNEL, .threads = 256};
    counters->global_bytes = 16 * interactions / 96 + own; /* vectors of four floats */
    follows("05_tiling", &observed);
    counters->global_bytes = 12 * interactions / 32;
    lacks("05_tiling", &observed,
          "with 96 threads per block at most 0.250 are wanted, the 12 bytes of "
          "three coordinates over half of the threads, 48");
    counters->intervals[0].threads = 1024;
    counters->global_bytes = 12 * interactions / 128;
    follows("05_tiling", &observed);
    /* A block of few threads excuses no loads of its own. */
    counters->intervals[0].threads = 1;
    counters->global_bytes = 4 * interactions;
    lacks("05_tiling", &observed, "with 32 threads per block at most 0.750");
}

/* A thread's own body is no part of a tile; parameters in constant memory are none either. */
TEST(test_bytes_of_other_bodies) {
    struct observed observed = two_iterations();
    struct counters *counters = &observed.counters;
    const uint64_t interactions = UINT64_C(2) * 4096 * 4096;
    struct trace_line *lines = counters->lines;

    counters->traced_lines = 3;
    counters->global_bytes = 28 * interactions / 256;
    lines[0] = (struct trace_line){.offset = 0x12, .bytes = 16 * interactions / 256};
    lines[1] = (struct trace_line){
        .offset = 0x34, .bytes = 12 * interactions / 256, .again = 11 * interactions / 256};
    lines[2] = (struct trace_line){.offset = 0x56, .space = CONSTANT_MEMORY, .bytes = interactions};
    follows("05_tiling", &observed);
    lines[2].bytes = 12 * interactions;
    lacks("05_tiling", &observed,
          "an interaction takes 12.000 bytes of constant memory, of them 12.000 at {+0x56}, which "
          "loads {=0x56}; parameters may be there");
    lines[2].bytes = 0;
    lines[1].bytes = 12 * interactions;
    lines[1].again = 0;
    counters->global_bytes += 12 * interactions;
    lacks("05_tiling", &observed,
          "bytes of global memory, of them 12.000 at {+0x34}, which loads {=0x34};");
    lines[1].stores = 1;
    lacks("05_tiling", &observed, "which stores to {=0x34};");
}

/* The k-th line of the trace: requests of loads. */
static void load(struct observed *observed, int k, int space, int width, uint64_t requests) {
    observed->counters.lines[k] = (struct trace_line){.offset = 0x1000 + (unsigned)k,
                                                      .space = (uint8_t)space,
                                                      .width = (uint16_t)width,
                                                      .requests = requests};
    if (observed->counters.traced_lines <= (unsigned)k)
        observed->counters.traced_lines = (unsigned)k + 1;
}

TEST(test_halves) {
    struct observed observed = two_iterations();

    lacks("10_fp16", &observed, "no kernel loaded anything from global memory");
    load(&observed, 0, SHARED_MEMORY, 2, 3000);
    load(&observed, 1, GLOBAL_MEMORY, 4, 29);
    load(&observed, 2, GLOBAL_MEMORY, 2, 30);
    follows("10_fp16", &observed);
    /* Stores do not count. */
    load(&observed, 3, SHARED_MEMORY, 4, 100000);
    observed.counters.lines[3].stores = 1;
    follows("10_fp16", &observed);
    /* Half in global memory alone. */
    load(&observed, 0, SHARED_MEMORY, 4, 3000);
    lacks("10_fp16", &observed,
          "0% of the loads from shared memory are of 2 bytes per thread, and those at "
          "{+0x1000} of 4;");
    /* Half in the tile alone: bodies stored as floats are converted each time. */
    load(&observed, 0, SHARED_MEMORY, 2, 3000);
    load(&observed, 1, GLOBAL_MEMORY, 4, 31);
    lacks("10_fp16", &observed, "49% of the loads from global memory are of 2 bytes");
    /* Without a tile. */
    load(&observed, 0, GLOBAL_MEMORY, 2, 3000);
    lacks("10_fp16", &observed, "no kernel loaded anything from shared memory");
}

TEST(test_whole_bodies) {
    struct observed observed = two_iterations();

    lacks("12_float4", &observed, "no kernel loaded anything");
    load(&observed, 0, SHARED_MEMORY, 16, 1000);
    /* With a tile, what is loaded from global memory does not count. */
    load(&observed, 1, GLOBAL_MEMORY, 4, 5000);
    follows("12_float4", &observed);
    load(&observed, 2, SHARED_MEMORY, 4, 3000);
    lacks("12_float4", &observed,
          "25% of the loads from shared memory are of 16 bytes per thread, "
          "and those at {+0x1002} of 4;");
    load(&observed, 0, SHARED_MEMORY, 8, 1000);
    lacks("12_float4", &observed, "0% of the loads from shared memory");
    /* Without a tile. */
    load(&observed, 0, GLOBAL_MEMORY, 16, 8001);
    load(&observed, 2, GLOBAL_MEMORY, 4, 3000);
    follows("12_float4", &observed);
    load(&observed, 2, GLOBAL_MEMORY, 4, 3001);
    lacks("12_float4", &observed,
          "50% of the loads from global memory are of 16 bytes per thread, "
          "and those at {+0x1001} of 4;");
}

/* By hand: a warp's load of body j serves 32 interactions for each own body a thread. */
TEST(test_loads_of_an_interaction) {
    struct observed observed = two_iterations();
    const uint64_t requests = UINT64_C(2) * 4096 * 4096 / 32;

    lacks("14_register_blocking", &observed, "no kernel loaded anything");
    load(&observed, 0, SHARED_MEMORY, 16, requests);
    lacks("14_register_blocking", &observed,
          "an interaction takes 1.00 loads from shared or global memory, most of them at "
          "{+0x1000}; at most 0.7 are wanted");
    load(&observed, 0, SHARED_MEMORY, 16, requests / 2);
    load(&observed, 1, GLOBAL_MEMORY, 16, requests / 8);
    follows("14_register_blocking", &observed);
    /* Stores do not count. */
    load(&observed, 2, SHARED_MEMORY, 16, requests);
    observed.counters.lines[2].stores = 1;
    follows("14_register_blocking", &observed);
    /* Nor does it help to load from global memory. */
    load(&observed, 1, GLOBAL_MEMORY, 16, requests);
    lacks("14_register_blocking", &observed,
          "takes 1.50 loads from shared or global memory, most "
          "of them at {+0x1001}");
    /* Parameters in constant memory are operands of instructions. */
    load(&observed, 1, CONSTANT_MEMORY, 4, 8 * requests);
    follows("14_register_blocking", &observed);
    /* Three arrays for four bodies a thread. */
    for (int k = 0; k < 3; k++)
        load(&observed, k, SHARED_MEMORY, 4, requests / 4);
    lacks("14_register_blocking", &observed, "takes 0.75 loads");
}
