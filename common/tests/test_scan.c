/* The problem `scan`: what a pass is, what the judge says; and which variants of step 22 have the
 * step's idea. */
#include "testing.h"

#include <limits.h>

#include "referee/judge/check.h"
#include "files.h"
#include "referee/inspect/one_program.h"
#include "problems/scan/scan_problem.h"
#include "technique_of_step.h"
#include "catalogue_of_steps.h"

static const struct problem *const scan = &scan_problem;

TEST(results_are_those_worked_out_by_hand) {
    static const struct {
        struct scan_parameters parameters;
        int passes, in[8], out[8];
    } scans[] = {
        {{8, 0, 0}, 1, {3, 1, 7, 0, 4, 1, 6, 3}, {3, 4, 11, 11, 15, 16, 22, 25}},
        {{8, 0, 1}, 1, {3, 1, 7, 0, 4, 1, 6, 3}, {0, 3, 4, 11, 11, 15, 16, 22}},
        {{8, 1, 0}, 1, {3, 1, 7, 0, 4, 1, 9, 3}, {3, 3, 7, 7, 7, 7, 9, 9}},
        {{4, 1, 1}, 1, {-3, -1, -7, 0}, {INT_MIN, -3, -1, -1}},
        {{3, 0, 0}, 2, {1, 2, 3}, {1, 4, 10}},
        {{3, 0, 1}, 2, {1, 2, 3}, {0, 0, 1}},
        {{2, 0, 0}, 1, {INT_MAX, 1}, {INT_MAX, INT_MIN}},
    };

    for (size_t s = 0; s < sizeof scans / sizeof *scans; s++) {
        const struct scan_parameters *own = &scans[s].parameters;
        size_t bytes = (size_t)own->n * sizeof(int);
        int trusted[8], *results = scan_serially(own, scans[s].in, scans[s].passes, 0);

        assert_memory_equal(results, scans[s].out, bytes);
        assert_int_equal(scan->trusted(own, scans[s].in, trusted, scans[s].passes), 0);
        assert_memory_equal(trusted, scans[s].out, bytes);
        free(results);
    }
}

TEST(inputs_are_what_they_are_called) {
    enum { N = 10000 };
    static int in[N], again[N], other[N];
    int negative = 0, records = 0, most = INT_MIN;

    scan->generate(in, "sums", N, 1);
    scan->generate(again, "sums", N, 1);
    scan->generate(other, "sums", N, 2);
    assert_memory_equal(in, again, sizeof in);
    assert_memory_not_equal(in, other, sizeof in);
    scan->generate(in, "ones_exclusive", N, 1);
    assert_true(in[0] == 1 && in[N - 1] == 1);
    scan->generate(in, "maxima", N, 1);
    for (int i = 0; i < N; i++) {
        negative += in[i] < 0;
        records += in[i] > most;
        most = in[i] > most ? in[i] : most;
    }
    assert_in_range(negative, N / 4, 3 * N / 4);
    assert_in_range(records, N / 20, N / 2); /* maxima change all along */
}

/* Some scans are over more tiles than a warp has lanes. */
TEST(long_arrays_are_cases) {
    int long_ones = 0;

    for (const struct check_case *c = scan->cases; c->distribution; c++)
        long_ones += c->n > 64 * 8192;
    assert_in_range(long_ones, 1, 2);
}

enum { N = 5000 };

/* The results of two passes as they are changed by `spoil`. */
static struct judgement judged(const char *distribution, void (*spoil)(const int *in, int *out)) {
    static int in[N];
    struct scan_parameters parameters;
    struct judgement judgement;
    int *answer, *output;

    scan->generate(in, distribution, N, 3);
    scan->set_parameters(&parameters, distribution, N, 2);
    answer = scan->answer(&parameters, in, distribution, 2);
    output = scan->answer(&parameters, in, distribution, 2);
    assert_true(answer && output);
    spoil(in, output);
    scan->judge(&parameters, in, answer, output, distribution, 2, 0, &judgement);
    free(answer);
    free(output);
    return judgement;
}

static void as_it_is(const int *in, int *out) {
    (void)in, (void)out;
}

static void scanned_as(struct scan_parameters parameters, const int *in, int passes, int block,
                       int *out) {
    int *results = scan_serially(&parameters, in, passes, block);

    assert_non_null(results);
    memcpy(out, results, sizeof(int) * N);
    free(results);
}

static void as_inclusive(const int *in, int *out) {
    scanned_as((struct scan_parameters){N, 0, 0}, in, 2, 0, out);
}

