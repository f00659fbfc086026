#include "machine_files.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool file_read(char *text, size_t size, const char *root, const char *path) {
    char name[PATH_MAX];
    text[0] = '\0';
    if (snprintf(name, sizeof name, "%s%s", root, path) >= (int)sizeof name)
        return false;
    FILE *file = fopen(name, "r");
    if (!file)
        return false;
    size_t length = fread(text, 1, size - 1, file);
    bool failed = ferror(file);
    fclose(file);
    text[failed ? 0 : length] = '\0';
    return !failed;
}

bool file_read_numbered(char *text, size_t size, const char *root, const char *format, int first,
                        int second) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, format, first, second);
    return file_read(text, size, root, path);
}

bool file_field(char *value, size_t size, const char *text, const char *key) {
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) != 0)
            continue;
        const char *colon = line + length + strspn(line + length, " \t");
        if (*colon != ':')
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        return true;
    }
    value[0] = '\0';
    return false;
}

void field_clean(char *text) {
    char *end = text;
    for (const char *from = text; *from; from++) {
        bool blank = strchr(",\"'` ", *from) || iscntrl((unsigned char)*from);
        if (!blank)
            *end++ = *from;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    }
    if (end > text && end[-1] == ' ')
        end--;
    *end = '\0';
}

int list_next(const char *list, int previous) {
    while (isdigit((unsigned char)*list)) {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        if (previous < first)
            return (int)first;
        if (previous < last)
            return previous + 1;
        list = end + (*end == ',');
    }
    return -1;
}
