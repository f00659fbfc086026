/* The device side of cpucuda: what kernels of device/ compute and which of their faults
 * ThreadSanitizer reports, with g++ and, where it is, clang++. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "command.h"

enum { COMPILERS = 2 };
static const char *const compilers[COMPILERS] = {"g++", "clang++"};
static const char *const volatile_flags[COMPILERS] = {"--param=tsan-distinguish-volatile=1",
                                                      "-mllvm -tsan-distinguish-volatile=1"};
static char root[4096];

static int set_up(void **state) {
    char path[128];

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    snprintf(path, sizeof path, "%s/build", tree);
    setenv("TSAN_OPTIONS", "symbolize=0 atexit_sleep_ms=0 exitcode=66", 1);
    setenv("ROOT", root, 1);
    setenv("FLAGS",
           "-std=c++17 -O1 -g -Wall -Wextra -Werror -pthread -I$ROOT/common/tests/device "
           "-I$ROOT/common/cpucuda/include -I$ROOT/common/cpucuda/engine -I$ROOT/common/player",
           1);
    return mkdir(path, 0777) || chdir(tree);
}

static bool is_there(const char *compiler) {
    struct result result = run("command -v %s", compiler);
    bool there = result.code == 0;

    result_free(result);
    return there;
}

static void succeeds(struct result result) {
    assert_code(result, 0);
    result_free(result);
}

/* device/NAME.cu becomes the program NAME, its engine without the sanitizer. */
static void builds(const char *name, const char *compiler, const char *flags) {
    succeeds(run("eval FLAGS=\\\"$FLAGS\\\"; \"$ROOT/build/cuda_to_cpp\" "
                 "\"$ROOT/common/tests/device/%s.cu\" >%s.cpp && "
                 "%s $FLAGS -c \"$ROOT/common/tests/device/engine.cpp\" "
                 "\"$ROOT/common/cpucuda/engine/fences.cpp\" && "
                 "%s $FLAGS %s -o %s %s.cpp engine.o fences.o",
                 name, name, compiler, compiler, flags, name, name));
}

static void test_numbers(void **state) {
    int i;

    (void)state;
    for (i = 0; i < COMPILERS; i++) {
        if (!is_there(compilers[i]))
            continue;
        builds("numbers", compilers[i], i ? "" : "-fsanitize=undefined -fno-sanitize-recover");
        succeeds(run("./numbers"));
    }
}

static void test_warps(void **state) {
    static const char *const said[] = {
        "warp.cu:138: __shfl_sync by lane 3, which its mask 0xffff0000 leaves out",
        "warp.cu:140: __shfl_sync: lane 0 reads from lane 20, which the mask 0x0000ffff leaves out",
        "warp.cu:142: __shfl_sync with a width of 5, not 1, 2, 4, 8, 16 or 32",
        "warp.cu:144: __shfl_sync: lane 0 reads from lane 31, which is not there",
        "warp.cu:146: tiled_partition<16> of 24 threads, which is no multiple of it"};
    struct result result;
    unsigned fault;
    int i;

    (void)state;
    for (i = 0; i < COMPILERS; i++) {
        if (!is_there(compilers[i]))
            continue;
        builds("warp", compilers[i], "");
        succeeds(run("./warp"));
        for (fault = 0; fault < sizeof said / sizeof *said; fault++) {
            result = run("./warp %u", fault + 1);
            assert_code(result, 3);
            assert_says(result.err, "cpucuda: warp-mask: ");
            assert_says(result.err, said[fault]);
            result_free(result);
        }
    }
}

/* Pattern and fault of fences.cu; without a fault nothing is reported. */
static void test_fences(void **state) {
    static const int faults[] = {4, 2, 3, 2, 2, 1};
    struct result result;
    char flags[128];
    int i, pattern, fault;

    (void)state;
    for (i = 0; i < COMPILERS; i++) {
        if (!is_there(compilers[i]))
            continue;
        snprintf(flags, sizeof flags, "-fsanitize=thread %s", volatile_flags[i]);
        builds("fences", compilers[i], flags);
        for (pattern = 0; pattern < 6; pattern++)
            for (fault = 0; fault < faults[pattern]; fault++) {
                result = run("timeout 60 ./fences %d %d", pattern, fault);
                if (result.code != (fault ? 66 : 0))
                    fail_msg("%s, pattern %d, fault %d ended with %d:\n%s", compilers[i], pattern,
                             fault, result.code, result.err);
                result_free(result);
            }
    }
}

/* How often `function` of copies.s calls `called`. */
static int calls(const char *function, const char *called) {
    struct result result =
        run("awk '/^[a-z]/ {at = $1} at == \"%s:\" && /__tsan_%s[@ ]*/ && /call|jmp|bl|b / "
            "{n++} END {print n + 0}' copies.s",
            function, called);
    int count = atoi(result.out);

    result_free(result);
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

static void test_copies_are_whole(void **state) {
    static const struct {
        const char *type;
        int size, times;
    } types[] = {{"char2", 2, 1},   {"uchar4", 4, 1},  {"short2", 4, 1}, {"short4", 8, 1},
                 {"int2", 8, 1},    {"int4", 16, 1},   {"long2", 16, 1}, {"float2", 8, 1},
                 {"float4", 16, 1}, {"double2", 16, 1}};
    unsigned t;
    int i;

    (void)state;
    for (i = 0; i < COMPILERS; i++) {
        if (!is_there(compilers[i]))
            continue;
        succeeds(run("eval FLAGS=\\\"$FLAGS\\\"; %s $FLAGS -fsanitize=thread -S -o copies.s "
                     "\"$ROOT/common/tests/device/copies.cpp\"",
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_copies_are_whole),
    };

    return cmocka_run_group_tests(tests, set_up, leave_tree);
}
