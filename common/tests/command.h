/* Runs commands as a user types them, in a copy of the repository that may be damaged. For tests
 * that start in the repository's root. */
#ifndef COMMAND_H
#define COMMAND_H

#include <fcntl.h>

#include "files.h"
#include "json.h"

/* Few iterations and one seed: a long run of few bodies is chaotic, and two right programs differ.
 */
#define SMALL "--n 256 --iterations 2 --seed 1"

static char tree[64]; /* the copy; all commands run in it */

struct result {
    int code; /* negative: the signal that ended it */
    char *out, *err;
};

/* A command for each step's source: `$step` is its folder and `$source` its name. */
#define EACH_SOURCE(command)                                                                       \
    "common/report/steps.sh | sed 1d | cut -f1,4 | while read -r step source; do " command "; "    \
    "done"

/* Makes the copy and goes there. A learner's own sources stay behind, and so do records. */
static inline int enter_tree(void **state) {
    char command[768];

    (void)state;
    if (make_folder(tree))
        return -1;
    snprintf(command, sizeof command,
             "mkdir -p '%s/build' && cp -a Makefile LICENSE *.md common steps solutions '%s' && "
             "for f in common accepts referee cuda_to_cpp lib/gadget.so lib/live.so; do "
             "[ ! -e build/$f ] || cp -a --parents build/$f '%s'; done && "
             "cp common/tests/fakes/ceilings_cpu '%s/build' && "
             "for f in docs grading; do [ ! -e $f ] || cp -a $f '%s'; done",
             tree, tree, tree, tree, tree);
    unsetenv("MAKEFLAGS"); /* of the make that runs the tests */
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("MAKEOVERRIDES");
    return system(command) || chdir(tree) || system(EACH_SOURCE("rm -f steps/$step/$source*")) ||
           system("make -s -C common >/dev/null");
}

static inline int leave_tree(void **state) {
    (void)state;
    return chdir("/") || remove_folder(tree);
}

static inline pid_t start_command(const char *command, const char *name) {
    char path[128];
    const char *endings[] = {"out", "err"};
    int i, files[2];
    pid_t child;

    for (i = 0; i < 2; i++) { /* before anybody reads what an earlier command said */
        snprintf(path, sizeof path, "%s/build/%s.%s", tree, name, endings[i]);
        files[i] = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if ((child = fork())) {
        close(files[0]);
        close(files[1]);
        return child;
    }
    for (i = 0; i < 2; i++)
        if (dup2(files[i], i + 1) < 0)
            _exit(126);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Waits for a started command. Its texts stay: a test program is short. */
static inline struct result end_command(pid_t child, const char *name) {
    struct result result = {0};
    char path[128];
    int status = 0;

    waitpid(child, &status, 0);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    snprintf(path, sizeof path, "%s/build/%s.out", tree, name);
    result.out = read_file(path, NULL);
    snprintf(path, sizeof path, "%s/build/%s.err", tree, name);
    result.err = read_file(path, NULL);
    return result;
}

__attribute__((format(printf, 1, 2))) static inline struct result run(const char *format, ...) {
    char command[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return end_command(start_command(command, "command"), "command");
}

/* Ended with that code; shows what it said if not. */
static inline void assert_code(struct result result, int code) {
    if (result.code != code)
        fail_msg("ended with %d, not %d:\n%s%s", result.code, code, result.out, result.err);
}

static inline void assert_says(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

/* Of a command that fails: one line on stderr that says `wrong` and `right`. */
static inline void assert_one_line(struct result result, int code, const char *wrong,
                                   const char *right) {
    assert_code(result, code);
    if (count_lines(result.err) != 1)
        fail_msg("not one line: %s", result.err);
    assert_says(result.err, wrong);
    assert_says(result.err, right);
}

/* One checksum of everything that a command may not touch: all but build/. To be freed. */
static inline char *fingerprint(void) {
    return strdup(run("find . -path ./build -prune -o -printf '%%p %%m %%T@ ' -type f "
                      "-exec cksum {} + | LC_ALL=C sort | cksum")
                      .out);
}

/* What the command printed is one JSON value. */
static inline void assert_json(struct result result, int code) {
    assert_code(result, code);
    if (!is_json(result.out))
        fail_msg("not JSON: %s", result.out);
}

/* The text from `name` on, without what stands before. */
static inline const char *text_from(const char *text, const char *name) {
    const char *found = strstr(text, name);

    if (!found)
        fail_msg("no %s in %s", name, text);
    return found;
}

#endif
