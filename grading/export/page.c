#define _GNU_SOURCE /* vasprintf */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "text.h"

static void words(const struct page *page, const char *text) {
    if (page->html)
        write_html(page->file, text);
    else
        write_markdown(page->file, text);
}

/* Without the file a page is plain, and as complete. */
static void copy_style(FILE *file) {
    FILE *style = fopen("grading/export/page.css", "r");
    int letter;

    if (!style)
        return;
    while ((letter = getc(style)) != EOF)
        putc(letter, file);
    fclose(style);
}

void page_begin(const struct page *page, const char *title) {
    if (page->html) {
        fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n"
              "<!-- Nothing is loaded and nothing runs, whoever wrote what stands here. -->\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'\">\n<title>",
              page->file);
        words(page, title);
        fputs("</title>\n<style>\n", page->file);
        copy_style(page->file);
        fputs("</style>\n</head>\n<body>\n<main>\n", page->file);
    }
    page_heading(page, 1, NULL, title);
}

void page_end(const struct page *page) {
    if (page->html)
        fputs("</main>\n</body>\n</html>\n", page->file);
}

void page_heading(const struct page *page, int level, const char *id, const char *text) {
    if (page->html) {
        fprintf(page->file, "<h%d", level);
        if (id) {
            fputs(" id=\"", page->file);
            write_html(page->file, id);
            putc('"', page->file);
        }
        putc('>', page->file);
        words(page, text);
        fprintf(page->file, "</h%d>\n", level);
    } else {
        fprintf(page->file, "%s%.*s ", level == 1 ? "" : "\n", level, "######");
        words(page, text);
        putc('\n', page->file);
    }
}

void page_paragraph(const struct page *page, const char *format, ...) {
    va_list arguments;
    char *text;
    int length;

    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    fputs(page->html ? "<p>" : "\n", page->file);
    words(page, text);
    fputs(page->html ? "</p>\n" : "\n", page->file);
    free(text);
}

void page_quote(const struct page *page, const char *text) {
    int inside = 0;

    fputs(page->html ? "<blockquote>" : "\n> ", page->file);
    for (; *text; text++)
        if (!page->html)
            fprintf(page->file, *text == '\n' && text[1] ? "\n> " : "%c", *text);
        else if (*text == '`')
            fputs((inside = !inside) ? "<code>" : "</code>", page->file);
        else
            write_html(page->file, (char[2]){*text, 0});
    if (page->html)
        fputs(inside ? "</code></blockquote>\n" : "</blockquote>\n", page->file);
}

void page_command(const struct page *page, const char *command) {
    fputs(page->html ? "<pre><code>" : "\n    ", page->file);
    if (page->html)
        write_html(page->file, command);
    else
        fputs(command, page->file);
    fputs(page->html ? "</code></pre>\n" : "\n", page->file);
}

void page_table(const struct page *page, const char *caption, int columns,
                const char *const headings[]) {
    int i;

    if (page->html) {
        /* A table that scrolls sideways has to be reached by the keyboard. */
        fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", page->file);
        words(page, caption);
        fputs("\">\n<table>\n<caption>", page->file);
        words(page, caption);
        fputs("</caption>\n<thead>\n<tr>", page->file);
    } else {
        fputs("\n|", page->file);
    }
    for (i = 0; i < columns; i++) {
        int number = *headings[i] == '#';

        if (page->html)
            fprintf(page->file, "<th scope=\"col\"%s>", number ? " class=\"number\"" : "");
        else
            putc(' ', page->file);
        words(page, headings[i] + number);
        fputs(page->html ? "</th>" : " |", page->file);
    }
    if (page->html) {
        fputs("</tr>\n</thead>\n<tbody>\n", page->file);
        return;
    }
    fputs("\n|", page->file);
    for (i = 0; i < columns; i++)
        fputs(*headings[i] == '#' ? " ---: |" : " --- |", page->file);
    putc('\n', page->file);
}

void page_row_link(const struct page *page, int columns, const char *const headings[],
                   const char *const cells[], const char *link) {
    int i;

    fputs(page->html ? "<tr>" : "|", page->file);
    for (i = 0; i < columns; i++) {
        const char *kind = *headings[i] == '#' ? " class=\"number\"" : "";

        if (page->html)
            fprintf(page->file, i ? "<td%s>" : "<th scope=\"row\"%s>", kind);
        else
            putc(' ', page->file);
        if (page->html && link && !i)
            fprintf(page->file, "<a href=\"%s\">", link);
        words(page, cells[i]);
        if (page->html && link && !i)
            fputs("</a>", page->file);
        fputs(page->html ? i ? "</td>" : "</th>" : " |", page->file);
    }
    fputs(page->html ? "</tr>\n" : "\n", page->file);
}

void page_row(const struct page *page, int columns, const char *const headings[],
              const char *const cells[]) {
    page_row_link(page, columns, headings, cells, NULL);
}

void page_table_end(const struct page *page) {
    if (page->html)
        fputs("</tbody>\n</table>\n</div>\n", page->file);
}
