/* Mutants of step 24's program, each rejected for its reason. */
#include "testing.h"
#include "spmv_inputs.h"
#include "referee/judge/check_program.h"
#include "edited.h"

static const struct step *step(void) {
    return catalogue_find(&catalogue, "24_spmv");
}

#define TILES "" /* of the solution; else a kernel of rows.cu */

/* The file with products.h in its place and an edit; FILE= of the referee. */
static const char *changed(const char *from, const char *to, const char *kernel) {
    char chosen[64] = "";

    if (*kernel)
        snprintf(chosen, sizeof chosen, "#define KERNEL %s\n#define LANES 1\n", kernel);
    return edited(*kernel ? "steps/24_spmv/rows.cu" : "solutions/24_spmv/spmv.cu",
                  (const struct edit[]){SPLICED("products.h"), {from, to}, {"", chosen}, {NULL}});
}

/* What the problem says of y as the mutant computes it. */
static struct judgement judged(const char *file, const char *distribution, int n) {
    struct spmv_input input = spmv_input(distribution, n, 1);
    struct player *player = spmv_player(step(), file, "tiles", &input, 1);
    struct spmv_answer *answer = spmv_answer(&input.matrix, input.x, 2);
    float *y = malloc((size_t)n * sizeof *y);
    struct judgement judgement;

    assert_true(answer && y);
    spmv_run(player, &input, 2, y);
    player_end(player);
    spmv_problem.judge(&input.parameters, input.memory, answer, y, distribution, 2, 1e-5,
                       &judgement);
    free(answer);
    free(y);
    free(input.memory);
    return judgement;
}

TEST(wrong_results_have_a_cause) {
    static const struct {
        const char *from, *to, *kernel, *distribution;
        int n;
        enum outcome outcome;
        const char *phrase;
    } mutants[] = {
        {"", "", TILES, "power_law", 1000, OUTCOME_ACCEPTED, ""},
        /* The last row is left out. */
        {"if (row >= a.rows)", "if (row >= a.rows - 1)", "thread_a_row", "surface", 1000,
         OUTCOME_NOT_FINITE, "y[999], the last, still holds x[999]"},
        {"lane == 0 && row < rows", "lane == 0 && row < rows - 1", TILES, "surface", 100,
         OUTCOME_NOT_FINITE, "y[99], the last, still holds x[99]"},
        /* Columns are off by one. */
        {"? 0 : loaded[i]]", "? 0 : min(loaded[i] + 1, a.rows - 1)]", TILES, "surface", 1000,
         OUTCOME_WRONG, "each column is taken for the one behind it"},
        /* The cache's window is off by one. */
        {"= x[row];", "= x[min(row + 1, a.rows - 1)];", "thread_a_row_cached", "surface", 1000,
         OUTCOME_WRONG, "window of its block of 256 rows, the element behind it is taken"},
        /* There is no barrier between filling the cache and using it. */
        {"__syncthreads();\n    if (row >= a.rows)", "if (row >= a.rows)", "thread_a_row_cached",
         "surface", 1000, OUTCOME_NOT_FINITE,
         "is there a barrier between filling it and reading it"},
        /* What a tile holds of a row that goes on is not added; nor all of many tiles; or it is not
           there. */
        {"y[row] += sum;", "y[row] += 0 * sum;", TILES, "surface", 1000, OUTCOME_WRONG,
         "multiple of 1792 items, nonzeros and ends of rows, lacks what lies before the cut"},
        {"tile + 1 < last, carries", "false, carries", TILES, "dense_row", 9000, OUTCOME_WRONG,
         "multiples of 1792 items, nonzeros and ends of rows, only its first and its last piece"},
        {"next <= rows", "next < rows", TILES, "dense_row", 9000, OUTCOME_NOT_FINITE,
         "every piece of a row that is added up later"},
        {"row <= rows;", "row < rows;", TILES, "surface", 1000, OUTCOME_WRONG,
         "multiple of 1792 items, nonzeros and ends of rows, lacks what lies before the cut"},
        /* Rows that are long for their group are left out; so are all but one of a warp's. */
        {"is_long && lane == 0", "false", TILES, "power_law", 1000, OUTCOME_WRONG,
         "rows of fewer than 33 nonzeros are wrong only where they are computed from a longer one"},
        {"left &= left - 1", "left = 0", TILES, "power_law", 1000, OUTCOME_WRONG,
         "longer one; who adds up long rows, and what if two lanes of a warp have one?"},
        /* Of a group's sum only what lane 0 has counts: a tile of 224 rows has a lane a row. */
        {"sum = sum_of_lanes(sum, group);", "", TILES, "surface", 1000, OUTCOME_WRONG,
         "what is different in the last tile: fewer items and rows, and so more lanes"},
        {"sum = sum_of_lanes(sum, group);", "", TILES, "lengths", 1000, OUTCOME_WRONG, ""},
        /* A lane goes on by a warp, in a group of one. */
        {"!is_long; k += group", "!is_long; k += WARP", TILES, "stencil_3d", 1000, OUTCOME_WRONG,
         "of a row the first nonzero counts, and no other; how far do lanes go on"},
        {"!is_long; k += group", "!is_long; k += 2 * group", TILES, "stencil_3d", 20000,
         OUTCOME_WRONG, "and those behind it in steps of 2; how far do lanes go on"},
        /* A piece of a row over many tiles is added twice. */
        {"carries, tile + 1, last", "carries, tile, last", TILES, "dense_row", 9000, OUTCOME_WRONG,
         "who adds up the pieces of a row over several tiles, and is each of them added once?"},
    };

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        const char *file = changed(mutants[m].from, mutants[m].to, mutants[m].kernel);
        struct judgement judgement = judged(file, mutants[m].distribution, mutants[m].n);

        if (judgement.outcome != mutants[m].outcome ||
            !strstr(judgement.message, mutants[m].phrase))
            fail_msg("mutant %zu: outcome %d, \"%s\"", m, judgement.outcome, judgement.message);
    }
}

