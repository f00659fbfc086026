/* The problem `radix_sort` and step 23's program: what a sort is, what the judge says of arrays
 * that are wrong in the ways that programs make them, and mutants of the step. */
#include "testing.h"
#include "problems/radix_sort/sort_problem.h"
#include "technique_of_step.h"

static const struct problem *const problem = &radix_sort_problem;

TEST(keys_are_in_the_order_of_their_kind) {
    static const uint32_t given[] = {0x80000000, 0x00000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                     0xff800000, 0x7fc00000, 0xffc00000, 0x00000001, 0x80000001};
    static const uint32_t as_unsigned[] = {0x00000000, 0x00000001, 0x3f800000, 0x7f800000,
                                           0x7fc00000, 0x80000000, 0x80000001, 0xbf800000,
                                           0xff800000, 0xffc00000};
    static const uint32_t as_signed[] = {0x80000000, 0x80000001, 0xbf800000, 0xff800000,
                                         0xffc00000, 0x00000000, 0x00000001, 0x3f800000,
                                         0x7f800000, 0x7fc00000};
    /* -NaN, -infinity, -1, the largest below -0, -0, +0, ... */
    static const uint32_t as_floats[] = {0xffc00000, 0xff800000, 0xbf800000, 0x80000001,
                                         0x80000000, 0x00000000, 0x00000001, 0x3f800000,
                                         0x7f800000, 0x7fc00000};
    static const struct {
        int kind;
        const uint32_t *sorted;
    } kinds[] = {{UNSIGNED_KEYS, as_unsigned}, {SIGNED_KEYS, as_signed}, {FLOAT_KEYS, as_floats}};
    uint32_t got[10];

    for (int k = 0; k < 3; k++) {
        const struct radix_sort_parameters parameters = {10, 4, kinds[k].kind, 0};

        assert_int_equal(sort_simply(&parameters, given, got, 1), 0);
        assert_memory_equal(got, kinds[k].sorted, sizeof got);
        assert_int_equal(sort_fast(&parameters, given, got, 1), 0);
        assert_memory_equal(got, kinds[k].sorted, sizeof got);
    }
}

TEST(equal_keys_keep_their_order) {
    static const uint32_t in[] = {7, 3, 7, 3, 7, 10, 11, 12, 13, 14};
    static const uint32_t sorted[] = {3, 3, 7, 7, 7, 11, 13, 10, 12, 14};
    const struct radix_sort_parameters parameters = {5, 4, UNSIGNED_KEYS, 1};
    uint32_t got[10];

    assert_int_equal(sort_simply(&parameters, in, got, 1), 0);
    assert_memory_equal(got, sorted, sizeof got);
    assert_int_equal(sort_fast(&parameters, in, got, 1), 0);
    assert_memory_equal(got, sorted, sizeof got);
}

TEST(a_sort_depends_on_the_one_before) {
    static const uint32_t in[] = {8, 4, 2, 1};
    static const uint32_t second[] = {1, 2, 4, 8 + 4}, third[] = {1, 2, 4, 8 + 4 + 4};
    const struct radix_sort_parameters parameters = {4, 4, UNSIGNED_KEYS, 0};
    uint32_t got[4];

    assert_int_equal(sort_simply(&parameters, in, got, 2), 0);
    assert_memory_equal(got, second, sizeof second);
    assert_int_equal(sort_simply(&parameters, in, got, 3), 0);
    assert_memory_equal(got, third, sizeof third);
}

/* At lengths around the parts of threads; the same seed gives the same bytes. */
TEST(both_sorts_agree_on_every_distribution) {
    static const int lengths[] = {0, 1, 2, 255, 1025, 5000};

    for (const char *const *d = problem->distributions; *d; d++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            struct radix_sort_parameters parameters;
            size_t bytes = problem->input_bytes(*d, lengths[l]);
            void *in = malloc(bytes + 1), *again = malloc(bytes + 1), *other = malloc(bytes + 1);

            assert_true(in && again && other);
            problem->set_parameters(&parameters, *d, lengths[l], 3);
            problem->generate(in, *d, lengths[l], 7);
            problem->generate(again, *d, lengths[l], 7);
            assert_memory_equal(in, again, bytes);
            assert_int_equal(sort_simply(&parameters, in, again, 3), 0);
            assert_int_equal(sort_fast(&parameters, in, other, 3), 0);
            if (memcmp(again, other, bytes))
                fail_msg("%s, n = %d", *d, lengths[l]);
            free(in);
            free(again);
            free(other);
        }
}

TEST(peers_on_a_cpu_sort_too) {
    static const int lengths[] = {0, 1, 5000};

    for (const char *const *d = problem->distributions; *d; d++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            size_t bytes = problem->input_bytes(*d, lengths[l]);
            void *given = malloc(bytes + 1), *sorted = malloc(bytes + 1), *got = malloc(bytes + 1);
            struct radix_sort_parameters parameters;
            struct radix_sort *sort;

            assert_true(given && sorted && got);
            problem->set_parameters(&parameters, *d, lengths[l], 3);
            assert_non_null(sort = radix_sort_create(&parameters, given, got));
            problem->generate(given, *d, lengths[l], 8);
            assert_int_equal(radix_sort_run(sort, 3), 0);
            assert_int_equal(sort_simply(&parameters, given, sorted, 3), 0);
            if (memcmp(sorted, got, bytes))
                fail_msg("%s, n = %d", *d, lengths[l]);
            radix_sort_destroy(sort);
            free(given);
            free(sorted);
            free(got);
        }
}

