/* Points for what a check says: every item, both sides of its boundaries, and what is left out. Run
 * from the repository's root. */
#include "testing.h"

#include <limits.h>

#include "evidence.h"
#include "problems/all.h"

/* Of the step 91_other: without decimals, and with cases that are ranges. */
static const struct check_case other_cases[] = {
    {"drawn", 0, 2}, {"drawn", 3, 1999}, {"drawn", 1000}, {"drawn", 65537}, {NULL, 0}};
static const struct problem other = {
    .name = "other", .error = "|sum - right| / sum of |x|", .cases = other_cases};
const struct problem *const problems[] = {ALL_PROBLEMS, &other, NULL};

TEST_IN(begin_scoring, NULL, test_right) {
    const struct evidence evidence = {
        .predicted = 1, .predicted_speedup = 1.5, .questions_answered = 5};

    score("05", evidence, right_check());
    assert_int_equal(item_count, 13);
    assert_string_equal(items[0].name, "compiles");
    assert_string_equal(items[12].name, "questions");
    assert_earned("compiles", 1, "It compiles.");
    assert_earned("small", 2, "Right in all");
    assert_earned("edges", 20, "Right in all");
    assert_earned("large", 4, "Right in all");
    assert_earned("decimals", 8, "Right in all");
    assert_earned("memory", 16, "No fault was found.");
    assert_earned("races", 32, "No fault was found.");
    assert_earned("accuracy", 64, "1.0e-06");
    assert_earned("idea", 128, "found the step");
    assert_earned("traffic", 256, "1 times the bytes");
    assert_left_out("speed", ITEM_LEFT_OUT, "was not measured");
    assert_earned("prediction", 1024, "1.5 times");
    assert_earned("questions", 2048, "4 of 4");
    rubric.steps[4].idea = 0;
    score("05", evidence, right_check());
    assert_int_equal(item_count, 12);
}

TEST(test_learner_items) {
    score("05", (struct evidence){.questions_answered = 3}, right_check());
    assert_earned("prediction", 0, "No prediction");
    assert_earned("questions", 2048 * 0.75, "3 of 4");
    score("05", (struct evidence){.questions_answered = 4, .predicted = 1}, NULL);
    assert_earned("questions", 2048, "4 of 4");
    assert_earned("prediction", 1024, "You predicted");
}

/* Half for the default variant, half for all variants together. */
TEST_IN(begin_scoring, NULL, test_classes) {
    json_t *check = right_check();

    spoil(verdict(check, "one", "results"), 4, 4, "wrong", "body 256 is off");
    score("05", (struct evidence){0}, check);
    assert_earned("edges", 20 * (0.5 * 9 / 10 + 0.5 * 19 / 20),
                  "The default variant, one: n = 257 (uniform): body 256 is off.");
    assert_earned("small", 2, "");
    assert_earned("large", 4, "");
    assert_earned("decimals", 8, "");
    check = right_check();
    spoil(verdict(check, "two", "results"), 2, 8, "wrong", "off");
    score("05", (struct evidence){0}, check);
    assert_earned("edges", 20 * (0.5 + 0.5 * 13 / 20), "Variant two: n = 255");
    check = right_check();
    spoil(verdict(check, "one", "results"), 0, 1, "own-error", "it reported 3");
    score("05", (struct evidence){0}, check);
    assert_earned("small", 2 * 0.25, "n = 1 (uniform): it reported 3.");
    check = right_check();
    spoil(verdict(check, "one", "results"), 9, 9, "not-finite", "NaN");
    score("05", (struct evidence){0}, check);
    assert_earned("large", 4 * 0.25, "n = 16384 (uniform): NaN.");
    assert_earned("decimals", 8, "");
    check = right_check();
    spoil(verdict(check, "two", "results"), 10, 10, "decimals", "2% wrong");
    score("05", (struct evidence){0}, check);
    assert_earned("decimals", 8 * 0.75, "Variant two: n = 4096 (cube): 2% wrong.");
    assert_earned("large", 4, "");
}

