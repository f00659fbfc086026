/* A page of headings, paragraphs and tables, as HTML or as Markdown. Every text is escaped: a
 * student's words stay words. */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

struct page {
    FILE *file;
    int html; /* else Markdown */
};

/* HTML with all that it needs inside, its style from grading/export/page.css. */
void page_begin(const struct page *page, const char *title);
void page_end(const struct page *page);

/* `id` is what links lead to; NULL: none do. */
void page_heading(const struct page *page, int level, const char *id, const char *text);

__attribute__((format(printf, 2, 3))) void page_paragraph(const struct page *page,
                                                          const char *format, ...);

/* Text of the course itself, with `code` in it. */
void page_quote(const struct page *page, const char *text);

/* A command to be typed. */
void page_command(const struct page *page, const char *command);

/* A table's first row. A heading that begins with # is that of a column of numbers. */
void page_table(const struct page *page, const char *caption, int columns,
                const char *const headings[]);

/* A row; its first cell is its heading. A link (page_row_link) leads from there. */
void page_row(const struct page *page, int columns, const char *const headings[],
              const char *const cells[]);
void page_row_link(const struct page *page, int columns, const char *const headings[],
                   const char *const cells[], const char *link);
void page_table_end(const struct page *page);

#endif