TEST(inputs_are_what_they_are_called) {
    enum { N = 3000 };
    static uint32_t in[2 * N], out[2 * N];
    int distinct = 1, special = 0, negative = 0;
    struct radix_sort_parameters parameters = {N, 4, UNSIGNED_KEYS, 1};

    problem->generate(in, "equal", N, 1);
    for (int i = 1; i < N; i++)
        assert_true(in[i] == in[0] && in[N + i] == in[N + i - 1] + VALUE_STEP);
    problem->generate(in, "sorted", N, 1);
    for (int i = 1; i < N; i++)
        assert_true(in[i - 1] < in[i]);
    problem->generate(in, "reversed", N, 1);
    for (int i = 1; i < N; i++)
        assert_true((int32_t)in[i - 1] > (int32_t)in[i]);
    problem->generate(in, "few", N, 1);
    assert_int_equal(sort_simply(&parameters, in, out, 1), 0);
    for (int i = 1; i < N; i++)
        distinct += out[i] != out[i - 1];
    assert_int_equal(distinct, 5);
    problem->generate(in, "floats", N, 1);
    for (int i = 0; i < N; i++) {
        special += in[i] << 1 == 0 || (in[i] & 0x7fffffff) >= 0x7f800000;
        negative += in[i] >> 31;
    }
    assert_in_range(special, N / 16, N / 4);
    assert_in_range(negative, N / 3, 2 * N / 3);
}

/* What the judge says of an output; the first letters of `phrase` have to be in it. */
static void expect(const char *distribution, int n, const void *in, const void *output,
                   enum outcome outcome, const char *phrase) {
    struct radix_sort_parameters parameters;
    struct judgement judgement;
    void *answer;

    problem->set_parameters(&parameters, distribution, n, 2);
    assert_non_null(answer = problem->answer(&parameters, in, distribution, 2));
    problem->judge(&parameters, in, answer, output, distribution, 2, 0, &judgement);
    if (judgement.outcome != outcome || !strstr(judgement.message, phrase))
        fail_msg("%s: outcome %d, \"%s\" lacks \"%s\"", distribution, judgement.outcome,
                 judgement.message, phrase);
    free(answer);
}

enum { N = 1000 };
static uint32_t in[2 * N], right[2 * N], output[2 * N];

/* The right result of two sorts of the distribution, as `right` and as `output`. */
static void prepare(const char *distribution) {
    struct radix_sort_parameters parameters;

    problem->set_parameters(&parameters, distribution, N, 2);
    problem->generate(in, distribution, N, 3);
    assert_int_equal(sort_simply(&parameters, in, right, 2), 0);
    memcpy(output, right, sizeof output);
}

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t c = *a;

    *a = *b;
    *b = c;
}

static int compare_low(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a & 0xffffff, y = *(const uint32_t *)b & 0xffffff;

    return (x > y) - (x < y);
}

