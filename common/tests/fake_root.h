/* A folder with files of known contents that stands for `/` in a test. */
#ifndef FAKE_ROOT_H
#define FAKE_ROOT_H

#ifndef _GNU_SOURCE
#error "nftw() and mkdtemp() need _GNU_SOURCE"
#endif
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];

static inline int remove_entry(const char *path, const struct stat *status, int type,
                               struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* A root of its own for each test. */
static inline int set_up(void **state) {
    (void)state;
    strcpy(root, "/tmp/test_machine.XXXXXX");
    return !mkdtemp(root);
}

static inline int tear_down(void **state) {
    (void)state;
    return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes root/path with the folders above it. */
static inline void put(const char *path, const char *text) {
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0755);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline void put_numbered(const char *format, int first, int second, const char *text) {
    char path[256];
    snprintf(path, sizeof path, format, first, second);
    put(path, text);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif
