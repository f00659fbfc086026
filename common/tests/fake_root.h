/* Files of known contents in the folder of a test, which stands for `/` there. */
#ifndef FAKE_ROOT_H
#define FAKE_ROOT_H

#include <limits.h>

#include "files.h"

/* Writes folder/path with the folders above it. */
static inline void put(const char *path, const char *text) {
    char name[PATH_MAX];

    snprintf(name, sizeof name, "%s%s", folder, path);
    write_deep(name, text, strlen(text));
}

static inline void put_numbered(const char *format, int first, int second, const char *text) {
    char path[256];

    snprintf(path, sizeof path, format, first, second);
    put(path, text);
}

#endif
