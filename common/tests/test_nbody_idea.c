/* The ideas of steps 03 to 07, by what cpucuda counts. Those of 01 and 02 are test_sanitizer.c's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "nbody/nbody_problem.h"

/* Two iterations of 4096 bodies. */
static struct observed two_iterations(void) {
    return (struct observed){.n = 4096, .iterations = 2};
}

static void follows(const char *step, const struct observed *observed) {
    char message[512] = "";

    if (nbody_problem.idea(step, observed, message) != 1)
        fail_msg("%s: %s", step, message);
}

static void lacks(const char *step, const struct observed *observed, const char *words) {
    char message[512] = "";

    assert_int_equal(nbody_problem.idea(step, observed, message), 0);
    if (!strstr(message, words))
        fail_msg("\"%s\" is not in: %s", words, message);
}

static void test_a_launch_an_iteration(void **state) {
    struct observed observed = two_iterations();

    (void)state;
    lacks("03_cuda_naive", &observed, "0 kernel launches in 2 iterations");
    observed.counters.launches = 1;
    lacks("03_cuda_naive", &observed, "1 kernel launch in 2 iterations");
    observed.counters.launches = 2;
    follows("03_cuda_naive", &observed);
    observed.counters.launches = 4;
    follows("03_cuda_naive", &observed);
}

/* By hand: a warp's 32 floats from bodies of 24 bytes lie in 24 sectors, from an array in 4, or 5
 * if the array does not start at one. */
static void test_arrays_of_components(void **state) {
    struct observed observed = two_iterations();
    struct trace_line *lines = observed.counters.lines;

    (void)state;
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
static void test_bytes_of_an_interaction(void **state) {
    struct observed observed = two_iterations();
    const uint64_t interactions = UINT64_C(2) * 4096 * 4096, own = 2 * 4096 * 96;

    (void)state;
    observed.counters.global_bytes = 12 * interactions;
    lacks("05_tiling", &observed, "12.000 bytes of global memory, at n = 4096; at most 0.094");
    observed.counters.global_bytes = 12 * interactions / 256 + own;
    follows("05_tiling", &observed);
    observed.counters.global_bytes = 12 * interactions / 64 + own;
    lacks("05_tiling", &observed, "0.211 bytes");
    observed.counters.global_bytes = 12 * interactions / 128;
    follows("05_tiling", &observed);
    observed.counters.global_bytes += interactions / 1000;
    lacks("05_tiling", &observed, "shared memory");
}

static void test_unrolling(void **state) {
    struct observed observed = two_iterations();

    (void)state;
    lacks("06_unroll", &observed, "#pragma unroll");
    observed.counters.unrolled_loops = 1;
    follows("06_unroll", &observed);
}

static void test_one_copy_each_way(void **state) {
    struct observed observed = two_iterations();
    static const uint64_t wrong[][2] = {{0, 0}, {2, 2}, {1, 2}, {2, 1}, {1, 0}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        observed.counters.copies_in = wrong[i][0];
        observed.counters.copies_out = wrong[i][1];
        lacks("07_device_integration", &observed, "one copy each way");
    }
    observed.counters.copies_in = observed.counters.copies_out = 1;
    follows("07_device_integration", &observed);
}

static void test_steps_without(void **state) {
    struct observed observed = two_iterations();
    char message[512];

    (void)state;
    assert_int_equal(nbody_problem.idea("01_serial", &observed, message), -1);
    assert_int_equal(nbody_problem.idea("99_unknown", &observed, message), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_launch_an_iteration),   cmocka_unit_test(test_arrays_of_components),
        cmocka_unit_test(test_bytes_of_an_interaction), cmocka_unit_test(test_unrolling),
        cmocka_unit_test(test_one_copy_each_way),       cmocka_unit_test(test_steps_without),
    };

    return cmocka_run_group_tests_name("ideas", tests, NULL, NULL);
}
