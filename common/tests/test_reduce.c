/* The problem `reduce` and step 21's program: what a pass is, what the judge says, which order of
 * blocks shows in a sum of floats, and mutants of the step. */
#include "testing.h"
#include "edited.h"
#include "referee/play/player_process.h"
#include "problems/reduce/reduce_problem.h"
#include "technique_of_step.h"

static const struct problem *const reduce = &reduce_problem;

TEST(passes_depend_on_each_other) {
    static const unsigned integers[] = {1, 2, 3, 0xffffffff};
    static const float floats[] = {1, -2, 4};
    const struct reduce_parameters of_integers = {3, 0}, wrapping = {4, 0}, of_floats = {3, 1};

    assert_int_equal(reduce_sum(&of_integers, integers, 3, 1).of_integers, 6);
    assert_int_equal(reduce_sum(&of_integers, integers, 3, 2).of_integers, 7 + 4 + 5);
    assert_int_equal(reduce_sum(&wrapping, integers, 4, 1).of_integers, 5);
    assert_int_equal(reduce_sum(&of_integers, integers, 0, 2).of_integers, 0);
    assert_true(reduce_sum(&of_floats, floats, 3, 1).of_floats == 3);
    assert_true(reduce_sum(&of_floats, floats, 3, 1).of_magnitudes == 7);
    assert_true(reduce_sum(&of_floats, floats, 3, 2).of_floats == 0.75);
}

TEST(inputs_are_what_they_are_called) {
    enum { N = 10000 };
    static unsigned in[N], again[N], other[N];
    float floats[2][N], smallest = 1;
    int negative = 0;

    reduce->generate(in, "integers", N, 1);
    reduce->generate(again, "integers", N, 1);
    reduce->generate(other, "integers", N, 2);
    assert_memory_equal(in, again, sizeof in);
    assert_memory_not_equal(in, other, sizeof in);
    reduce->generate(in, "ones", N, 1);
    assert_true(in[0] == 1 && in[N - 1] == 1);
    reduce->generate(floats[0], "floats", N, 1);
    reduce->generate(floats[1], "decades", N, 1);
    for (int i = 0; i < N; i++) {
        negative += floats[0][i] < 0;
        assert_true(fabsf(floats[0][i]) <= 1 && fabsf(floats[1][i]) <= 1);
        smallest = fminf(smallest, fabsf(floats[1][i]));
    }
    assert_in_range(negative, N / 3, 2 * N / 3);
    assert_true(smallest < 1e-8);
}

/* At some length each thread has several vectors, if a GPU's threads are all that there are. */
TEST(a_long_array_is_a_case) {
    int largest = 0;

    for (const struct check_case *c = reduce->cases; c->distribution; c++)
        largest = c->n > largest ? c->n : largest;
    assert_in_range(largest, 2 * 4 * 132 * 2048, 4e6);
}

static struct judgement judged(const char *distribution, int n, const unsigned *in, unsigned output,
                               double tolerance) {
    struct reduce_parameters parameters;
    struct judgement judgement;
    void *answer;

    reduce->set_parameters(&parameters, distribution, n, 2);
    answer = reduce->answer(&parameters, in, distribution, 2);
    assert_non_null(answer);
    reduce->judge(&parameters, in, answer, &output, distribution, 2, tolerance, &judgement);
    free(answer);
    return judgement;
}

/* Passes write two sums alternately, and after two passes the causes look alike. */
TEST(sums_that_begin_at_older_ones_are_told) {
    enum { N = 999, PASSES = 4 };
    static unsigned in[N];
    struct reduce_parameters parameters;
    struct sum sums[2] = {{.of_integers = POISON_DEVICE}, {0}};
    struct judgement judgement;
    void *answer;

    reduce->generate(in, "ones", N, 3);
    reduce->set_parameters(&parameters, "ones", N, PASSES);
    answer = reduce->answer(&parameters, in, "ones", PASSES);
    assert_non_null(answer);
    for (int pass = 0; pass < PASSES; pass++)
        sums[pass % 2].of_integers +=
            reduce_pass(&parameters, in, N, &sums[1 - pass % 2]).of_integers;
    reduce->judge(&parameters, in, answer, &sums[(PASSES - 1) % 2].of_integers, "ones", PASSES, 0,
                  &judgement);
    free(answer);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    assert_non_null(strstr(judgement.message, "each pass began at the sum of two passes before"));
}

