/* The ideas of steps 03 to 12 and Part II, by numbers. That of 02 is test_sanitizer.c's; that
 * cpucuda counts these numbers, test_idea_steps.c's. */
#include "testing.h"
#include "problems/nbody/nbody_problem.h"
#include "technique_of_step.h"

/* Two iterations of 4096 bodies. */
static struct observed two_iterations(void) {
    return (struct observed){.n = 4096, .iterations = 2, .flags = ""};
}

static void follows(const char *step, const struct observed *observed) {
    char message[512] = "";

    if (step_follows(&nbody_problem, step, observed, message) != 1)
        fail_msg("%s: %s", step, message);
}

static void lacks(const char *step, const struct observed *observed, const char *words) {
    char message[512] = "";

    assert_int_equal(step_follows(&nbody_problem, step, observed, message), 0);
    if (!strstr(message, words))
        fail_msg("\"%s\" is not in: %s", words, message);
}

TEST(test_tensor_cores_and_one_root_a_pair) {
    struct observed observed = two_iterations();

    observed.counters.rsqrtf_calls = 2 * 4096 * 4096 * 5ull / 8;
    lacks("16_tensor_cores", &observed, "no matrix product was asked of tensor cores");
    observed.soft.n = 2048;
    observed.soft.rsqrtf_calls = 2 * 2048 * 2048 * 9ull / 16;
    observed.soft.tensor_products = 1; /* one for show */
    lacks("16_tensor_cores", &observed, "0.0 matrix products for 256 pairs of the 2048 bodies");
    observed.soft.tensor_products = 2 * 2048 * 2048 / 512 * 2; /* r^2 alone */
    lacks("16_tensor_cores", &observed, "2.0 matrix products for 256 pairs");
    observed.soft.tensor_products = 2 * 2048 * 2048 / 512 * 6;
    follows("16_tensor_cores", &observed);
    observed.soft.rsqrtf_calls = 2 * 2048 * 2048;
    lacks("16_tensor_cores", &observed, "1.00 roots per interaction on tensor cores");
    observed.soft.rsqrtf_calls = 2 * 2048 * 2048 * 9ull / 16;
    observed.counters.rsqrtf_calls = 2 * 4096 * 4096;
    lacks("16_tensor_cores", &observed, "1.00 roots per interaction; at most 0.75 are wanted");
    observed.counters.rsqrtf_calls = 0;
    observed.counters.other_roots = 4096 * 4096;
    lacks("16_tensor_cores", &observed, "0.50 roots");
}

TEST(test_a_launch_an_iteration) {
    struct observed observed = two_iterations();

    lacks("03_cuda_naive", &observed, "0 kernel launches in 2 iterations");
    observed.counters.launches = 1;
    lacks("03_cuda_naive", &observed, "1 kernel launch in 2 iterations");
    observed.counters.launches = 2;
    follows("03_cuda_naive", &observed);
    observed.counters.launches = 4;
    follows("03_cuda_naive", &observed);
}

TEST(test_threads_a_block) {
    struct observed observed = two_iterations();
    struct interval *intervals = observed.counters.intervals;

    observed.counters.launches = 2;
    observed.counters.interval_count = 3;
    intervals[0] = (struct interval){.kind = COPY_IN};
    intervals[1] = (struct interval){.kind = KERNEL, .threads = 256};
    intervals[2] = (struct interval){.kind = KERNEL, .threads = 16, .kernel = "forces"};
    follows("03_cuda_naive", &observed); /* of no THREADS nothing is asked */
    observed.flags = "-O1 -DTHREADS=256 -DUNROLL=4";
    lacks("03_cuda_naive", &observed,
          "a block of forces has 16 threads where THREADS is 256: the launch is "
          "<<<blocks, threads>>>");
    intervals[2].threads = 1;
    lacks("03_cuda_naive", &observed, "a block of forces has 1 thread where THREADS is 256");
    intervals[2].threads = 256;
    follows("03_cuda_naive", &observed);
    observed.flags = "-DTHREADS=256 -DTHREADS=64"; /* the last one counts */
    lacks("03_cuda_naive", &observed, "has 256 threads where THREADS is 64");
    observed.flags = "-DTHREADS=by_occupancy"; /* the occupancy calculator decides */
    follows("03_cuda_naive", &observed);
    observed.flags = "-DMORE_THREADS=64 -DTHREADS_64";
    follows("03_cuda_naive", &observed);
}

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
          "with 96 threads per block at most 0.250 are wanted, the 12 of the "
          "three coordinates that every thread loads without a tile over 48");
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

