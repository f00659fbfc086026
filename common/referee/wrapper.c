#include "wrapper.h"

#include <limits.h>
#include <stdio.h>
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
