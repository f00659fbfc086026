/* The page for the instructor: who handed in what, where the points were lost, which step stops
 * whom. What concerns pairs of students is in class_book.c. */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "query.h"
#include "text.h"
#include "writers.h"

enum { BINS = 10, MOST_ITEMS = 64 };

/* How a step went, over all students. */
struct course {
    int handed_in, accepted, inconclusive, left_out;
    int bins[BINS]; /* by percent of the points; the last holds 100 */
    double percent; /* mean of those who handed in */
};

static void survey(const struct graded *graded, int index, struct course *course) {
    int i, k;

    memset(course, 0, sizeof *course);
    for (i = 0; i < graded->student_count; i++) {
        const struct graded_step *step = &graded->students[i].steps[index];
        double percent = graded_percent(step->points, step->possible);
        int bin = (int)(percent * BINS / 100);

        if (!step->handed_in)
            continue;
        course->handed_in++;
        course->percent += percent;
        course->bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
        for (k = 0; k < step->item_count; k++) {
            course->left_out += !strcmp(step->items[k].state, "left out");
            course->inconclusive += !strcmp(step->items[k].state, "inconclusive");
        }
        course->accepted += step->outcome && !strcmp(step->outcome, "accepted");
    }
    if (course->handed_in)
        course->percent /= course->handed_in;
}

static const char failures_sql[] =
    "SELECT outcome, count(*) FROM total JOIN measurement USING (entry) WHERE step = ? AND student "
    "<> '*' AND kind = 'check' AND outcome <> 'accepted' GROUP BY outcome ORDER BY count(*) DESC, "
    "outcome LIMIT 3";

/* The three commonest ways to fail; of equal counts, by their words. */
static enum outcome name_failures(sqlite3 *book, const char *step, char text[128]) {
    sqlite3_stmt *rows = sql_query(book, failures_sql, "t", step);
    enum outcome outcome;

    *text = 0;
    while (query_row(rows, &outcome))
        snprintf(text + strlen(text), 128 - strlen(text), "%s%.20s %s", *text ? ", " : "",
                 query_text(rows, 0), query_text(rows, 1));
    return outcome;
}

static enum outcome write_steps(const struct page *page, sqlite3 *book,
                                const struct graded *graded) {
    static const char *const headings[] = {
        "step",        "#handed in",         "#accepted",     "#share accepted",
        "#mean grade", "commonest failures", "#inconclusive", "#left out"};
    enum outcome outcome = OUTCOME_ACCEPTED;
    struct course course;
    int i;

    page_heading(page, 2, "steps", "Which step stops whom");
    page_table(page, "Checks and grades of those who handed the step in; items not counted", 8,
               headings);
    for (i = 0; i < graded->step_count && !outcome; i++) {
        char cells[6][32], failures[128];

        survey(graded, i, &course);
        outcome = name_failures(book, graded->steps[i]->name, failures);
        snprintf(cells[0], 32, "%d", course.handed_in);
        snprintf(cells[1], 32, "%d", course.accepted);
        snprintf(cells[2], 32, "%.0f%%", graded_percent(course.accepted, course.handed_in));
        snprintf(cells[3], 32, "%.0f%%", course.percent);
        snprintf(cells[4], 32, "%d", course.inconclusive);
        snprintf(cells[5], 32, "%d", course.left_out);
        page_row(page, 8, headings,
                 (const char *[]){graded->steps[i]->name, cells[0], cells[1], cells[2], cells[3],
                                  failures, cells[4], cells[5]});
    }
    page_table_end(page);
    return outcome;
}

static void write_histogram(FILE *file, const char *name, const struct course *course) {
    int highest = 1, i;

    for (i = 0; i < BINS; i++)
        highest = course->bins[i] > highest ? course->bins[i] : highest;
    fprintf(file, "<figure>\n<figcaption>%s</figcaption>\n", name);
    fputs(
        "<svg viewBox=\"0 0 200 104\" role=\"img\" aria-label=\"Students by percent, in tens from "
        "0 to 100:",
        file);
    for (i = 0; i < BINS; i++)
        fprintf(file, " %d", course->bins[i]);
    fputs("\">\n", file);
    for (i = 0; i < BINS; i++) {
        double height = 70.0 * course->bins[i] / highest;

        if (course->bins[i])
            fprintf(file,
                    "<rect class=\"bar\" x=\"%d\" y=\"%.1f\" width=\"18\" height=\"%.1f\"/>"
                    "<text x=\"%d\" y=\"%.1f\">%d</text>\n",
                    20 * i + 1, 86 - height, height, 20 * i + 10, 82 - height, course->bins[i]);
    }
    fputs(
        "<path class=\"axis\" d=\"M0 86.5H200\"/>\n<text class=\"muted\" x=\"6\" y=\"100\">0</text>"
        "<text class=\"muted\" x=\"100\" y=\"100\">50%</text><text class=\"muted\" x=\"188\" "
        "y=\"100\">100</text>\n</svg>\n</figure>\n",
        file);
}

static void write_histograms(const struct page *page, const struct graded *graded) {
    struct course course;
    int i;

    page_heading(page, 2, "histograms", "Grades of each step");
    page_paragraph(page, "Students who handed the step in, by percent of the possible points.");
    fputs("<div class=\"multiples\">\n", page->file);
    for (i = 0; i < graded->step_count; i++) {
        survey(graded, i, &course);
        write_histogram(page->file, graded->steps[i]->name, &course);
    }
    fputs("</div>\n", page->file);
}