/* A program that crashes comes to no further case, and those count as failed. */
TEST(test_cases_not_reached) {
    json_t *check = right_check(), *one = verdict(check, "one", "results");
    json_t *cases = json_object_get(one, "cases");

    forget(check, "two", "results");
    spoil(one, 2, 2, "crashed", "signal 11");
    put(one, "message", "n = 255 (uniform): signal 11");
    while (json_array_size(cases) > 3)
        json_array_remove(cases, 3);
    put(verdict(check, "one", "memory"), "outcome", "crashed");
    score("05", (struct evidence){0}, check);
    assert_earned("small", 2, "");
    assert_earned("edges", 0, "n = 255 (uniform): signal 11.");
    assert_earned("large", 0, "did not get there: n = 255 (uniform): signal 11.");
    assert_earned("decimals", 0, "did not get there");
    /* At no size above 2 it was right. */
    assert_earned("memory", 0, "right at no size above n = 2");
    assert_earned("speed", 0, "right at no size above n = 2");
}

TEST(test_gpu) {
    json_t *check = right_check(), *verdicts = json_object_get(referee(check), "verdicts");

    json_array_append_new(verdicts, accepted("one", "cuda", 1));
    spoil(verdict(check, "one", "cuda"), 2, 8, "wrong", "off");
    score("05", (struct evidence){0}, check);
    assert_earned("edges", 20 * (0.5 * 13 / 20 + 0.5 * 23 / 30), "one, on the GPU: n = 255");
    assert_earned("accuracy", 0, "on the GPU");
    check = right_check();
    verdicts = json_object_get(referee(check), "verdicts");
    json_array_append_new(verdicts, accepted("one", "cuda", 1));
    spoil(verdict(check, "one", "cuda"), 0, 10, "wrong", "nvcc is not installed");
    json_object_set_new(verdict(check, "one", "cuda"), "skipped", json_true());
    score("05", (struct evidence){0}, check);
    assert_earned("edges", 20, "Right in all");
    assert_earned("accuracy", 64, "");
}

/* Right at multiples of 256 alone. */
TEST(test_multiples) {
    json_t *check = right_check();
    const char *variants[] = {"one", "two"};
    int i;

    for (i = 0; i < 2; i++) {
        json_t *results = verdict(check, variants[i], "results");

        spoil(results, 0, 2, "wrong", "off");
        spoil(results, 4, 6, "wrong", "off");
        spoil(results, 8, 8, "wrong", "off");
        spoil(results, 11, 13, "wrong", "off");
    }
    forget(check, "one", "technique");
    json_object_set_new(referee(check), "memory", json_null());
    spoil(verdict(check, "one", "memory"), 0, 8, "memory", "line 40 reads past its array");
    spoil(verdict(check, "one", "races"), 0, 8, "wrong", "off");
    score("05", (struct evidence){0}, check);
    assert_earned("small", 0, "n = 1");
    assert_earned("edges", 4, "n = 255");
    assert_earned("large", 4, "");
    assert_earned("decimals", 8, "");
    assert_earned("memory", 0, "line 40 reads past its array.");
    assert_earned("races", 32, "No fault was found.");
    assert_earned("accuracy", 0, "n = 1 (uniform): off.");
    assert_earned("idea", 0, "once all results are right");
    assert_earned("traffic", 0, "once all results are right");
    assert_left_out("speed", ITEM_LEFT_OUT, "not measured");
}

/* A program that returns its input, or writes nothing, is clean and fast and earns its compiling.
 */
TEST(test_empty) {
    char *speed = speed_text("accepted", 9, 9, 9, 1);
    json_t *check = right_check();

    spoil(verdict(check, "one", "results"), 0, 13, "unwritten", "nothing was written");
    spoil(verdict(check, "two", "results"), 0, 13, "unwritten", "nothing was written");
    score("05", (struct evidence){.speeds = {speed}, .speed_count = 1, .predicted = 1}, check);
    assert_earned("prediction", 1024, "");
    assert_true(sum_of(points_of) == 1025);
    assert_true(sum_of(possible_of) == 4095 + 20);
    free(speed);
}

TEST(test_clean) {
    static const char *const fine[] = {"accepted", "wrong", "decimals", "not-finite", "unwritten"};
    static const char *const bad[] = {"memory", "race",          "crashed",
                                      "hung",   "uninitialised", "host-pointer"};
    size_t i;
    json_t *check;
    char *unseen;

    for (i = 0; i < sizeof fine / sizeof *fine; i++) {
        check = right_check();
        put(verdict(check, "one", "memory"), "outcome", fine[i]);
        score("05", (struct evidence){0}, check);
        assert_earned("memory", 16, i ? "in this check's build results are wrong" : "No fault");
        check = right_check();
        put(verdict(check, "one", "memory"), "outcome", fine[i]);
        put(verdict(check, "one", "results"), "outcome", "wrong");
        score("05", (struct evidence){0}, check);
        assert_string_equal(item("memory")->explanation, "No fault was found.");
    }
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        check = right_check();
        spoil(verdict(check, "one", "races"), 0, 1, bad[i], "line 12 and line 14");
        score("05", (struct evidence){0}, check);
        assert_earned("races", 0, "line 12 and line 14.");
        assert_earned("memory", 16, "No fault");
    }
    check = right_check();
    put(verdict(check, "one", "races"), "message", "race check skipped: it needs clang");
    json_object_set_new(verdict(check, "one", "races"), "skipped", json_true());
    unseen = json_dumps(check, 0);
    score("05", (struct evidence){.reference = unseen}, json_incref(check));
    assert_left_out("races", ITEM_LEFT_OUT, "it needs clang");
    free(unseen);
    /* The solution's races were looked at here, so this program kept the checker away. */
    score("05", (struct evidence){0}, check);
    assert_earned("races", 0, "could not look at this program");
}

