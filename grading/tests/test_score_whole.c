/* What is said of entries that have no verdict, of kinds of programs under the course's rubric, and
 * of damaged evidence. Run from the repository's root. */
#include "testing.h"
#include "evidence.h"
#include "score_parts.h"

static json_t *without_verdict(const char *outcome, const char *limit, const char *words) {
    return json_pack("{s:s, s:s, s:s, s:n}", "outcome", outcome, "limit", limit, "words", words,
                     "referee");
}

/* Nothing is earned, and everything says why. */
static void assert_nothing(json_t *check, const char *says) {
    int i;

    score("05", (struct evidence){0}, check);
    assert_true(sum_of(possible_of) == 4095 + 20);
    for (i = 0; i < 11; i++)
        if (strcmp(items[i].name, "prediction"))
            assert_earned(items[i].name, 0, says);
}

TEST(test_no_verdict) {
    assert_nothing(without_verdict("compile", "",
                                   "g++ -c\nnbody.cu:61: error: expected ';'\n"
                                   "   61 | x\nerror: the step does not compile\n"),
                   "The source does not compile: nbody.cu:61: error: expected ';'");
    assert_null(strstr(item("compiles")->explanation, "61 | x"));
    assert_nothing(without_verdict("compile", "",
                                   "ld: nbody.c:3: undefined reference to `f'\n"
                                   "collect2: error: ld returned 1\n"),
                   "compile: ld: nbody.c:3: undefined reference to `f'");
    assert_nothing(without_verdict("compile", "", ""), "compile, and no compiler said why.");
    assert_nothing(without_verdict("compile", "",
                                   "error: nbody.cu does not compile (variant 16, g++ -O2); the "
                                   "compiler's words stand above\n"),
                   "compile, and no compiler said why.");
    assert_nothing(
        without_verdict("compile", "", "error: nbody.cu does not define f, as 05 asks\n"),
        "The source does not compile: nbody.cu does not define f, as 05 asks");
    assert_nothing(without_verdict("compile", "",
                                   "nbody.c:3:5: warning: no `return`\n"
                                   "    3 | int error: 3; say_reason(\"x: error: y\");\n"
                                   "printf(\"a.c:3: error: no\");\n"
                                   "nbody.c:9:1: fatal error: no.h: No such file\n"),
                   "compile: nbody.c:9:1: fatal error: no.h");
    assert_nothing(without_verdict("compile", "", "nbody.cu(9): error: x is undefined\n"),
                   "compile: nbody.cu(9): error: x");
    assert_nothing(without_verdict("compile", "", "nbody.cu(9): error #20: x is undefined\n"),
                   "compile: nbody.cu(9): error #20");
    assert_nothing(without_verdict("compile", "", "ptxas error   : uses too much shared data\n"),
                   "compile: ptxas error   : uses");
    assert_nothing(without_verdict("limit", "time", ""), "before there was a verdict: it took too "
                                                         "long.");
    assert_nothing(without_verdict("limit", "memory", ""), "too much memory");
    assert_nothing(without_verdict("limit", "processes", ""), "too many processes");
    assert_nothing(without_verdict("limit", "disk", ""), "to the disk");
    assert_nothing(without_verdict("limit", "output", ""), "printed too much");
    assert_nothing(without_verdict("limit", "other", ""), "over a limit");
    assert_nothing(without_verdict("exited", "", ""), "process ended before it answered.");
    assert_nothing(without_verdict("forked", "", ""), "started another process");
    assert_nothing(without_verdict("forbidden", "", ""), "a system call that no step needs");
    assert_nothing(without_verdict("missing-call", "", ""),
                   "the step uses CUDA that cpucuda does not have");
}

/* Whoever runs out of memory has compiled. */
TEST(test_ended_when_built) {
    json_t *check = without_verdict("limit", "memory", "");

    json_object_set_new(check, "built", json_true());
    score("05", (struct evidence){0}, check);
    assert_earned("compiles", 1, "It compiles.");
    assert_earned("large", 0, "The program was ended before there was a verdict: it took too much");
    check = without_verdict("compile", "", "nbody.c:3: error: no");
    json_object_set_new(check, "built", json_true()); /* the compilers came to their end */
    assert_nothing(check, "does not compile");
}

