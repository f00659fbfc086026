/* cuda_fp16.h of cpucuda: its results, its names and types, how often it touches memory. The
 * programs of cpucuda/half_* say themselves what is wrong. */
#include "testing.h"
#include "cpucuda_programs.h"

/* It ended well and said nothing. */
static void assert_silent(struct result result) {
    assert_code(result, 0);
    if (*result.out || *result.err)
        fail_msg("said:\n%s%s", result.out, result.err);
}

TEST(test_results) {
    int compiler;

    for (compiler = 0; compiler < compiler_count; compiler++) {
        assert_silent(run("programs/half.%s.unoptimised", compilers[compiler]));
        assert_silent(run("programs/half.%s.plain", compilers[compiler]));
    }
    assert_silent(run("programs/half.%s.undefined", compilers[compiler_count - 1]));
}

TEST(test_mistakes) {
    static const char *const operations[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                             "__shfl_xor_sync"};
    char said[96];
    int i;

    for (i = 0; i < 4; i++) {
        struct result result = run("programs/half.%s.plain %d", compilers[0], i);

        snprintf(said, sizeof said, "%s by lane 0, which its mask 0xfffffffe leaves out",
                 operations[i]);
        assert_code(result, 67);
        assert_says(result.err, said);
        assert_says(result.err, "half_threads.cu:");
    }
}

/* A user's code compiles with the toolkit as with cpucuda. */
TEST(test_names) {
    int i;

    for (i = 0; i < compiler_count; i++)
        assert_silent(run("%s -std=c++17 -Wall -Wextra -Iroot/common/cpucuda/include -x c++ "
                          "-fsyntax-only sources/half_names.cu",
                          compilers[i]));
}

TEST(test_names_of_the_toolkit) {
    if (system("command -v nvcc >/dev/null"))
        skip();
    assert_silent(run("nvcc -std=c++17 -arch=sm_75 -Werror all-warnings -cubin -o names.cubin "
                      "sources/half_names.cu"));
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

TEST(test_accesses) {
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

    for (i = 0; i < (size_t)compiler_count; i++) {
        char *assembly;

        assert_silent(
            run("%s -std=c++17 -O1 -fsanitize=thread -Wall -Wextra "
                "-Iroot/common/cpucuda/include -x c++ -S -o copies.s sources/half_copies.cu",
                compilers[i]));
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

GROUP(enter_programs, leave_tree)
