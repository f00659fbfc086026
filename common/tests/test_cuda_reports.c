/* What the referee makes of a sanitizer's reports on steps in CUDA C, and of cpucuda's last words.
 */
#include "testing.h"
#include "command.h"
#include "referee/judge/sanitizer.h"
#include "referee/play/last_words.h"

/* A report of clang 14 about a missing barrier, shortened. */
#define THREADS_OF(first, second)                                                                  \
    "  Thread T359 '" first "' (tid=0, running) created by thread T1 at:\n    #0 start\n\n"        \
    "  Thread T44 '" second "' (tid=0, finished) created by thread T1 at:\n    #0 start\n\n"
#define REPORT(first_line, second_line)                                                            \
    "WARNING: ThreadSanitizer: data race (pid=1952)\n"                                             \
    "  Write of size 4 at 0x7fffd5b3ff80 by thread T359:\n"                                        \
    "    #0 k /home/ada/nbody.cu:" first_line " (tg+0x5fe2)\n\n"                                   \
    "  Previous read of size 4 at 0x7fffd5b3ff80 by thread T44:\n"                                 \
    "    #0 k /home/ada/nbody.cu:" second_line " (tg+0x5fe2)\n\n"

#define NOTE                                                                                       \
    "cpucuda: note: memory that cudaMalloc in nbody.cu:80 made, 24000 bytes; this is byte 4\n"

TEST(test_reports_about_kernels) {
    static const struct {
        const char *report, *words[3];
    } rows[] = {
        {REPORT("53", "58") THREADS_OF(
             "block (0,0,0) thread (0,0,0)",
             "block (0,0,0) thread (34,0,0)") "cpucuda: note: shared variable `tile` of "
                                              "nbody.cu:38, 1024 bytes; this is byte 0\n",
         {"read of 4 bytes at nbody.cu:58 by thread (34,0,0) of block (0,0,0), write of 4 bytes at "
          "nbody.cu:53 by thread (0,0,0)",
          "__syncthreads(), is missing on the way from line 58 to line 53",
          "(shared variable `tile` of nbody.cu:38"}},
        {REPORT("53", "58") THREADS_OF(
             "block (0,0,0) thread (1,0,0)",
             "block (0,0,0) thread (31,0,0)") "cpucuda: note: shared variable `tile` of "
                                              "nbody.cu:38, 1024 bytes; this is byte 0\n",
         {"two threads of one block",
          "this is byte 0): a barrier is missing on the way from line 58 to line 53", ""}},
        {REPORT("53", "58")
             THREADS_OF("block (0,0,0) thread (1,0,0)", "block (0,1,0) thread (1,0,0)"),
         {"threads of two blocks", "blocks run in any order", ""}},
        {REPORT("53", "53")
             THREADS_OF("block (0,0,0) thread (1,0,0)", "block (0,1,0) thread (1,0,0)"),
         {"threads of two blocks", "an atomic operation is missing", ""}},
        /* Of memory that cudaMalloc made, the index and the arrays are asked for first. */
        {REPORT("53", "58")
             THREADS_OF("block (0,0,0) thread (1,0,0)", "block (0,0,0) thread (31,0,0)") NOTE,
         {"(memory that cudaMalloc in nbody.cu:80 made, 24000 bytes; this is byte 4): do two "
          "threads have the same "
          "index, does an index run past its array into the next, or do two arrays overlap? If one "
          "is to use what the other wrote, a barrier, "
          "__syncthreads(), is missing on the way from line 58 to line 53, or back",
          "", ""}},
        {REPORT("53", "58")
             THREADS_OF("block (0,0,0) thread (1,0,0)", "block (3,0,0) thread (1,0,0)") NOTE,
         {"do two arrays overlap? If one is to use what the other wrote, blocks run in any order, "
          "so what one writes another may use only in the next launch",
          "", ""}},
        {REPORT("53", "53")
             THREADS_OF("block (0,0,0) thread (1,0,0)", "block (0,0,0) thread (31,0,0)") NOTE,
         {"do two arrays overlap? Else an atomic operation is missing", "", ""}},
        {REPORT("53", "58"), {"two threads touch the same memory", "in another thread", ""}},
    };
    char message[SANITIZER_MESSAGE];
    size_t i;
    int k;

    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sanitizer_read(rows[i].report, "nbody.cu", message), OUTCOME_RACE);
        for (k = 0; k < 3; k++)
            assert_says(message, rows[i].words[k]);
    }
}