/* What this grader cannot measure of its own solution is possible for nobody. */
TEST(test_not_here) {
    json_t *reference = right_check();
    char *text;

    put(referee(reference), "backend", "cpucuda");
    json_object_set_new(verdict(reference, "one", "races"), "skipped", json_true());
    text = json_dumps(reference, 0);
    score("05", (struct evidence){.reference = text}, without_verdict("compile", "", ""));
    assert_left_out("speed", ITEM_LEFT_OUT, "no GPU is here");
    assert_true(score_speed_decided(&rubric, catalogue_find(&catalogue, "05"),
                                    &(struct evidence){.check = text, .reference = text}));
    assert_false(score_speed_decided(&rubric, catalogue_find(&catalogue, "02"),
                                     &(struct evidence){.check = text, .reference = text}));
    assert_left_out("races", ITEM_LEFT_OUT, "no tool for it");
    assert_earned("memory", 0, "does not compile");
    score("02", (struct evidence){.reference = text}, without_verdict("compile", "", ""));
    assert_earned("speed", 0, "does not compile");
    free(text);
    put(referee(reference), "backend", "cpucuda and cuda");
    text = json_dumps(reference, 0);
    score("05", (struct evidence){.reference = text}, without_verdict("compile", "", ""));
    assert_earned("speed", 0, "does not compile");
    free(text);
    json_decref(reference);
}

/* The grader's own failure is nobody's loss. */
static void assert_all_left_out(json_t *check, const char *says) {
    int i;

    score("05", (struct evidence){.predicted = 1}, check);
    for (i = 0; i < 11; i++)
        assert_left_out(items[i].name, ITEM_LEFT_OUT, says);
    assert_true(sum_of(possible_of) == 1024 + 2048);
}

