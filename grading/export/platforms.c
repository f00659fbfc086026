/* The forms in which other graders take results: Gradescope's results.json, the JSON of a GitHub
 * Classroom autograding runner, and JUnit's XML. Times are left out of all of them. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "writers.h"

/* A text that grows. */
struct message {
    char *text;
    size_t size;
    FILE *file;
};

static void message_open(struct message *message) {
    message->file = open_memstream(&message->text, &message->size);
}

/* The text as a JSON string; frees it. */
static json_t *message_json(struct message *message) {
    json_t *string;

    fclose(message->file);
    string = json_string(message->text);
    free(message->text);
    return string;
}

static json_t *json_points(double points) {
    return json_real(round(points * 100) / 100);
}

static void dump(FILE *file, json_t *object) {
    json_dumpf(object, file, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    putc('\n', file);
    json_decref(object);
}

/* One line on a step: its points, and what late days and caps took of them. */
static void describe_step(FILE *file, const struct graded_step *step) {
    char points[32], possible[32];

    fprintf(file, "%s: %s of %s points", step->step->name, points_text(step->points, points),
            points_text(step->possible, possible));
    if (!step->handed_in)
        fputs(", not handed in", file);
    if (*step->explanation)
        fprintf(file, ". %s", step->explanation);
    putc('\n', file);
}

static void describe_refusals(FILE *file, const struct student *student) {
    int i;

    for (i = 0; i < student->refusal_count; i++)
        fprintf(file, "not taken: %s: %s\n", student->refusals[i].path,
                student->refusals[i].reason);
}

/* Before what was found: why the item is not counted, in brackets. */
static void describe_item(char text[64], const struct graded_item *item) {
    *text = 0;
    if (!item->counted)
        snprintf(text, 64, "(%.58s) ", item->state);
}

static json_t *gradescope_test(const struct graded_step *step, const struct graded_item *item,
                               int number) {
    char open[64];

    describe_item(open, item);
    return json_pack("{s:o, s:o, s:o, s:o, s:s*, s:o, s:s, s:s}", "name",
                     json_sprintf("%s: %s", step->step->name, item->name), "number",
                     json_sprintf("%d.%d", atoi(step->step->name), number), "score",
                     json_points(item->counted ? item->points : 0), "max_score",
                     json_points(item->counted ? item->possible : 0), "status",
                     !item->counted                   ? NULL
                     : item->points >= item->possible ? "passed"
                                                      : "failed",
                     "output", json_sprintf("%s%s", open, item->explanation), "output_format",
                     "text", "visibility", "visible");
}

void write_gradescope(FILE *file, const struct graded *graded, const struct student *student) {
    json_t *tests = json_array();
    struct message output;
    int i, k;

    message_open(&output);
    for (i = 0; i < graded->step_count; i++) {
        const struct graded_step *step = &student->steps[i];
        struct graded_item missing = {.name = "handed in",
                                      .state = "earned",
                                      .explanation = "not handed in",
                                      .possible = step->possible,
                                      .counted = 1};

        if (!step->there)
            continue;
        describe_step(output.file, step);
        for (k = 0; k < step->item_count; k++)
            json_array_append_new(tests, gradescope_test(step, &step->items[k], k + 1));
        if (!step->handed_in)
            json_array_append_new(tests, gradescope_test(step, &missing, 1));
    }
    describe_refusals(output.file, student);
    dump(file, json_pack("{s:o, s:o, s:s, s:s, s:s, s:o}", "score", json_points(student->points),
                         "output", message_json(&output), "output_format", "text", "visibility",
                         "visible", "stdout_visibility", "hidden", "tests", tests));
}

/* A test is a step here: the reporter adds up the scores of tests, and late days and caps are taken
 * from a step. */
static json_t *classroom_test(const struct graded_step *step) {
    struct message text;
    char points[32], possible[32], open[64];
    int i;

    message_open(&text);
    describe_step(text.file, step);
    for (i = 0; i < step->item_count; i++) {
        const struct graded_item *item = &step->items[i];

        describe_item(open, item);
        fprintf(text.file, "%s, %s of %s: %s%s\n", item->name, points_text(item->points, points),
                points_text(item->possible, possible), open, item->explanation);
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:i, s:i, s:o}", "name", step->step->name, "status",
                     step->points >= step->possible ? "pass" : "fail", "message",
                     message_json(&text), "test_code",
                     json_sprintf("make check STEP=%.2s", step->step->name), "filename",
                     json_sprintf("steps/%s/%s", step->step->name, step->step->source), "line_no",
                     0, "duration", 0, "score", json_points(step->points));
}

