/* The rubric: how it is read, every mistake it can have, and that grading/rubric.ini is whole. Run
 * from the repository's root. */
#include "testing.h"
#include "catalogue_of_steps.h"
#include "files.h"
#include "rubric.h"

static struct rubric rubric, before;
static char path[96];

static int begin(void **state) {
    if (make_folder(folder) || read_catalogue(state))
        return -1;
    snprintf(path, sizeof path, "%s/rubric.ini", folder);
    return 0;
}

static const struct step_rubric *of(const char *name) {
    return rubric_step(&rubric, catalogue_find(&catalogue, name));
}

static void read_good(const char *text) {
    write_file(path, text);
    assert_int_equal(rubric_read(&rubric, path, &catalogue), OUTCOME_ACCEPTED);
}

/* Refused in one line that names line `number` and says `part`; what was there before stays. */
static void assert_refused(const char *text, int number, const char *part) {
    char said[2048], place[128];
    struct kept_stderr kept;
    enum outcome outcome;

    memset(&rubric, 0x5a, sizeof rubric);
    before = rubric;
    write_file(path, text);
    kept = catch_stderr();
    outcome = rubric_read(&rubric, path, &catalogue);
    caught_stderr(kept, said, sizeof said);
    snprintf(place, sizeof place, "error: %s:%d: ", path, number);
    if (outcome != OUTCOME_RUBRIC || count_lines(said) != 1 ||
        strncmp(said, place, strlen(place)) || !strstr(said, part))
        fail_msg("line %d, \"%s\": outcome %d, said: %s", number, part, outcome, said);
    assert_memory_equal(&rubric, &before, sizeof rubric);
}

static double sum(const struct step_rubric *step) {
    return step->compiles + step->small + step->edges + step->large + step->decimals +
           step->memory + step->races + step->accuracy + step->idea + step->traffic + step->speed +
           step->prediction + step->questions;
}

TEST(test_shipped) {
    int i;

    assert_int_equal(rubric_read(&rubric, "grading/rubric.ini", &catalogue), OUTCOME_ACCEPTED);
    assert_int_equal(rubric.count, catalogue.count);
    for (i = 0; i < catalogue.count; i++)
        if (sum(&rubric.steps[i]) != 100)
            fail_msg("%s: %g points", rubric.names[i], sum(&rubric.steps[i]));
    assert_int_equal(rubric.attempt, ATTEMPT_BEST);
    assert_int_equal(rubric.late_days, 3);
    assert_true(of("05")->speed_from < 0 && of("03")->speed_from > 0 && of("01")->speed_from > 0);
    assert_true(of("01")->idea == 0 && of("01")->races == 0 && of("02")->traffic == 0);
    assert_true(of("10")->accuracy == 0 && of("11")->accuracy > 0);
}

TEST(test_all_keys) {
    const struct step_rubric *step;

    read_good("\xef\xbb\xbf[course]\nattempt = last\nlate_days = 2\nlate_percent = 12.5\n"
              "[05_tiling]\r\n"
              "compiles=1\r\nsmall = 2\nedges: 3\n large = 4\n\tdecimals = 5 ; five\n"
              "; a comment\n# another\n\n"
              "memory = 6\nraces = 7\naccuracy = 8\nidea = 9\ntraffic = 10\ntraffic_from = 8\n"
              "traffic_to = 2\nspeed = 11\nspeed_from = 0.25\nspeed_to = 0.75\n"
              "speed_origin = n1, Gerät mit Rechner, 2026-11-21\nprediction = 12\nquestions = 13\n"
              "question_count = 4\ncap_percent = 80\ndue_utc = 2028-02-29T23:59:00Z");
    step = of("05_tiling");
    assert_int_equal(rubric.attempt, ATTEMPT_LAST);
    assert_int_equal(rubric.late_days, 2);
    assert_true(rubric.late_percent == 12.5);
    assert_true(step->compiles == 1 && step->small == 2 && step->edges == 3 && step->large == 4 &&
                step->decimals == 5 && step->memory == 6 && step->races == 7 &&
                step->accuracy == 8 && step->idea == 9 && step->traffic == 10 &&
                step->traffic_from == 8 && step->traffic_to == 2 && step->speed == 11 &&
                step->speed_from == 0.25 && step->speed_to == 0.75 && step->prediction == 12 &&
                step->questions == 13 && step->question_count == 4 && step->cap_percent == 80);
    assert_string_equal(step->speed_origin, "n1, Gerät mit Rechner, 2026-11-21");
    assert_string_equal(step->due_utc, "2028-02-29T23:59:00Z");
    assert_true(sum(of("06")) == 0); /* no section of its own, no [default] */
    assert_true(of("06")->speed_from < 0 && of("06")->cap_percent == 100);
}