TEST(test_graders_fault) {
    static const char *const faults[] = {"internal", "sandbox", "full",    "usage",
                                         "results",  "no-gpu",  "stopped", "inconclusive"};
    size_t i;

    for (i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_all_left_out(without_verdict(faults[i], "", ""), "not your program's doing");
    assert_all_left_out(NULL, "not measured yet");
    assert_all_left_out(json_pack("{}"), "cannot be read");
    assert_all_left_out(json_pack("[]"), "cannot be read");
    assert_all_left_out(json_pack("{s:s, s:{s:s}}", "outcome", "accepted", "referee", "step", "05"),
                        "not your program's doing");
}

TEST(test_damaged) {
    struct evidence evidence = {.check = "{\"outcome\": \"acc"};
    json_t *check;

    item_count = score_step(&rubric, catalogue_find(&catalogue, "05"), &evidence, items);
    assert_left_out("large", ITEM_LEFT_OUT, "cannot be read");
    check = right_check();
    json_object_del(verdict(check, "one", "results"), "cases");
    score("05", (struct evidence){0}, check);
    assert_left_out("edges", ITEM_LEFT_OUT, "has no cases");
    assert_left_out("accuracy", ITEM_LEFT_OUT, "has no cases");
    assert_earned("races", 32, "");
    check = right_check();
    json_object_del(json_array_get(json_object_get(verdict(check, "two", "results"), "cases"), 3),
                    "outcome");
    score("05", (struct evidence){0}, check);
    assert_left_out("small", ITEM_LEFT_OUT, "has no cases");
    check = right_check();
    json_object_del(json_array_get(json_object_get(verdict(check, "one", "results"), "cases"), 0),
                    "n");
    score("05", (struct evidence){0}, check);
    assert_left_out("small", ITEM_LEFT_OUT, "has no cases");
    check = right_check();
    forget(check, "one", "memory");
    json_object_del(verdict(check, "one", "races"), "outcome");
    score("05", (struct evidence){0}, check);
    assert_left_out("memory", ITEM_LEFT_OUT, "no check of memory");
    assert_left_out("races", ITEM_LEFT_OUT, "no check for races");
    check = right_check();
    json_array_clear(json_object_get(referee(check), "verdicts"));
    score("05", (struct evidence){0}, check);
    assert_left_out("large", ITEM_LEFT_OUT, "no verdict on the results");
    assert_left_out("idea", ITEM_LEFT_OUT, "tell your instructor");
}

/* Every field taken away once, and every one made something else: no crash, and nothing gained. */
static void spoil_each(json_t *check, json_t *node, double best) {
    const char *key;
    json_t *value;
    void *next;
    size_t i;

    if (json_is_array(node))
        json_array_foreach(node, i, value) {
            spoil_each(check, value, best);
        }
    if (!json_is_object(node))
        return;
    json_object_foreach_safe(node, next, key, value) {
        json_t *kept = json_incref(value);
        char name[64];

        snprintf(name, sizeof name, "%s", key);
        json_object_set_new(node, name, json_null());
        score("05", (struct evidence){0}, json_incref(check));
        assert_true(sum_of(points_of) <= best);
        json_object_set_new(node, name, json_pack("[i]", 3));
        score("05", (struct evidence){0}, json_incref(check));
        assert_true(sum_of(points_of) <= best);
        json_object_set(node, name, kept);
        spoil_each(check, kept, best);
        json_decref(kept);
    }
}

TEST(test_every_field) {
    json_t *check = right_check();

    score("05", (struct evidence){0}, json_incref(check));
    spoil_each(check, check, sum_of(points_of));
    json_decref(check);
}

/* What is written counts, whatever fences say of the rest; the skeleton's own code does not. */
TEST(test_unfinished) {
    const char *note = "nbody.cu:61: part 1 is not written yet: The loop unrolled.";
    double without_fences;
    json_t *check;
    int i;

    for (i = 0; i < 2; i++) { /* step 91 builds on none, and yet has an idea */
        const char *step = i ? "91" : "05";

        check = right_check();
        spoil(verdict(check, "one", "technique"), 0, -1, "idea", "nothing is unrolled");
        score(step, (struct evidence){0}, json_incref(check));
        without_fences = sum_of(points_of);
        put(referee(check), "note", note);
        score(step, (struct evidence){0}, check);
        assert_true(sum_of(points_of) == without_fences && without_fences > 64);
        assert_earned("compiles", 1, note);
        check = right_check();
        spoil(verdict(check, "one", "technique"), 0, -1, "idea", "nothing is unrolled");
        score(step, (struct evidence){.untouched = 1}, check);
        assert_true(sum_of(points_of) == 1);
        assert_earned("races", 0, "Its code is that of the skeleton");
        /* Whoever has the idea has written something. */
        score(step, (struct evidence){.untouched = 1}, right_check());
        assert_earned("idea", 128, "");
    }
}

static void expect_rejection(json_t *check, const char *variant) {
    spoil(verdict(check, variant, "results"), 10, 10, "decimals", "3% are wrong");
    json_object_set_new(verdict(check, variant, "results"), "expected", json_true());
}

/* Step 10 is rejected on purpose. */
TEST(test_expected) {
    char *speed = speed_text("accepted", 1, 1, 1, 0.5);
    const struct evidence evidence = {.speeds = {speed}, .speed_count = 1};
    json_t *check = right_check();

    expect_rejection(check, "one");
    expect_rejection(check, "two");
    json_object_set_new(referee(check), "memory", json_null());
    score("10", evidence, check);
    assert_earned("decimals", 8, "Right in all");
    assert_earned("large", 4, "");
    assert_earned("memory", 16, "");
    assert_earned("speed", 512, "");
    assert_left_out("traffic", ITEM_LEFT_OUT, "no figures"); /* and not: once results are right */
    check = right_check(); /* what computes anything at all is rejected too */
    expect_rejection(check, "one");
    expect_rejection(check, "two");
    spoil(verdict(check, "one", "technique"), 0, -1, "idea", "nothing is half");
    score("10", evidence, check);
    assert_earned("decimals", 8, "");
    assert_earned("speed", 0, "inaccurate on purpose");
    assert_earned("memory", 0, "inaccurate on purpose");
    check = right_check(); /* the step before is too good */
    spoil(verdict(check, "one", "results"), 0, -1, "expected", "should be rejected");
    spoil(verdict(check, "two", "results"), 0, -1, "expected", "should be rejected");
    score("10", evidence, check);
    assert_earned("decimals", 0, "should be rejected.");
    assert_earned("large", 4, "");
    free(speed);
}

static double course_share(const char *step, const char *speed, json_t *check) {
    const struct evidence evidence = {.speeds = {speed}, .speed_count = speed != NULL};

    score(step, evidence, check);
    return sum_of(points_of) / sum_of(possible_of);
}

/* The rubric that comes with the course, on kinds of programs. */
TEST(test_course) {
    char *solution = speed_text("accepted", 1, 0.99, 1.01, 2);
    char *slow = speed_text("accepted", 0.2, 0.19, 0.21, 0.4);
    char *before = speed_text("accepted", 0.5, 0.49, 0.51, 1);
    char *no_gpu = speed_text("no-gpu", 1, 1, 1, 1);
    json_t *check;
    double share;

    assert_int_equal(rubric_read(&rubric, "grading/rubric.ini", &catalogue), OUTCOME_ACCEPTED);
    assert_true(course_share("05", solution, right_check()) == 1);
    assert_true(sum_of(possible_of) == 100);
    assert_true(course_share("05", no_gpu, right_check()) == 1);
    assert_true(sum_of(possible_of) == 75);
    assert_true(course_share("05", slow, right_check()) == 0.75);
    check = right_check(); /* the step before */
    spoil(verdict(check, "one", "technique"), 0, -1, "idea", "no tile");
    share = course_share("05", before, check);
    assert_true(share > 0.3 && share < 0.5);
    check = right_check(); /* a skeleton */
    spoil(verdict(check, "one", "results"), 0, 13, "unwritten", "nothing was written");
    spoil(verdict(check, "two", "results"), 0, 13, "unwritten", "nothing was written");
    assert_true(course_share("05", before, check) == 0.02);
    check = right_check(); /* moves bodies and computes no force: right for one body */
    spoil(verdict(check, "one", "results"), 1, 13, "wrong", "off");
    spoil(verdict(check, "two", "results"), 1, 13, "wrong", "off");
    assert_true(course_share("05", before, check) < 0.04);
    free(solution);
    free(slow);
    free(before);
    free(no_gpu);
}

/* What does not fit is cut between characters of one, two and three bytes. */
TEST(test_cut) {
    char text[32];
    size_t size;

    for (size = 4; size < sizeof text; size++) {
        json_t *whole;

        *text = 0;
        say_reason(text, size, "a\nü€ü€ü€ü€ü€ü€");
        whole = json_string(text); /* NULL if it is not UTF-8 */
        assert_non_null(whole);
        json_decref(whole);
        assert_true(strlen(text) < size && strlen(text) + 7 > size);
        assert_memory_equal(text, "a ", 2);
    }
}

/* The same evidence gives the same bytes. */
TEST(test_same_bytes) {
    struct item again[MOST_ITEMS];
    json_t *check = right_check();
    char message[1600] = "a";
    size_t length;
    int i;

    for (i = 1; i < 1500; i += 2)
        strcpy(message + i, "ü");
    spoil(verdict(check, "one", "results"), 2, 2, "wrong", message);
    spoil(verdict(check, "one", "memory"), 0, -1, "memory", message + 1);
    score("05", (struct evidence){0}, json_incref(check));
    memcpy(again, items, sizeof again);
    for (i = 0; i < item_count; i++) {
        json_t *whole = json_string(items[i].explanation); /* NULL if it is not UTF-8 */

        assert_non_null(whole);
        json_decref(whole);
        length = strlen(items[i].explanation);
        assert_true(length > 0 && length < sizeof items[i].explanation);
    }
    assert_true(strlen(item("edges")->explanation) >= 1020);
    score("05", (struct evidence){0}, check);
    assert_memory_equal(again, items, (size_t)item_count * sizeof *items);
}

GROUP(begin_scoring, NULL)
