/* The problem `spmv`: what y is, what the judge says of a wrong one, and what a check looks for. */
#include "testing.h"
#include "problems/random.h"
#include "problems/sorted.h"
#include "spmv_inputs.h"
#include "technique_of_step.h"

enum { PASSES = 2 };

static const struct problem *const spmv = &spmv_problem;

/* 2 0 1    1        5      14
 * 0 0 0    2   ->   0  ->   0
 * 1 4 -1   3        6      -1 */
TEST(products_are_as_by_hand) {
    static const int starts[] = {0, 2, 2, 5}, columns[] = {0, 2, 0, 1, 2};
    static const float values[] = {2, 1, 1, 4, -1}, x[] = {1, 2, 3};
    const struct csr_matrix matrix = {3, 5, starts, columns, values};
    struct spmv_answer *once = spmv_answer(&matrix, x, 1), *twice = spmv_answer(&matrix, x, 2);
    const double right[2][3] = {{5, 0, 6}, {16, 0, -1}}, magnitudes[] = {5, 0, 12};

    assert_memory_equal(once->y, right[0], sizeof right[0]);
    assert_memory_equal(twice->y, right[1], sizeof right[1]);
    assert_memory_equal(once->magnitudes, magnitudes, sizeof magnitudes);
    free(once);
    free(twice);
}

/* y of two passes with faults made on purpose, apart from how diagnose.c makes them. */
struct fault {
    int passes, shift, window, skip_first, skip_last;
    int tile, by_items, last_piece; /* rows are cut at multiples of `tile` */
};

static void multiply_wrongly(const struct csr_matrix *a, const struct fault *fault, const float *x,
                             float *y) {
    for (int row = 0; row < a->rows; row++) {
        double sum = 0;

        for (int k = a->row_starts[row] + fault->skip_first;
             k < a->row_starts[row + 1] - fault->skip_last; k++) {
            int column = a->columns[k], place = k + (fault->by_items ? row : 0);
            int moved = column + fault->shift;
            int first = a->row_starts[row] + (fault->by_items ? row : 0);
            /* The piece of its last nonzero, or the one of its end. */
            int last = a->row_starts[row + 1] + (fault->by_items ? row : -1);

            if (moved >= 0 && moved < a->rows &&
                (!fault->window || column / fault->window == row / fault->window))
                column = moved;
            if (!fault->tile ||
                place / fault->tile == (fault->last_piece ? last : first) / fault->tile)
                sum += (double)a->values[k] * x[column];
        }
        y[row] = (float)sum;
    }
}

static struct judgement judged(const struct spmv_input *input, const char *distribution,
                               const float *y) {
    struct spmv_answer *answer = spmv_answer(&input->matrix, input->x, PASSES);
    struct judgement judgement;

    assert_non_null(answer);
    spmv->judge(&input->parameters, input->memory, answer, y, distribution, 2, 1e-5, &judgement);
    free(answer);
    return judgement;
}

