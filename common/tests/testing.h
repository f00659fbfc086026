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

/* How often a part is in a text. */
static inline int occurrences(const char *text, const char *part) {
    int count = 0;

    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

#endif
