/* Proposals for ramps, from results of comparisons. Run from the repository's root. */
#define OWN_MAIN
#include "testing.h"
#include "calibrate.h"
#include "catalogue_of_steps.h"
#include "files.h"
#include "rubric.h"

#define RESULT(outcome, low, high)                                                                 \
    "{\"machine\": \"n1, A CPU; B\\u00fc\\nGPU\", \"begun_utc\": \"2026-11-21T22:40:00Z\", "       \
    "\"outcome\": \"accepted\", \"referee\": {\"outcome\": \"" outcome                             \
    "\", \"solution\": {\"share\": 1, \"share_low\": " low ", \"share_high\": " high "}}}"

static char *proposed;
static int has_ramp;

static void propose(const char *step, const char *const *own, const char *const *previous) {
    size_t size;
    FILE *out;
    int count[2] = {0, 0};

    free(proposed);
    out = open_memstream(&proposed, &size);
    while (own && own[count[0]])
        count[0]++;
    while (previous && previous[count[1]])
        count[1]++;
    has_ramp =
        calibrate_propose(catalogue_find(&catalogue, step), own, count[0], previous, count[1], out);
    fclose(out);
}

static void assert_proposed(const char *part) {
    if (!strstr(proposed, part))
        fail_msg("\"%s\" is not in:\n%s", part, proposed);
}

static const char *const own[] = {RESULT("accepted", "0.990", "1.010"),
                                  RESULT("accepted", "0.973", "1.020"),
                                  RESULT("accepted", "0.985", "1.005"), NULL};
static const char *const slower[] = {RESULT("accepted", "0.350", "0.361"),
                                     RESULT("accepted", "0.340", "0.352"), NULL};

/* What is proposed can be read as a rubric. */
TEST(test_ramp) {
    static struct rubric rubric;
    char path[96];

    propose("05", own, slower);
    assert_true(has_ramp);
    assert_proposed("[05_tiling]\n");
    assert_proposed("0.973 to 1.020 of its speed; speed_to is 0.02 below the least");
    assert_proposed("0.340 to 0.361; speed_from is the most");
    assert_proposed("\nspeed_from = 0.37\nspeed_to = 0.95\nspeed_origin = n1, A CPU  B");
    assert_proposed(", 2026-11-21, spread 0.973 to 1.020\n");
    assert_int_equal(make_folder(folder), 0);
    snprintf(path, sizeof path, "%s/rubric.ini", folder);
    write_file(path, proposed);
    assert_int_equal(rubric_read(&rubric, path, &catalogue), OUTCOME_ACCEPTED);
    assert_true(rubric_step(&rubric, catalogue_find(&catalogue, "05"))->speed_from == 0.37);
    assert_int_equal(remove_folder(folder), 0);
}

TEST(test_no_room) {
    static const char *const near[] = {RESULT("accepted", "0.80", "0.845"), NULL};
    static const char *const nearer[] = {RESULT("accepted", "0.80", "0.855"), NULL};

    propose("11", own, near); /* 0.85 of 0.95 */
    assert_true(has_ramp);
    propose("11", own, nearer);
    assert_false(has_ramp);
    assert_proposed("no room");
    assert_proposed("\nspeed = 0\n");
    assert_null(strstr(proposed, "speed_from ="));
    propose("11", own, slower);
    assert_true(has_ramp);
}

TEST(test_no_predecessor) {
    propose("03", own, NULL);
    assert_true(has_ramp);
    assert_proposed("speed_from is yours to choose");
    assert_proposed("\nspeed_to = 0.95\n");
    assert_null(strstr(proposed, "speed_from ="));
}

TEST(test_not_timed) {
    static const char *const no_gpu[] = {
        "{\"machine\": \"n1\", \"outcome\": \"no-gpu\", \"referee\": null}", NULL};
    static const char *const unsure[] = {RESULT("inconclusive", "0.5", "2"), NULL};
    static const char *const partly[] = {RESULT("accepted", "0.99", "1.01"),
                                         RESULT("inconclusive", "0.5", "2"), NULL};
    static const char *const damaged[] = {"{\"outcome\": \"acc", NULL};

    propose("05", no_gpu, no_gpu);
    assert_false(has_ramp);
    assert_string_equal(
        proposed, "; 05_tiling: no ramp, since the solution could not be timed here (no-gpu)\n\n");
    propose("05", own, unsure);
    assert_false(has_ramp);
    assert_proposed("the step before could not be timed here (inconclusive)");
    propose("05", partly, slower);
    assert_true(has_ramp);
    assert_proposed("speed_to = 0.97");
    propose("05", damaged, slower);
    assert_false(has_ramp);
    assert_proposed("no result that can be read");
}

int main(void) {
    int failed = run_listed(read_catalogue, NULL);

    free(proposed);
    return failed;
}
