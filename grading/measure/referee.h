/* Runs the referee on a task's folder and watches what it starts. */
#ifndef REFEREE_H
#define REFEREE_H

#include <stddef.h>
#include <stdint.h>

#include "folder.h"
#include "task.h"
#include "watchdog.h"

struct referee_run {
    int status;        /* as waitpid() gives it */
    const char *limit; /* the word of the limit that ended it, or NULL */
    char *out;         /* all that it printed; freed by the caller */
    size_t out_bytes;
    char words[16385]; /* what it wrote to stderr; of much, its beginning and end */
    double seconds;
};

/* Runs it with the task's seed on its input, in the sandbox of `level` as `user`, with `gpu` if it
 * is to see one. When this returns, nothing that it started lives. OUTCOME_STOPPED if engine_stop
 * ended it. */
enum outcome referee_run(const struct task *task, const struct limits *limits,
                         const struct folder *folder, int level, uid_t user, int gpu,
                         struct referee_run *run);

#endif