TEST(test_default) {
    read_good("[default]\nidea = 5\nraces = 6\ntraffic = 7\naccuracy = 8\nprediction = 9\n"
              "speed = 10\ncompiles = 1\n[06_unroll]\nidea = 50\n[02_openmp]\ntraffic = 0\n");
    assert_true(of("05")->idea == 5 && of("06")->idea == 50 && of("06")->races == 6);
    /* What a step has not is not worth anything. */
    assert_true(sum(of("01")) == 8 + 1);
    assert_true(of("02")->traffic == 0 && of("02")->idea == 5 && of("02")->races == 6);
    assert_true(of("03")->speed == 0 && of("03")->traffic == 7 && of("03")->races == 6);
    assert_true(of("10")->accuracy == 0 && of("10")->idea == 5);
    assert_true(of("11")->speed == 10);
}

/* Steps that get no line of [default] for an item. */
TEST(test_without) {
    read_good("[default]\nidea = 5\nraces = 6\nspeed = 10\n[without idea]\nidea = 1\nraces = 2\n"
              "small = 7\n[without traffic]\nidea = 30\n[without speed]\nspeed = 20\n"
              "speed_from = 0.5\n[without accuracy]\nidea = 40\n[02_openmp]\nspeed = 11\n");
    assert_true(sum(of("01")) == 7 + 20 && of("01")->speed_from == 0.5);
    assert_true(of("02")->idea == 30 && of("02")->races == 6 && of("02")->speed == 11);
    assert_true(of("03")->idea == 5 && of("03")->speed == 20 && of("04")->speed == 10);
    assert_true(of("10")->idea == 40 && of("13")->idea == 30 && of("13")->speed_from < 0);
    assert_refused("[without thanks]\n", 1, "[without thanks]: there is no such step");
    assert_refused("[02_openmp]\n[without idea]\n", 2,
                   "[without idea] comes before the sections of steps");
}

TEST(test_broken) {
    char line[600];

    assert_refused("idea = 5\n", 1, "before any section");
    assert_refused("[default]\nidea = 5\n\nideas = 5\n", 4, "ideas: there is no such item");
    assert_refused("[course]\ntime_zone = Europe/Atlantis\n", 2, "knows no such zone");
    assert_refused("[course]\ntime_zone = ../zoneinfo/UTC\n", 2, "Europe/Berlin or UTC");
    assert_refused("[course]\ntime_zone =\n", 2, "knows no such zone");
    assert_refused("[course]\nidea = 5\n", 2, "[course] has attempt, late_days, late_percent");
    assert_refused("[default]\nidea = 5\n[5_tiling]\n", 3, "there is no such step");
    assert_refused("[default]\n[05]\nidea = 5\n", 2, "full name, as 05_tiling");
    assert_refused("[99_tensor]\n", 1, "[99_tensor]: there is no such step");
    assert_refused("[default]\nidea = 5\n[05_tiling\nidea = 6\n", 3, "name in brackets");
    assert_refused("[default]\nidea = 5\nraces\n", 3, "NAME = VALUE");
    assert_refused("[default]\nraces\nideas = 6\n", 2, "NAME = VALUE");
    assert_refused("[default]\nidea = 5\nraces = 1\nidea = 6\n", 4, "idea is there twice");
    assert_refused("[course]\nattempt = best\nattempt = best\n", 3, "attempt is there twice");
    assert_refused("[default]\nidea = 5\n[default]\n", 3, "[default] is there twice");
    assert_refused("\xef\xbb\xbf[default]\nidea = 5\n[default]\n", 3, "[default] is there twice");
    assert_refused("[default]\n[05_tiling]\nidea = 5\n[06_unroll]\n[05_tiling]\nraces = 5\n", 5,
                   "[05_tiling] is there twice");
    assert_refused("[05_tiling]\nidea = 5\n[default]\nidea = 6\n", 3, "before the sections");
    assert_refused("[05_tiling]\n[course]\n[default]\n", 3, "before the sections");
    snprintf(line, sizeof line, "[default]\nidea = 5 ; %0400d\nraces = x\n", 0);
    assert_refused(line, 2, "a line of at most");
}