static void as_exclusive(const int *in, int *out) {
    scanned_as((struct scan_parameters){N, 0, 1}, in, 2, 0, out);
}

static void as_maxima(const int *in, int *out) {
    scanned_as((struct scan_parameters){N, 1, 0}, in, 2, 0, out);
}

static void in_one_pass_fewer(const int *in, int *out) {
    scanned_as((struct scan_parameters){N, 0, 0}, in, 1, 0, out);
}

static void by_warps(const int *in, int *out) {
    scanned_as((struct scan_parameters){N, 0, 0}, in, 2, 32, out);
}

static void by_blocks(const int *in, int *out) {
    scanned_as((struct scan_parameters){N, 0, 0}, in, 2, 1536, out);
}

/* As a warp that takes 0 for what lies before it, though maxima are wanted. */
static void with_nothing_for_zero(const int *in, int *out) {
    (void)in;
    for (int i = 0; i < N; i++)
        out[i] = out[i] > 0 ? out[i] : 0;
}

static void with_a_warp_less(const int *in, int *out) {
    for (int i = 768; i < N; i++)
        out[i] -= in[5];
}

static void without_the_last_tile(const int *in, int *out) {
    memcpy(out + 3072, in + 3072, sizeof(int) * (N - 3072));
}

static void not_at_all(const int *in, int *out) {
    memcpy(out, in, sizeof(int) * N);
}

static void with_a_tile_less(const int *in, int *out) {
    for (int i = 3072; i < N; i++)
        out[i] -= in[5];
}

/* In the second of two exclusive passes. */
static void with_a_tile_less_behind_its_first(const int *in, int *out) {
    for (int i = 2049; i < N; i++)
        out[i] -= in[5];
}

static void with_a_vector_less(const int *in, int *out) {
    for (int i = 132; i < N; i++)
        out[i] -= in[5];
}

static void with_a_wrong_start(const int *in, int *out) {
    (void)in;
    for (int i = 0; i < N; i++)
        out[i]++;
}

static void never(const int *in, int *out) {
    (void)in;
    for (int i = 0; i < N; i++)
        out[i] = (int)POISON;
}

static void without_a_block(const int *in, int *out) {
    (void)in;
    for (int i = 4096; i < N; i++)
        out[i] = (int)POISON_DEVICE;
}

TEST(wrong_results_are_told_apart) {
    static const struct {
        const char *distribution;
        void (*spoil)(const int *in, int *out);
        enum outcome outcome;
        const char *phrase;
    } outputs[] = {
        {"sums", as_it_is, OUTCOME_ACCEPTED, ""},
        {"maxima_exclusive", as_it_is, OUTCOME_ACCEPTED, ""},
        {"sums", never, OUTCOME_UNWRITTEN, "5000 of 5000 elements were never written, the first"},
        {"sums", without_a_block, OUTCOME_UNWRITTEN,
         "904 of 5000 elements were never written in the device's memory"},
        {"sums", as_exclusive, OUTCOME_WRONG, "it is the exclusive scan"},
        {"sums_exclusive", as_inclusive, OUTCOME_WRONG, "it is the inclusive scan"},
        {"sums", as_maxima, OUTCOME_WRONG, "the scan by maxima"},
        {"sums", in_one_pass_fewer, OUTCOME_WRONG, "the result of the first pass"},
        {"sums", by_warps, OUTCOME_WRONG, "every 32 elements are scanned for themselves"},
        {"sums", by_blocks, OUTCOME_WRONG, "every 1536 elements are scanned for themselves"},
        {"sums", without_the_last_tile, OUTCOME_WRONG, "does the grid end at the last full block"},
        {"ones", not_at_all, OUTCOME_WRONG, "does any block scan them"},
        {"sums", with_a_tile_less, OUTCOME_WRONG,
         "3072 is a multiple of 1024, so the first of a warp with 32"},
        {"sums_exclusive", with_a_tile_less_behind_its_first, OUTCOME_WRONG,
         "2048 is a multiple of 2048, so the first of a warp with 32"},
        {"sums", with_a_warp_less, OUTCOME_WRONG,
         "768 is a multiple of 256, so the first of a warp or"},
        {"maxima", with_nothing_for_zero, OUTCOME_WRONG, "all that is wrong is 0"},
        {"sums", with_a_vector_less, OUTCOME_WRONG, "132 is a multiple of 4, so the first of a th"},
        {"maxima_exclusive", with_a_wrong_start, OUTCOME_WRONG, "which is INT_MIN for maxima"},
    };

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        struct judgement judgement = judged(outputs[i].distribution, outputs[i].spoil);

        assert_int_equal(judgement.outcome, outputs[i].outcome);
        if (!strstr(judgement.message, outputs[i].phrase))
            fail_msg("\"%s\" lacks \"%s\"", judgement.message, outputs[i].phrase);
        for (size_t j = 2; j < sizeof outputs / sizeof *outputs; j++)
            assert_true(i == j || !strstr(judgement.message, outputs[j].phrase));
    }
}

