/* The device side of cpucuda: what kernels of cpucuda/device_*.cu compute and which of their faults
 * ThreadSanitizer reports. */
#include "testing.h"

#include <stdbool.h>

#include "cpucuda_programs.h"

static void succeeds(struct result result) {
    assert_code(result, 0);
}

TEST(test_numbers) {
    int i;

    for (i = 0; i < compiler_count; i++) {
        succeeds(run("programs/device_numbers.%s.plain", compilers[i]));
        succeeds(run("programs/device_numbers.%s.address", compilers[i]));
    }
}

TEST(test_warps) {
    static const char *const said[] = {
        "__shfl_sync by lane 3, which its mask 0xffff0000 leaves out",
        " reads from lane 20, which the mask 0x0000ffff leaves out",
        "__shfl_sync with a width of 5, not 1, 2, 4, 8, 16 or 32",
        " reads from lane 31, which is not there",
        "tiled_partition<16> of 24 threads, which is no multiple of it",
        "__trap() ends the kernel"};
    struct result result;
    unsigned fault;
    int i;

    for (i = 0; i < compiler_count; i++) {
        succeeds(run("timeout -k 5 60 programs/device_warp.%s.plain", compilers[i]));
        for (fault = 0; fault < sizeof said / sizeof *said; fault++) {
            result = run("programs/device_warp.%s.plain %u", compilers[i], fault + 1);
            assert_code(result, 67);
            assert_says(result.err, fault < 5 ? "cpucuda: warp-mask: " : "cpucuda: trap: ");
            assert_says(result.err, "device_warp.cu:");
            assert_says(result.err, said[fault]);
        }
    }
}

/* What tensor cores do, in every build, and a product that a lane stays away from. */
TEST(test_tensor_cores) {
    static const char *const builds[] = {"plain", "address", "thread", "trace"};
    struct result result;
    unsigned b;
    int i;

    for (i = 0; i < compiler_count; i++) {
        for (b = 0; b < sizeof builds / sizeof *builds; b++)
            succeeds(run("timeout -k 5 60 programs/device_tensor.%s.%s", compilers[i], builds[b]));
        result = run("programs/device_tensor.%s.plain 1", compilers[i]);
        assert_code(result, 67);
        assert_says(result.err, "cpucuda: warp-mask: ");
        assert_says(result.err, "device_tensor.cu:");
        assert_says(result.err, "multiply_tile by the lanes 0xffffff7f");
    }
}

/* Asynchronous copies are there neither before their thread has waited nor, for others, before a
 * barrier: each fault shows in every build, as a report or as a wrong sum. */
TEST(test_async_copies) {
    static const char *const builds[] = {"plain", "address", "thread", "trace"};
    static const struct {
        const char *fault, *thread_says, *says;
    } faults[] = {
        {"no wait", "not all[i]", "not all[i]"},
        {"too few", "not all[i]", "not all[i]"},
        {"uncommitted", "not all[i]", "not all[i]"},
        {"no barrier", "data race", "not all[i]"},
        {"barrier first", "data race", "not all[i]"},
        {"too early", "data race", "not all[i]"},
        {"size", NULL,
         "copy: tests/cpucuda/device_async_copies.cu:73: __pipeline_memcpy_async of 12"},
        {"destination", NULL, "of 16 bytes; its destination is at no multiple of 16"},
        {"source", NULL, "of 8 bytes; its source is at no multiple of 8"},
        {"to global", NULL, "copies from global memory into a shared variable"},
        {"behind", NULL, "copies from global memory into a shared variable"},
        {"host", NULL, "__pipeline_commit is for kernels"},
    };
    unsigned b, f;
    int i;

    setenv("TSAN_OPTIONS", "symbolize=0 atexit_sleep_ms=0", 1);
    for (i = 0; i < compiler_count; i++)
        for (b = 0; b < sizeof builds / sizeof *builds; b++) {
            succeeds(run("programs/device_async_copies.%s.%s", compilers[i], builds[b]));
            for (f = 0; f < sizeof faults / sizeof *faults; f++) {
                const char *says = faults[f].says;
                struct result result = run("programs/device_async_copies.%s.%s '%s'", compilers[i],
                                           builds[b], faults[f].fault);

                if (faults[f].thread_says && !strcmp(builds[b], "trace"))
                    says = "it read 16 bytes of shared `tiles`";
                if (faults[f].thread_says && !strcmp(builds[b], "thread"))
                    says = faults[f].thread_says;
                assert_says(result.err, says);
                assert_true(result.code);
            }
        }
}

