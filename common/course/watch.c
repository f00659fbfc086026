#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "learner.h"
#include "verbs.h"

static volatile sig_atomic_t ended; /* by Ctrl-C */

static void end(int signal) {
    (void)signal;
    ended = 1;
}

/* What tells one save from the next: times, size and file of all that the learner edits. */
struct saved {
    struct {
        struct timespec time;
        off_t size;
        ino_t file;
    } of[2];
};

static struct saved look(const struct edited *edited) {
    struct saved saved;
    struct stat status;
    int i;

    memset(&saved, 0, sizeof saved); /* the gaps, too: it is compared as bytes */
    for (i = 0; i < edited->count; i++)
        if (stat(edited->paths[i], &status) == 0) {
            saved.of[i].time = status.st_mtim;
            saved.of[i].size = status.st_size;
            saved.of[i].file = status.st_ino;
        }
    return saved;
}

static int same(const struct saved *one, const struct saved *other) {
    return !memcmp(one, other, sizeof *one);
}

/* Waits for something in the folder, at most so long; it is looked at anyhow. Folders of another
 * system, as WSL's or NFS's, may tell nothing. */
static void wait_for_event(int events, int milliseconds) {
    struct pollfd waited[] = {{events, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    char text[4096];

    poll(waited, 2, milliseconds);
    if (waited[1].revents & (POLLERR | POLLHUP)) /* nobody reads what a check says */
        ended = 1;
    if (events >= 0 && waited[0].revents && read(events, text, sizeof text) < 0 && errno != EAGAIN)
        ended = ended || errno != EINTR;
}

/* Waits until a file was saved and all is quiet: an editor may write, rename and write again. */
static void wait_for_save(int events, const struct edited *edited, struct saved *saved) {
    struct saved now, before;

    do {
        wait_for_event(events, 1000);
        now = look(edited);
    } while (!ended && (same(&now, saved) || access(edited->paths[0], R_OK)));
    do {
        before = now;
        usleep(200000);
        now = look(edited);
    } while (!ended && !same(&now, &before));
    *saved = now;
}

/* The same command line with another verb, in a process of its own, which may crash. */
static void check(const struct options *options) {
    int status;
    pid_t child;

    fflush(stdout);
    if ((child = fork()) == 0) {
        options->words[1] = "check";
        execv("/proc/self/exe", options->words);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (ended)
            kill(child, SIGTERM);
    if (child > 0 && !ended && WIFSIGNALED(status))
        complain(OUTCOME_INTERNAL, "the check was ended by a signal (%s); still watching",
                 strsignal(WTERMSIG(status)));
}

/* The folder's events, or -1 if they cannot be had. */
static int open_events(const char *folder) {
    int events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

    if (events >= 0 && inotify_add_watch(events, folder,
                                         IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB | IN_CREATE) >= 0)
        return events;
    fprintf(stderr, "inotify cannot be used (%s): looking at %s each second instead\n",
            strerror(errno), folder);
    if (events >= 0)
        close(events);
    return -1;
}

enum outcome watch(const struct options *options) {
    const struct step *step = options->step;
    struct sigaction action = {.sa_handler = end};
    struct edited edited;
    struct saved saved;
    char folder[64];
    int events, terminal = isatty(STDOUT_FILENO);

    if (options->file || options->of)
        return complain(OUTCOME_USAGE, "watch looks at your own source; leave FILE and OF out");
    learner_files(step, &edited);
    snprintf(folder, sizeof folder, "steps/%s", step->name);
    if (access(folder, R_OK | X_OK))
        return complain(OUTCOME_NO_SOURCE, "%s cannot be read: %s", folder, strerror(errno));
    if (access(edited.paths[0], R_OK))
        return complain(OUTCOME_NO_SOURCE, "%s cannot be read: %s", edited.paths[0],
                        strerror(errno));
    if (access(folder, W_OK))
        return complain(OUTCOME_STATE,
                        "%s cannot be written (%s), so that nobody can save there "
                        "and nothing would ever change",
                        folder, strerror(errno));
    events = open_events(folder);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    saved = look(&edited);
    for (;;) {
        check(options);
        if (!ended && terminal)
            printf("watching %s; Ctrl-C ends\n", edited.paths[0]);
        fflush(stdout);
        if (!ended)
            wait_for_save(events, &edited, &saved);
        if (ended)
            break;
    }
    if (events >= 0)
        close(events);
    return OUTCOME_ACCEPTED;
}