/* Memory that was not given back costs the memory item, whichever build or variant tells it. */
TEST(test_unfreed) {
    static const char *const told[][2] = {
        {"one", "results"}, {"one", "memory"}, {"two", "results"}};
    double all;
    size_t i;

    score("05", (struct evidence){0}, right_check());
    all = sum_of(points_of);
    for (i = 0; i < 3; i++) {
        json_t *check = right_check();

        spoil(verdict(check, told[i][0], told[i][1]), 0, -1, "unfreed", "12 bytes");
        score("05", (struct evidence){0}, check);
        assert_earned("memory", 0, "12 bytes.");
        assert_true(sum_of(points_of) == all - 16);
    }
}

TEST(test_accuracy) {
    static const char *const bad[] = {"wrong", "decimals", "not-finite"};
    size_t i;
    json_t *check;

    for (i = 0; i < 3; i++) {
        check = right_check();
        spoil(verdict(check, "one", "results"), 5, 5, bad[i], "far off");
        score("05", (struct evidence){0}, check);
        assert_earned("accuracy", 0, "n = 1000 (uniform): far off.");
        check = right_check();
        spoil(verdict(check, "two", "results"), 5, 5, bad[i], "far off");
        score("05", (struct evidence){0}, check);
        assert_earned("accuracy", 64, "");
    }
    check =
        right_check(); /* another failure says nothing of errors, as long as the large one ran */
    spoil(verdict(check, "one", "results"), 0, 0, "own-error", "it reported 3");
    score("05", (struct evidence){0}, check);
    assert_earned("accuracy", 64, "");
    check = right_check();
    spoil(verdict(check, "one", "results"), 9, 9, "hung", "no answer");
    score("05", (struct evidence){0}, check);
    assert_earned("accuracy", 0, "no answer");
}

/* The predecessor's program is right and clean, and is not the step. */
TEST(test_idea) {
    json_t *check = right_check();

    spoil(verdict(check, "one", "technique"), 0, -1, "idea", "n = 4096: 12 bytes per interaction");
    score("05", (struct evidence){0}, check);
    assert_earned("idea", 0, "did not find the step's idea: n = 4096: 12 bytes per interaction.");
    assert_earned("accuracy", 64, "");
    assert_earned("races", 32, "");
    check = right_check();
    forget(check, "one", "technique");
    score("05", (struct evidence){0}, check);
    assert_left_out("idea", ITEM_LEFT_OUT, "not your program's doing");
    check = right_check();
    forget(check, "one", "technique");
    json_array_append_new(json_object_get(referee(check), "verdicts"), accepted("one", "trace", 1));
    spoil(verdict(check, "one", "trace"), 0, -1, "crashed", "signal 11");
    json_object_set_new(referee(check), "memory", json_null());
    score("05", (struct evidence){0}, check);
    assert_earned("idea", 0, "once the build that traces memory runs: signal 11.");
    assert_earned("traffic", 0, "signal 11.");
    check = right_check();
    json_object_set_new(verdict(check, "one", "technique"), "skipped", json_true());
    score("05", (struct evidence){0}, check);
    assert_left_out("idea", ITEM_LEFT_OUT, "Not looked at on this machine");
}

static void assert_traffic(const char *field, double figure, double points, const char *says) {
    json_t *check = right_check();

    put_number(json_object_get(referee(check), "memory"), field, figure);
    score("05", (struct evidence){0}, check);
    assert_earned("traffic", points, says);
}