/* The longest message, in the step with the longest name, is whole. */
TEST(test_a_long_report) {
    static const char source[] = "steps/07_device_integration/nbody.cu";
    static const char report[] =
        "WARNING: ThreadSanitizer: data race (pid=1952)\n"
        "  Write of size 4 at 0x7fffd5b3ff80 by thread T359:\n"
        "    #0 k /home/ada/steps/07_device_integration/nbody.cu:153 (tg+0x5fe2)\n\n"
        "  Previous read of size 4 at 0x7fffd5b3ff80 by thread T44:\n"
        "    #0 k /home/ada/steps/07_device_integration/nbody.cu:158 (tg+0x5fe2)\n\n" THREADS_OF(
            "block (1023,0,0) thread (1023,0,0)",
            "block (1022,0,0) thread (1023,0,0)") "cpucuda: "
                                                  "note: memory that cudaMalloc in "
                                                  "steps/07_device_integration/nbody.cu:180 made, "
                                                  "3145728 "
                                                  "bytes; this is byte 3145724\n";
    char message[SANITIZER_MESSAGE];

    assert_int_equal(sanitizer_read(report, source, message), OUTCOME_RACE);
    assert_says(message, "in the next launch, or behind atomic operations and a __threadfence()");
}

/* Another cause, another outcome: two streams; and atomic accesses are accesses. */
TEST(test_reports_about_streams) {
    static const char report[] = REPORT("53", "58")
        THREADS_OF("block (0,0,0) thread (0,0,0) stream 2 line 86", "cudaMemcpy stream 1 line 80");
    static const char same[] =
        REPORT("53", "58") THREADS_OF("block (0,0,0) thread (0,0,0) stream 2 line 86",
                                      "block (0,0,0) thread (40,0,0) stream 2 line 86");
    static const char atomic[] =
        "WARNING: ThreadSanitizer: data race (pid=1952)\n"
        "  Read of size 4 at 0x7fffd5b3ff80 by thread T359:\n"
        "    #0 k /home/ada/nbody.cu:45 (tg+0x5fe2)\n\n"
        "  Previous atomic write of size 4 at 0x7fffd5b3ff80 by thread T44:\n"
        "    #0 k /home/ada/nbody.cu:41 (tg+0x5fe2)\n\n" THREADS_OF(
            "block (0,0,0) thread (0,0,0) stream 0 line 86",
            "block (0,0,0) thread (34,0,0) stream 0 line 86");
    char message[SANITIZER_MESSAGE];

    assert_int_equal(sanitizer_read(report, "nbody.cu", message), OUTCOME_ORDER);
    assert_says(message, "what nbody.cu:80 and nbody.cu:86 gave to two streams");
    assert_says(message, "in nbody.cu:58 and line 53");
    assert_int_equal(sanitizer_read(same, "nbody.cu", message), OUTCOME_RACE);
    assert_int_equal(sanitizer_read(atomic, "nbody.cu", message), OUTCOME_RACE);
    assert_says(message, "atomic write of 4 bytes at nbody.cu:41 by thread (34,0,0)");
    assert_says(message, "read of 4 bytes at nbody.cu:45 by thread (0,0,0)");
}

TEST(test_last_words) {
    static const struct {
        const char *printed;
        enum outcome outcome;
        const char *message;
    } rows[] = {
        {"cpucuda: inconclusive: measure again\n", OUTCOME_ACCEPTED, ""},
        {"cpucuda: limit: no fault of mine\n", OUTCOME_ACCEPTED, ""},
        {"hello\ncpucuda: barrier: a.cu:3: text\n", OUTCOME_BARRIER, "a.cu:3: text"},
        {"cpucuda: launch: one\ncpucuda: copy: two: 2\nlast", OUTCOME_COPY, "two: 2"},
        {"cpucuda: accepted: all is well\n", OUTCOME_ACCEPTED, ""},
        {"cpucuda: usage: x\n cpucuda: barrier: y\n", OUTCOME_ACCEPTED, ""},
        {"cpucuda: note: x\ncpucuda: barrier\n: z", OUTCOME_ACCEPTED, ""},
        {"", OUTCOME_ACCEPTED, ""},
    };
    char message[64];
    size_t i;

    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        *message = 0;
        assert_int_equal(last_words(rows[i].printed, "/bin/true", message, sizeof message),
                         rows[i].outcome);
        assert_string_equal(message, rows[i].message);
    }
    last_line("a\nb\n\n", message, sizeof message);
    assert_string_equal(message, "b");
}
