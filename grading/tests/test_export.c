/* The tables and the files for other graders: their formats, and that nothing in a name or a
 * message breaks out of its place. Run from the repository's root. */
#include "testing.h"
#include "exported_book.h"
#include "schema.h"
#include "text.h"

static void assert_file(const char *name, const char *expected) {
    char *text = file(name);

    assert_string_equal(text, expected);
    free(text);
}

TEST(test_grades) {
    assert_file("grades.csv", "student,name,01_serial,05_tiling,total,possible,percent\n"
                              "\"'=1+1\",\"'=HYPERLINK(\"\"http://x.example\"\",\"\"Jörg, "
                              "\"\"\"\"X\"\"\"\"\"\")\",0,0,0,15,0\n"
                              "anna,Anna Müller,5,10,15,15,100\n"
                              "max/../x,,,,0,0,0\n"
                              "zoë,\"'-Zoë\",2.8,3,5.8,10,58\n");
}

TEST(test_grades_by_step) {
    assert_file("grades_by_step.csv",
                "student,step,attempt,submitted_utc,late_days,earned,points,possible,explanation\n"
                "\"'=1+1\",01_serial,0,,0,0,0,5,not handed in\n"
                "\"'=1+1\",05_tiling,1,,0,0,0,10,\n"
                "anna,01_serial,1,2026-11-20T12:00:00Z,0,5,5,5,\n"
                "anna,05_tiling,2,2026-11-20T12:00:00Z,0,10,10,10,\n"
                "zoë,01_serial,1,2026-11-22T09:00:00Z,2,3.5,2.8,5,Handed in 2 days late: 10% "
                "off per day.\n"
                "zoë,05_tiling,1,2026-11-22T09:00:00Z,0,3,3,5,\n");
}

/* What was not measured of one student alone is not lost where a column has one maximum. */
TEST(test_platform_tables) {
    assert_file("moodle.csv", "Identifier,Full name,ID number,01_serial,05_tiling,Grade,"
                              "Last modified (grade)\n"
                              ",\"'=HYPERLINK(\"\"http://x.example\"\",\"\"Jörg, "
                              "\"\"\"\"X\"\"\"\"\"\")\",\"'=1+1\",0,0,0,\n"
                              ",Anna Müller,anna,5,10,15,\n"
                              ",,max/../x,,,,\n"
                              ",\"'-Zoë\",zoë,2.8,6,8.8,\n");
    assert_file("canvas.csv", "Student,ID,SIS User ID,SIS Login ID,Section,01_serial,05_tiling\n"
                              "    Points Possible,,,,,5,10\n"
                              "\"'=HYPERLINK(\"\"http://x.example\"\",\"\"Jörg, "
                              "\"\"\"\"X\"\"\"\"\"\")\",,\"'=1+1\",\"'=1+1\",,0,0\n"
                              "Anna Müller,,anna,anna,,5,10\n"
                              "max/../x,,max/../x,max/../x,,,\n"
                              "\"'-Zoë\",,zoë,zoë,,2.8,6\n");
}

TEST(test_ids) {
    sqlite3 *book = book_open();
    char others[64];

    strcpy(others, folder);
    assert_int_equal(make_folder(folder), 0);
    book_run(book, "INSERT INTO submission VALUES (1, 'a@b.example', '', '', '', '', ''), "
                   "(2, 'c@b.example', '', '', '', '', '');"
                   "INSERT INTO total VALUES ('a@b.example', '01_serial', NULL, 0, 0, 0, 5, '')");
    assert_int_equal(export_all(book, &catalogue, folder), 0);
    assert_file("moodle.csv",
                "Identifier,Full name,Email address,01_serial,Grade,Last modified (grade)\n"
                ",,a@b.example,0,0,\n,,c@b.example,,,\n");
    /* everything was left out: neither a zero nor a number that is none */
    book_run(book, "UPDATE submission SET student = '4711' WHERE id = 2;"
                   "INSERT INTO total VALUES ('4711', '01_serial', NULL, 0, 0, 0, 0, '')");
    assert_int_equal(export_all(book, &catalogue, folder), 0);
    assert_file("moodle.csv",
                "Identifier,Full name,ID number,01_serial,Grade,Last modified (grade)\n"
                "Participant 4711,,4711,,,\n,,a@b.example,0,0,\n");
    assert_file("canvas.csv", "Student,ID,SIS User ID,SIS Login ID,Section,01_serial\n"
                              "    Points Possible,,,,,5\n4711,4711,4711,4711,,\n"
                              "a@b.example,,a@b.example,a@b.example,,0\n");
    sqlite3_close(book);
    remove_folder(folder);
    strcpy(folder, others);
}

