#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/options.h"
#include "referee/base/utf8.h"
#include "text.h"

/* The length of the character at `at`; 0 if it is no UTF-8, or none that a file may hold. */
static int character(const char *at) {
    const char *end = at;
    int32_t code = utf8_next(&end);

    if (code < 0 || (code < 0x20 && code != '\n' && code != '\t') ||
        (code >= 0x7f && code < 0xa0) || code == 0xfffe || code == 0xffff)
        return 0;
    return (int)(end - at);
}

char *text_clean(const char *text) {
    char *clean = malloc(3 * strlen(text) + 1), *end = clean;

    while (*text) {
        int length = character(text);

        if (length) {
            memcpy(end, text, (size_t)length);
            end += length;
            text += length;
        } else {
            memcpy(end, "\xef\xbf\xbd", 3);
            end += 3;
            text += *text == '\r' && text[1] == '\n' ? (end -= 3, 1) : 1;
        }
    }
    *end = 0;
    return clean;
}

char *text_file_name(const char *id) {
    char *name = malloc(3 * strlen(id) + 2), *end = name;
    const char *at = id;

    while (*at) {
        int length = character(at);

        if (length > 1 ||
            (length && !strchr("/\\:*?\"<>|%`$'\n\t", *at) && (at > id || !strchr(".- ", *at)))) {
            memcpy(end, at, (size_t)length);
            end += length;
            at += length;
        } else {
            end += sprintf(end, "%%%02X", (unsigned char)*at++);
        }
    }
    *end = 0;
    return name;
}

void write_html(FILE *file, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        case '\'':
            fputs("&#39;", file);
            break;
        default:
            putc(*text, file);
        }
}

/* Letters that mean something in Markdown are escaped; < and & also where HTML is let through. */
void write_markdown(FILE *file, const char *text) {
    const char *at;

    for (at = text; *at; at++)
        if (*at == '\n')
            fputs("<br>", file);
        else if (*at == '<')
            fputs("&lt;", file);
        else if (*at == '&')
            fputs("&amp;", file);
        else
            fprintf(file,
                    strchr(at == text ? "\\`*_[]|#!~>-+" : "\\`*_[]|#!~>", *at) ? "\\%c" : "%c",
                    *at);
}

void write_link(FILE *file, const char *name) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";

    for (; *name; name++)
        fprintf(file, strchr(plain, *name) ? "%c" : "%%%02X", (unsigned char)*name);
}

void write_cell(FILE *file, const char *text) {
    int formula = *text && strchr("=+-@\t", *text);

    if (!formula && !strpbrk(text, ",;\"\n\t'")) {
        fputs(text, file);
        return;
    }
    fputs(formula ? "\"'" : "\"", file); /* a spreadsheet shows what follows ' as text */
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, 0}, file);
    putc('"', file);
}

const char *points_text(double points, char buffer[32]) {
    char *end;

    snprintf(buffer, 32, "%.2f", points > -0.005 && points < 0.005 ? 0 : points);
    end = buffer + strlen(buffer);
    while (end[-1] == '0')
        *--end = 0;
    if (end[-1] == '.')
        end[-1] = 0;
    return buffer;
}

static enum outcome failed(const struct output *output) {
    return complain(errno == ENOSPC || errno == EDQUOT ? OUTCOME_FULL : OUTCOME_RESULTS,
                    "%s cannot be written: %s; the file that was there before is kept",
                    output->path, strerror(errno));
}

enum outcome output_open(struct output *output, const char *folder, const char *name,
                         const char *ending) {
    snprintf(output->path, sizeof output->path, "%s/%s%s", folder, name, ending);
    snprintf(output->beside, sizeof output->beside, "%s/.writing%s", folder, ending);
    output->file = fopen(output->beside, "w");
    return output->file ? OUTCOME_ACCEPTED : failed(output);
}

enum outcome output_close(struct output *output) {
    int wrong = ferror(output->file);
    enum outcome outcome;

    if (fclose(output->file) == 0 && !wrong && rename(output->beside, output->path) == 0)
        return OUTCOME_ACCEPTED;
    outcome = failed(output);
    unlink(output->beside);
    return outcome;
}
