/* cuda_fp16.h of cpucuda: its results, its names and types, how often it touches memory. The
 * programs are in tests/half/ and say themselves what is wrong. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "command.h"

static char root[512];
static const char *const compilers[] = {"clang++", "g++"};

static int set_up(void **state) {
    char path[128];

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    snprintf(path, sizeof path, "%s/build", tree);
    return mkdir(path, 0777) || chdir(tree);
}

static int exists(const char *command) {
    struct result result = run("command -v %s", command);
    int code = result.code;

    result_free(result);
    return code == 0;
}

/* It ended well and said nothing. */
static void assert_silent(struct result result) {
    assert_code(result, 0);
    if (*result.out || *result.err)
        fail_msg("said:\n%s%s", result.out, result.err);
    result_free(result);
}

/* Compiles the tested program, each file on its own, and runs it; with the first so many compilers
 * of those that are there. */
static void results_with(const char *options, int most) {
    int i, tried = 0;

    for (i = 0; i < 2 && tried < most; i++) {
        if (!exists(compilers[i]))
            continue;
        assert_silent(run("for file in '%s'/common/tests/half/*.cpp; do "
                          "%s -std=c++17 %s -Wall -Wextra -I'%s/common/cpucuda/include' -pthread "
                          "-c \"$file\" -o \"$(basename \"$file\")-%d.o\" & done; wait; "
                          "%s %s -pthread -o program ./*.cpp-%d.o -lm && ./program",
                          root, compilers[i], options, root, i, compilers[i], options, i));
        tried++;
    }
    assert_true(tried);
}

static void test_unoptimised(void **state) {
    (void)state;
    results_with("-O0", 2);
}

static void test_optimised(void **state) {
    (void)state;
    results_with("-O2", 2);
}

/* -O1 is also what a trace build has. */
static void test_undefined_behaviour(void **state) {
    (void)state;
    results_with("-O1 -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all", 1);
}

/* A user's code compiles with the toolkit as with cpucuda. */
static void test_names(void **state) {
    int i;

    (void)state;
    for (i = 0; i < 2; i++) {
        if (exists(compilers[i]))
            assert_silent(run("%s -std=c++17 -Wall -Wextra -I'%s/common/cpucuda/include' -x c++ "
                              "-fsyntax-only '%s/common/tests/half/names.cu'",
                              compilers[i], root, root));
    }
}

static void test_names_of_the_toolkit(void **state) {
    (void)state;
    if (!exists("nvcc"))
        skip();
    assert_silent(run("nvcc -std=c++17 -arch=sm_75 -Werror all-warnings -cubin -o names.cubin "
                      "'%s/common/tests/half/names.cu'",
                      root));
}

/* The calls that a function of copies.cu makes of the race detector, in the order of the alphabet.
 */
static void accesses(const char *assembly, const char *function, char *text, size_t size) {
    static const char *const names[] = {"read1",   "read2",  "read4",     "read8",  "read16",
                                        "read_",   "write1", "write2",    "write4", "write8",
                                        "write16", "write_", "unaligned", "memcpy", "memmove"};
    char label[64], *start, *end;
    size_t i;

    snprintf(label, sizeof label, "\n%s:", function);
    start = strstr(assembly, label);
    assert_non_null(start);
    end = strstr(start, "__tsan_func_exit");
    assert_non_null(end);
    *text = 0;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        char call[64], *found = start;
        size_t length =
            (size_t)snprintf(call, sizeof call, "%s%s", i < 13 ? "__tsan_" : "", names[i]);

        while ((found = strstr(found, call)) && found < end) {
            found += length;
            if (*found < '0' || *found > '9')
                strncat(text, names[i], size - strlen(text) - 1);
        }
    }
}

static void test_accesses(void **state) {
    static const char *const wanted[][2] = {
        {"copy_half", "read2write2"},
        {"copy_half2", "read4write4"},
        {"load_half2", "read4write4"},
        {"sum_half2", "read4read4write4"},
        {"fused_half2", "read4read4read4write4"},
        {"convert", "read2write4"},
        {"high", "read2write4"},
        {"copy_two", "read4read4write4write4"},
    };
    size_t i, j;

    (void)state;
    for (i = 0; i < 2; i++) {
        char *assembly;
        if (!exists(compilers[i]))
            continue;
        assert_silent(run("%s -std=c++17 -O1 -fsanitize=thread -Wall -Wextra "
                          "-I'%s/common/cpucuda/include' -x c++ -S -o copies.s "
                          "'%s/common/tests/half/copies.cu'",
                          compilers[i], root, root));
        assembly = read_file("copies.s", NULL);
        assert_non_null(assembly);
        for (j = 0; j < sizeof wanted / sizeof *wanted; j++) {
            char got[256];
            accesses(assembly, wanted[j][0], got, sizeof got);
            assert_string_equal(got, wanted[j][1]);
        }
        free(assembly);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unoptimised),          cmocka_unit_test(test_optimised),
        cmocka_unit_test(test_undefined_behaviour),  cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_of_the_toolkit), cmocka_unit_test(test_accesses),
    };
    return cmocka_run_group_tests(tests, set_up, leave_tree);
}