static json_t *json_file(const char *name) {
    char *text = file(name);
    json_t *json = json_loads(text, 0, NULL);

    assert_non_null(json);
    free(text);
    return json;
}

/* The file is as its schema wants it; given back. */
static json_t *valid(const char *name, const char *schema_path) {
    json_t *schema = json_load_file(schema_path, 0, NULL), *json = json_file(name);
    const char *wrong;

    assert_non_null(schema);
    if ((wrong = schema_check(schema, json)))
        fail_msg("%s: %s", name, wrong);
    json_decref(schema);
    return json;
}

static const char *const students[] = {"", "=1+1", "anna", "max%2F..%2Fx", "zoë"};

TEST(test_gradescope) {
    json_t *json, *tests, *test;
    size_t i;

    for (i = 1; i < 5; i++) {
        char name[128];

        snprintf(name, sizeof name, "gradescope/%s.json", students[i]);
        json_decref(valid(name, "grading/tests/schemas/gradescope.json"));
    }
    json = json_file("gradescope/zoë.json");
    assert_true(json_real_value(json_object_get(json, "score")) == 5.8);
    tests = json_object_get(json, "tests");
    assert_int_equal(json_array_size(tests), 6);
    test = json_array_get(tests, 3); /* 05_tiling, small */
    assert_string_equal(json_string_value(json_object_get(test, "number")), "5.2");
    assert_string_equal(json_string_value(json_object_get(test, "status")), "failed");
    test = json_array_get(tests, 4); /* inconclusive: neither failed nor a zero of five */
    assert_null(json_object_get(test, "status"));
    assert_true(json_number_value(json_object_get(test, "max_score")) == 0);
    assert_non_null(strstr(json_string_value(json_object_get(json, "output")),
                           "2.8 of 5 points. Handed in 2 days late: 10% off per day."));
    json_decref(json);
    json = json_file("gradescope/max%2F..%2Fx.json");
    assert_non_null(strstr(json_string_value(json_object_get(json, "output")),
                           "not taken: ../../etc/passwd: its path leads out of the archive"));
    json_decref(json);
}

/* The reporter adds up the tests' scores: what late days took must be gone from them. */
TEST(test_classroom) {
    json_t *json, *test;
    double sum = 0;
    size_t i;

    for (i = 1; i < 5; i++) {
        char name[128];

        snprintf(name, sizeof name, "classroom/%s.json", students[i]);
        json_decref(valid(name, "grading/tests/schemas/classroom.json"));
    }
    json = json_file("classroom/zoë.json");
    json_array_foreach(json_object_get(json, "tests"), i, test) {
        sum += json_number_value(json_object_get(test, "score"));
    }
    assert_true(sum > 5.79 && sum < 5.81);
    assert_true(json_number_value(json_object_get(json, "max_score")) == 10);
    assert_string_equal(json_string_value(json_object_get(json, "status")), "fail");
    json_decref(json);
    json = json_file("classroom/anna.json");
    assert_string_equal(json_string_value(json_object_get(json, "status")), "pass");
    json_decref(json);
}

TEST(test_junit) {
    char command[512];
    char *text = file("junit.xml");

    snprintf(command, sizeof command,
             "xmllint --noout --schema grading/tests/schemas/junit.xsd %s/junit.xml 2>%s/said "
             "|| { cat %s/said; false; } && rm %s/said",
             folder, folder, folder, folder);
    assert_int_equal(system(command), 0);
    assert_non_null(strstr(text, "<testsuite name=\"zoë\" tests=\"6\" failures=\"2\" "
                                 "errors=\"0\" skipped=\"2\">"));
    assert_non_null(strstr(text, "<testsuite name=\"=1+1\" tests=\"4\" failures=\"4\""));
    assert_non_null(strstr(text, "<skipped message=\"inconclusive: another program slowed"));
    assert_non_null(strstr(text, "<failure message=\"not handed in\""));
    free(text);
}