static unsigned bits_of(double value) {
    float rounded = (float)value;
    unsigned bits;

    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

TEST(wrong_sums_are_told_apart) {
    enum { N = 1000 };
    static unsigned in[N];
    const struct reduce_parameters parameters = {N, 0};
    unsigned first, second;

    reduce->generate(in, "integers", N, 3);
    first = reduce_sum(&parameters, in, N, 1).of_integers;
    second = reduce_sum(&parameters, in, N, 2).of_integers;
    const struct {
        unsigned output;
        enum outcome outcome;
        const char *phrase;
    } outputs[] = {
        {second, OUTCOME_ACCEPTED, ""},
        {POISON, OUTCOME_UNWRITTEN, "never written"},
        {0, OUTCOME_WRONG, "the sum of nothing"},
        {first, OUTCOME_WRONG, "the sum of the first pass"},
        {first + second, OUTCOME_WRONG, "the sum of both passes"},
        {reduce_sum(&parameters, in, 768, 2).of_integers, OUTCOME_WRONG,
         "the last n mod 256 = 232"},
        {reduce_sum(&parameters, in, 992, 2).of_integers, OUTCOME_WRONG, "the last n mod 32 = 8"},
        {second + 1, OUTCOME_WRONG, "and should be"},
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        struct judgement judgement = judged("integers", N, in, outputs[i].output, 0);

        assert_int_equal(judgement.outcome, outputs[i].outcome);
        if (!strstr(judgement.message, outputs[i].phrase))
            fail_msg("\"%s\" lacks \"%s\"", judgement.message, outputs[i].phrase);
        for (size_t j = 1; j + 1 < sizeof outputs / sizeof *outputs; j++)
            assert_true(i == j || !strstr(judgement.message, outputs[j].phrase));
    }
}

/* The bound is on the sum of |x|, not on the sum, which may be near 0. */
TEST(sums_of_floats_have_a_bound) {
    enum { N = 1000 };
    static float in[N];
    const struct reduce_parameters parameters = {N, 1};
    struct sum right;

    reduce->generate(in, "floats", N, 4);
    right = reduce_sum(&parameters, in, N, 2);
    for (int times = -2; times <= 2; times++) {
        double off = times * 0.75e-6 * right.of_magnitudes;
        struct judgement judgement =
            judged("floats", N, (unsigned *)in, bits_of(right.of_floats + off), 1e-6);

        assert_int_equal(judgement.outcome, abs(times) > 1 ? OUTCOME_WRONG : OUTCOME_ACCEPTED);
        assert_true(fabs(judgement.error_l2 - fabs(times * 0.75e-6)) < 1e-7);
    }
    assert_int_equal(judged("floats", N, (unsigned *)in, bits_of(NAN), 1e-6).outcome,
                     OUTCOME_NOT_FINITE);
    assert_int_equal(judged("floats", N, (unsigned *)in, bits_of(INFINITY), 1e-6).outcome,
                     OUTCOME_NOT_FINITE);
}

TEST(timed_runs_are_held_against_the_trusted_program) {
    enum { N = 5000, PASSES = 100 };
    static unsigned in[N];
    static const char *const distributions[] = {"integers", "floats"};

    for (int d = 0; d < 2; d++) {
        struct reduce_parameters parameters;
        struct judgement judgement;
        unsigned right, fewer;

        reduce->set_parameters(&parameters, distributions[d], N, PASSES);
        reduce->generate(in, distributions[d], N, 5);
        assert_int_equal(reduce->trusted(&parameters, in, &right, PASSES), 0);
        reduce->judge_timed(&parameters, in, &right, &right, 2e-3, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
        assert_int_equal(reduce->trusted(&parameters, in, &fewer, 1), 0);
        reduce->judge_timed(&parameters, in, &right, &fewer, 2e-3, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
        assert_non_null(strstr(judgement.message, "in every pass"));
        fewer = POISON;
        reduce->judge_timed(&parameters, in, &right, &fewer, 2e-3, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_UNWRITTEN);
    }
}

TEST(mutants_are_rejected_for_their_reason) {
    static const struct mutant mutants[] = {
        {"__syncthreads();\n    for (int w = 1", "for (int w = 1", 1000, OUTCOME_RACE, ""},
        {"half = WARP / 2; half > 0", "half = WARP / 4; half > 0", 1000, OUTCOME_WRONG,
         "in each pass 512 ones were added up, and there are 1000: which are left out"},
        {"int w = 1;", "int w = 0;", 1000, OUTCOME_WRONG,
         "in each pass 1128 ones were added up, and there are 1000: which come more"},
        {"rest < n ? kind<T>::changed(in[rest], change)", "rest < n ? in[rest]", 999, OUTCOME_WRONG,
         "the last n mod 4 = 3 elements are added up as they are"},
        {"rest < n ?", "rest < 0 ?", 999, OUTCOME_WRONG, "n mod 4 = 3"},
        {"rest < n ?", "rest <= n ?", 257, OUTCOME_MEMORY, "cudaMalloc"},
        {"CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof *sum));", "", 1000, OUTCOME_WRONG,
         "did not begin at 0"},
        {"last ? *last : 0", "last ? 0 : 0", 1000, OUTCOME_WRONG, "the sum of the first pass"},
        /* Each thread has vectors of its own, one after the other. */
        {"i = first; i < n / VECTOR; i += threads",
         "each = (n / VECTOR + threads - 1) / threads, i = first * each; "
         "i < min(n / VECTOR, (first + 1) * each); i++",
         0, OUTCOME_IDEA, "a request touches 32"},
        /* After an odd number of passes the next run takes the other sum for the last one. */
        {"reduction->pass = 0;", "", 1000, OUTCOME_WRONG,
         "right in the first run of an object, wrong in the second"},
    };

    assert_rejected("21_reduce", "solutions/21_reduce/reduce.cu", (struct edit){NULL}, mutants,
                    sizeof mutants / sizeof *mutants);
}

/* How many of three further orders of blocks give other bits of a float sum than the first. */
static int other_sums(const char *variant) {
    enum { N = 100003 };
    static struct programs programs;
    static float in[N];
    const struct options options = {.of = "solutions"};
    const struct step *step = catalogue_find(&catalogue, "21_reduce");
    const struct program *program;
    struct reduce_parameters parameters;
    unsigned sums[4];
    int others = 0;

    assert_int_equal(programs_choose(&programs, step, &options, 1), 0);
    assert_int_equal(programs_build(&programs, "plain", variant), 0);
    if (!(program = programs_find(&programs, variant, "plain")))
        skip();
    reduce->set_parameters(&parameters, "decades", N, 2);
    reduce->generate(in, "decades", N, 6);
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct player_options of_player = {.path = program->path,
                                           .name = variant,
                                           .input_bytes = sizeof in,
                                           .output_bytes = sizeof *sums,
                                           .threads = 1,
                                           .workers = 1,
                                           .seed = seed + 1};
        char message[512] = "";
        struct player *player = player_start(&of_player, message);
        double seconds;

        if (!player ||
            player_create(player, &parameters, sizeof parameters, sizeof in, sizeof *sums) ||
            player_run(player, in, &sums[seed], 2, 60, &seconds))
            fail_msg("%s%s", message, player ? player_message(player) : "");
        player_end(player);
        others += sums[seed] != sums[0];
    }
    return others;
}

TEST(sums_in_order_have_the_same_bits) {
    assert_int_equal(other_sums("in_order"), 0);
    assert_int_equal(other_sums("relaunch"), 0);
    assert_in_range(other_sums("chosen"), 1, 3);
}

/* For 1000 elements: what is loaded, in bytes and sectors, by how many bytes per lane; by how many
 * requests at one address, bytes of shared memory, and blocks. */
TEST(the_idea_is_in_the_loads) {
    static const struct {
        uint64_t loaded, sectors, of_one_address, shared, blocks;
        uint16_t width;
        const char *phrase; /* NULL: it is there */
    } kernels[] = {
        {4000, 125, 0, 60, 2, 16, NULL},
        {4000, 125, 1000, 60, 2, 16, NULL}, /* of one address: once a warp */
        {4000, 125, 0, 60, 2, 4,
         "0% of the bytes are loaded by 16 per lane, and by fewer at {+0x7}"},
        {8000, 250, 0, 60, 2, 16, "8.00 bytes loaded from global memory, and 0.25 sectors"},
        {4000, 250, 0, 60, 2, 16, "at most 0.14 are wanted, and at {+0x7} a request touches 6"},
        {4000, 125, 0, 16000, 2, 16,
         "16.00 bytes of shared memory, most of them at {+0x9}; at most 1"},
        {4000, 125, 0, 60, 1, 16, "500 elements are added up by one block"},
    };
    char message[512];

    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct observed observed = {.n = 500, .iterations = 2, .counters = {.traced_lines = 4}};
        struct trace_line *lines = observed.counters.lines;

        lines[0] = (struct trace_line){.offset = 7,
                                       .space = GLOBAL_MEMORY,
                                       .width = kernels[k].width,
                                       .requests = 40,
                                       .sectors = kernels[k].sectors,
                                       .bytes = kernels[k].loaded};
        lines[1] = (struct trace_line){.space = GLOBAL_MEMORY,
                                       .width = 4,
                                       .requests = 10,
                                       .broadcasts = 10,
                                       .bytes = kernels[k].of_one_address};
        lines[2] = (struct trace_line){.offset = 9,
                                       .space = SHARED_MEMORY,
                                       .width = 4,
                                       .requests = 10,
                                       .bytes = kernels[k].shared};
        observed.counters.interval_count = 1;
        observed.counters.intervals[0] =
            (struct interval){.kind = KERNEL, .blocks = kernels[k].blocks};
        lines[3] = (struct trace_line){
            .space = GLOBAL_MEMORY, .width = 4, .stores = 1, .requests = 10, .bytes = 9000};
        assert_int_equal(step_follows(reduce, "21_reduce", &observed, message), !kernels[k].phrase);
        if (kernels[k].phrase && !strstr(message, kernels[k].phrase))
            fail_msg("\"%s\" lacks \"%s\"", message, kernels[k].phrase);
    }
}

GROUP(read_catalogue_without_nvcc, NULL)
