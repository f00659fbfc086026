/* Step 02 with one variant, and a program for it: for tests of what is built, in a copy of the
 * course. */
#ifndef SMALL_STEP_H
#define SMALL_STEP_H

#include "command.h"

#define MAKE_SMALL "N=256 ITERATIONS=2 SEED=1"

/* A program that is right, one of the same size that reports an error of its own, so that the exit
 * code, 0 or 28, tells which of the two ran, and one that does not compile. */
static char *good, *failing, *broken;

static inline int begin(void **state) {
    char *at;

    /* One variant of step 02 shows as much as three do, and builds in a third of the time. */
    if (enter_tree(state) ||
        system("sed -i '/^variant_[dg]/d; s/^variants = .*/variants = static/' "
               "steps/02_openmp/manifest") ||
        !(good = read_file("solutions/01_serial/nbody.c", NULL)))
        return -1;
    failing = strdup(good);
    broken = strdup(good);
    if (!(at = strstr(failing, "return 0;\n}")))
        return -1;
    at[7] = '5';
    *strchr(broken, '#') = '!'; /* the second line */
    return 0;
}

#endif