/* An item's mean points of a step, over those of whom it counts: `1.94 of 2`. */
static void item_mean(const struct graded *graded, int index, const char *name, char text[80]) {
    double points = 0, possible = 0;
    char mean[32], of[32];
    int count = 0, open = 0, i, k;

    for (i = 0; i < graded->student_count; i++) {
        const struct graded_step *step = &graded->students[i].steps[index];

        for (k = 0; k < step->item_count; k++) {
            const struct graded_item *item = &step->items[k];

            if (strcmp(item->name, name))
                continue;
            open += !item->counted;
            count += item->counted;
            points += item->counted ? item->points : 0;
            possible += item->counted ? item->possible : 0;
        }
    }
    if (count)
        snprintf(text, 80, "%s of %s", points_text(points / count, mean),
                 points_text(possible / count, of));
    else
        snprintf(text, 80, "%s", open ? "not counted" : "–");
}

/* Which items there are is learned from the entries. */
static int name_items(const struct graded *graded, const char *names[MOST_ITEMS]) {
    int count = 0, i, k, n, seen;

    for (i = 0; i < graded->student_count; i++)
        for (k = 0; k < graded->step_count; k++) {
            const struct graded_step *step = &graded->students[i].steps[k];

            for (n = 0; n < step->item_count; n++) {
                for (seen = 0; seen < count && strcmp(names[seen], step->items[n].name); seen++)
                    ;
                if (seen == count && count < MOST_ITEMS)
                    names[count++] = step->items[n].name;
            }
        }
    return count;
}

/* A row an item, a column a step. */
static void write_items(const struct page *page, const struct graded *graded) {
    const char *headings[MOST_STEPS + 1] = {"item"}, *cells[MOST_STEPS + 1], *names[MOST_ITEMS];
    char titles[MOST_STEPS][8], means[MOST_STEPS][80];
    int count = name_items(graded, names), i, k;

    page_heading(page, 2, "items", "What the points were lost for");
    for (k = 0; k < graded->step_count; k++) {
        snprintf(titles[k], sizeof titles[k], "#%.2s", graded->steps[k]->name);
        headings[k + 1] = titles[k];
    }
    page_table(page, "Mean points of an item in each step", graded->step_count + 1, headings);
    for (i = 0; i < count; i++) {
        cells[0] = names[i];
        for (k = 0; k < graded->step_count; k++) {
            item_mean(graded, k, names[i], means[k]);
            cells[k + 1] = means[k];
        }
        page_row(page, graded->step_count + 1, headings, cells);
    }
    page_table_end(page);
}

/* A row a student, a column a step. */
static void write_students(const struct page *page, const struct graded *graded) {
    const char *headings[MOST_STEPS + 5] = {"student", "name"};
    const char *cells[MOST_STEPS + 5];
    char titles[MOST_STEPS][48], points[MOST_STEPS + 2][32], refused[32];
    int columns = graded->step_count + 5, i, k;

    for (i = 0; i < graded->step_count; i++) {
        snprintf(titles[i], sizeof titles[i], "#%.2s", graded->steps[i]->name);
        headings[2 + i] = titles[i];
    }
    headings[2 + i] = "#total";
    headings[3 + i] = "#percent";
    headings[4 + i] = "#not taken";
    page_heading(page, 2, "students", "Who handed in what");
    page_table(page, "Points of each step; a dash: not handed in", columns, headings);
    for (k = 0; k < graded->student_count; k++) {
        const struct student *student = &graded->students[k];
        char *link;
        size_t size;
        FILE *name = open_memstream(&link, &size);

        fputs("feedback/", name);
        write_link(name, student->file);
        fputs(".html", name);
        fclose(name);
        cells[0] = student->id;
        cells[1] = student->name;
        for (i = 0; i < graded->step_count; i++)
            cells[2 + i] = student->steps[i].handed_in
                               ? points_text(student->steps[i].points, points[i])
                               : "–";
        cells[2 + i] = points_text(student->points, points[i]);
        cells[3 + i] =
            points_text(graded_percent(student->points, student->possible), points[i + 1]);
        snprintf(refused, sizeof refused, "%d", student->refusal_count);
        cells[4 + i] = refused;
        page_row_link(page, columns, headings, cells, link);
        free(link);
    }
    page_table_end(page);
}

/* Whose clock says what is late, where a zip does not. */
static void write_zone(const struct page *page, const struct graded *graded) {
    int count = 0, i, k;

    for (i = 0; i < graded->student_count; i++)
        for (k = 0; k < graded->step_count; k++)
            count += graded->students[i].steps[k].by_clock;
    if (count)
        page_paragraph(page,
                       "For %d graded files the export's zip gives a time without a time zone. The "
                       "times were taken as times in %s, as time_zone in the rubric says.",
                       count, graded->time_zone);
}

enum outcome write_class_page(FILE *file, sqlite3 *book, const struct graded *graded) {
    struct page page = {file, 1};
    enum outcome outcome;

    page_begin(&page, "N-body, made fast: the class");
    page_paragraph(&page, "%d student%s, %d step%s. This page is only for the instructor.",
                   graded->student_count, graded->student_count == 1 ? "" : "s", graded->step_count,
                   graded->step_count == 1 ? "" : "s");
    write_zone(&page, graded);
    outcome = write_steps(&page, book, graded);
    write_histograms(&page, graded);
    write_items(&page, graded);
    if (!outcome)
        outcome = write_pairs(&page, book);
    if (!outcome)
        outcome = write_odd_words(&page, book);
    write_students(&page, graded);
    if (!outcome)
        outcome = write_machines(&page, book);
    page_end(&page);
    return outcome;
}
