/* Rates differ between machines and shared machines are noisy, so only ratios are checked, with
 * margins that no CPU leaves. */
#include "testing.h"

#include <sys/mman.h>
#include <time.h>

#include "referee/machine/ceilings.h"
#include "referee/machine/machine.h"

/* One core and all cores of each resource. */
struct rates {
    double fma[2], rsqrt[2], copy[2];
};

static struct ceiling ceilings[CPU_CEILINGS];
static struct rates rates;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double find(const char *resource, int index) {
    int found = 0;
    for (int i = 0; i < CPU_CEILINGS; i++)
        if (strcmp(ceilings[i].resource, resource) == 0 && found++ == index)
            return ceilings[i].value;
    fail_msg("no ceiling %d of %s", index, resource);
    return 0;
}

static int measure(void **state) {
    (void)state;
    if (ceilings_cpu(ceilings))
        return -1;
    for (int i = 0; i < 2; i++) {
        rates.fma[i] = find("fma", i);
        rates.rsqrt[i] = find("rsqrt", i);
        rates.copy[i] = find("copy", i);
    }
    return 0;
}

TEST(test_one_core_and_all) {
    struct machine machine;
    machine_describe(&machine);
    for (int i = 0; i < CPU_CEILINGS; i++) {
        assert_true(isfinite(ceilings[i].value) && ceilings[i].value > 0);
        assert_int_equal(ceilings[i].threads, i % 2 ? machine.cores : 1);
        assert_string_equal(ceilings[i].unit,
                            strcmp(ceilings[i].resource, "copy") ? "lanes/s" : "B/s");
    }
}

TEST(test_all_cores_add_up) {
    for (int i = 0; i < CPU_CEILINGS; i += 2) {
        assert_true(ceilings[i + 1].value >= 0.7 * ceilings[i].value);
        assert_true(ceilings[i + 1].value <= 3.0 * ceilings[i + 1].threads * ceilings[i].value);
    }
}

/* A root and a division cost as much as 14 FMAs on Zen 5 and, by published tables, 56 on Haswell.
 */
TEST(test_roots_cost_more_than_fmas) {
    for (int i = 0; i < 2; i++) {
        assert_true(rates.fma[i] > 3 * rates.rsqrt[i]);
        assert_true(rates.fma[i] < 500 * rates.rsqrt[i]);
    }
}

static uint32_t bits(float x) {
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* Seconds a step of a chain in which every product and sum waits for the one before: 6 to 8 cycles
 * on x86-64, 4 to 7 on aarch64. */
static double chain_seconds(void) {
    enum { STEPS = 2000000 };
    volatile float start = 1;
    double best = INFINITY;
    for (int repeat = 0; repeat < 8; repeat++) {
        float x = start;
        double begin = now();
        for (int i = 0; i < STEPS; i++)
            x = x * 0.5f + 0.5f;
        best = fmin(best, (now() - begin) / STEPS);
        assert_int_not_equal(bits(x), 0);
    }
    return best;
}

/* Vector units and independent sums are in use: what a core with one 16-byte pipe does, at least;
 * and nothing was left out: at most 4 pipes of 64 bytes in every cycle. */
TEST(test_fma_fills_the_pipes) {
    double lanes_a_step = rates.fma[0] * chain_seconds();
    int vector = 4;
#ifdef __x86_64__
    vector = __builtin_cpu_supports("avx512f") ? 16 : __builtin_cpu_supports("avx") ? 8 : 4;
#endif
    print_message("%.0f lanes of FMA for one step of a chain, vectors of %d\n", lanes_a_step,
                  vector);
    assert_true(lanes_a_step > 3.0 * vector);
    assert_true(lanes_a_step < 16.0 * 4 * 10);
}

/* Bytes a second, read plus written, of memcpy() between buffers of 256 MiB. */
static double memcpy_rate(void) {
    enum { PAGE = 2 << 20 };
    size_t bytes = (size_t)256 << 20;
    char *from = aligned_alloc(PAGE, bytes), *to = aligned_alloc(PAGE, bytes);
    double best = 0;
    assert_true(from && to);
    madvise(from, bytes, MADV_HUGEPAGE);
    madvise(to, bytes, MADV_HUGEPAGE);
    memset(from, 1, bytes);
    memset(to, 1, bytes);
    for (int repeat = 0; repeat < 16; repeat++) {
        double begin = now();
        /* clang would write the known bytes of `from` without reading it. */
        __asm__ volatile("" : : "r"(from), "r"(to) : "memory");
        memcpy(to, from, bytes);
        best = fmax(best, 2.0 * (double)bytes / (now() - begin));
        assert_int_equal(to[bytes - 1 - (size_t)repeat], 1);
    }
    free(from);
    free(to);
    return best;
}

/* From memory, not from a cache, both directions counted, and at least about as fast as the C
 * library, whose stores may read the lines first (a ratio of 1.5). Other load on the memory passes:
 * the best of both is closer to the truth with every attempt. */
TEST(test_copy_is_of_memory) {
    double copy = rates.copy[0], library = memcpy_rate();
    for (int again = 0; again < 2 && !(copy > 0.75 * library && copy < 2.0 * library); again++) {
        measure(NULL);
        copy = fmax(copy, rates.copy[0]);
        library = fmax(library, memcpy_rate());
    }
    print_message("copy is %.2f of memcpy()\n", copy / library);
    assert_true(copy > 0.75 * library);
    assert_true(copy < 2.0 * library);
}

GROUP(measure, NULL)
