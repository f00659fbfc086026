/* The techniques of N-body that launches, roots, copies, flags and devices show, by numbers. That
 * of 02 is test_sanitizer.c's, what memory shows test_nbody_idea_memory.c's; that cpucuda counts
 * these numbers, test_idea_steps.c's. */
#include "nbody_idea.h"

TEST(test_tensor_cores_and_one_root_a_pair) {
    struct observed observed = two_iterations();

    observed.counters.rsqrtf_calls = 2 * 4096 * 4096 * 5ull / 8;
    lacks("16_tensor_cores", &observed, "no matrix product ran on tensor cores");
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
    lacks("17_multi_gpu", &observed, "device 0 of 3 took 100% of the roots");
    counters->roots_on[0] = counters->roots_on[1] = counters->roots_on[2] = roots;
    lacks("17_multi_gpu", &observed, "3 devices took 3.0 roots per interaction in all");
    counters->roots_on[0] = counters->roots_on[1] = counters->roots_on[2] = roots / 3;
    counters->roots_on[2] = roots / 2;
    lacks("17_multi_gpu", &observed, "device 2 of 3 took 43%");
    counters->roots_on[2] = roots / 3;
    counters->bytes_between = 12 * 4096 * 2 * 2 - 1;
    lacks("17_multi_gpu", &observed, "that 3 devices need of each other take at least 196608");
    counters->bytes_between++;
    counters->launches_beside = 2;
    lacks("17_multi_gpu", &observed, "2 of 24 kernels could run while positions were in flight");
    counters->launches_beside = 3;
    follows("17_multi_gpu", &observed);
    *counters = (struct counters){.devices = 1, .roots_on = {roots}};
    follows("17_multi_gpu", &observed); /* CPUCUDA_DEVICES=1 */
}
