/* Which attempt counts, late days, caps. */
#include "testing.h"
#include "late.h"
#include "zone.h"

#define DUE "2026-11-30T12:00:00Z"

static const struct step step = {.name = "05_tiling"};
static struct rubric rubric;

static int begin(void **state) {
    (void)state;
    memset(&rubric, 0, sizeof rubric);
    rubric.late_days = 3;
    rubric.late_percent = 10;
    rubric.count = 1;
    strcpy(rubric.names[0], "05_tiling");
    strcpy(rubric.steps[0].due_utc, DUE);
    rubric.steps[0].cap_percent = 100;
    return 0;
}

static struct total one(const char *submitted_utc) {
    const struct handed_in attempt = {7, submitted_utc, 80, 100};
    struct total total;

    late_total(&rubric, &step, &attempt, 1, &total);
    assert_int_equal(total.entry, 7);
    assert_true(total.earned == 80 && total.possible == 100);
    return total;
}

static void assert_days(const char *submitted_utc, int days, double points) {
    struct total total = one(submitted_utc);

    if (total.late_days != days || total.points != points)
        fail_msg("%s: %d days, %g points", submitted_utc, total.late_days, total.points);
    assert_int_equal(!*total.explanation, days == 0);
}

TEST_IN(begin, NULL, test_days) {
    assert_days("2026-11-01T00:00:00Z", 0, 80);
    assert_days(DUE, 0, 80);
    assert_days("2026-11-30T12:00:01Z", 1, 72);
    assert_days("2026-12-01T12:00:00Z", 1, 72);
    assert_days("2026-12-01T12:00:01Z", 2, 64);
    assert_days("2026-12-03T12:00:00Z", 3, 56);
    assert_days("2026-12-03T12:00:01Z", 4, 0);
    assert_days("2027-11-30T12:00:00Z", 365, 0);
    assert_string_equal(one("2026-12-01T11:00:00Z").explanation,
                        "Handed in 1 day late: 10% off per day.");
    assert_string_equal(one("2026-12-05T11:00:00Z").explanation,
                        "Handed in 5 days late, more than the 3 that are allowed: no points.");
    rubric.late_percent = 60;
    assert_days("2026-12-01T12:00:01Z", 2, 0); /* not below nothing */
    rubric.steps[0].due_utc[0] = 0;
    assert_days("2027-11-30T12:00:00Z", 0, 80);
    assert_string_equal(one("").explanation, "");
}

TEST_IN(begin, NULL, test_unknown_time) {
    struct total total = one("");

    assert_int_equal(total.late_days, 0);
    assert_true(total.points == 80);
    assert_string_equal(total.explanation,
                        "No time of handing in is known, so this counts as in time.");
}

TEST_IN(begin, NULL, test_cap) {
    const struct handed_in partly = {7, DUE, 60, 60};
    struct total total;

    rubric.steps[0].cap_percent = 80;
    assert_string_equal(one(DUE).explanation, "");
    rubric.steps[0].cap_percent = 75;
    total = one(DUE);
    assert_true(total.points == 75 && total.earned == 80);
    assert_string_equal(total.explanation, "At most 75% of the possible points can be earned.");
    late_total(&rubric, &step, &partly, 1, &total); /* in per cent of what is possible */
    assert_true(total.points == 45);
    total = one("2026-12-01T11:00:00Z"); /* after lateness: 72 is below the cap */
    assert_true(total.points == 72);
    rubric.steps[0].cap_percent = 50;
    total = one("2026-12-01T11:00:00Z");
    assert_true(total.points == 50);
    assert_string_equal(total.explanation, "Handed in 1 day late: 10% off per day. At most 50% of "
                                           "the possible points can be earned.");
}

static void assert_chosen(const struct handed_in *attempts, int count, long entry) {
    struct handed_in turned[8];
    struct total total;
    int i;

    late_total(&rubric, &step, attempts, count, &total);
    assert_int_equal(total.entry, entry);
    for (i = 0; i < count; i++) /* in whatever order they come */
        turned[i] = attempts[count - 1 - i];
    late_total(&rubric, &step, turned, count, &total);
    assert_int_equal(total.entry, entry);
}

