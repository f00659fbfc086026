/* Runs kernels of tests/cpucuda/trace_kernels.cu, built by every C++ compiler there is. For tests.
 */
#ifndef TRACED_H
#define TRACED_H

#include "protocol/counters.h"
#include "cpucuda_programs.h"

static char programs[2][64];
static int program_count;

static inline int set_up(void **state) {
    if (enter_programs(state))
        return -1;
    for (; program_count < compiler_count; program_count++)
        snprintf(programs[program_count], sizeof *programs, "programs/trace_kernels.%s.trace",
                 compilers[program_count]);
    return 0;
}

/* Runs the kernel and reads what was counted; `said` (to be freed) is what it printed on stderr. */
static inline struct counters traced(const char *program, const char *kernel, char **said) {
    struct result result = run("'%s' %s", program, kernel);
    char *bytes;
    size_t size = 0;
    struct counters counters;

    assert_code(result, 0);
    bytes = read_file("build/command.out", &size);
    assert_int_equal(size, sizeof counters);
    memcpy(&counters, bytes, sizeof counters);
    free(bytes);
    *said = strdup(result.err);
    return counters;
}

/* The line of the only place in trace_kernels.cu that holds `mark`. */
static inline int line_of(const char *mark) {
    char *text = read_file("sources/trace_kernels.cu", NULL), *at = strstr(text, mark);
    int line = 1;

    assert_non_null(at);
    assert_null(strstr(at + 1, mark));
    *at = 0;
    for (at = text; *at; at++)
        line += *at == '\n';
    free(text);
    return line;
}

#endif
