/* Runs the hostile program in sandboxes, for test_sandbox*.c. Started in the course's root. */
#ifndef SANDBOXED_H
#define SANDBOXED_H

#include <fcntl.h>
#include <grp.h>

#include "files.h"

/* A way to have a sandbox. */
struct place {
    const char *name, *level;
    int user;  /* called by a user without privileges */
    int there; /* this machine allows it */
};

static struct place places[] = {
    {"level 2", "2", 0, 0}, {"level 1", "1", 0, 0}, {"level 2 as a user", "2", 1, 0}};

enum { PLACES = 3 };

static int task_user, other_user; /* of this run of the test alone */

static char top[64], build_folder[80], neighbour[64], hostile[96], secret[96];

struct ending {
    int code; /* negative: a signal */
    char text[8192];
};

/* Becomes `build/sandbox WORDS...` in a place, all of it split at spaces. */
static inline void become_sandbox(const struct place *place, int user, char *words) {
    char number[16], *arguments[256], *rest = words;
    int count = 0;

    snprintf(number, sizeof number, "%d", user);
    setenv("SANDBOX_LEVEL", place->level, 0);
    setenv("SANDBOX_USER", number, 0);
    if (place->user && (setgroups(0, NULL) || setresgid((gid_t)user, (gid_t)user, (gid_t)user) ||
                        setresuid((uid_t)user, (uid_t)user, (uid_t)user)))
        _exit(99);
    arguments[count++] = "build/sandbox";
    while (count < 255 && (arguments[count] = strsep(&rest, " ")))
        count++;
    arguments[count] = NULL;
    execv(arguments[0], arguments);
    _exit(98);
}

/* Starts it with stdout and stderr in a pipe, which `out` gets; `before` runs in the child. */
static inline pid_t start_sandbox(const struct place *place, int user, int *out,
                                  void (*before)(void), const char *words) {
    char *copy = strdup(words);
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) || (child = fork()) < 0)
        abort();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        if (before)
            before();
        become_sandbox(place, user, copy);
    }
    free(copy);
    close(ends[1]);
    *out = ends[0];
    return child;
}

static inline struct ending end_sandbox(pid_t child, int out) {
    struct ending ending = {0};
    size_t length = 0;
    ssize_t got;
    int status;

    while (length < sizeof ending.text - 1 &&
           (got = read(out, ending.text + length, sizeof ending.text - 1 - length)) > 0)
        length += (size_t)got;
    close(out);
    waitpid(child, &status, 0);
    ending.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return ending;
}

static inline struct ending sandboxed_after(const struct place *place, void (*before)(void),
                                            const char *words) {
    int out;
    pid_t child = start_sandbox(place, task_user, &out, before, words);

    return end_sandbox(child, out);
}

/* What becomes of `hostile WHAT` for a purpose. */
__attribute__((format(printf, 3, 4))) static inline struct ending
tried(const struct place *place, const char *purpose, const char *format, ...) {
    char what[4096], words[4608];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(words, sizeof words, "%s %s -- %s %s", purpose, build_folder, hostile, what);
    return sandboxed_after(place, NULL, words);
}

/* The same without a sandbox, as root: each attempt must be one that succeeds there. */
static inline int succeeds_outside(const char *what) {
    char command[1280];

    snprintf(command, sizeof command, "%s %s >/dev/null 2>&1", hostile, what);
    return system(command) == 0;
}

/* Makes the folders: of a task, and of another one that everybody may read. */
static inline int make_places(void **state) {
    static char command[1024];
    int i;

    (void)state;
    if (geteuid()) {
        printf("skipped: the sandbox is tried as root\n");
        exit(0);
    }
    alarm(120); /* what is not ended as it should be would be waited for */
    task_user = 2000000 + 2 * getpid();
    other_user = task_user + 1;
    unsetenv("TMPDIR"); /* the places are in /tmp, as those of the grader are */
    if (make_folder(top) || make_folder(neighbour))
        return -1;
    snprintf(build_folder, sizeof build_folder, "%s/build", top);
    snprintf(hostile, sizeof hostile, "%s/hostile", build_folder);
    snprintf(secret, sizeof secret, "%s/secret", neighbour);
    write_file(secret, "of another submission\n");
    snprintf(command, sizeof command,
             "cp grading/tests/sandbox/hostile.c '%s' && echo --flag >'%s/flags' && chmod 711 '%s' "
             "&& chmod 666 '%s'/* && "
             "mkdir '%s' && chown %d:%d '%s' && chmod -R a+rwX '%s'",
             top, top, top, top, build_folder, task_user, task_user, build_folder, neighbour);
    if (system(command))
        return -1;
    for (i = 0; i < PLACES; i++) {
        struct ending ending;

        snprintf(command, sizeof command, "%s/hostile.c", top);
        setenv("SOURCE", command, 1);
        snprintf(command, sizeof command, "build %s -- cc -o %s %s/hostile.c", build_folder,
                 hostile, top);
        ending = sandboxed_after(&places[i], NULL, command);
        places[i].there = ending.code == 0;
        if (!places[i].there)
            printf("skipped: %s: %s", places[i].name, ending.text);
    }
    unsetenv("SOURCE");
    /* A machine that allows none is the only one where nothing is tried. */
    return system("build/sandbox probe >/dev/null") == 0 && !places[0].there && !places[1].there;
}

static inline int remove_places(void **state) {
    (void)state;
    return remove_folder(top) || remove_folder(neighbour);
}

#define FOR_EACH_PLACE(place)                                                                      \
    for (struct place *place = places; place < places + PLACES; place++)                           \
        if (place->there)

#endif
