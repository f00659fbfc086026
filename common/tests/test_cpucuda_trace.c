/* The trace of cpucuda: kernels whose requests are known by hand, compiled by every C++ compiler
 * there is. */
#include "testing.h"
#include "referee/build/source_line.h"
#include "traced.h"

static const uint64_t *numbers(const struct trace_line *line) {
    return &line->requests;
}

/* What a kernel shall count. `stores`: 0 loads, 1 stores. */
struct expected {
    const char *kernel;
    struct trace_line line;
};

#define GLOBAL(stores, width, requests, bytes, sectors, broadcasts)                                \
    {                                                                                              \
        0, GLOBAL_MEMORY, stores, width, requests, bytes, sectors, broadcasts,                     \
            (requests) - (broadcasts), (sectors) - (broadcasts), 0, 0                              \
    }
#define SHARED(stores, width, requests, bytes, broadcasts, wavefronts)                             \
    { 0, SHARED_MEMORY, stores, width, requests, bytes, 0, broadcasts, 0, 0, wavefronts, 0 }

#define CONSTANT(width, requests, bytes, broadcasts, again)                                        \
    { 0, CONSTANT_MEMORY, 0, width, requests, bytes, requests, broadcasts, 0, 0, 0, again }

/* Warps of 32; a broadcast touches one sector. Device memory starts at a multiple of 256. */
static const struct expected expected[] = {
    /* 4 warps, bodies of 24 bytes: 32 x 24 / 32 = 24 sectors per request */
    {"six-floats", GLOBAL(0, 4, 4, 512, 96, 0)},
    {"six-floats", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* one warp copies them: 6 words each way */
    {"whole-body", GLOBAL(0, 4, 6, 768, 144, 0)},
    {"whole-body", GLOBAL(1, 4, 6, 768, 144, 0)},
    {"one-array", GLOBAL(0, 4, 4, 512, 16, 0)},
    {"one-array", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 3 loads of 12 sectors a warp */
    {"three-floats", GLOBAL(0, 4, 12, 1536, 144, 0)},
    {"three-floats", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* one load of 16 bytes per lane */
    {"four-floats", GLOBAL(0, 16, 4, 2048, 64, 0)},
    {"four-floats", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"shifted", GLOBAL(0, 4, 4, 512, 20, 0)},
    {"shifted", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"two-loads", GLOBAL(0, 4, 8, 1024, 36, 0)},
    {"two-loads", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"adds", GLOBAL(0, 4, 4, 512, 16, 0)},
    {"adds", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"broadcast", GLOBAL(0, 4, 400, 51200, 400, 400)},
    {"broadcast", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 32 + 9 lanes: 4 + 2 sectors */
    {"partial-warp", GLOBAL(0, 4, 2, 164, 6, 0)},
    {"partial-warp", GLOBAL(1, 4, 2, 164, 6, 0)},
    {"short-block", GLOBAL(0, 4, 2, 160, 5, 0)},
    {"short-block", GLOBAL(1, 4, 2, 160, 5, 0)},
    /* turn j has lanes j to 31: 528 loads of 4 bytes, 8 turns each of 4, 3, 2 and 1 sectors */
    {"divergent", GLOBAL(0, 4, 32, 2112, 80, 1)},
    {"divergent", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* lanes 4 j bytes apart: 1 sector, then 4 j for j < 8, then 32 */
    {"fan", GLOBAL(0, 4, 100, 12800, 1 + 4 * 28 + 92 * 32, 1)},
    {"fan", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* 2 warps, 32 integers from j j on: 4 sectors if j is a multiple of 4, else 5 */
    {"scattered", GLOBAL(0, 4, 200, 25600, 2 * (25 * 4 + 75 * 5), 0)},
    {"scattered", GLOBAL(1, 4, 2, 256, 8, 0)},
    {"column", SHARED(1, 4, 32, 4096, 0, 32)},
    {"column", SHARED(0, 4, 1, 128, 0, 32)},
    {"column", GLOBAL(1, 4, 1, 128, 4, 0)},
    {"padded-column", SHARED(1, 4, 32, 4096, 0, 32)},
    {"padded-column", SHARED(0, 4, 1, 128, 0, 1)},
    {"padded-column", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* stores to every second element and to every one; then all load the same */
    {"wide-8", SHARED(1, 8, 2, 512, 0, 4 + 2)},
    {"wide-8", SHARED(0, 8, 1, 256, 1, 1)},
    {"wide-8", GLOBAL(1, 4, 1, 128, 4, 0)},
    {"wide-16", SHARED(1, 16, 2, 1024, 0, 8 + 4)},
    {"wide-16", SHARED(0, 16, 1, 512, 1, 2)},
    {"wide-16", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* 2 blocks of 2 warps, 4 tiles of 64 */
    {"tiles", GLOBAL(0, 4, 16, 2048, 64, 0)},
    {"tiles", SHARED(1, 4, 16, 2048, 0, 16)},
    {"tiles", SHARED(0, 4, 1024, 131072, 1024, 1024)},
    {"tiles", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* copied as whole vectors, loaded by every fourth word */
    {"asynchronous", GLOBAL(0, 16, 1, 512, 16, 0)},
    {"asynchronous", SHARED(1, 16, 1, 512, 0, 4)},
    {"asynchronous", SHARED(0, 4, 1, 128, 0, 4)},
    {"asynchronous", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* 40 blocks, on a stack that ends where their shared memory begins */
    {"exchange", SHARED(1, 16, 40, 20480, 0, 160)},
    {"exchange", SHARED(0, 4, 1280, 163840, 1280, 1280)},
    {"exchange", GLOBAL(1, 4, 40, 5120, 160, 0)},
    /* 2 blocks that run in turns */
    {"meeting", SHARED(1, 4, 2, 256, 0, 2)},
    {"meeting", SHARED(0, 4, 2, 256, 0, 2)},
    {"meeting", GLOBAL(1, 4, 2, 256, 8, 0)},
    /* 7 that change memory, one that only loads */
    {"atomics", GLOBAL(1, 4, 28, 3584, 28, 28)},
    {"atomics", GLOBAL(0, 4, 4, 512, 4, 4)},
    {"program-variable", GLOBAL(0, 4, 2, 256, 8, 0)},
    {"program-variable", GLOBAL(1, 4, 2, 256, 8, 0)},
    /* memset and memcpy; 6 words, 24 bytes apart: 2 lanes a bank */
    /* 2 blocks of 2 warps, 4 times past a barrier; of the first time nothing is asked again */
    {"own-in-loop", {0, GLOBAL_MEMORY, 0, 4, 16, 2048, 64, 0, 16, 64, 0, 1536}},
    {"own-in-loop", CONSTANT(4, 16, 2048, 16, 1536)},
    {"own-in-loop", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 2 a warp; 100 a warp */
    {"two-own-in-loop", GLOBAL(0, 4, 408, 52224, 1632, 0)},
    {"two-own-in-loop", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"set-and-copied", SHARED(1, 4, 6, 768, 0, 12)},
    {"set-and-copied", SHARED(0, 4, 6, 768, 0, 12)},
    {"set-and-copied", GLOBAL(1, 4, 6, 768, 144, 0)},
    /* one lane sets 32 words */
    {"set-at-once", SHARED(1, 4, 32, 128, 32, 32)},
    {"set-at-once", SHARED(0, 4, 1, 128, 0, 1)},
    {"set-at-once", GLOBAL(1, 4, 1, 128, 1, 1)},
    {"either", SHARED(1, 4, 2, 256, 0, 2)},
    {"either", SHARED(0, 4, 1, 128, 0, 1)},
    {"either", GLOBAL(0, 4, 1, 128, 4, 0)},
    {"either", GLOBAL(1, 4, 2, 256, 8, 0)},
    {"written", SHARED(1, 4, 4, 512, 0, 4)},
    {"written", SHARED(0, 4, 4, 512, 0, 4)},
    {"written", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 20 launches of 40 blocks of 2 warps */
    {"workers", GLOBAL(0, 4, 1600, 204800, 6400, 0)},
    {"workers", GLOBAL(1, 4, 1600, 204800, 6400, 0)},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static int same_kind(const struct trace_line *a, const struct trace_line *b) {
    return a->space == b->space && a->stores == b->stores && a->width == b->width;
}

/* The sums of all instructions of the kind that `line` is; marks them as seen. */
static struct trace_line sum_like(struct counters *counters, const struct trace_line *line) {
    struct trace_line sum = {0};
    uint64_t *const to = &sum.requests;
    uint64_t i;
    int k;

    for (i = 0; i < counters->traced_lines; i++)
        if (same_kind(&counters->lines[i], line)) {
            for (k = 0; k < 8; k++)
                to[k] += numbers(&counters->lines[i])[k];
            counters->lines[i].width = 0;
        }
    return sum;
}

TEST(kernels_count_what_is_known_by_hand) {
    static const char *const names[] = {"requests",   "bytes",           "sectors",
                                        "broadcasts", "varied requests", "varied sectors",
                                        "wavefronts", "bytes again"};
    static const char *const spaces[] = {"global", "shared", "constant"};
    int p, i, k;
    uint64_t other;

    for (p = 0; p < program_count; p++) {
        for (i = 0; i < EXPECTED;) {
            const char *kernel = expected[i].kernel;
            struct counters counters;
            uint64_t global_bytes = 0;
            char *said;

            /* With 6, two blocks of own-in-loop run in turns. Of two blocks at once, one may come
             * between the other's load and its exchange: not with 1. */
            setenv("CPUCUDA_SEED", strcmp(kernel, "atomics") ? "6" : "1", 1);
            counters = traced(programs[p], kernel, &said);
            unsetenv("CPUCUDA_SEED");
            for (; i < EXPECTED && !strcmp(expected[i].kernel, kernel); i++) {
                const struct trace_line *line = &expected[i].line;
                const struct trace_line sum = sum_like(&counters, line);

                for (k = 0; k < 8; k++)
                    if (numbers(&sum)[k] != numbers(line)[k])
                        fail_msg("%s %s, %s %s of %u: %lu %s, not %lu", programs[p], kernel,
                                 spaces[line->space], line->stores ? "store" : "load", line->width,
                                 (unsigned long)numbers(&sum)[k], names[k],
                                 (unsigned long)numbers(line)[k]);
                global_bytes += line->space == GLOBAL_MEMORY ? line->bytes : 0;
            }
            for (other = 0; other < counters.traced_lines; other++)
                if (counters.lines[other].width)
                    fail_msg("%s %s: an access of %u bytes that is none", programs[p], kernel,
                             counters.lines[other].width);
            assert_int_equal(counters.global_bytes, global_bytes);
            assert_string_equal(said, !strcmp(kernel, "atomics") ? "128 0 ffffffff 256 9 8 -128\n"
                                      : !strcmp(kernel, "set-at-once")    ? "20202020\n"
                                      : !strcmp(kernel, "set-and-copied") ? "1010101\n"
                                                                          : "");
            free(said);
        }
    }
}

/* Counted by Nsight Compute on an NVIDIA H200 (l1tex__data_pipe_lsu_wavefronts_mem_shared
 * _op_ld and _op_st) for the patterns of cpucuda/trace_wavefronts.cpp. */
TEST(wavefronts_are_a_gpus) {
    static const char counted[] =
        "11112234111113241111122311112233111113231111222311111122111111221111122311111313"
        "111122221111122211111111111111211111121211112132\n"
        "11112234111113241111122311112233111113231111222311111122111111221111122311111313"
        "111122221111122211111111111111211111121211112132\n"
        "22245466111223241112222311123244111224241112332411122222111121331112232311122323"
        "111233321112232221233221111211221112222211122233\n"
        "22245466222333452223343522234255222234442223544422243332222222342223344522223523"
        "222443442223343422233222222222322223332322223243\n"
        "44898a9c224545462245544522454455223444562244557422344343222332442244556522233534"
        "223565552244444542566532222432422234332422335255\n"
        "44898a9c445666574458656744674875444464594455678844465455444544464454576544444544"
        "444566564457776743566543344443644455444544436477\n";
    struct result result;

    result = run("programs/trace_wavefronts");
    assert_code(result, 0);
    assert_string_equal(result.out, counted);
}

/* Puts a star for which thread it was: their order is shuffled. */
static void hide_thread(char *message) {
    char *from = strstr(message, "thread ("), *to = from ? strchr(from, ')') : NULL;

    if (to) {
        from[8] = '*';
        memmove(from + 9, to, strlen(to) + 1);
    }
}

/* `format` has a %d for the line of each mark that is not NULL. */
__attribute__((format(printf, 2, 0))) static void
fails_with(const char *kernel, const char *format, const char *mark, const char *second_mark) {
    char message[1024], wanted[1024];
    int p;

    for (p = 0; p < program_count; p++) {
        struct result result = run("CPUCUDA_SEED=1 '%s' %s", programs[p], kernel);

        assert_code(result, 67);
        assert_true(strlen(result.err) < sizeof message);
        strcpy(message, result.err);
        hide_thread(message);
        source_lines_in(programs[p], message, sizeof message);
        snprintf(wanted, sizeof wanted, format, mark ? line_of(mark) : 0,
                 second_mark ? line_of(second_mark) : 0);
        assert_string_equal(message, wanted);
    }
}

TEST(memory_of_the_host_is_found) {
    static const char message[] =
        "cpucuda: host-pointer: one_array, block (0,0,0), thread (*): at trace_kernels.cu:%d it "
        "used memory of the host; copy it with cudaMemcpy and pass the device's pointer, or, if "
        "that is what it has, look at the index: it may be far off\n";

    fails_with("host-pointer", message, "// copies one array", NULL);
    fails_with("host-stack", message, "// copies one array", NULL);
}

TEST(unwritten_shared_memory_is_found) {
    static const char message[] =
        "cpucuda: uninitialised: unwritten, block (0,0,0), thread (*): at trace_kernels.cu:%d "
        "it "
        "read 4 bytes of shared `tile` (tests/cpucuda/trace_kernels.cu:%d) that no thread had "
        "written\n";

    fails_with("unwritten", message, "// reads too much", "// a part is written");
    fails_with("neighbours",
               "cpucuda: uninitialised: neighbours, block (0,0,0), thread (*): at "
               "trace_kernels.cu:%d it read 4 bytes of shared `second` "
               "(tests/cpucuda/trace_kernels.cu:%d) "
               "that no thread had written\n",
               "// nobody wrote it", "float second");
    /* what an earlier launch wrote does not count */
    fails_with("written-once", message, "// reads too much", "// a part is written");
}

TEST(too_many_addresses_are_refused) {
    fails_with("flood",
               "cpucuda: internal: the addresses between two barriers need more than 256 MiB; "
               "trace it with fewer bodies\n",
               NULL, NULL);
}

/* A member that nobody wrote is copied with its struct: no error. */
TEST(unwritten_padding_may_be_copied) {
    static const char *const kernels[] = {"padding", "padding-before"};
    int p;

    for (p = 0; p < 2 * program_count; p++) {
        char *said;

        traced(programs[p / 2], kernels[p % 2], &said);
        free(said);
    }
}

/* Five launches of 80 MiB each. */
TEST(memory_is_given_back_at_every_barrier) {
    int p;

    for (p = 0; p < program_count; p++) {
        char *said;

        traced(programs[p], "floods", &said);
        free(said);
    }
}

TEST(the_lines_with_the_most_bytes_are_kept) {
    int p;
    uint64_t i, found = 0;

    for (p = 0; p < program_count; p++) {
        char *said;
        struct counters counters = traced(programs[p], "many-lines", &said);

        for (i = 0; i < counters.traced_lines; i++)
            found += counters.lines[i].bytes == 128;
        assert_int_equal(counters.traced_lines, TRACE_LINES);
        assert_int_equal(counters.global_bytes, 75 * 4 + 128);
        assert_int_equal(found, p + 1);
        free(said);
    }
}

GROUP(set_up, leave_tree)