void write_classroom(FILE *file, const struct graded *graded, const struct student *student) {
    json_t *tests = json_array();
    const char *status = "pass";
    int i;

    for (i = 0; i < graded->step_count; i++) {
        if (!student->steps[i].there)
            continue;
        json_array_append_new(tests, classroom_test(&student->steps[i]));
        if (student->steps[i].points < student->steps[i].possible)
            status = "fail";
    }
    dump(file, json_pack("{s:i, s:s, s:o, s:o}", "version", 1, "status", status, "max_score",
                         json_points(student->possible), "tests", tests));
}

/* How a test case of JUnit ends. */
enum ending { PASSED, FAILED, SKIPPED };

static enum ending item_ending(const struct graded_item *item) {
    if (!item->counted)
        return SKIPPED;
    return item->points >= item->possible ? PASSED : FAILED;
}

static void write_case(FILE *file, const struct graded_step *step, const char *name,
                       enum ending ending, const char *message, const char *text) {
    fprintf(file, "    <testcase classname=\"%s\" name=\"", step->step->name);
    write_html(file, name);
    if (ending == PASSED) {
        fputs("\"/>\n", file);
        return;
    }
    fprintf(file, "\">\n      <%s message=\"", ending == FAILED ? "failure" : "skipped");
    write_html(file, message);
    if (ending == SKIPPED) {
        fputs(": ", file);
        write_html(file, text);
        fputs("\"/>", file);
    } else {
        fputs("\" type=\"points\">", file);
        write_html(file, text);
        fputs("</failure>", file);
    }
    fputs("\n    </testcase>\n", file);
}

static void count_cases(const struct graded *graded, const struct student *student, int counts[3]) {
    int i, k;

    memset(counts, 0, 3 * sizeof *counts);
    for (i = 0; i < graded->step_count; i++) {
        const struct graded_step *step = &student->steps[i];

        counts[FAILED] += step->there && !step->handed_in;
        for (k = 0; k < step->item_count; k++)
            counts[item_ending(&step->items[k])]++;
    }
}

void write_junit(FILE *file, const struct graded *graded) {
    int i, k, n;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", file);
    for (n = 0; n < graded->student_count; n++) {
        const struct student *student = &graded->students[n];
        int counts[3];

        count_cases(graded, student, counts);
        fputs("  <testsuite name=\"", file);
        write_html(file, student->id);
        fprintf(file, "\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n",
                counts[PASSED] + counts[FAILED] + counts[SKIPPED], counts[FAILED], counts[SKIPPED]);
        for (i = 0; i < graded->step_count; i++) {
            const struct graded_step *step = &student->steps[i];

            if (step->there && !step->handed_in)
                write_case(file, step, "handed in", FAILED, "not handed in", "");
            for (k = 0; k < step->item_count; k++) {
                const struct graded_item *item = &step->items[k];
                char message[80], points[32], possible[32];

                snprintf(message, sizeof message, "%s of %s points",
                         points_text(item->points, points), points_text(item->possible, possible));
                write_case(file, step, item->name, item_ending(item),
                           item->counted ? message : item->state, item->explanation);
            }
        }
        fputs("  </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
}
