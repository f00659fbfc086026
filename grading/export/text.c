#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/options.h"
#include "text.h"

/* The length of the UTF-8 character at `at`; 0 if there is none that a file may hold. */
static int character(const unsigned char *at) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned code;
    int length = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    int i;

    if (length <= 1)
        return length && (*at >= 0x20 || *at == '\n' || *at == '\t') && *at != 0x7f;
    code = *at & (0x7f >> length);
    for (i = 1; i < length; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
        code == 0xfffe || code == 0xffff || (code >= 0x80 && code < 0xa0))
        return 0;
    return length;
}

char *text_clean(const char *text) {
    static const char folder[] = "/tmp/course-grading.";
    char *clean = malloc(3 * strlen(text) + 1), *end = clean;

    while (*text) {
        int length = character((const unsigned char *)text);

        if (!strncmp(text, folder, strlen(folder))) { /* and its six letters and slash */
            text += strlen(folder);
            text += strcspn(text, "/ \n:");
            text += *text == '/';
        } else if (length) {
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
        int length = character((const unsigned char *)at);

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
