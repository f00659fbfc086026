/* cpucuda's engine: order, barriers, warps, shared memory, spinning, and what it says of mistakes.
 */
#include "testing.h"

#include <ctype.h>

#include "cpucuda_programs.h"

#define SOURCE "tests/cpucuda/engine.cu"

/* With the engine's own switch between stacks, by each compiler; then with the portable one. */
static char builds[4][64];

static int set_up(void **state) {
    int i;

    if (enter_programs(state))
        return -1;
    for (i = 0; i < compiler_count; i++)
        snprintf(builds[i], sizeof *builds, "programs/engine.%s.plain", compilers[i]);
    strcpy(builds[i], "programs/engine.portable");
    return 0;
}

/* What a build prints for `what`, with an environment; the caller frees it. */
static char *printed(const char *build, const char *environment, const char *what) {
    struct result result = run("%s %s '%s'", environment, build, what);

    assert_code(result, 0);
    assert_string_equal(result.err, "");
    return strdup(result.out);
}

static void says(const char *build, const char *what, const char *line) {
    struct result result = run("CPUCUDA_SEED=1 %s '%s'", build, what);
    char whole[1024];

    assert_code(result, 67);
    snprintf(whole, sizeof whole, "cpucuda: %s\n", line);
    assert_string_equal(result.err, whole);
}

/* Reads `count` numbers and returns them; the caller frees them. */
static int *numbers(char *text, int count) {
    int *values = calloc((size_t)count, sizeof *values);
    char *at = text;
    int i;

    for (i = 0; i < count; i++)
        values[i] = (int)strtol(at, &at, 10);
    while (isspace((unsigned char)*at))
        at++;
    assert_string_equal(at, "");
    free(text);
    return values;
}

static void same(char *left, char *right, int equal) {
    assert_int_equal(!strcmp(left, right), equal);
    free(left);
    free(right);
}

/* One seed and one worker: the same order again. Another seed: another order, of blocks and of the
 * threads in a block. */
TEST(test_order) {
    int i, *order, seen[200] = {0}, blocks_in_turn = 1, threads_in_turn = 1;

    same(printed(*builds, "CPUCUDA_SEED=7", "tickets"),
         printed(*builds, "CPUCUDA_SEED=7", "tickets"), 1);
    same(printed(*builds, "CPUCUDA_SEED=7", "tickets"),
         printed(*builds, "CPUCUDA_SEED=8", "tickets"), 0);
    same(printed(*builds, "", "tickets"), printed(*builds, "", "tickets"), 0);
    order = numbers(printed(*builds, "CPUCUDA_SEED=7", "tickets"), 200);
    for (i = 0; i < 200; i++) {
        assert_in_range(order[i], 0, 199);
        seen[order[i]]++;
        if (i && order[i] / 40 < order[i - 1] / 40)
            blocks_in_turn = 0;
        if (i && order[i] / 40 == order[i - 1] / 40 && order[i] < order[i - 1])
            threads_in_turn = 0;
    }
    for (i = 0; i < 200; i++)
        assert_int_equal(seen[i], 1);
    assert_false(blocks_in_turn);
    assert_false(threads_in_turn);
    free(order);
}

TEST(test_indices) {
    int i, *counts = numbers(printed(*builds, "", "indices"), 24 * 60 + 1);

    for (i = 0; i < 24 * 60; i++)
        assert_int_equal(counts[i], 1);
    assert_int_equal(counts[24 * 60], 0);
    free(counts);
}

TEST(test_barriers) {
    const char *const environments[] = {"CPUCUDA_SEED=1", "CPUCUDA_SEED=2", "CPUCUDA_WORKERS=4"};
    int build, environment, i;

    for (build = 0; *builds[build]; build++)
        for (environment = 0; environment < 3; environment++) {
            int *values = numbers(printed(builds[build], environments[environment], "sums"), 3072);

            for (i = 0; i < 3072; i++)
                assert_int_equal(values[i], 1023 * 1024 / 2 + 342);
            free(values);
        }
}

TEST(test_unwritten) {
    same(printed(*builds, "", "unwritten"), strdup("1 1 1\n"), 1);
}

TEST(test_spinning) {
    int build;

    for (build = 0; *builds[build]; build++) {
        same(printed(builds[build], "CPUCUDA_SEED=5 timeout -k 5 60", "spin"),
             strdup("1 6400 1 1024\n"), 1);
        same(printed(builds[build], "CPUCUDA_WORKERS=3 timeout -k 5 60", "spin"),
             strdup("1 6400 1 1024\n"), 1);
    }
}

