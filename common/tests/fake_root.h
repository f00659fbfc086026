/* A folder with files of known contents that stands for `/` in a test. */
#ifndef FAKE_ROOT_H
#define FAKE_ROOT_H

#include <limits.h>

#include "files.h"

static char root[64];

/* A root of its own for each test. */
static inline int set_up(void **state) {
    (void)state;
    return make_folder(root);
}

static inline int tear_down(void **state) {
    (void)state;
    return remove_folder(root);
}

/* Writes root/path with the folders above it. */
static inline void put(const char *path, const char *text) {
    char name[PATH_MAX];

    snprintf(name, sizeof name, "%s%s", root, path);
    write_deep(name, text, strlen(text));
}

static inline void put_numbered(const char *format, int first, int second, const char *text) {
    char path[256];

    snprintf(path, sizeof path, format, first, second);
    put(path, text);
}

#endif
