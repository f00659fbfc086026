/* Step 23's program: mutants, and its idea. */
#include "testing.h"

#include "built.h"
#include "one_cpu.h"
#include "problems/radix_sort/sort_problem.h"

#define STEP     "23_radix_sort"
#define TEXTBOOK "variants/textbook.cu"

static const struct edit kit[] = {SPLICED("keys.h"), {NULL}};

#define SIGNED_FLIP                                                                                \
    "if (kind == SIGNED_KEYS)\n        return bits ^ sign;\n    if (kind == FLOAT_KEYS)"
#define NO_SIGNED_FLIP "if (kind == FLOAT_KEYS)"
#define COUNTED                                                                                    \
    "__syncthreads();\n    for (int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS)\n"
#define CLEARED   "CUDA_CHECK(cudaMemsetAsync(histograms, 0, sort->scratch_bytes));\n"
#define ALLOCATED "CUDA_CHECK(cudaMalloc(&sort->scratch, sort->scratch_bytes));\n"

TEST(mutants_are_rejected_for_their_reason) {
    static const struct built_mutant mutants[] = {
        {{{"    __syncthreads(); /* the next caller writes there */\n", ""}},
         1000,
         OUTCOME_RACE,
         "two threads of one block",
         .build = "thread"},
        {{{"- 1) + earlier;", "- 1) + __popc(same) - 1 - earlier;"}},
         992,
         OUTCOME_WRONG,
         "equal keys are out of their order"},
        {{{"- 1) + earlier;", "- 1) + __popc(same) - 1 - earlier;"}},
         992,
         OUTCOME_WRONG,
         "the highest 8 bits are in order"},
        {{{"sort->tiles = divide_up(sort->parameters.n, shape::TILE)",
           "sort->tiles = sort->parameters.n / shape::TILE"}},
         8001,
         OUTCOME_MEMORY,
         "behind the 32004 bytes"},
        {{{"sort->tiles = divide_up(sort->parameters.n, shape::TILE)",
           "sort->tiles = sort->parameters.n / shape::TILE"}},
         8001,
         OUTCOME_WRONG,
         "place 7680 has what memory of the device holds before anything is written there",
         .file = TEXTBOOK},
        {{{"keys[0] += sorted[n / 2]", "keys[0] += sorted[n / 2 - 1]"}},
         1000,
         OUTCOME_WRONG,
         "key 0 of its input should have been changed by the key at place n / 2 = 500"},
        {{{SIGNED_FLIP, NO_SIGNED_FLIP}, {SIGNED_FLIP, NO_SIGNED_FLIP}},
         1000,
         OUTCOME_WRONG,
         "change the bits of signed keys"},
        {{{SIGNED_FLIP, NO_SIGNED_FLIP}},
         1000,
         OUTCOME_WRONG,
         "the sign bit of a signed key is turned over; the last pass has to turn exactly"},
        {{{"tile * TILE + place < n", "tile * TILE + place <= n"}},
         1000,
         OUTCOME_MEMORY,
         "directly behind the 4000 bytes"},
        {{{"pass.shift)] + place;", "pass.shift)];"}},
         1000,
         OUTCOME_MEMORY,
         "wrote memory that nobody has allocated: an index is far off"},
        {{{"tile_values[place] = value[i]", "tile_values[place] = value[0]"}},
         1000,
         OUTCOME_WRONG,
         "is not that of its key"},
        {{{"change<<<1, 1>>>", "if (n < 0)\n            change<<<1, 1>>>"}},
         1000,
         OUTCOME_WRONG,
         "it is the result of the first sort"},
        {{{COUNTED, "for (int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS)\n"}},
         257,
         OUTCOME_RACE,
         "(shared variable `counts` of",
         .build = "thread"},
        /* A second sort counts on from the first one's counts. */
        {{{CLEARED, ""},
          {ALLOCATED,
           ALLOCATED "    CUDA_CHECK(cudaMemset(sort->scratch, 0, sort->scratch_bytes));\n"}},
         1000,
         OUTCOME_MEMORY,
         "bytes that cudaMalloc in"},
    };

    assert_builds_rejected(STEP, kit, mutants, sizeof mutants / sizeof *mutants);
}

/* Whoever does not wait for earlier tiles is found where one CPU runs all blocks, too. */
TEST(blocks_run_side_by_side_on_one_cpu) {
    static const struct edit impatient[] = {{"earlier -= status != 0", "earlier--"}, {NULL, NULL}};
    static const struct options options = {.n = 30001, .seed = 1, .distribution = "keys"};
    static struct programs programs;
    static struct verdict verdict;
    const struct program *program = built(STEP, NULL, kit, impatient, NULL, "plain", &programs);
    cpu_set_t all;

    if (!program)
        skip();
    all = take_one_cpu();
    for (int t = 0; t < 8 && !verdict.outcome; t++) /* when they change places is the system's */
        assert_int_equal(check_program(&programs, program, &options, &verdict, NULL), 0);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(verdict.outcome == OUTCOME_MEMORY || verdict.outcome == OUTCOME_WRONG);
}

TEST(the_idea_is_in_kernels_and_stores) {
    enum { KEYS = 15360 }; /* two tiles */
    static const struct edit as_it_is[] = {{NULL, NULL}};
    static const struct edit scattered[] = {
        {"int place = i * THREADS + t;", "int place = (i * THREADS + t) * 7 % TILE;"},
        {NULL, NULL}};
    char message[512];

    if (!built_follows(STEP, NULL, kit, as_it_is, KEYS, message))
        fail_msg("%s", message);
    assert_false(built_follows(STEP, TEXTBOOK, kit, as_it_is, KEYS, message));
    assert_non_null(strstr(message, "a sort takes 12.5 kernels; at most 9 are wanted"));
    assert_false(built_follows(STEP, NULL, kit, scattered, KEYS, message));
    assert_non_null(strstr(message, "a warp's store of keys touches "));
}

/* 64 tiles of 512 keys: 32 sorted keys of 8 bits have 16 digits. */
TEST(small_tiles_have_short_runs) {
    struct observed observed = {.n = 32768, .iterations = 1};
    struct trace_line *store = observed.counters.lines;
    char message[512];

    observed.counters.interval_count = observed.counters.traced_lines = 1;
    observed.counters.intervals[0] = (struct interval){.kind = KERNEL, .blocks = 64};
    *store = (struct trace_line){
        .stores = 1, .width = 4, .bytes = 4 * 32768, .requests = 1024, .sectors = 19 * 1024};
    if (!step_follows(&radix_sort_problem, STEP, &observed, message))
        fail_msg("%s", message);
    store->sectors = 30 * 1024; /* nothing is sorted */
    assert_false(step_follows(&radix_sort_problem, STEP, &observed, message));
    assert_non_null(strstr(message, "at most 20 are wanted"));
    store->sectors = 19 * 1024;
    observed.counters.intervals[0].blocks = 5; /* tiles of 6554 keys */
    assert_false(step_follows(&radix_sort_problem, STEP, &observed, message));
    assert_non_null(strstr(message, "at most 12 are wanted"));
}

GROUP(read_catalogue_without_nvcc, NULL)
