/* Points for speed: the ramp, what leaves no room, and when it is measured again. Run from the
 * repository's root. */
#include "testing.h"
#include "evidence.h"

/* Scores with up to three repeats, which it frees; whether they decide. */
static int measured(char *first, char *second, char *third) {
    struct evidence evidence = {.speeds = {first, second, third}};
    json_t *check = right_check();
    char *text = json_dumps(check, 0);
    int decided;

    evidence.speed_count = third ? 3 : second ? 2 : first ? 1 : 0;
    evidence.check = text;
    decided = score_speed_decided(&rubric, catalogue_find(&catalogue, "05"), &evidence);
    score("05", evidence, check);
    free(text);
    free(first);
    free(second);
    free(third);
    return decided;
}

static void assert_share(double share, double points) {
    assert_true(measured(speed_text("accepted", share, share, share, 2), NULL, NULL));
    assert_earned("speed", points, "times the speed of the course's solution");
}

TEST_IN(begin_scoring, NULL, test_ramp) {
    assert_share(1, 512);
    assert_share(1.7, 512);
    assert_share(0.5, 256); /* half way from 0.25 to 1 */
    assert_share(0.25, 0);
    assert_share(0.1, 0);
    assert_share(0.26, 512 * log(1.04) / log(4));
    assert_share(0.98, 512 * log(3.92) / log(4));
    strcpy(rubric.steps[4].speed_origin, "n1, 2026-11-21");
    assert_share(0.5, 256);
    assert_string_equal(
        item("speed")->explanation,
        "0.50 times the speed of the course's solution, both timed interleaved; full "
        "points from 1.00, none up to 0.25 (n1, 2026-11-21).");
}

