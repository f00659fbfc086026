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

static void describe_item(FILE *file, const struct graded_item *item) {
    if (!item->counted)
        fprintf(file, "(%s) ", item->state);
    fputs(item->explanation, file);
}

static json_t *gradescope_test(const struct graded_step *step, const struct graded_item *item,
                               int number) {
    json_t *test = json_object();
    struct message name, output;

    message_open(&name);
    fprintf(name.file, "%s: %s", step->step->name, item->name);
    message_open(&output);
    describe_item(output.file, item);
    json_object_set_new(test, "name", message_json(&name));
    message_open(&name);
    fprintf(name.file, "%d.%d", atoi(step->step->name), number);
    json_object_set_new(test, "number", message_json(&name));
    json_object_set_new(test, "score", json_points(item->counted ? item->points : 0));
    json_object_set_new(test, "max_score", json_points(item->counted ? item->possible : 0));
    if (item->counted)
        json_object_set_new(test, "status",
                            json_string(item->points >= item->possible ? "passed" : "failed"));
    json_object_set_new(test, "output", message_json(&output));
    json_object_set_new(test, "output_format", json_string("text"));
    json_object_set_new(test, "visibility", json_string("visible"));
    return test;
}

void write_gradescope(FILE *file, const struct graded *graded, const struct student *student) {
    json_t *results = json_object(), *tests = json_array();
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
    json_object_set_new(results, "score", json_points(student->points));
    json_object_set_new(results, "output", message_json(&output));
    json_object_set_new(results, "output_format", json_string("text"));
    json_object_set_new(results, "visibility", json_string("visible"));
    json_object_set_new(results, "stdout_visibility", json_string("hidden"));
    json_object_set_new(results, "tests", tests);
    dump(file, results);
}

/* A test is a step here: the reporter adds up the scores of tests, and late days and caps are taken
 * from a step. */
static json_t *classroom_test(const struct graded_step *step) {
    json_t *test = json_object();
    struct message text;
    char points[32], possible[32];
    int i;

    json_object_set_new(test, "name", json_string(step->step->name));
    json_object_set_new(test, "status",
                        json_string(step->points >= step->possible ? "pass" : "fail"));
    message_open(&text);
    describe_step(text.file, step);
    for (i = 0; i < step->item_count; i++) {
        const struct graded_item *item = &step->items[i];

        fprintf(text.file, "%s, %s of %s: ", item->name, points_text(item->points, points),
                points_text(item->possible, possible));
        describe_item(text.file, item);
        putc('\n', text.file);
    }
    json_object_set_new(test, "message", message_json(&text));
    message_open(&text);
    fprintf(text.file, "make check STEP=%.2s", step->step->name);
    json_object_set_new(test, "test_code", message_json(&text));
    message_open(&text);
    fprintf(text.file, "steps/%s/%s", step->step->name, step->step->source);
    json_object_set_new(test, "filename", message_json(&text));
    json_object_set_new(test, "line_no", json_integer(0));
    json_object_set_new(test, "duration", json_integer(0));
    json_object_set_new(test, "score", json_points(step->points));
    return test;
}

void write_classroom(FILE *file, const struct graded *graded, const struct student *student) {
    json_t *results = json_object(), *tests = json_array();
    const char *status = "pass";
    int i;

    for (i = 0; i < graded->step_count; i++) {
        if (!student->steps[i].there)
            continue;
        json_array_append_new(tests, classroom_test(&student->steps[i]));
        if (student->steps[i].points < student->steps[i].possible)
            status = "fail";
    }
    json_object_set_new(results, "version", json_integer(1));
    json_object_set_new(results, "status", json_string(status));
    json_object_set_new(results, "max_score", json_points(student->possible));
    json_object_set_new(results, "tests", tests);
    dump(file, results);
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
