/* What the verb explain rests on: occupancy, the loop of a step in C, sentences. */
#include "testing.h"
#include "command.h"
#include "course/explained_words.h"
#include "referee/machine/gpu.h"
#include "problems/nbody/nbody_problem.h"
#include "referee/estimate/occupancy.h"
#include "referee/play/own_word.h"

static const struct problem reduce = {.name = "reduce", .unit = "elements", .per = "element"};
const struct problem *const problems[] = {&nbody_problem, &reduce, NULL};

/* By CUDA's own cuda_occupancy.h. Each of these cases is decided by another limit. */
TEST(test_occupancy) {
    static const struct {
        const char *architecture;
        int threads, registers, shared_bytes;
        double percent;
        const char *limit;
    } cases[] = {
        {"sm_90", 256, 32, 3072, 100, NULL},
        {"sm_90", 256, 33, 3072, 75, "registers"}, /* as with 40: in pieces of 8 a thread */
        {"sm_90", 256, 40, 3072, 75, "registers"},
        {"sm_90", 256, 41, 3072, 62.5, "registers"},
        {"sm_90", 64, 48, 0, 62.5, "registers"}, /* each quarter holds whole warps */
        {"sm_90", 128, 32, 16384, 81.25, "shared memory"},
        {"sm_90", 1024, 32, 115712, 100, NULL}, /* with CUDA's own KiB half of it */
        {"sm_90", 1024, 32, 115713, 50, "shared memory"},
        {"sm_90", 32, 32, 0, 50, "blocks per multiprocessor"},
        {"sm_90", 768, 32, 0, 75, "threads per block"},
        {"sm_90", 33, 32, 0, 100, NULL}, /* two warps */
        {"sm_75", 32, 32, 0, 50, "blocks per multiprocessor"},
        {"sm_75", 1024, 64, 65536, 100, NULL},
        {"sm_80", 1024, 32, 82944, 100, NULL},
        {"sm_80", 1024, 32, 82945, 50, "shared memory"},
        {"sm_86", 64, 32, 0, 200.0 / 3, "blocks per multiprocessor"},
        {"sm_86", 1024, 32, 0, 200.0 / 3, "threads per block"},
        {"sm_89", 64, 32, 0, 100, NULL},
        {"sm_89", 512, 40, 0, 100, NULL},
        {"sm_90", 1025, 32, 0, 0, NULL},
        {"sm_90", 256, 256, 0, 0, NULL},
        {"sm_90", 256, 32, 300000, 0, "shared memory"},
        {"sm_100", 256, 32, 0, 0, NULL},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *limit;
        double share = occupancy_of(cases[i].architecture, cases[i].threads, cases[i].registers,
                                    cases[i].shared_bytes, &limit);

        if (share * 100 - cases[i].percent > 1e-9 || share * 100 - cases[i].percent < -1e-9)
            fail_msg("case %zu: %g%%, not %g%%", i, share * 100, cases[i].percent);
        if (cases[i].limit ? !limit || strcmp(limit, cases[i].limit) : limit != NULL)
            fail_msg("case %zu: %s is the limit, not %s", i, limit, cases[i].limit);
    }
}

/* The loop of a step in C: the root as an instruction, its call beside it left out; as a call
 * alone; in vectors, with a smaller loop for what they leave over. */
TEST(test_loop_in_c) {
    static const struct {
        const char *command, *counts;
    } cases[] = {
        {"cat common/tests/x86/scalar_and_call.dis",
         "slots 12\nfma 3\nroots 1\ndivisions 1\nrest 7\nlanes 1\ninteractions 1\n"},
        {"sed '/<forces>:/,/^$/d' common/tests/x86/scalar_and_call.dis",
         "slots 6\nfma 0\nroots 1\ndivisions 1\nrest 4\nlanes 1\ninteractions 1\n"},
        {"cat common/tests/x86/vectors.dis", "slots 0.3125\nfma 0.09375\nroots 0.0625\n"
                                             "divisions 0.03125\nrest 0.125\nlanes 16\n"
                                             "interactions 32\n"},
        {"sed 's/ps /pd /' common/tests/x86/vectors.dis",
         "slots 0.625\nfma 0.1875\nroots 0.125\ndivisions 0.0625\nrest 0.25\nlanes 8\n"
         "interactions 16\n"},
        {"sed 's/sqrt/add/' common/tests/x86/vectors.dis | grep -v rsqrt | sed s/radd14ps/addps/",
         ""},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result = run("%s | awk -f common/report/tools/x86.awk", cases[i].command);

        assert_code(result, 0);
        assert_string_equal(result.out, cases[i].counts);
    }
}

