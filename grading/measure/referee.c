#define _GNU_SOURCE
#include "referee.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "referee/base/clock.h"
#include "engine_stop.h"
#include "turn.h"
#include "referee/base/options.h"

static const char program[] = "build/referee";

enum { IN, OUT, ERROR, STREAMS };

static void set_number(const char *name, long number) {
    char text[32];

    snprintf(text, sizeof text, "%ld", number);
    setenv(name, text, 1);
}

/* In the child. The sandbox's header says what its variables mean. */
static void become_referee(const struct task *task, const struct folder *folder, int level,
                           uid_t user, int gpu, const struct cgroup *cgroup) {
    char cgroups[CGROUP_PATHS * CGROUP_BYTES], build[FOLDER_BYTES + 8];

    set_number("SANDBOX_LEVEL", level);
    unsetenv("SANDBOX_USER");
    unsetenv("SANDBOX_CGROUP");
    if (geteuid() == 0)
        set_number("SANDBOX_USER", (long)user);
    set_number("SANDBOX_GPU", gpu);
    cgroup_join(cgroup, cgroups);
    if (*cgroups)
        setenv("SANDBOX_CGROUP", cgroups, 1);
    snprintf(build, sizeof build, "%s/build", folder->path);
    setenv("TMPDIR", build, 1);
    setenv("LC_ALL", "C", 1);
    unsetenv("MAKEFLAGS"); /* of a make that runs the grader */
    unsetenv("MAKELEVEL");
    execl(program, "referee", task->kind == TASK_CHECK ? "check" : "compare", "--json", "1",
          "--step", task->step, "--file", folder->source, "--sandbox", "build/sandbox", "--seed",
          "-", (char *)NULL);
    fprintf(stderr, "%s cannot be run: %s\n", program, strerror(errno));
    _exit(OUTCOME_INTERNAL);
}

/* Keeps the first and the last bytes of what comes, and a line of dots for what was between. */
static void keep_ends(char *words, size_t room, const char *bytes, size_t count) {
    static const char dots[] = "\n...\n";
    size_t length = strlen(words), head = room / 2, tail = head + sizeof dots - 1;

    while (count) {
        size_t some = count < room - length ? count : room - length, dropped;

        memcpy(words + length, bytes, some);
        words[length += some] = 0;
        bytes += some, count -= some;
        if (!count)
            return;
        dropped = count < room - tail ? count : room - tail;
        memcpy(words + head, dots, sizeof dots - 1);
        memmove(words + tail, words + tail + dropped, room - tail - dropped);
        words[length = room - dropped] = 0;
    }
}

/* Takes what has come from the referee. Returns 0 at the end of a stream. */
static int take(int stream, int which, struct referee_run *run, long most) {
    char bytes[65536];
    ssize_t got = read(stream, bytes, sizeof bytes);
    ssize_t i;

    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    if (which == ERROR) {
        for (i = 0; i < got; i++)
            bytes[i] = bytes[i] ? bytes[i] : '?';
        keep_ends(run->words, sizeof run->words - 1, bytes, (size_t)got);
        return 1;
    }
    if (run->out_bytes + (size_t)got > (size_t)most) {
        run->limit = "output";
        return 1;
    }
    if (!(run->out = realloc(run->out, run->out_bytes + (size_t)got + 1)))
        abort();
    memcpy(run->out + run->out_bytes, bytes, (size_t)got);
    run->out[run->out_bytes += (size_t)got] = 0;
    return 1;
}

static const char *limit_passed(const struct limits *limits, const struct folder *folder,
                                const struct cgroup *cgroup, pid_t referee, double seconds,
                                double *disk_read) {
    const char *limit = cgroup_limit(cgroup);

    if (!limit)
        limit = watchdog_processes(limits, referee);
    if (!limit && seconds > limits->seconds)
        limit = "time";
    if (!limit && seconds > *disk_read + 0.5) { /* a folder takes longer to read */
        *disk_read = seconds;
        if (watchdog_disk_mib(folder->path) > limits->disk_mib)
            limit = "disk";
    }
    return limit;
}

/* Until the referee ends, a limit is passed or grading is stopped. Reaps whatever ends. */
static void watch(pid_t referee, int streams[STREAMS], const struct limits *limits,
                  const struct folder *folder, const struct cgroup *cgroup,
                  struct referee_run *run) {
    double began = clock_now(), looked = -1, disk_read = 0;
    struct pollfd polled[2] = {{streams[OUT], POLLIN, 0}, {streams[ERROR], POLLIN, 0}};
    int ended = 0, status, i;
    pid_t child;

    while (!ended && !run->limit && !engine_stop) {
        poll(polled, 2, 20);
        for (i = 0; i < 2; i++)
            if (polled[i].fd >= 0 && polled[i].revents &&
                !take(polled[i].fd, OUT + i, run, limits->output_mib << 20))
                polled[i].fd = -1;
        while ((child = waitpid(-1, &status, WNOHANG)) > 0)
            if (child == referee) {
                run->status = status;
                ended = 1;
            }
        run->seconds = clock_now() - began;
        if (!ended && !run->limit && run->seconds > looked + 0.1) {
            looked = run->seconds;
            run->limit = limit_passed(limits, folder, cgroup, referee, looked, &disk_read);
        }
    }
    if (!run->limit)
        run->limit = cgroup_limit(cgroup);
}

static int open_streams(int ours[STREAMS], int theirs[STREAMS]) {
    int i, ends[2];

    for (i = 0; i < STREAMS; i++) {
        if (pipe2(ends, O_CLOEXEC))
            return 0;
        ours[i] = ends[i == IN];
        theirs[i] = ends[i != IN];
    }
    for (i = OUT; i < STREAMS; i++)
        fcntl(ours[i], F_SETFL, O_NONBLOCK);
    return 1;
}

enum outcome referee_run(const struct task *task, const struct limits *limits,
                         const struct folder *folder, int level, uid_t user, int gpu,
                         struct referee_run *run) {
    int ours[STREAMS], theirs[STREAMS], i;
    pid_t self = getpid(), referee;
    struct cgroup cgroup;

    memset(run, 0, sizeof *run);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) || !open_streams(ours, theirs))
        return complain(OUTCOME_INTERNAL, "no pipe to the referee: %s", strerror(errno));
    dprintf(ours[IN], "%llu\n", (unsigned long long)task->seed); /* fits into the pipe */
    close(ours[IN]);
    cgroup_make(&cgroup, folder_name(folder), limits);
    if ((referee = fork()) == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (i = 0; i < STREAMS; i++)
            dup2(theirs[i], i);
        setsid(); /* Ctrl-C is the grader's */
        signal(SIGXFSZ, SIG_DFL);
        if (getppid() == self)
            become_referee(task, folder, level, user, gpu, &cgroup);
        _exit(OUTCOME_INTERNAL);
    }
    for (i = 0; i < STREAMS; i++)
        close(theirs[i]);
    if (referee > 0)
        watch(referee, ours, limits, folder, &cgroup, run);
    watchdog_kill_all();
    if (geteuid() == 0)
        turn_kill_user(user);
    cgroup_remove(&cgroup);
    for (i = OUT; i < STREAMS; i++) {
        do
            errno = 0;
        while (!run->limit && take(ours[i], i, run, limits->output_mib << 20) && errno != EAGAIN);
        close(ours[i]);
    }
    return referee < 0
               ? complain(OUTCOME_INTERNAL, "the referee cannot be started: %s", strerror(errno))
           : engine_stop ? OUTCOME_STOPPED
                         : OUTCOME_ACCEPTED;
}
