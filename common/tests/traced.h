/* Runs kernels of tests/trace, compiled by every C++ compiler there is. For tests. */
#ifndef TRACED_H
#define TRACED_H

#include <sys/stat.h>
#include <unistd.h>

#include "counters.h"
#include "command.h"

static char root[4096];
static char programs[2][4200];
static int program_count;

static inline int set_up(void **state) {
    static const char *const compilers[] = {"g++", "clang++"};
    char path[128];
    int i;

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    for (i = 0; i < 2; i++) {
        snprintf(programs[program_count], sizeof *programs, "%s/build/tests/trace/%s", root,
                 compilers[i]);
        program_count += !access(programs[program_count], X_OK);
    }
    snprintf(path, sizeof path, "%s/build", tree);
    return mkdir(path, 0777) || chdir(tree);
}

/* Runs the kernel and reads what was counted; `said` (to be freed) is what it printed on stderr. */
static inline struct counters traced(const char *program, const char *kernel, char **said) {
    struct result result = run("'%s' %s", program, kernel);
    char *bytes;
    size_t size;
    struct counters counters;

    assert_code(result, 0);
    bytes = read_file("build/command.out", &size);
    assert_int_equal(size, sizeof counters);
    memcpy(&counters, bytes, sizeof counters);
    free(bytes);
    free(result.out);
    *said = result.err;
    return counters;
}

/* The line of the only place in kernels.cpp that holds `mark`. */
static inline int line_of(const char *mark) {
    char path[4300], *text, *at;
    int line = 1;

    snprintf(path, sizeof path, "%s/common/tests/trace/kernels.cpp", root);
    text = read_file(path, NULL);
    at = strstr(text, mark);
    assert_non_null(at);
    assert_null(strstr(at + 1, mark));
    *at = 0;
    for (at = text; *at; at++)
        line += *at == '\n';
    free(text);
    return line;
}

#endif