/* Whether a race is seen depends on how workers meet: of so many runs one must see it. */
enum { MOST_RUNS = 20 };

/* Pattern and fault of device_fences.cu; without a fault nothing is reported. From the seventh on
 * they are about what blocks of one worker know of each other, and the last two are no races: the
 * value that comes of them is wrong. */
TEST(test_fences) {
    static const int faults[] = {4, 2, 3, 2, 2, 1, 2, 4, 2};
    struct result result = {0};
    int i, pattern, fault, run_number;

    setenv("TSAN_OPTIONS", "symbolize=0 atexit_sleep_ms=0 exitcode=66", 1);
    for (i = 0; i < compiler_count; i++)
        for (pattern = 0; pattern < 9; pattern++)
            for (fault = 0; fault < faults[pattern]; fault++) {
                int code = !fault ? 0 : pattern < 7 ? 66 : 1;

                for (run_number = 0; run_number < (fault         ? MOST_RUNS
                                                   : pattern < 7 ? 1
                                                                 : 5);
                     run_number++) {
                    result = run("CPUCUDA_WORKERS=%d timeout -k 5 60 "
                                 "programs/device_fences.%s.thread %d %d",
                                 pattern >= 6 ? 1 : 4, compilers[i], pattern, fault);
                    if (fault ? result.code == code : result.code)
                        break;
                }
                if (result.code != code)
                    fail_msg("%s, pattern %d, fault %d ended with %d:\n%s", compilers[i], pattern,
                             fault, result.code, result.err);
            }
}

/* How often `function` of copies.s calls `called`. */
static int calls(const char *function, const char *called) {
    struct result result =
        run("awk '/^[a-z]/ {at = $1} at == \"%s:\" && /__tsan_%s[@ ]*/ && /call|jmp|bl|b / "
            "{n++} END {print n + 0}' copies.s",
            function, called);
    int count = atoi(result.out);

    return count;
}

static void makes_calls(const char *function, const char *type, const char *kind, int size,
                        int times) {
    char name[64], called[32];
    int one, all;

    snprintf(name, sizeof name, "%s_%s", function, type);
    snprintf(called, sizeof called, "%s%d(@PLT)?$", kind, size);
    one = calls(name, called);
    all = calls(name, kind) + calls(name, "mem");
    if (one != times || all != times)
        fail_msg("%s makes %d calls of %s%d and %d in all, not %d", name, one, kind, size, all,
                 times);
}

TEST(test_copies_are_whole) {
    static const struct {
        const char *type;
        int size, times;
    } types[] = {{"char2", 2, 1},   {"uchar4", 4, 1},  {"short2", 4, 1}, {"short4", 8, 1},
                 {"int2", 8, 1},    {"int4", 16, 1},   {"long2", 16, 1}, {"float2", 8, 1},
                 {"float4", 16, 1}, {"double2", 16, 1}};
    unsigned t;
    int i;

    for (i = 0; i < compiler_count; i++) {
        succeeds(run("%s -std=c++17 -O1 -g -Wall -Wextra -Werror -Iroot/common/cpucuda/include "
                     "-fsanitize=thread -S -o copies.s sources/device_copies.cpp",
                     compilers[i]));
        for (t = 0; t < sizeof types / sizeof *types; t++) {
            makes_calls("load", types[t].type, "read", types[t].size, types[t].times);
            makes_calls("store", types[t].type, "write", types[t].size, types[t].times);
            makes_calls("copy", types[t].type, "read", types[t].size, types[t].times);
            makes_calls("copy", types[t].type, "write", types[t].size, types[t].times);
        }
        makes_calls("copy", "double4", "read", 16, 2);
        makes_calls("copy", "double4", "write", 16, 2);
        makes_calls("copy", "float3", "read", 4, 3);
        makes_calls("copy", "float3", "write", 4, 3);
        makes_calls("copy", "pair", "read", 16, 2);
        makes_calls("copy", "pair", "write", 16, 2);
    }
}

GROUP(enter_programs, leave_tree)