TEST(wrong_products_are_told_apart) {
    enum { N = 3001 };
    static const struct {
        const char *distribution;
        struct fault fault;
        const char *phrase;
    } cases[] = {
        {"surface", {.passes = 2}, ""},
        {"power_law", {.passes = 2}, ""},
        {"surface", {.passes = 1}, "what the first pass gives"},
        {"surface", {.passes = 0}, "y is x as it came"},
        {"surface", {2, .shift = 1}, "taken for the one behind it"},
        {"power_law", {2, .shift = -1}, "taken for the one before it"},
        {"surface", {2, .skip_last = 1}, "the last nonzero of each row"},
        {"stencil_3d", {2, .skip_first = 1}, "the first nonzero of each row"},
        {"surface",
         {2, .shift = 1, .window = 256},
         "window of its block of 256 rows, the element behind"},
        {"surface",
         {2, .shift = -1, .window = 64},
         "window of its block of 64 rows, the element before"},
        {"surface", {2, .tile = 1024}, "multiple of 1024 nonzeros lacks what lies behind"},
        {"power_law",
         {2, .tile = 32, .last_piece = 1},
         "multiple of 32 nonzeros lacks what lies before"},
        {"surface",
         {2, .tile = 2048, .by_items = 1},
         "multiple of 2048 items, nonzeros and ends of rows, lacks what lies behind"},
        {"surface",
         {2, .tile = 1792, .by_items = 1, .last_piece = 1},
         "multiple of 1792 items, nonzeros and ends of rows, lacks what lies before"},
        {"dense_row",
         {2, .tile = 256, .by_items = 1, .last_piece = 1},
         "multiple of 256 items, nonzeros and ends of rows, lacks what lies before"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct spmv_input input = spmv_input(cases[c].distribution, N, 7);
        float x[N], y[N];
        struct judgement judgement;

        memcpy(y, input.x, sizeof y);
        for (int pass = 0; pass < cases[c].fault.passes; pass++) {
            memcpy(x, y, sizeof x);
            multiply_wrongly(&input.matrix, &cases[c].fault, x, y);
        }
        judgement = judged(&input, cases[c].distribution, y);
        assert_int_equal(judgement.outcome, *cases[c].phrase ? OUTCOME_WRONG : OUTCOME_ACCEPTED);
        if (!strstr(judgement.message, cases[c].phrase))
            fail_msg("\"%s\" lacks \"%s\"", judgement.message, cases[c].phrase);
        for (size_t o = 2; o < sizeof cases / sizeof *cases; o++)
            assert_true(o == c || !strstr(judgement.message, cases[o].phrase));
        free(input.memory);
    }
}

static void set_bits(float *value, unsigned bits) {
    memcpy(value, &bits, sizeof bits);
}

TEST(rows_that_nobody_wrote_are_named) {
    enum { N = 1000 };
    struct spmv_input input = spmv_input("surface", N, 8);
    struct judgement judgement;
    float right[N], y[N];

    assert_int_equal(spmv->trusted(&input.parameters, input.memory, right, PASSES), 0);
    assert_int_equal(judged(&input, "surface", right).outcome, OUTCOME_ACCEPTED);

    memcpy(y, right, sizeof y);
    set_bits(&y[7], POISON);
    judgement = judged(&input, "surface", y);
    assert_int_equal(judgement.outcome, OUTCOME_UNWRITTEN);
    assert_non_null(strstr(judgement.message, "1 of 1000 elements of y were never written, the "
                                              "first is y[7]"));
    memcpy(y, right, sizeof y);
    set_bits(&y[9], POISON_SHARED_COMPUTED);
    set_bits(&y[12], POISON_DEVICE_COMPUTED);
    judgement = judged(&input, "surface", y);
    assert_int_equal(judgement.outcome, OUTCOME_NOT_FINITE);
    assert_non_null(strstr(judgement.message, "2 of 1000"));
    assert_non_null(strstr(judgement.message, "is there a barrier"));

    set_bits(&y[9], POISON_DEVICE_COMPUTED);
    assert_non_null(strstr(judged(&input, "surface", y).message, "is every row's sum stored"));
    y[N - 1] = input.x[N - 1];
    judgement = judged(&input, "surface", y);
    assert_non_null(strstr(judgement.message, "y[999], the last, still holds x[999]"));
    free(input.memory);
}

/* A row of one nonzero may be x as it came, and right. */
TEST(rows_that_are_right_are_not_called_untouched) {
    enum { N = 300 };
    struct spmv_input input = spmv_input("lengths", N, 8);
    struct judgement judgement;
    float y[N];
    int kept = 0;

    assert_int_equal(spmv->trusted(&input.parameters, input.memory, y, PASSES), 0);
    for (int i = 0; i < N; i++)
        kept += y[i] == input.x[i];
    assert_true(kept > 0);
    set_bits(&y[9], POISON_SHARED_COMPUTED);
    judgement = judged(&input, "lengths", y);
    assert_null(strstr(judgement.message, "still holds"));
    assert_non_null(strstr(judgement.message, "is there a barrier"));
    free(input.memory);
}

/* What is computed from a long row is wrong with it, and comes first; so few rows fit a cut at many
 * places, and none is named. */
TEST(the_longest_wrong_row_is_named) {
    enum { N = 1000 };
    struct spmv_input input = spmv_input("dense_row", N, 8);
    struct judgement judgement;
    float y[N];

    assert_int_equal(spmv->trusted(&input.parameters, input.memory, y, PASSES), 0);
    y[5] *= 1.01f;
    y[N / 2] *= 1.01f;
    judgement = judged(&input, "dense_row", y);
    assert_non_null(strstr(judgement.message, "the first is row 5, of 3 nonzeros"));
    assert_non_null(strstr(judgement.message, "; the longest is row 500, of 1000 nonzeros"));
    free(input.memory);

    input = spmv_input("dense_row", 257, 8); /* 1025 nonzeros, of which the last row has three */
    assert_int_equal(spmv->trusted(&input.parameters, input.memory, y, PASSES), 0);
    {
        const struct fault fault = {2, .tile = 1024, .last_piece = 1};
        float x[257];

        memcpy(y, input.x, sizeof x);
        for (int pass = 0; pass < PASSES; pass++) {
            memcpy(x, y, sizeof x);
            multiply_wrongly(&input.matrix, &fault, x, y);
        }
    }
    judgement = judged(&input, "dense_row", y);
    assert_non_null(strstr(judgement.message, "2 of 257 rows are wrong"));
    assert_null(strstr(judgement.message, "that is cut"));
    free(input.memory);
}

/* A single row counts, and so does a small error of all. */
TEST(errors_have_two_bounds) {
    enum { N = 4000 };
    struct spmv_input input = spmv_input("surface", N, 9);
    float right[N], y[N];
    struct judgement judgement;

    assert_int_equal(spmv->trusted(&input.parameters, input.memory, right, PASSES), 0);
    memcpy(y, right, sizeof y);
    y[5] *= 1 + 2e-4f;
    judgement = judged(&input, "surface", y);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    assert_true(judgement.error_l2 < 1e-5);
    assert_non_null(strstr(judgement.message, "1 of 4000 rows are wrong"));
    assert_non_null(strstr(judgement.message, "the first is row 5, of "));
    y[5] = right[5] * (1 + 5e-5f);
    assert_int_equal(judged(&input, "surface", y).outcome, OUTCOME_ACCEPTED);
    for (int i = 0; i < N; i++)
        y[i] = right[i] * (1 + 2e-5f);
    judgement = judged(&input, "surface", y);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    assert_non_null(strstr(judgement.message, "wrong by 2e-05 of its length"));
    free(input.memory);
}

/* Also where many errors are equal. */
TEST(percentiles_are_those_of_an_order) {
    for (int n = 1; n <= 300; n += 1 + n / 4)
        for (int kinds = 1; kinds <= 1000; kinds *= 10)
            for (int rank = 0; rank < n; rank++) {
                double values[300], sorted[300];

                for (int i = 0; i < n; i++) {
                    struct random random = random_of((uint64_t)(n + kinds), (uint64_t)i);

                    values[i] = sorted[i] = (double)(random_bits(&random) % (unsigned)kinds);
                }
                sort_ascending(sorted, n);
                assert_true(percentile_of(values, n, (rank + 0.5) / n) == sorted[rank]);
            }
}

/* After a hundred passes x neither has grown nor vanished, and on a mesh one pass less shows. */
TEST(timed_runs_are_held_against_the_trusted_program) {
    enum { N = 20000 };

    for (const char *const *d = spmv_distributions; *d; d++) {
        struct spmv_input input = spmv_input(*d, N, 10);
        float *right = malloc(2 * N * sizeof *right), *fewer = right + N;
        struct judgement judgement;
        double largest = 0;

        assert_int_equal(spmv->trusted(&input.parameters, input.memory, right, 100), 0);
        for (int i = 0; i < N; i++)
            largest = fmax(largest, right[i]);
        if (!(largest > 0.5 && largest < 20))
            fail_msg("%s: %g", *d, largest);
        spmv->judge_timed(&input.parameters, input.memory, right, right, 2e-3, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
        assert_int_equal(spmv->trusted(&input.parameters, input.memory, fewer,
                                       d - spmv_distributions < 4 ? 99 : 1),
                         0);
        spmv->judge_timed(&input.parameters, input.memory, right, fewer, 2e-3, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
        assert_non_null(strstr(judgement.message, "in every pass"));
        set_bits(&fewer[3], POISON);
        spmv->judge_timed(&input.parameters, input.memory, right, fewer, 2e-3, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_UNWRITTEN);
        free(right);
        free(input.memory);
    }
}

TEST(every_kind_of_matrix_is_checked_with_sanitizers) {
    for (const char *const *d = spmv_distributions; *d; d++) {
        const struct check_case *c = spmv->sanitizer_cases;

        while (c->distribution && strcmp(c->distribution, *d))
            c++;
        assert_non_null(c->distribution);
    }
}

/* A trace of one line of 2 x 7000 nonzeros, n = 1000. */
TEST(the_idea_is_seen_in_sectors) {
    static const struct {
        double sectors, requests;
        const char *phrase; /* NULL: the idea is there */
    } traces[] = {
        {0.5, 0.1, NULL},
        {2, 0.1,
         "2.00 sectors of 32 bytes loaded, at most 0.8 are wanted; at {+0x7} a request touches "
         "20.0"},
        {2, 0.4, "at {+0x7} a warp loads 30 bytes at once and could load 128"},
    };
    double nonzeros = 2 * spmv_nonzeros("surface", 1000);
    char message[512];

    for (size_t t = 0; t < sizeof traces / sizeof *traces; t++) {
        struct observed observed = {.n = 1000, .iterations = 2, .counters = {.traced_lines = 3}};
        struct trace_line *lines = observed.counters.lines;

        lines[0] = (struct trace_line){.offset = 7,
                                       .space = GLOBAL_MEMORY,
                                       .width = 4,
                                       .requests = (uint64_t)(traces[t].requests * nonzeros),
                                       .bytes = (uint64_t)(12 * nonzeros),
                                       .sectors = (uint64_t)(traces[t].sectors * nonzeros)};
        lines[1] = (struct trace_line){.space = SHARED_MEMORY, .sectors = 1 << 30};
        lines[2] = (struct trace_line){.space = GLOBAL_MEMORY, .stores = 1, .sectors = 1 << 30};
        assert_int_equal(step_follows(spmv, "24_spmv", &observed, message), !traces[t].phrase);
        if (traces[t].phrase && !strstr(message, traces[t].phrase))
            fail_msg("\"%s\" lacks \"%s\"", message, traces[t].phrase);
    }
    assert_int_equal(step_follows(spmv, "90_other", &(struct observed){.n = 1}, message), -1);
}

TEST(costs_are_bytes_moved_once) {
    double surface = step_cost(spmv, "24_spmv", "tiles", "cuda", "surface", "gpu_memory");
    double stencil = step_cost(spmv, "24_spmv", "peer_serial", "cpu", "stencil_2d", "copy");

    assert_true(fabs(surface - (8 + 12. / 7)) < 0.01);
    assert_true(fabs(stencil - (8 + 12. / 5)) < 0.01);
    assert_true(step_cost(spmv, "24_spmv", "tiles", "cpucuda", "surface", "gpu_memory") == 0);
}
