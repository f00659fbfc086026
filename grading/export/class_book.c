/* What the page for the instructor takes from the gradebook itself: pairs of students and the
 * machines that measured. */
#include <stdlib.h>

#include "page.h"
#include "query.h"
#include "text.h"
#include "writers.h"

static const char pairs_sql[] =
    "SELECT similar.step, a.student, b.student, similar.share, similar.usual FROM similar "
    "JOIN entry AS one ON one.id = similar.one JOIN submission AS a ON a.id = one.submission "
    "JOIN entry AS other ON other.id = similar.other JOIN submission AS b ON b.id = "
    "other.submission ORDER BY similar.step, similar.share DESC, a.student, b.student";

static const char machines_sql[] =
    "SELECT machine, course, level, count(*) FROM measurement GROUP BY machine, course, level "
    "ORDER BY machine, course, level";

/* A cell with a link to a student's feedback. */
static void link_student(const struct page *page, const char *kind, const char *id) {
    char *clean = text_clean(id), *name = text_file_name(id);

    fprintf(page->file, "<%s><a href=\"feedback/", kind);
    write_link(page->file, name);
    fputs(".html\">", page->file);
    write_html(page->file, clean);
    fprintf(page->file, "</a></%.2s>", kind);
    free(clean);
    free(name);
}

enum outcome write_pairs(const struct page *page, sqlite3 *book) {
    static const char *const headings[] = {"one", "other", "step", "#share", "#usual"};
    sqlite3_stmt *pairs = sql_query(book, pairs_sql, "");
    enum outcome outcome;
    int count = 0;

    page_heading(page, 2, "pairs", "Pairs more alike than the class");
    while (query_row(pairs, &outcome)) {
        if (!count++) {
            page_paragraph(page, "Share of the smaller one's own code that the other has too, and "
                                 "what pairs of this class usually share. What stems from the "
                                 "skeleton and the solutions does not count. A pair is a reason to "
                                 "look, not a proof.");
            page_table(page, "Pairs, the most alike of a step first", 5, headings);
        }
        fputs("<tr>", page->file);
        link_student(page, "th scope=\"row\"", query_text(pairs, 1));
        link_student(page, "td", query_text(pairs, 2));
        fprintf(
            page->file,
            "<td>%s</td><td class=\"number\">%.0f%%</td><td class=\"number\">%.0f%%</td></tr>\n",
            query_text(pairs, 0), 100 * sqlite3_column_double(pairs, 3),
            100 * sqlite3_column_double(pairs, 4));
    }
    if (count)
        page_table_end(page);
    else
        page_paragraph(page, "None.");
    return outcome;
}

enum outcome write_machines(const struct page *page, sqlite3 *book) {
    static const char *const headings[] = {"machine", "course", "#sandbox level", "#measurements"};
    sqlite3_stmt *rows = sql_query(book, machines_sql, "");
    enum outcome outcome;

    page_heading(page, 2, "machines", "Machines and versions");
    page_table(page, "What measured", 4, headings);
    while (query_row(rows, &outcome)) {
        char *cells[4];
        int i;

        for (i = 0; i < 4; i++)
            cells[i] = graded_text(rows, i);
        page_row(page, 4, headings, (const char *const *)cells);
        for (i = 0; i < 4; i++)
            free(cells[i]);
    }
    page_table_end(page);
    if (outcome)
        return outcome;
    rows = sql_query(book, "SELECT sha256 FROM rubric LIMIT 1", "");
    while (query_row(rows, &outcome))
        page_paragraph(page, "SHA-256 of the rubric: %s", query_text(rows, 0));
    return outcome;
}