/* Loops with votes and barriers in them wait for other blocks, too. */
TEST(test_spinning_together) {
    int i, *flags;

    flags = numbers(printed(*builds, "CPUCUDA_SEED=5 timeout -k 5 60", "spin together"), 80);
    for (i = 0; i < 80; i++)
        assert_int_equal(flags[i], 1);
    free(flags);
}

/* A launch that one worker runs has no other to offer the CPU to: on a busy machine each offer
 * takes as long as the others please. Where there are several, they sleep as soon as an offer took
 * long. */
TEST(test_waiting_on_a_busy_machine) {
    int *offers_and_sleeps;

    same(printed(*builds, "CPUCUDA_SEED=5 CPUCUDA_WORKERS=2", "few wait"), strdup("0 0\n"), 1);
    offers_and_sleeps =
        numbers(printed(*builds, "CPUCUDA_WORKERS=2 timeout -k 5 60", "many wait"), 2);
    assert_in_range(offers_and_sleeps[0], 3, 4);
    assert_in_range(offers_and_sleeps[1], 64, 3 * 64);
    free(offers_and_sleeps);
}

/* What a program that does not end says when it is asked to, soon or once it has come so far. */
static void says_when_asked(const char *environment, const char *what, const char *text) {
    struct result result = {0};

    for (double seconds = 0.3; seconds < 6; seconds *= 4) {
        result = run("%s timeout %g %s '%s'", environment, seconds, *builds, what);
        if (strstr(result.err, text))
            break;
    }
    assert_code(result, 124);
    assert_says(result.err, "cpucuda: hung: ");
    assert_says(result.err, text);
}

/* In which of a kernel's launches, or that it is in none. */
TEST(test_does_not_end) {
    says_when_asked("CPUCUDA_SEED=5", "third waits", "hung: launch 3 of third_waits, block (");
    says_when_asked("CPUCUDA_WORKERS=2", "third goes on",
                    "hung: launch 3 of third_goes_on does not end");
    says_when_asked(
        "CPUCUDA_SEED=5", "host goes on",
        "hung: launch 1 of returns_early was the last one so far, and host code goes on");
    says_when_asked("CPUCUDA_SEED=5", "launches go on",
                    " of third_waits was the last one so far, and host code goes on");
}

/* Blocks begin in any order, there may be room for few, and one may be overtaken by the others. */
TEST(test_waiting_for_other_blocks) {
    int *at_once;

    says_when_asked("CPUCUDA_SEED=5", "chain by index", "blocks have not begun");
    says_when_asked("CPUCUDA_WORKERS=3", "chain by index", "blocks have not begun");
    says_when_asked("CPUCUDA_SEED=5", "wait for nobody", "all blocks have begun");
    at_once = numbers(printed(*builds, "CPUCUDA_SEED=5 timeout -k 5 60", "chain by number"), 1);
    assert_in_range(*at_once, 20, 20 * 100 - 20);
    free(at_once);
}

/* More threads wait at once than the system would have guarded stacks for. */
TEST(test_crowd) {
    same(printed(*builds, "CPUCUDA_SEED=5 timeout -k 5 60", "crowd"), strdup("132\n"), 1);
}

/* ThreadSanitizer cannot follow all threads of so many workers' blocks at once. */
TEST(test_followed) {
    char build[64];

    snprintf(build, sizeof build, "programs/engine.%s.thread", compilers[compiler_count - 1]);
    same(printed(build, "CPUCUDA_WORKERS=16", "full"), strdup(""), 1);
}

TEST(test_deep) {
    struct result result;

    same(printed(*builds, "", "deep"), strdup("20\n"), 1);
    result = run("CPUCUDA_SEED=1 %s 'too deep'", *builds);
    assert_code(result, 67);
    assert_says(result.err, "cpucuda: memory: deep, block (0,0,0), thread (0,0,0)");
    assert_says(result.err, "needs more than its 64 KiB of local memory");
}

/* Threads that used the same stack one after the other are two threads for ThreadSanitizer. */
TEST(test_local_variables) {
    static const char *const environments[] = {"CPUCUDA_SEED=1", "CPUCUDA_WORKERS=4"};
    char build[64];
    int compiler, environment, i;

    for (compiler = 0; compiler < compiler_count; compiler++)
        for (environment = 0; environment < 2; environment++) {
            int *values;

            snprintf(build, sizeof build, "programs/engine.%s.thread", compilers[compiler]);
            values = numbers(printed(build, environments[environment], "locals"), 120);
            for (i = 0; i < 120; i++)
                assert_int_equal(values[i], 1);
            free(values);
        }
}