/* speed_from = previous: the solution's share over the previous one's is what the previous has. */
TEST_IN(begin_scoring, NULL, test_previous) {
    rubric.steps[4].speed_from = -1;
    assert_true(measured(speed_text("accepted", 0.5, 0.5, 0.5, 2), NULL, NULL));
    assert_earned("speed", 256, "none up to 0.25, what the step before reaches here");
    assert_true(measured(speed_text("accepted", 0.25, 0.25, 0.25, 1), NULL, NULL));
    assert_earned("speed", 0, "none up to 0.25");
    /* Nearly as fast as the step: nothing to tell apart. */
    assert_true(measured(speed_text("accepted", 0.89, 0.89, 0.89, 1), NULL, NULL));
    assert_earned("speed", 0, "");
    assert_true(measured(speed_text("accepted", 0.91, 0.91, 0.91, 1), NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "the step before reaches 0.91 of the solution's");
    assert_true(measured(speed_text("accepted", 2, 2, 2, 1), NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "next to nothing to gain");
    assert_true(measured(strdup("{\"outcome\": \"accepted\", \"referee\": {\"outcome\": "
                                "\"accepted\", \"previous\": null, \"solution\": {\"share\": 1, "
                                "\"share_low\": 1, \"share_high\": 1}}}"),
                         NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "no figures");
}

TEST_IN(begin_scoring, NULL, test_spread) {
    double quarter = pow(4, 0.25);

    assert_true(measured(speed_text("accepted", 0.5, 0.4, 0.4 * quarter * 0.999, 2), NULL, NULL));
    assert_earned("speed", 256, "");
    assert_false(measured(speed_text("accepted", 0.5, 0.4, 0.4 * quarter * 1.001, 2), NULL, NULL));
    assert_left_out("speed", ITEM_INCONCLUSIVE, "measured 1 time and");
    /* Wide, and all of it beyond the ramp's ends: the points are the same. */
    assert_true(measured(speed_text("accepted", 2, 1, 5, 2), NULL, NULL));
    assert_earned("speed", 512, "");
    assert_true(measured(speed_text("accepted", 0.1, 0.01, 0.25, 2), NULL, NULL));
    assert_earned("speed", 0, "");
}

/* One comparison whose second pair, beside the step before, has a spread of its own. */
static char *beside(double share, double previous, double low, double high) {
    char *text = NULL;

    if (asprintf(&text,
                 "{\"outcome\": \"accepted\", \"referee\": {\"outcome\": \"accepted\", "
                 "\"solution\": {\"share\": %g, \"share_low\": %g, \"share_high\": %g}, "
                 "\"previous\": {\"share\": %g, \"share_low\": %g, \"share_high\": %g}}}",
                 share, share, share, previous, low, high) < 0)
        abort();
    return text;
}

/* What the step before reaches decides only where it is known well enough. */
TEST_IN(begin_scoring, NULL, test_spread_of_previous) {
    rubric.steps[4].speed_from = -1;
    assert_false(measured(beside(1, 1.05, 0.996, 1.99), NULL, NULL));
    assert_left_out("speed", ITEM_INCONCLUSIVE, "measured 1 time and");
    assert_true(measured(beside(1, 1.05, 0.996, 1.99), beside(1, 1.9, 1.85, 1.95), NULL));
    assert_earned("speed", 512, "none up to 0.53");
    assert_true(measured(beside(1, 1.05, 0.996, 1.99), beside(1, 1.05, 1.04, 1.06), NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "reaches 0.95 of the solution's speed (0.94 to 0.96)");
    /* Room there is, and how much is not known. */
    assert_false(measured(beside(0.8, 1.6, 1, 4), NULL, NULL));
    assert_true(measured(beside(0.8, 1.6, 1.59, 1.61), NULL, NULL));
}

static char *wide(void) {
    return speed_text("accepted", 0.5, 0.3, 0.9, 2);
}

TEST_IN(begin_scoring, NULL, test_repeats) {
    assert_false(measured(NULL, NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "not measured");
    assert_false(measured(wide(), wide(), NULL));
    assert_left_out("speed", ITEM_INCONCLUSIVE, "measured 2 times");
    assert_true(measured(wide(), wide(), wide()));
    assert_left_out("speed", ITEM_INCONCLUSIVE, "measured 3 times and never came out clearly");
    assert_true(measured(wide(), speed_text("accepted", 1, 0.99, 1.01, 2), NULL));
    assert_earned("speed", 512, "");
    /* The best-determined decides, whatever its points. */
    assert_true(measured(speed_text("accepted", 0.7, 0.65, 0.75, 2),
                         speed_text("accepted", 0.5, 0.49, 0.51, 2),
                         speed_text("accepted", 0.6, 0.55, 0.65, 2)));
    assert_earned("speed", 256, "");
    assert_false(measured(speed_text("inconclusive", 1, 1, 1, 2), NULL, NULL));
    assert_left_out("speed", ITEM_INCONCLUSIVE, "neither way");
    assert_true(measured(speed_text("inconclusive", 1, 1, 1, 2),
                         speed_text("inconclusive", 1, 1, 1, 2),
                         speed_text("inconclusive", 1, 1, 1, 2)));
    assert_left_out("speed", ITEM_INCONCLUSIVE, "neither way");
    assert_true(
        measured(speed_text("inconclusive", 1, 1, 1, 2), speed_text("accepted", 1, 1, 1, 2), NULL));
    assert_earned("speed", 512, "");
}

TEST_IN(begin_scoring, NULL, test_failed) {
    assert_true(measured(speed_text("timed-output", 9, 9, 9, 2), NULL, NULL));
    assert_earned("speed", 0, "the output of a timed run is wrong: a message.");
    assert_true(
        measured(wide(), speed_text("crashed", 9, 9, 9, 2), speed_text("accepted", 1, 1, 1, 2)));
    assert_earned("speed", 0, "failed when it was timed");
    assert_true(measured(strdup("{\"outcome\": \"limit\", \"limit\": \"time\", \"referee\": null}"),
                         NULL, NULL));
    assert_earned("speed", 0, "a limit of the sandbox");
    assert_true(measured(strdup("{\"outcome\": \"no-gpu\", \"referee\": null}"), NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "a CPU that plays one tells nothing of speed");
    assert_true(measured(strdup("{\"outcome\": \"internal\", \"referee\": null}"), NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "not your program's doing");
    assert_true(measured(strdup("{\"outcome\": \"acc"), NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "cannot be read");
    assert_true(measured(speed_text("accepted", -1, 1, 1, 2), NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "no figures");
    assert_true(measured(speed_text("accepted", 1, 1.1, 1, 2), NULL, NULL));
    assert_left_out("speed", ITEM_LEFT_OUT, "no figures");
}

/* What earns nothing by its speed need not be timed. */
TEST_IN(begin_scoring, NULL, test_not_asked) {
    const struct step *step = catalogue_find(&catalogue, "05");
    struct evidence evidence = {0};
    json_t *check = right_check();
    char *text;

    assert_true(score_speed_decided(&rubric, step, &evidence)); /* no check yet */
    assert_false(score_speed_asked(&rubric, step, &evidence));
    spoil(verdict(check, "one", "results"), 0, 13, "wrong", "off");
    text =
        json_dumps(check, 0); /* that the other variant is right does not help: it is not timed */
    evidence.check = text;
    assert_true(score_speed_decided(&rubric, step, &evidence));
    evidence.check = "{\"outcome\": \"compile\", \"referee\": null}";
    assert_true(score_speed_decided(&rubric, step, &evidence));
    json_decref(check);
    free(text);
    check = right_check();
    text = json_dumps(check, 0);
    evidence.check = text;
    assert_false(score_speed_decided(&rubric, step, &evidence));
    assert_true(score_speed_asked(&rubric, step, &evidence));
    rubric.steps[4].speed = 0;
    assert_true(score_speed_decided(&rubric, step, &evidence));
    json_decref(check);
    free(text);
}

/* The output of a timed run would be refused: one of the large sizes of the check is wrong. */
TEST_IN(begin_scoring, NULL, test_wrong_where_timed) {
    enum { AT_257 = 4, AT_16384 = 9 };
    static const struct {
        int index, n;
    } wrong[] = {{AT_257, 257}, {AT_16384, 16384}, {AT_257, 4096}};
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct evidence evidence = {.speed_count = 0};
        json_t *check = right_check(), *results = verdict(check, "one", "results");
        char *text;

        spoil(results, wrong[i].index, wrong[i].index, "wrong", "off");
        put_number(json_array_get(json_object_get(results, "cases"), (size_t)wrong[i].index), "n",
                   wrong[i].n);
        text = json_dumps(check, 0);
        evidence.check = text;
        assert_int_equal(score_speed_asked(&rubric, catalogue_find(&catalogue, "05"), &evidence),
                         wrong[i].n == 257);
        free(text);
        score("05", (struct evidence){0}, check);
        if (wrong[i].n != 257)
            assert_earned("speed", 0, "where the default variant's results are wrong");
        else
            assert_left_out("speed", ITEM_LEFT_OUT, "not measured");
    }
}