/* The schemas tell right from wrong, and the checker reads all of them. */
TEST(test_schemas) {
    static const char *const wrong[][2] = {
        {"gradescope", "{\"score\": \"5\", \"tests\": []}"},
        {"gradescope", "{\"score\": 5, \"tests\": [{\"status\": \"pass\"}]}"},
        {"gradescope", "{\"score\": 5, \"max_score\": 5, \"tests\": []}"},
        {"gradescope", "{\"score\": 5}"},
        {"classroom", "{\"version\": 2, \"status\": \"pass\", \"max_score\": 1, \"tests\": []}"},
        {"classroom", "{\"version\": 1, \"status\": \"passed\", \"max_score\": 1, \"tests\": []}"},
        {"classroom",
         "{\"version\": 1, \"status\": \"pass\", \"max_score\": 1, \"tests\": [{\"name\": \"\"}]}"},
    };
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char path[128];
        json_t *schema, *json = json_loads(wrong[i][1], 0, NULL);

        snprintf(path, sizeof path, "grading/tests/schemas/%s.json", wrong[i][0]);
        schema = json_load_file(path, 0, NULL);
        assert_non_null(schema_check(schema, json));
        json_decref(schema);
        json_decref(json);
    }
}

/* The same gradebook gives the same bytes, and nothing else is left in the folder. */
TEST(test_same_again) {
    char command[512], again[64];
    sqlite3 *book = book_sample();

    assert_int_equal(make_folder(again), 0);
    assert_int_equal(export_all(book, &catalogue, again), 0);
    assert_int_equal(export_all(book, &catalogue, again), 0);
    snprintf(command, sizeof command, "diff -r %s %s && ! find %s -name '.*' | grep .", folder,
             again, again);
    assert_int_equal(system(command), 0);
    sqlite3_close(book);
    remove_folder(again);
}

/* A disk that is full: one line, an exit code of its own, and the old file is kept. */
TEST(test_full_disk) {
    struct output output;
    char path[96];
    int i;

    assert_int_equal(output_open(&output, folder, "kept", ".txt"), 0);
    fputs("before", output.file);
    assert_int_equal(output_close(&output), 0);
    assert_int_equal(output_open(&output, folder, "kept", ".txt"), 0);
    fclose(output.file);
    output.file = fopen("/dev/full", "w");
    for (i = 0; i < 100000; i++) /* more than is kept back */
        fputs("after", output.file);
    ASSERT_COMPLAINS(output_close(&output), OUTCOME_FULL,
                     "kept.txt cannot be written: No space left on device");
    assert_file("kept.txt", "before");
    snprintf(path, sizeof path, "%s/.writing.txt", folder);
    assert_int_equal(access(path, F_OK), -1);
    snprintf(path, sizeof path, "%s/kept.txt", folder);
    unlink(path);
}

static void assert_clean(const char *text, const char *expected) {
    char *clean = text_clean(text);

    assert_string_equal(clean, expected);
    free(clean);
}

TEST(test_clean) {
    static const char *const kept[] = {"plain\n\ttext", "Zoë €", "𝄞"};
    size_t i;

    for (i = 0; i < 3; i++)
        assert_clean(kept[i], kept[i]);
    assert_clean("a\x1b[31m", "a\xef\xbf\xbd[31m");
    assert_clean("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"); /* a slash written too long */
    assert_clean("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* half a pair */
    assert_clean("\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd");                 /* cut off */
    assert_clean("\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_clean("a\r\nb", "a\nb");
}

static void assert_name(const char *id, const char *expected) {
    char *name = text_file_name(id);

    assert_string_equal(name, expected);
    free(name);
}

TEST(test_file_names) {
    assert_name("anna.m", "anna.m");
    assert_name("Zoë M", "Zoë M");
    assert_name("../x", "%2E.%2Fx");
    assert_name("%2E.%2Fx", "%252E.%252Fx");
    assert_name("-rf", "%2Drf");
    assert_name("a\nb\x01\xff", "a%0Ab%01%FF");
}

GROUP(enter, end_folder)
