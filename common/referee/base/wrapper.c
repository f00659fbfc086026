#define _GNU_SOURCE
#include "wrapper.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 32 };

static const char *sandbox;

void wrapper_use(const char *program) {
    sandbox = program;
}

int wrapper_in_use(void) {
    return sandbox != NULL;
}

void wrapper_exec(const char *purpose, const char *folder, char *const arguments[]) {
    char *words[MOST_WORDS] = {(char *)sandbox, (char *)purpose, (char *)folder, "--"};
    int count = 4, i;

    if (!sandbox) {
        execvp(arguments[0], arguments);
        return;
    }
    for (i = 0; arguments[i] && count < MOST_WORDS - 1; i++)
        words[count++] = arguments[i];
    execv(sandbox, words);
}

void wrapper_exec_on(const char *purpose, const char *program, char *const arguments[]) {
    char folder[PATH_MAX];
    int i;

    snprintf(folder, sizeof folder, "%s", program);
    for (i = 0; i < 2; i++) {
        char *slash = strrchr(folder, '/');

        if (slash)
            *slash = 0;
    }
    wrapper_exec(purpose, folder, arguments);
}

FILE *wrapper_read(const char *program, char *const arguments[], pid_t *child) {
    int ends[2];

    if (pipe2(ends, O_CLOEXEC))
        return NULL;
    if ((*child = fork()) == 0) {
        int null = open("/dev/null", O_RDWR);

        setenv("LC_ALL", "C", 1);
        unsetenv("DEBUGINFOD_URLS"); /* nothing is asked of the network */
        signal(SIGPIPE, SIG_DFL);
        dup2(null, 0);
        dup2(ends[1], 1);
        dup2(null, 2);
        wrapper_exec_on("inspect", program, arguments);
        _exit(127);
    }
    close(ends[1]);
    if (*child < 0) {
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "r");
}