/* A wait with a name that is not known, figures that are 0 or hardly differ, one beside none. */
TEST(test_sentences) {
    static struct step step = {.name = "05_tiling", .problem = "nbody", .source = "nbody.cu"};
    static struct step previous = {.name = "04_soa", .problem = "nbody", .source = "nbody.cu"};
    static struct explained after, before;
    char sentences[MOST_SENTENCES][SENTENCE_BYTES];

    after.programs.step = &step;
    before.programs.step = &previous;
    figure_set(&before, FIGURE_spill_bytes, 0, 'a');
    figure_set(&after, FIGURE_spill_bytes, 0, 'a');
    figure_set(&before, FIGURE_slots, 37, 'a');
    figure_set(&after, FIGURE_slots, 36.5, 'a');
    figure_set(&after, FIGURE_sectors, 4, 'a');
    strcpy(after.stall, "of_tomorrow");
    assert_int_equal(explained_sentences(&after, &before, sentences), 3);
    assert_string_equal(sentences[0],
                        "05_tiling beside 04_soa: nothing in the table differs by a tenth.");
    assert_string_equal(sentences[1], gpu_of_programs() < 0
                                          ? "Its limit is not known: `make bench STEP=05` measures "
                                            "it on a machine with a GPU."
                                          : "Its limit is not known: `make bench STEP=05` "
                                            "measures it.");
    assert_string_equal(sentences[2],
                        "Per instruction its warps of_tomorrow (of_tomorrow) for 0.00 cycles, "
                        "longer than for anything else; for 0.00 they are ready and not chosen.");
    /* the figure that an unrolled loop is about */
    figure_set(&after, FIGURE_slots, 35.59, 'a');
    explained_sentences(&after, &before, sentences);
    assert_says(sentences[0], "35.59 instructions per interaction instead of 37.00.");
    figure_set(&before, FIGURE_pinned, 0, 'a');
    figure_set(&after, FIGURE_pinned, 2, 'a');
    figure_set(&after, FIGURE_slots, 18, 'a');
    after.borrowed[0] = 'b';
    figure_set(&after, FIGURE_pinned, 2, 'b');
    strcpy(after.stall, "long_scoreboard");
    explained_sentences(&after, &before, sentences);
    assert_string_equal(sentences[0],
                        "05_tiling beside 04_soa: 18.00 instructions per interaction instead of "
                        "37.00 (2.06 times fewer); 2 copies from and to pinned memory instead of "
                        "none (the solution's).");
    assert_says(sentences[2], "wait for data from global or local memory (long_scoreboard)");
}

/* Another problem's step, by the words of that problem, in the table as in sentences. */
TEST(test_words_of_a_problem) {
    static struct step step = {.name = "41_tree", .problem = "reduce", .source = "reduce.cu"};
    static struct step previous = {.name = "40_sums", .problem = "reduce", .source = "reduce.cu"};
    static struct explained after = {.n = 1000}, before = {.n = 1000};
    static const struct origins origins = {.text = {"here"}, .count = 1};
    char sentences[MOST_SENTENCES][SENTENCE_BYTES], *text;
    static const enum figure known[] = {
        FIGURE_slots,        FIGURE_roots, FIGURE_shared_loads, FIGURE_global_loads,
        FIGURE_global_bytes, FIGURE_rate,  FIGURE_limit};
    int stdout_before;
    size_t i;

    after.programs.step = &step;
    before.programs.step = &previous;
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        figure_set(&before, known[i], 6, 'a');
        figure_set(&after, known[i], 2, 'a');
    }
    explained_sentences(&after, &before, sentences);
    assert_says(sentences[0], "2.00 instructions per element instead of 6.00 (3 times fewer); ");
    assert_says(sentences[0], "; 2 bytes of global memory per element instead of 6 ");
    assert_says(sentences[0], "; 2 billion elements per second instead of 6 ");
    stdout_before = catch_stdout();
    explained_print(&after, &before, &origins);
    text = caught_stdout(stdout_before);
    assert_says(text, "\n  instructions per element    ");
    assert_says(text, "\n  global memory, bytes per element ");
    assert_says(text, "\n  rate, 10^9 elements/s ");
    assert_says(text, "\n  limit, 10^9 elements/s ");
    assert_null(strstr(text, "interaction"));
    assert_null(strchr(text, '{'));
    free(text);
}

/* What a step says of its blocks is its own word. */
TEST(test_blocks_in_range) {
    static struct counters said;
    struct counters kept;

    said.intervals[0].threads = 1024;
    said.intervals[0].static_bytes = 1 << 20;
    said.intervals[1].threads = 1025;
    said.intervals[2].dynamic_bytes = (1 << 20) + 1;
    said.intervals[2].threads = 32;
    kept = counters_in_range(said);
    assert_int_equal(kept.intervals[0].threads, 1024);
    assert_int_equal(kept.intervals[1].threads, 0);
    assert_int_equal(kept.intervals[2].threads, 0);
    assert_int_equal(kept.intervals[2].dynamic_bytes, 0);
}

GROUP(enter_tree, leave_tree)
