/* Tables for spreadsheets and for the grade import of Moodle and of Canvas. */
#include <string.h>

#include "text.h"
#include "writers.h"

static void number(FILE *file, double points) {
    char buffer[32];

    fprintf(file, ",%s", points_text(points, buffer));
}

static void cell(FILE *file, const char *text) {
    putc(',', file);
    write_cell(file, text);
}

/* A line's cells of steps. Where something was left out of one student's grade alone, fewer points
 * are possible than others had. In a table in which a column has one maximum (`whole`), they count
 * as a share of it: what was not measured is not lost. */
static void steps(FILE *file, const struct graded *graded, const struct student *student,
                  int whole) {
    int i;

    for (i = 0; i < graded->step_count; i++) {
        const struct graded_step *step = &student->steps[i];

        if (!step->there || (whole && step->possible <= 0))
            putc(',', file);
        else
            number(file,
                   whole ? step->points * graded->possible[i] / step->possible : step->points);
    }
}

static void step_names(FILE *file, const struct graded *graded) {
    int i;

    for (i = 0; i < graded->step_count; i++)
        cell(file, graded->steps[i]->name);
}

void write_grades(FILE *file, const struct graded *graded) {
    int i;

    fputs("student,name", file);
    step_names(file, graded);
    fputs(",total,possible,percent\n", file);
    for (i = 0; i < graded->student_count; i++) {
        const struct student *student = &graded->students[i];

        write_cell(file, student->id);
        cell(file, student->name);
        steps(file, graded, student, 0);
        number(file, student->points);
        number(file, student->possible);
        number(file, graded_percent(student->points, student->possible));
        putc('\n', file);
    }
}

void write_grades_by_step(FILE *file, const struct graded *graded) {
    int i, k;

    fputs("student,step,attempt,submitted_utc,late_days,earned,points,possible,explanation\n",
          file);
    for (i = 0; i < graded->student_count; i++)
        for (k = 0; k < graded->step_count; k++) {
            const struct graded_step *step = &graded->students[i].steps[k];

            if (!step->there)
                continue;
            write_cell(file, graded->students[i].id);
            cell(file, step->step->name);
            fprintf(file, ",%d", step->attempt);
            cell(file, step->submitted_utc);
            fprintf(file, ",%d", step->late_days);
            number(file, step->earned);
            number(file, step->points);
            number(file, step->possible);
            cell(file, step->handed_in ? step->explanation : "not handed in");
            putc('\n', file);
        }
}

/* The sum of a line's cells, where a column has one maximum. */
static void sum(FILE *file, const struct graded *graded, const struct student *student) {
    double points = 0;
    int i, counted = 0;

    for (i = 0; i < graded->step_count; i++) {
        const struct graded_step *step = &student->steps[i];

        if (!step->there || step->possible <= 0)
            continue;
        points += step->points * graded->possible[i] / step->possible;
        counted++;
    }
    if (counted)
        number(file, points);
    else
        putc(',', file);
}

static int is_number(const char *id) {
    return *id && !id[strspn(id, "0123456789")];
}

/* For both of Moodle's imports. That of the gradebook asks which column says who is meant; ids that
 * are addresses are said to be such. An assignment's grading worksheet is known by the columns
 * Identifier, Grade and Last modified (grade); in it students are participants with a number, the
 * one in the names of the files that Moodle exports. */
void write_moodle(FILE *file, const struct graded *graded) {
    int addresses = graded->student_count > 0, i;

    for (i = 0; i < graded->student_count; i++)
        addresses = addresses && strchr(graded->students[i].id, '@');
    fprintf(file, "Identifier,Full name,%s", addresses ? "Email address" : "ID number");
    step_names(file, graded);
    fputs(",Grade,Last modified (grade)\n", file);
    for (i = 0; i < graded->student_count; i++) {
        const struct student *student = &graded->students[i];

        if (is_number(student->id))
            fprintf(file, "Participant %s", student->id);
        cell(file, student->name);
        cell(file, student->id);
        steps(file, graded, student, 1);
        sum(file, graded, student);
        fputs(",\n", file);
    }
}

/* Canvas looks for ID, its own number, then for the two others, then for the name. */
void write_canvas(FILE *file, const struct graded *graded) {
    int i;

    fputs("Student,ID,SIS User ID,SIS Login ID,Section", file);
    step_names(file, graded);
    fputs("\n    Points Possible,,,,", file);
    for (i = 0; i < graded->step_count; i++)
        number(file, graded->possible[i]);
    putc('\n', file);
    for (i = 0; i < graded->student_count; i++) {
        const struct student *student = &graded->students[i];

        write_cell(file, *student->name ? student->name : student->id);
        cell(file, is_number(student->id) ? student->id : "");
        cell(file, student->id);
        cell(file, student->id);
        putc(',', file);
        steps(file, graded, student, 1);
        putc('\n', file);
    }
}