TEST_IN(begin, NULL, test_best) {
    const struct handed_in late[] = {{1, DUE, 80, 100}, {2, "2026-12-01T11:00:00Z", 88, 100}};
    const struct handed_in worth[] = {{1, DUE, 80, 100}, {2, "2026-12-01T11:00:00Z", 89, 100}};
    const struct handed_in partly[] = {{1, DUE, 70, 75}, {2, DUE, 85, 100}};
    const struct handed_in equal[] = {
        {3, "2026-11-29T00:00:00Z", 80, 100}, {2, DUE, 80, 100}, {1, "", 80, 100}};
    const struct handed_in nothing[] = {{1, DUE, 1, 100}, {2, DUE, 0, 0}};

    assert_chosen(late, 2, 1);
    assert_chosen(worth, 2, 2);
    assert_chosen(partly, 2, 1);
    assert_chosen(equal, 3, 2);
    assert_chosen(nothing, 2, 1);
}

TEST_IN(begin, NULL, test_last) {
    const struct handed_in attempts[] = {{1, "2026-12-02T00:00:00Z", 10, 100}, {2, DUE, 90, 100}};
    const struct handed_in same[] = {{4, DUE, 10, 100}, {3, DUE, 90, 100}};

    rubric.attempt = ATTEMPT_LAST;
    assert_chosen(attempts, 2, 1);
    assert_chosen(same, 2, 4);
}

TEST(test_utc) {
    assert_true(utc_seconds("1970-01-01T00:00:00Z") == 0);
    assert_true(utc_seconds("2028-02-29T23:59:59Z") == 1835481599);
    assert_true(utc_seconds("2026-02-29T00:00:00Z") == -1);
    assert_true(utc_seconds("1960-01-01T00:00:00Z") == -1);
    assert_true(utc_seconds("1970-01-01T00:00:00Z and more") == -1);
    assert_true(utc_seconds("") == -1);
}

static long long in_zone(const char *zone, const char *clock) {
    return zone_seconds(zone, utc_seconds(clock));
}

/* What a zip's clock shows is the same time wherever it is graded. */
TEST(test_zones) {
    static const char *const graders[] = {"UTC", "Asia/Kathmandu", "America/Los_Angeles"};
    char text[32];
    size_t i;

    for (i = 0; i < sizeof graders / sizeof *graders; i++) {
        setenv("TZ", graders[i], 1);
        assert_true(in_zone("UTC", DUE) == utc_seconds(DUE));
        assert_true(in_zone("Asia/Kathmandu", DUE) == utc_seconds("2026-11-30T06:15:00Z"));
        assert_true(in_zone("Europe/Berlin", DUE) == utc_seconds("2026-11-30T11:00:00Z"));
        assert_true(in_zone("Europe/Berlin", "2026-07-01T00:30:00Z") ==
                    utc_seconds("2026-06-30T22:30:00Z"));
        /* An hour that comes twice is the first one; one that is left out is before the change. */
        assert_true(in_zone("Europe/Berlin", "2026-10-25T02:30:00Z") ==
                    utc_seconds("2026-10-25T00:30:00Z"));
        assert_true(in_zone("Europe/Berlin", "2026-10-25T03:00:00Z") ==
                    utc_seconds("2026-10-25T02:00:00Z"));
        assert_true(in_zone("Europe/Berlin", "2026-03-29T02:30:00Z") ==
                    utc_seconds("2026-03-29T01:30:00Z"));
        assert_true(in_zone("Australia/Lord_Howe", "2026-04-05T01:45:00Z") ==
                    utc_seconds("2026-04-04T14:45:00Z"));
        /* Winter began without a change of summer time. */
        assert_true(in_zone("Europe/Moscow", "2014-10-26T01:30:00Z") ==
                    utc_seconds("2014-10-25T21:30:00Z"));
        zone_show("Asia/Kathmandu", utc_seconds(DUE), text, sizeof text);
        assert_string_equal(text, "2026-11-30 17:45:00");
        assert_string_equal(getenv("TZ"), graders[i]);
    }
    unsetenv("TZ");
}