/* Whether a build has rejected it for that, in such words. */
static int says(const struct check *check, enum outcome outcome, const char *phrase) {
    for (int i = 0; i < check->count; i++)
        if (check->verdicts[i].outcome == outcome && strstr(check->verdicts[i].message, phrase))
            return 1;
    return 0;
}

TEST(what_threads_share_and_runs_leave_is_watched) {
    static const struct {
        const char *from, *to, *kernel, *distribution;
        int n;
        enum outcome outcome;
        const char *phrase;
    } mutants[] = {
        {"__syncthreads();\n\n    int group", "int group", TILES, "surface", 300, OUTCOME_RACE,
         "shared variable `items`"},
        /* One thread beyond the tiles, one item beyond the matrix. */
        {"if (tile <= tiles)", "if (tile <= tiles + 1)", TILES, "surface", 300, OUTCOME_MEMORY, ""},
        {"row = tile < tiles", "row = tile <= tiles", TILES, "surface", 300, OUTCOME_MEMORY, ""},
        {"i * THREADS, count - 1)", "i * THREADS, count)", TILES, "surface", 300, OUTCOME_MEMORY,
         ""},
        {"column < begin + THREADS", "column <= begin + THREADS", "thread_a_row_cached", "surface",
         300, OUTCOME_MEMORY, ""},
        /* After an odd number of passes the next run begins with the other vector. */
        {"product->pass = 0;", "", TILES, NULL, 300, OUTCOME_WRONG,
         "right in the first run of an object, wrong in the second"},
    };
    static struct programs programs;
    static struct check check;

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        const struct options options = {
            .file = changed(mutants[m].from, mutants[m].to, mutants[m].kernel),
            .variant = "tiles",
            .distribution = mutants[m].distribution,
            .n = mutants[m].n,
            .seed = 1};

        assert_int_equal(programs_choose(&programs, step(), &options, 0), 0);
        assert_int_equal(check_step(&programs, &options, &check), 0);
        if (check.count == 1 && check.verdicts[0].skipped)
            skip(); /* no C++ compiler */
        if (!says(&check, mutants[m].outcome, mutants[m].phrase))
            fail_msg("mutant %zu: outcome %d, \"%s\"", m, check.outcome, check.verdicts[0].message);
    }
}

/* Rows over more tiles than a warp has lanes, and several rows over many tiles for one warp. */
TEST(cases_have_long_rows) {
    static const struct {
        const char *from, *to, *distribution;
    } mutants[] = {
        {"k < last; k += WARP)", "k < last; k += 1 << 30)", "dense_row"},
        {"left &= left - 1", "left = 0", "power_law"},
    };
    static struct programs programs;
    static struct verdict verdict;

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        const struct options options = {.file = changed(mutants[m].from, mutants[m].to, TILES),
                                        .seed = 1};
        const struct program *program;

        assert_int_equal(programs_choose(&programs, step(), &options, 0), 0);
        assert_int_equal(programs_build(&programs, "plain", "tiles"), 0);
        if (!(program = programs_find(&programs, "tiles", "plain")))
            skip(); /* no C++ compiler */
        assert_int_equal(check_program(&programs, program, &options, &verdict, NULL), 0);
        if (verdict.outcome != OUTCOME_WRONG || !strstr(verdict.message, mutants[m].distribution))
            fail_msg("mutant %zu: outcome %d, \"%s\"", m, verdict.outcome, verdict.message);
    }
}

/* How many of three further orders of threads and blocks give other bits than the first. */
static int other_products(const char *file) {
    enum { N = 60000 };
    static float y[4][N];
    struct spmv_input input = spmv_input("dense_row", N, 2);
    int others = 0;

    for (int order = 0; order < 4; order++) {
        struct player *player =
            spmv_player(step(), file, "small_tiles", &input, (uint64_t)order + 1);

        spmv_run(player, &input, 3, y[order]);
        player_end(player);
        others += memcmp(y[0], y[order], sizeof *y) != 0;
    }
    free(input.memory);
    return others;
}

/* The test of the same bits (test_spmv_step.c) is one only if the order could show. */
TEST(carries_added_in_any_order_show) {
    assert_true(other_products(changed("if (leads)\n        y[row] += sum;",
                                       "(void)sum;\n    if (row < a.rows)\n"
                                       "        atomicAdd(&y[row], carries[tile]);",
                                       TILES)) > 0);
}

GROUP(read_catalogue_without_nvcc, NULL)
