/* Makes a report page, reads its tables, and loads it in a headless browser. For tests that start
 * in the repository's root. */
#ifndef PAGE_DOM_H
#define PAGE_DOM_H

#include "browser.h"
#include "scratch.h"

enum { MOST_ROWS = 80, MOST_CELLS = 24, CELL_BYTES = 160 };

struct page_table {
    int rows, cells[MOST_ROWS];
    char text[MOST_ROWS][MOST_CELLS][CELL_BYTES];
};

/* What a browser makes of the page, to be freed; `log` gets what it printed. */
static inline char *load_page(const char *page, char **log) {
    if (run("timeout 60 %s --headless --no-sandbox --disable-gpu --user-data-dir=$D/profile "
            "--enable-logging=stderr --dump-dom file://%s >$D/dom 2>$D/log",
            browser(), page))
        return NULL;
    *log = read_text("log");
    return read_text("dom");
}

/* A repository that has what the page is made of, and the published records. */
static inline int make_tree(void **state) {
    return make_scratch(state) ||
           run("mkdir -p $D/docs $D/results && cp -R steps $D && cp -R docs/results $D/docs && "
               "cp docs/results/h200/*.csv $D/results && cp docs/results/two-cores/*.csv "
               "$D/results");
}

/* The page of results/`machine`.csv without pictures, made in out/ beside the record of `other`; to
 * be freed. */
static inline char *make_page(const char *machine, const char *other) {
    run("mkdir -p $D/out $D/scratch; : >$D/scratch/drawn; "
        "$D/common/report/steps.sh $D >$D/scratch/steps.tsv");
    if (run("$D/common/report/page/page.sh \"$D/results/%s.csv\" $D/out $D/scratch "
            "$D/docs/results/%s/%s.csv",
            machine, other, other))
        fail_msg("%s", read_text("said"));
    return read_text("out/report.html");
}

/* The same with its pictures, beside all published records. */
static inline char *draw_page(const char *machine) {
    if (run("rm -rf $D/out; $D/common/report/pictures/draw.sh $D/results/%s.csv $D/out", machine))
        fail_msg("%s", read_text("said"));
    return read_text("out/report.html");
}

/* The page as a browser shows it; it had nothing to complain of. */
static inline char *show_page(const char *name) {
    char page[128], *log = NULL;
    if (!browser())
        skip();
    snprintf(page, sizeof page, "%s/%s", folder, name);
    char *dom = load_page(page, &log);
    assert_non_null(dom);
    if (strstr(log, "CONSOLE"))
        fail_msg("%s", strstr(log, "CONSOLE"));
    free(log);
    return dom;
}

/* Copies the text from `from` to `end`, without tags and with the references turned back. */
static inline void copy_text(char *text, const char *from, const char *end) {
    static const struct {
        const char *name, *is;
    } references[] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};
    int length = 0;

    while (from < end && length < CELL_BYTES - 1) {
        size_t i;
        if (*from == '<') {
            from = strchr(from, '>') + 1;
            continue;
        }
        for (i = 0; i < 4 && strncmp(from, references[i].name, strlen(references[i].name)); i++)
            ;
        text[length++] = i < 4 ? *references[i].is : *from;
        from += i < 4 ? strlen(references[i].name) : 1;
    }
    text[length] = 0;
}

/* Reads the table with that id, its head too; 0 rows where there is none. */
static inline void read_table(const char *dom, const char *id, struct page_table *table) {
    char mark[64];
    const char *row, *end, *cell, *next;

    memset(table, 0, sizeof *table);
    snprintf(mark, sizeof mark, "<table id=\"%s\"", id);
    if (!(row = strstr(dom, mark)))
        return;
    end = strstr(row, "</table>");
    while ((row = strstr(row, "<tr>")) && row < end && table->rows < MOST_ROWS) {
        int *cells = &table->cells[table->rows];
        next = strstr(row, "</tr>");
        for (cell = row + 4; (cell = strstr(cell, "<t")) && cell < next && *cells < MOST_CELLS;
             (*cells)++) {
            const char *from = strchr(cell, '>') + 1, *to = strstr(from, "</t");
            copy_text(table->text[table->rows][*cells], from, to);
            cell = to;
        }
        table->rows++;
        row = next;
    }
}

/* The cell below the head `column`, of the row whose first cell is `name`, and whose cell below
 * `other` is `value` if that is given; NULL where there is none. */
static inline const char *cell_of(const struct page_table *table, const char *name,
                                  const char *other, const char *value, const char *column) {
    int wanted = -1, second = -1;

    for (int k = 0; table->rows && k < table->cells[0]; k++) {
        wanted = strcmp(table->text[0][k], column) ? wanted : k;
        second = other && !strcmp(table->text[0][k], other) ? k : second;
    }
    for (int r = 1; r < table->rows && wanted >= 0 && (!other || second >= 0); r++)
        if (!strcmp(table->text[r][0], name) && (!other || !strcmp(table->text[r][second], value)))
            return table->text[r][wanted];
    return NULL;
}

#endif