TEST(test_unrolling) {
    struct observed observed = two_iterations();

    lacks("06_unroll", &observed, "no loop is unrolled: a `#pragma unroll unroll` before the loop");
    observed.source = "mine.cu";
    observed.counters.other_unroll_line = 44;
    observed.counters.other_unroll = UNROLL_BY_MACRO;
    lacks("06_unroll", &observed,
          "mine.cu:44: the factor of this `#pragma unroll` is a macro, which nvcc does not take");
    observed.counters.other_unroll = UNROLL_BY_NO_CONSTANT;
    observed.counters.unrolled_loops = 1;
    lacks("06_unroll", &observed,
          "mine.cu:44: what stands behind this `#pragma unroll` is no constant expression of "
          "integers; nvcc ignores it or refuses the file; a constant has the variant's factor");
    observed.counters.unrolled_loops = 0;
    observed.counters.other_unroll = UNROLL_BY_NUMBER;
    lacks("06_unroll", &observed, "mine.cu:44: the factor of this `#pragma unroll` is a number");
    observed.counters.other_unroll = UNROLL_BY_NOTHING;
    lacks("06_unroll", &observed, "mine.cu:44: this `#pragma unroll` has no factor");
    /* Beside the one that is wanted, others do no harm, if nvcc takes them. */
    observed.counters.unrolled_loops = 1;
    follows("06_unroll", &observed);
    observed.counters.other_unroll = UNROLL_BY_MACRO;
    lacks("06_unroll", &observed, "is a macro");
    observed.counters.other_unroll = observed.counters.other_unroll_line = 0;
    follows("06_unroll", &observed);
}

TEST(test_one_copy_each_way) {
    struct observed observed = two_iterations();
    static const uint64_t wrong[][2] = {{0, 0}, {2, 2}, {1, 2}, {2, 1}, {1, 0}};
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        observed.counters.copies_in = wrong[i][0];
        observed.counters.copies_out = wrong[i][1];
        lacks("07_device_integration", &observed, "one copy each way");
    }
    observed.counters.copies_in = observed.counters.copies_out = 1;
    follows("07_device_integration", &observed);
}

TEST(test_one_root_an_interaction) {
    struct observed observed = two_iterations();
    const uint64_t interactions = UINT64_C(2) * 4096 * 4096;
    uint64_t *rsqrtf = &observed.counters.rsqrtf_calls, *others = &observed.counters.other_roots;

    *others = interactions;
    lacks("08_rsqrt", &observed,
          "in 33554432 interactions kernels called rsqrtf 0 times, and sqrtf or another root "
          "33554432 times; one rsqrtf per interaction");
    *others = 0;
    lacks("08_rsqrt", &observed, "rsqrtf 0 times, and sqrtf or another root 0 times");
    *rsqrtf = interactions;
    follows("08_rsqrt", &observed);
    *others = 1;
    lacks("08_rsqrt", &observed, "another root 1 times");
    *others = 0;
    *rsqrtf = interactions - 2 * 4096; /* no body with itself */
    follows("08_rsqrt", &observed);
    *rsqrtf = UINT64_C(2) * 4096 * 5000; /* 5 blocks of 1000 threads */
    follows("08_rsqrt", &observed);
    *rsqrtf = 2 * interactions;
    lacks("08_rsqrt", &observed, "rsqrtf 67108864 times");
    *rsqrtf = interactions / 2;
    lacks("08_rsqrt", &observed, "rsqrtf 16777216 times");
}