static int compare_unsigned(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

TEST(wrong_keys_are_told_apart) {
    const struct radix_sort_parameters parameters = {N, 4, UNSIGNED_KEYS, 0};
    char phrase[128];

    prepare("keys");
    expect("keys", N, in, output, OUTCOME_ACCEPTED, "");
    output[7] = POISON;
    expect("keys", N, in, output, OUTCOME_UNWRITTEN, "place 7 of `out` was never written");
    output[7] = POISON_DEVICE;
    expect("keys", N, in, output, OUTCOME_WRONG,
           "place 7 has what memory of the device holds before anything is written there");
    output[7] = right[8];
    snprintf(phrase, sizeof phrase, "key 0x%08x occurs 0 times in the result and 1 times in the",
             right[7]);
    expect("keys", N, in, output, OUTCOME_WRONG, phrase);
    snprintf(phrase, sizeof phrase, "place 7 has key 0x%08x and should have 0x%08x", right[8],
             right[7]);
    expect("keys", N, in, output, OUTCOME_WRONG, phrase);
    output[7] = right[7];
    output[8] = right[7];
    snprintf(phrase, sizeof phrase, "key 0x%08x occurs 0 times in the result and 1 times in the",
             right[8]);
    expect("keys", N, in, output, OUTCOME_WRONG, phrase);
    assert_int_equal(sort_simply(&parameters, in, output, 1), 0);
    expect("keys", N, in, output, OUTCOME_WRONG, "it is the result of the first sort");
}

TEST(wrong_orders_are_told_apart) {
    prepare("keys");
    qsort(output, N, sizeof *output, compare_low);
    expect("keys", N, in, output, OUTCOME_WRONG,
           "the lowest 24 bits are in order, the 8 above are not");
    memcpy(output, right, sizeof output);
    for (int i = 1; i < N; i++)
        if (output[i] >> 16 != output[i - 1] >> 16 && output[i] >> 24 == output[i - 1] >> 24) {
            swap(&output[i], &output[i - 1]);
            break;
        }
    expect("keys", N, in, output, OUTCOME_WRONG,
           "the highest 8 bits are in order, the 24 below are not: does each pass keep the order");
    prepare("signed");
    qsort(output, N, sizeof *output, compare_unsigned);
    expect("signed", N, in, output, OUTCOME_WRONG,
           "they are in the order of unsigned keys; change the bits of signed keys so");
    prepare("floats");
    qsort(output, N, sizeof *output, compare_unsigned);
    expect("floats", N, in, output, OUTCOME_WRONG,
           "order of unsigned keys; change the bits of floats");
}

TEST(an_order_of_no_digit_is_told) {
    prepare("keys");
    for (int i = 0; i < N; i++)
        output[i] = right[(i * 7 + 3) % N];
    expect("keys", N, in, output, OUTCOME_WRONG,
           "neither the highest 8 bits are in order nor the lowest");
}

/* All are there, and some are not turned back, or are put down as something else. */
TEST(bits_that_were_turned_over_are_told) {
    static const char turned[] = "but some have their sign bit or all bits turned over";

    prepare("signed");
    for (int i = 0; i < N; i++)
        output[i] ^= 0x80000000;
    expect("signed", N, in, output, OUTCOME_WRONG, turned);
    output[9] = right[8] ^ 0x80000000;
    output[7] = right[8] ^ 0x80000000;
    expect("signed", N, in, output, OUTCOME_WRONG, "times in the result and 1 times in the input");
    prepare("floats");
    for (int i = 0; i < N; i++)
        output[i] = right[i] >> 31 ? ~right[i] : right[i] ^ 0x80000000;
    expect("floats", N, in, output, OUTCOME_WRONG, turned);
    memcpy(output, right, sizeof output);
    for (int i = 0; i < N; i++)
        output[i] = right[i] == 0x80000000 ? 0 : right[i];
    expect("floats", N, in, output, OUTCOME_WRONG, turned);
}

/* In both there is a key too few; its value tells whether it is lost or another by now. */
TEST(a_key_0_that_is_lost_is_told_from_a_wrong_one) {
    int i = 0, other;

    prepare("equal");
    while (right[i] == right[1] && i < N - 1)
        i++;
    i = right[i] == right[1] ? 0 : i;
    other = i ? 0 : 1;
    output[i] = right[i] + 1;
    expect("equal", N, in, output, OUTCOME_WRONG, "key 0 of its input should have been changed");
    output[i] = right[other];
    output[N + i] = right[N + other];
    expect("equal", N, in, output, OUTCOME_WRONG, "occurs 0 times in the result and 1 times");
}

TEST(wrong_values_are_told_apart) {
    prepare("few");
    swap(&output[N + 10], &output[N + 11]);
    expect("few", N, in, output, OUTCOME_WRONG, "place 10: equal keys are out of their order");
    prepare("pairs");
    swap(&output[N + 10], &output[N + 11]);
    expect("pairs", N, in, output, OUTCOME_WRONG, "is not that of its key 0x");
    output[N] = POISON;
    expect("pairs", N, in, output, OUTCOME_UNWRITTEN, "place 0 of `out` was never written");
}

TEST(timed_runs_are_held_against_the_trusted_program) {
    struct radix_sort_parameters parameters;
    struct judgement judgement;

    prepare("pairs");
    problem->set_parameters(&parameters, "pairs", N, 10);
    assert_int_equal(problem->trusted(&parameters, in, right, 10), 0);
    problem->judge_timed(&parameters, in, right, right, 2e-3, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    problem->judge_timed(&parameters, in, right, output, 2e-3, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
    assert_non_null(strstr(judgement.message, "in every sort"));
    memcpy(output, right, sizeof output);
    swap(&output[N + 1], &output[N + 2]);
    problem->judge_timed(&parameters, in, right, output, 2e-3, &judgement);
    assert_non_null(strstr(judgement.message, "with another value"));
}

/* 36 bytes of 4 a key: once to be counted, and twice in each of 4 passes. */
TEST(costs_are_those_of_the_passes) {
    static const struct {
        const char *variant, *distribution;
        double bytes;
    } costs[] = {
        {"chosen", "keys", 36},        {"chosen", "pairs", 68},  {"chosen", "wide", 136},
        {"chosen", "wide_pairs", 200}, {"digits", "keys", 48},   {"by_bit", "keys", 384},
        {"bits_6", "keys", 52},        {"peer_cub", "keys", 36},
    };

    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        assert_true(step_cost(problem, "23_radix_sort", costs[i].variant, "cuda",
                              costs[i].distribution, "gpu_memory") == costs[i].bytes);
    assert_true(step_cost(problem, "23_radix_sort", "peer_serial", "cpu", "pairs", "copy") == 68);
    assert_true(step_cost(problem, "23_radix_sort", "chosen", "cpucuda", "keys", "copy") == 0);
}
