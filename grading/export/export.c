#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "export.h"
#include "referee/base/options.h"
#include "text.h"
#include "writers.h"

/* Files of the whole class. */
static const struct {
    const char *name;
    void (*write)(FILE *file, const struct graded *graded);
} of_class[] = {
    {"grades.csv", write_grades}, {"grades_by_step.csv", write_grades_by_step},
    {"moodle.csv", write_moodle}, {"canvas.csv", write_canvas},
    {"junit.xml", write_junit},
};

/* Files of each student. */
static const struct {
    const char *folder, *ending;
    void (*write)(FILE *file, const struct graded *graded, const struct student *student);
} of_student[] = {
    {"gradescope", ".json", write_gradescope},
    {"classroom", ".json", write_classroom},
    {"feedback", ".md", write_feedback},
    {"feedback", ".html", write_feedback_page},
};

/* Others on the machine have no business in grades. */
static enum outcome make_folder(const char *folder) {
    if (mkdir(folder, 0700) == 0 || errno == EEXIST)
        return OUTCOME_ACCEPTED;
    return complain(OUTCOME_RESULTS, "%s cannot be made: %s", folder, strerror(errno));
}

static enum outcome export_class(const struct graded *graded, const char *folder) {
    enum outcome outcome = make_folder(folder);
    size_t i;

    for (i = 0; i < sizeof of_class / sizeof *of_class && !outcome; i++) {
        struct output output;

        outcome = output_open(&output, folder, of_class[i].name, "");
        if (outcome)
            break;
        of_class[i].write(output.file, graded);
        outcome = output_close(&output);
    }
    return outcome;
}

static enum outcome export_students(const struct graded *graded, const char *folder) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    size_t i;
    int k;

    for (i = 0; i < sizeof of_student / sizeof *of_student && !outcome; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", folder, of_student[i].folder);
        outcome = make_folder(path);
        for (k = 0; k < graded->student_count && !outcome; k++) {
            const struct student *student = &graded->students[k];
            struct output output;

            outcome = output_open(&output, path, student->file, of_student[i].ending);
            if (outcome)
                break;
            of_student[i].write(output.file, graded, student);
            outcome = output_close(&output);
        }
    }
    return outcome;
}

static enum outcome export_page(sqlite3 *book, const struct graded *graded, const char *folder) {
    struct output output;
    enum outcome outcome = output_open(&output, folder, "class.html", ""), closed;

    if (outcome)
        return outcome;
    outcome = write_class_page(output.file, book, graded);
    closed = output_close(&output);
    return outcome ? outcome : closed;
}

enum outcome export_all(sqlite3 *book, const struct catalogue *catalogue, const char *folder) {
    struct graded graded;
    enum outcome outcome = graded_read(book, catalogue, &graded);

    if (!outcome)
        outcome = export_class(&graded, folder);
    if (!outcome)
        outcome = export_students(&graded, folder);
    if (!outcome)
        outcome = export_page(book, &graded, folder);
    graded_free(&graded);
    return outcome;
}