TEST(timed_runs_are_held_against_the_trusted_program) {
    enum { PASSES = 100 };
    static int in[N], right[N], output[N];
    struct scan_parameters parameters;
    struct judgement judgement;

    scan->set_parameters(&parameters, "sums", N, PASSES);
    scan->generate(in, "sums", N, 5);
    assert_int_equal(scan->trusted(&parameters, in, right, PASSES), 0);
    scan->judge_timed(&parameters, in, right, right, 2e-3, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    assert_int_equal(scan->trusted(&parameters, in, output, PASSES - 1), 0);
    scan->judge_timed(&parameters, in, right, output, 2e-3, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
    assert_non_null(strstr(judgement.message, "in every pass"));
    memcpy(output, right, sizeof output);
    output[N - 1] = (int)POISON;
    scan->judge_timed(&parameters, in, right, output, 2e-3, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_UNWRITTEN);
}

/* Variants of the solution, as their trace shows them: all are right, one has the idea. */
TEST(only_the_default_variant_has_the_idea) {
    enum { ELEMENTS = 98304, PASSES = 2 };
    static const struct {
        const char *variant, *phrase; /* NULL: it has */
    } variants[] = {
        {"chosen", NULL},
        {"scalars", "0% of the elements' bytes are moved by 16 per lane"},
        {"chained", "a tile stores its status, a word of 8 bytes, 1.0 times"},
        {"three_kernels", "an element takes 8."},
        {"hillis_steele", "an element takes 12."},
    };
    static struct programs programs;
    static struct observed observed;
    const struct options options = {.of = "solutions"};
    char message[512];

    assert_int_equal(programs_choose(&programs, catalogue_find(&catalogue, "22_scan"), &options, 1),
                     0);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        const struct program *program;

        assert_int_equal(programs_build(&programs, "trace", variants[v].variant), 0);
        if (!(program = programs_find(&programs, variants[v].variant, "trace")))
            skip();
        observed = (struct observed){.n = ELEMENTS, .iterations = PASSES};
        assert_int_equal(count_run(&programs, program, ELEMENTS, PASSES, 1, &observed.counters), 0);
        assert_int_equal(step_follows(scan, "22_scan", &observed, message), !variants[v].phrase);
        if (variants[v].phrase && !strstr(message, variants[v].phrase))
            fail_msg("%s: \"%s\"", variants[v].variant, message);
    }
    observed = (struct observed){.n = 1000, .iterations = 2};
    observed.counters.interval_count = 1;
    observed.counters.intervals[0] = (struct interval){.kind = KERNEL, .blocks = 1};
    assert_int_equal(step_follows(scan, "22_scan", &observed, message), 0);
    assert_non_null(strstr(message, "1000 elements are scanned by one block"));
}

/* 256 tiles of 384 elements, whose words are of 4 bytes. */
TEST(small_tiles_may_have_words) {
    struct observed observed = {.n = 98304, .iterations = 1};
    struct trace_line *lines = observed.counters.lines;
    char message[512];

    observed.counters.interval_count = 1;
    observed.counters.intervals[0] = (struct interval){.kind = KERNEL, .blocks = 256};
    observed.counters.traced_lines = 4;
    lines[0] = (struct trace_line){.width = 16, .bytes = 4 * 98304};
    lines[1] = (struct trace_line){.width = 16, .bytes = 4 * 98304, .stores = 1};
    lines[2] = (struct trace_line){.width = 4, .bytes = 256 * 250};
    lines[3] = (struct trace_line){.space = CONSTANT_MEMORY, .width = 4, .bytes = 4 * 98304};
    if (!step_follows(scan, "22_scan", &observed, message))
        fail_msg("%s", message);
    observed.counters.intervals[0].blocks = 12;
    assert_int_equal(step_follows(scan, "22_scan", &observed, message), 0);
    observed.counters.intervals[0].blocks = 98304 / 32; /* so small a tile excuses no second load */
    lines[2].bytes = 4 * 98304;
    assert_int_equal(step_follows(scan, "22_scan", &observed, message), 0);
}

GROUP(read_catalogue_without_nvcc, NULL)
