/* Level 2: namespaces, made by bubblewrap, which needs no privilege for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox.h"

enum { MOST_WORDS = 4096 };

struct command {
    char *words[MOST_WORDS + 1];
    int count;
};

static void add(struct command *command, const char *word) {
    if (command->count == MOST_WORDS)
        no_sandbox("a command of more than %d words", MOST_WORDS);
    command->words[command->count++] = (char *)word;
}

static void add_two(struct command *command, const char *option, const char *path) {
    add(command, option);
    add(command, path);
}

/* The place outside and the place inside are the same, so that messages name what is there. */
static void bind_path(struct command *command, const char *option, const char *path) {
    add_two(command, option, path);
    add(command, path);
}

/* /bin and /lib are links into /usr on most systems. */
static void show(struct command *command, const struct visible *visible) {
    static const char *const options[] = {
        [SEEN] = "--ro-bind", [WRITTEN] = "--bind", [DEVICE] = "--dev-bind"};
    char target[PATH_MAX];
    ssize_t length = readlink(visible->path, target, sizeof target - 1);

    if (visible->sight == LISTED)
        return;
    if (length < 0) {
        bind_path(command, options[visible->sight], visible->path);
        return;
    }
    target[length] = 0;
    add_two(command, "--symlink", strdup(target));
    add(command, visible->path);
}

/* bwrap would say so too, but with a status of its own. */
static void need_user_namespaces(void) {
    pid_t child = fork();
    int status = 0;

    if (child == 0)
        _exit(unshare(CLONE_NEWUSER) ? errno : 0);
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        no_sandbox("level 2 needs user namespaces, which this machine forbids (%s); as root, "
                   "SANDBOX_LEVEL=1 does without",
                   strerror(WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN));
}

void bubblewrap_exec(const struct sandbox *sandbox) {
    static struct command command;
    static struct visible list[MOST_VISIBLE];
    static char self[PATH_MAX];
    int i, count;

    need_user_namespaces();
    if (!realpath("/proc/self/exe", self))
        no_sandbox("/proc/self/exe: %s", strerror(errno));
    if (access(self, X_OK))
        no_sandbox("user %u may not start %s; give it and the folders above it the permission",
                   (unsigned)getuid(), self);
    add(&command, "bwrap");
    add(&command, "--unshare-all");
    add(&command, "--die-with-parent");
    add_two(&command, "--proc", "/proc");
    add_two(&command, "--dev", "/dev");
    add_two(&command, "--dir", sandbox->course);
    count = visible_list(sandbox, list);
    for (i = 0; i < count; i++)
        show(&command, &list[i]);
    bind_path(&command, "--ro-bind", self);
    /* Else both are a disk in memory: nothing but FOLDER of a build is written. */
    add_two(&command, "--remount-ro", "/dev");
    add_two(&command, "--remount-ro", "/");
    add_two(&command, "--chdir", sandbox->course);
    add(&command, "--");
    add(&command, self);
    add(&command, "inside");
    add(&command, purpose_words[sandbox->purpose]);
    add(&command, sandbox->folder);
    add(&command, "--");
    for (i = 0; sandbox->arguments[i]; i++)
        add(&command, sandbox->arguments[i]);
    execvp("bwrap", command.words);
    no_sandbox("level 2 needs bubblewrap (%s); it is installed by `sh common/setup.sh grading`",
               strerror(errno));
}