TEST(test_traffic) {
    json_t *check;

    assert_traffic("global_bytes", 1000, 256, "1 times the bytes");
    assert_traffic("global_bytes", 500, 256, "0.5 times");
    assert_traffic("global_bytes", 0, 256, "0 times");
    assert_traffic("global_bytes", 2000, 128,
                   "2 times the bytes of the course's solution and need "
                   "1 times its wavefronts");
    assert_traffic("global_bytes", 4000, 0, "full points up to 1, none from 4.");
    assert_traffic("global_bytes", 9e9, 0, "");
    assert_traffic("shared_wavefronts", 200, 128, "need 2 times its wavefronts");
    assert_traffic("shared_wavefronts", 50, 256, "");
    assert_traffic("shared_requests", 0, 256, "1 times the bytes of the course's solution; full");
    check = right_check();
    json_object_set_new(referee(check), "memory", json_null());
    score("05", (struct evidence){0}, check);
    assert_left_out("traffic", ITEM_LEFT_OUT, "no figures of memory");
    check = right_check();
    put_number(json_object_get(referee(check), "memory"), "n", 1024);
    score("05", (struct evidence){0}, check);
    assert_left_out("traffic", ITEM_LEFT_OUT, "no figures of memory");
    check = right_check();
    put_number(json_object_get(referee(check), "memory"), "iterations", 1);
    score("05", (struct evidence){0}, check);
    assert_left_out("traffic", ITEM_LEFT_OUT, "no figures of memory");
    check = right_check();
    put_number(json_object_get(referee(check), "memory"), "global_bytes", -5);
    score("05", (struct evidence){0}, check);
    assert_left_out("traffic", ITEM_LEFT_OUT, "no figures of memory");
    score("05", (struct evidence){.reference = "{}"}, right_check());
    assert_left_out("traffic", ITEM_LEFT_OUT, "no figures of memory");
}

/* Of a problem with more distributions only one is counted by decimals. */
TEST_IN(begin_scoring, NULL, test_other_distributions) {
    json_t *check = right_check(), *one = verdict(check, "one", "results");

    json_object_set_new(json_array_get(json_object_get(one, "cases"), 5), "distribution",
                        json_string("masses"));
    spoil(one, 5, 5, "wrong", "body 7 is off");
    score("14", (struct evidence){0}, check);
    assert_earned("decimals", 8, "Right in all");
}

/* The cases of a step of another problem: `failed`, if it is not negative, is the one that is
 * wrong, at size `n`. */
static json_t *other_check(int failed, int n) {
    json_t *check = right_check(), *cases = json_array(), *one;
    int i;

    forget(check, "two", "results");
    for (i = 0; other_cases[i].distribution; i++) {
        one = json_pack("{s:i, s:s, s:s, s:s}", "n", i == failed ? n : other_cases[i].n,
                        "distribution", "drawn", "outcome", i == failed ? "wrong" : "accepted",
                        "message", "the sum is 3");
        json_array_append_new(cases, one);
    }
    json_object_set_new(verdict(check, "one", "results"), "cases", cases);
    return check;
}

TEST(test_other_problem) {
    score("91", (struct evidence){0}, other_check(-1, 0));
    assert_earned("small", 2, "Right in all");
    assert_earned("edges", 20, "Right in all");
    assert_earned("large", 4, "Right in all");
    assert_earned("accuracy", 64, "tolerance: error 1.0e-06, |sum - right| / sum of |x|.");
    score("91", (struct evidence){0}, other_check(1, 1999));
    assert_earned("edges", 10, "n = 1999 (drawn): the sum is 3.");
    assert_earned("small", 2, "");
    score("91", (struct evidence){0}, other_check(0, 2));
    assert_earned("small", 0, "n = 2 (drawn)");
    score("91", (struct evidence){0}, other_check(3, 65537));
    assert_earned("large", 0, "n = 65537 (drawn)");
}

/* Every problem has sizes of each class; those of a range are of one, since the one that failed
 * stands for it. */
TEST(test_sizes_of_problems) {
    static const int last[] = {2, 1999, INT_MAX};
    size_t i, k;

    for (i = 0; problems[i]; i++) {
        const struct check_case *one;
        int counts[3] = {0};

        for (one = problems[i]->cases; one->distribution; one++) {
            for (k = 0; one->n > last[k]; k++)
                ;
            counts[k]++;
            if (one->to > last[k])
                fail_msg("%s: %d to %d goes beyond %d", problems[i]->name, one->n, one->to,
                         last[k]);
        }
        for (k = 0; k < 3; k++)
            if (!counts[k])
                fail_msg("%s: no case up to n = %d", problems[i]->name, last[k]);
    }
}

GROUP(begin_scoring, NULL)