TEST(test_meetings) {
    int build, i;

    for (build = 0; *builds[build]; build++) {
        int *values = numbers(printed(builds[build], "", "meet"), 64);

        for (i = 0; i < 64; i++) {
            int lane = i % 32;

            assert_int_equal(values[i], lane < 16 ? lane ^ 1 : lane < 30 ? lane + 2 : lane);
        }
        free(values);
    }
}

/* Lines are those of engine.cu. */
TEST(test_mistakes) {
    struct result result;

    says(*builds, "two barriers",
         "barrier: two_barriers, block (0,0,0): 16 threads ((0,0,0) is one) wait at "
         "__syncthreads in " SOURCE ":122 and 16 ((16,0,0)) at __syncthreads in " SOURCE ":124; "
         "all threads of a block must come to the same barrier");
    says(*builds, "returns early",
         "barrier: returns_early, block (0,0,0): 2 threads ((30,0,0) is one) left the kernel by "
         "the return in " SOURCE ":128, while 30 threads wait at __syncthreads in " SOURCE
         ":129; a thread "
         "without work must still come to every barrier");
    says(*builds, "in branch",
         "barrier: in_branch, block (0,0,0): 2 threads ((30,0,0) is one) came to the kernel's end "
         "without __syncthreads in " SOURCE
         ":133, where 30 threads wait; a barrier must not stand in a "
         "branch or loop that only some threads enter");
    says(*builds, "masks differ",
         "warp-mask: masks_differ: thread (0,0,0) waits at __syncwarp in " SOURCE ":112 with mask "
         "0x55555557 for lane 1, thread (1,0,0), which waits at __syncwarp in " SOURCE ":112 with "
         "mask 0xffffffff; lanes that meet need the same call and the same mask");
    says(
        *builds, "two calls",
        "warp-mask: two_calls: thread (0,0,0) waits at __shfl_xor_sync in " SOURCE ":260 with mask "
        "0xffffffff for lane 16, thread (16,0,0), which waits at __shfl_xor_sync in " SOURCE ":262 "
        "with mask 0xffffffff; lanes that meet need the same call and the same mask");
    result = run("CPUCUDA_SEED=1 %s 'mask without self'", *builds);
    assert_code(result, 67);
    assert_says(result.err, "cpucuda: warp-mask: " SOURCE ":109: __syncwarp by lane ");
    result = run("CPUCUDA_SEED=1 %s 'lane elsewhere'", *builds);
    assert_code(result, 67);
    assert_says(result.err, "which names lane 3; that is thread (3,0,0), which waits at "
                            "__syncthreads in " SOURCE ":116");
    says(*builds, "too much",
         "launch: " SOURCE
         ":137: with `b` the static shared variables of too_much take 49600 bytes; "
         "at most 49152, and what is beyond must be dynamic");
    result = run("CPUCUDA_SEED=1 %s 'too much together'", *builds);
    assert_code(result, 67);
    assert_says(result.err, "with `fixed` the static shared variables of together take 30000 bytes "
                            "and its dynamic shared memory 19153; at most 49152 together, unless "
                            "cudaFuncSetAttribute allows more");
    same(printed(*builds, "", "together"), strdup("2\n2\n"), 1);
    result = run("CPUCUDA_SEED=1 %s 'too many blocks'", *builds);
    assert_code(result, 67);
    assert_says(result.err, "65535 x 65535 x 65535 blocks of tickets; on a CPU at most 268435456");
    says(*builds, "nested",
         "missing-call: " SOURCE ":143: nested launches mask_without_self; a kernel that launches "
         "kernels (dynamic parallelism) is not in this course");
    says(*builds, "unconfigured",
         "launch: a kernel was called like a function; a launch needs <<<grid, block>>>");
}

TEST(test_environment) {
    static const struct {
        const char *name, *most;
    } numbers[] = {{"CPUCUDA_SEED", "9223372036854775807"},
                   {"CPUCUDA_WORKERS", "1024"},
                   {"CPUCUDA_MULTIPROCESSORS", "1024"}};
    char line[128];

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct result result = run("%s=x1 %s tickets", numbers[i].name, *builds);

        assert_code(result, 1);
        snprintf(line, sizeof line, "cpucuda: %s=x1: a number from 0 to %s is needed\n",
                 numbers[i].name, numbers[i].most);
        assert_string_equal(result.err, line);
    }
}

GROUP(set_up, leave_tree)
