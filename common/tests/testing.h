/* What every test program begins with: CMocka, the headers that it wants before it, and what of
 * the C library most tests use. */
#ifndef TESTING_H
#define TESTING_H

#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_TESTS = 64 };
static struct CMUnitTest listed[MOST_TESTS] __attribute__((unused)); /* in their file's order */

/* A test is written as TEST(name) { ... }; the second form has a set-up before it and a tear-down
 * behind it, either of which may be NULL. */
#define TEST(name) TEST_IN(NULL, NULL, name)
#define TEST_IN(set_up, tear_down, name)                                                           \
    static void name(void **state);                                                                \
    LIST_TEST(name, cmocka_unit_test_setup_teardown(name, set_up, tear_down))                      \
    static void name(__attribute__((unused)) void **state)

/* Lists a test in another of CMocka's ways. */
#define LIST_TEST(id, ...)                                                                         \
    __attribute__((constructor(1000 + __LINE__))) static void list_##id(void) {                    \
        struct CMUnitTest *test = listed;                                                          \
                                                                                                   \
        while (test->name)                                                                         \
            test++;                                                                                \
        *test = (struct CMUnitTest)__VA_ARGS__;                                                    \
    }

/* Runs the file's tests, between what is done once for all of them or NULL; what main() returns. */
#define run_listed(set_up, tear_down) cmocka_run_group_tests(listed, set_up, tear_down)

/* The main() of a file that does no more than that: GROUP(set_up, tear_down), if there are any. */
#ifndef OWN_MAIN
static CMFixtureFunction group_set_up, group_tear_down;

int main(void) {
    return run_listed(group_set_up, group_tear_down);
}
#endif

#define GROUP(set_up, tear_down)                                                                   \
    __attribute__((constructor)) static void name_group(void) {                                    \
        group_set_up = set_up;                                                                     \
        group_tear_down = tear_down;                                                               \
    }

/* How often a part is in a text. */
static inline int occurrences(const char *text, const char *part) {
    int count = 0;

    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

#endif
