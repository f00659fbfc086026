/* A folder for tests of scripts: a command has its path as $D, and what it says goes to the
 * folder's file `said`. For tests that start in the repository's root. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "files.h"

/* The command's exit status. */
__attribute__((format(printf, 1, 2))) static inline int run(const char *format, ...) {
    char command[1024], line[1280];
    va_list arguments;
    int status;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "D=%s; { %s; } >%s/said 2>&1", folder, command, folder);
    status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A file of the folder, to be freed; the test fails without it. */
static inline char *read_text(const char *name) {
    char path[160], *text;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!(text = read_file(path, NULL)))
        fail_msg("no %s", path);
    return text;
}

static inline void write_text(const char *name, const char *text) {
    char path[160];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, text);
}

/* Makes the folder, with a copy of common/report that draws by the folder's own steps. */
static inline int make_scratch(void **state) {
    (void)state;
    return make_folder(folder) || run("mkdir -p $D/steps && cp -R --parents common/report "
                                      "common/referee/record/columns.h $D");
}

#endif