/* What nvcc 13.0 makes of them: whether its PTX has instructions with .ftz. */
TEST(test_flags_of_nvcc) {
    static const char *const flushing[] = {
        "-ftz=true",           "-O1 -DUNROLL=16 --ftz=true -DTHREADS=256",
        "-O1  -ftz true",      "--ftz true -lineinfo",
        "-use_fast_math",      "-DTHREADS=256 --use_fast_math",
        "-ftz=false -ftz=true"};
    static const char *const keeping[] = {"",
                                          "-O1 -DTHREADS=256 -DUNROLL=16",
                                          "-ftz=false",
                                          "-ftz false",
                                          "-ftz=true --ftz=false",
                                          "-use_fast_math -ftz=false",
                                          "-ftz=false -use_fast_math",
                                          "-Dftz=true",
                                          "-Duse_fast_math",
                                          "-ftz=truex",
                                          "-ftz=tru",
                                          "-prec-div=true -fmad true"};
    struct observed observed = two_iterations();
    size_t i;

    for (i = 0; i < sizeof flushing / sizeof *flushing; i++) {
        observed.flags = flushing[i];
        follows("09_ftz", &observed);
    }
    for (i = 0; i < sizeof keeping / sizeof *keeping; i++) {
        observed.flags = keeping[i];
        lacks("09_ftz", &observed, "-ftz=true is wanted, in the file `flags` beside the source");
        lacks("09_ftz", &observed, keeping[i]);
    }
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

TEST(test_page_locked_copies) {
    /* copies in, of them pinned, copies out, of them pinned */
    static const uint64_t wrong[][4] = {{0, 0, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 0}, {1, 0, 1, 1},
                                        {2, 1, 1, 1}, {1, 1, 2, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};
    static const uint64_t right[][4] = {{1, 1, 1, 1}, {6, 6, 3, 3}};
    struct observed observed = two_iterations();
    struct counters *counters = &observed.counters;
    char words[128];
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        counters->copies_in = wrong[i][0], counters->pinned_in = wrong[i][1];
        counters->copies_out = wrong[i][2], counters->pinned_out = wrong[i][3];
        snprintf(words, sizeof words, "%d of %d copies to the device and %d of %d back",
                 (int)wrong[i][1], (int)wrong[i][0], (int)wrong[i][3], (int)wrong[i][2]);
        lacks("11_pinned", &observed, words);
    }
    for (i = 0; i < sizeof right / sizeof *right; i++) {
        counters->copies_in = right[i][0], counters->pinned_in = right[i][1];
        counters->copies_out = right[i][2], counters->pinned_out = right[i][3];
        follows("11_pinned", &observed);
    }
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

TEST(test_vectors) {
    struct observed observed = two_iterations();

    observed.cpu_seconds = 1, observed.busiest_seconds = 0.5;
    observed.root_lanes = 1;
    lacks("13_cpu_simd", &observed, "takes square roots of 1 float at a time");
    observed.root_lanes = 16;
    follows("13_cpu_simd", &observed);
#ifdef __x86_64__
    observed.root_lanes = 4;
    lacks("13_cpu_simd", &observed, "roots of 4 floats at a time; 8 or more are wanted");
    observed.root_lanes = 8;
    follows("13_cpu_simd", &observed);
#endif
    observed.root_lanes = 0; /* nobody could look */
    follows("13_cpu_simd", &observed);
    observed.busiest_seconds = 0.99;
    lacks("13_cpu_simd", &observed, "one thread did 99% of the work");
}

TEST(test_steps_without) {
    struct observed observed = two_iterations();
    char message[512];

    assert_int_equal(step_follows(&nbody_problem, "01_serial", &observed, message), -1);
    assert_int_equal(step_follows(&nbody_problem, "99_unknown", &observed, message), -1);
}

/* By hand: 3 devices take a third of 2 * 4096^2 roots each; 12 bytes of a position for the two
 * others of 4096 bodies, twice. */
TEST(test_devices) {
    struct observed observed = two_iterations();
    struct counters *counters = &observed.counters;
    const uint64_t roots = UINT64_C(2) * 4096 * 4096;

    counters->devices = 3;
    counters->launches = 24;
    counters->roots_on[0] = roots;
    lacks("17_multi_gpu", &observed, "of the roots, device 0 of 3 took 100%");
    counters->roots_on[0] = counters->roots_on[1] = counters->roots_on[2] = roots;
    lacks("17_multi_gpu", &observed, "3 devices took 3.0 roots per interaction in all");
    counters->roots_on[0] = counters->roots_on[1] = counters->roots_on[2] = roots / 3;
    counters->roots_on[2] = roots / 2;
    lacks("17_multi_gpu", &observed, "device 2 of 3 took 43%");
    counters->roots_on[2] = roots / 3;
    counters->bytes_between = 12 * 4096 * 2 * 2 - 1;
    lacks("17_multi_gpu", &observed, "that 3 devices need of each other 196608 are the least");
    counters->bytes_between++;
    counters->launches_beside = 2;
    lacks("17_multi_gpu", &observed, "2 of 24 kernels could run while positions were under way");
    counters->launches_beside = 3;
    follows("17_multi_gpu", &observed);
    *counters = (struct counters){.devices = 1, .roots_on = {roots}};
    follows("17_multi_gpu", &observed); /* CPUCUDA_DEVICES=1 */
}