TEST(test_numbers) {
    assert_refused("[default]\nidea = -1\n", 2, "idea = -1: a number from 0 to 1000 is needed");
    assert_refused("[default]\nidea = 1001\n", 2, "from 0 to 1000");
    assert_refused("[default]\nidea = \n", 2, "from 0 to 1000");
    assert_refused("[default]\nidea = nan\n", 2, "from 0 to 1000");
    assert_refused("[default]\nidea = 5 points\n", 2, "idea = 5 points: ");
    assert_refused("[default]\nidea = previous\n", 2, "idea = previous: ");
    assert_refused("[default]\nquestion_count = 2.5\n", 2, "a whole number from 1 to 100");
    assert_refused("[default]\nquestion_count = 0\n", 2, "a whole number from 1 to 100");
    assert_refused("[default]\nspeed_from = 0\n", 2, "or the word previous");
    assert_refused("[default]\nspeed_from = before\n", 2, "or the word previous");
    assert_refused("[default]\nspeed_to = previous\n", 2, "a number from 0.001 to 100");
    assert_refused("[default]\ntraffic_to = 0\n", 2, "a number from 0.01");
    assert_refused("[default]\ncap_percent = 101\n", 2, "a number from 0 to 100");
    assert_refused("[course]\nattempt = first\n", 2, "attempt = first: best or last is needed");
    assert_refused("[course]\nlate_days = 1.5\n", 2, "a whole number from 0 to 100");
    assert_refused("[course]\nlate_percent = 101\n", 2, "a number from 0 to 100");
    read_good("[default]\nidea = 1000\nraces = 0\nspeed_from = 0.001\nspeed_to = 100\n"
              "question_count = 1\ncap_percent = 0\n[course]\nlate_percent = 100\nlate_days = 0\n");
}

TEST(test_ramps) {
    assert_refused("[default]\nidea = 1\nspeed_from = 0.9\n\nspeed_to = 0.9\n", 5,
                   "speed_from must be below speed_to");
    assert_refused("[default]\nspeed_to = 0.8\n[06_unroll]\nspeed_from = 0.81\n\n[08_rsqrt]\n", 4,
                   "[06_unroll] speed_from = 0.81, speed_to = 0.8");
    assert_refused("[default]\ntraffic_from = 1.5\ntraffic_to = 1.5\n", 3,
                   "traffic_from must be above traffic_to");
    read_good("[default]\nspeed_to = 0.8\n[06_unroll]\nspeed_from = 0.79\n");
    read_good("[default]\ntraffic_from = 1.51\ntraffic_to = 1.5\n");
    assert_refused("[03_cuda_naive]\nspeed = 5\n", 2, "speed_from = previous: a number is needed");
    assert_refused("[01_serial]\nspeed_from = previous\nspeed = 5\n", 3, "a number is needed");
    read_good("[03_cuda_naive]\nspeed = 5\nspeed_from = 0.5\n[01_serial]\nspeed_from = previous\n");
}

TEST(test_steps) {
    assert_refused("[01_serial]\nidea = 5\n", 2,
                   "idea = 5: 0 is needed, since this step is in C and builds on no other step");
    assert_refused("[01_serial]\nraces = 5\n", 2, "runs one thread");
    assert_refused("[01_serial]\nprediction = 5\n", 2, "builds on no other step");
    assert_refused("[02_openmp]\ntraffic = 5\n", 2, "is in C");
    assert_refused("[02_openmp]\ntraffic_from = 5\n", 2, "is in C");
    assert_refused("[10_fp16]\naccuracy = 5\n", 2, "rejected for its accuracy");
    read_good("[02_openmp]\nraces = 5\nidea = 5\n[03_cuda_naive]\ntraffic = 5\n"
              "[01_serial]\nidea = 0\n");
}

/* A step of CUDA C has an idea, though it builds on none; not every problem has decimals. */
TEST(test_other_step) {
    add_other_step();
    read_good("[default]\nidea = 5\nraces = 6\ntraffic = 7\ndecimals = 8\nprediction = 9\n"
              "[91_other]\nedges = 10\n");
    assert_true(of("91")->idea == 5 && sum(of("91")) == 5 + 6 + 7 + 10);
    assert_true(of("05")->decimals == 8 && of("14")->decimals == 8);
    assert_refused("[91_other]\ndecimals = 5\n", 2,
                   "0 is needed, since this step is of a problem without decimals");
    assert_refused("[91_other]\nspeed = 5\n", 2, "speed_from = previous: a number is needed");
    catalogue.count--;
}

TEST(test_times) {
    static const char *const bad[] = {
        "2026-11-30",           "2026-11-30T23:59:00",   "2026-11-30 23:59:00Z",
        "2026-02-29T12:00:00Z", "2026-13-01T12:00:00Z",  "2026-11-30T24:00:00Z",
        "2026-11-30T23:60:00Z", "2026-11-30T23:59:00Zx", "30.11.2026",
        "1969-12-31T23:59:59Z", "2026-11-30T23:59:0Z",   "2026-11-30T23:59:00+01:00",
    };
    char text[128];
    size_t i;

    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "[default]\n[05_tiling]\ndue_utc = %s\n", bad[i]);
        assert_refused(text, 3, "a time in UTC is needed, as 2026-11-30T23:59:00Z");
    }
    read_good("[default]\ndue_utc =\n");
}

TEST(test_missing) {
    ASSERT_COMPLAINS(rubric_read(&rubric, "/nowhere/rubric.ini", &catalogue), OUTCOME_RUBRIC,
                     "error: /nowhere/rubric.ini: cannot be read; RUBRIC names a file\n");
}

GROUP(begin, end_folder)
