/* The programs that tests/cpucuda/programs.mk builds. For tests. */
#ifndef CPUCUDA_PROGRAMS_H
#define CPUCUDA_PROGRAMS_H

#include "command.h"

/* The C++ compilers that they were built by, those there are. */
static const char *compilers[2];
static int compiler_count;

/* Goes to a folder where `programs/NAME.COMPILER.BUILD` are the programs and `sources/` is
 * tests/cpucuda/. */
static inline int enter_programs(void **state) {
    static const char *const known[] = {"g++", "clang++"};
    char command[9000], root[4096];
    int i;

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    snprintf(command, sizeof command,
             "cd '%s' && mkdir build && ln -s '%s' root && ln -s root/build/tests/cpucuda programs "
             "&& ln -s root/common/tests/cpucuda sources",
             tree, root);
    if (system(command) || chdir(tree))
        return -1;
    setenv("TSAN_OPTIONS", "atexit_sleep_ms=0", 1);
    for (i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "command -v %s >/dev/null", known[i]);
        if (!system(command))
            compilers[compiler_count++] = known[i];
    }
    if (!compiler_count)
        fprintf(stderr, "cpucuda needs a C++ compiler: g++ or clang++\n");
    return compiler_count ? 0 : -1;
}

#endif
