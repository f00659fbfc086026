/* Tasks on this machine: as many checks at once as there are CPUs, speeds one at a time. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine.h"
#include "folder.h"
#include "task_do.h"
#include "referee/base/options.h"

/* A task that is being done, by a process of its own: what dies with it is that task alone. */
struct worker {
    pid_t pid;
    const struct task *task;
};

/* If the grader dies, however it dies, its workers get SIGTERM and clear up. */
static pid_t start(const struct task *task, const char *folder) {
    char result[PATH_BYTES];
    pid_t self = getpid(), child = fork();

    if (child)
        return child;
    setpgid(0, 0); /* Ctrl-C is the grader's to hear */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != self)
        _exit(OUTCOME_STOPPED);
    closefrom(3); /* the gradebook and its lock end with the grader, not with the last worker */
    engine_result(task, folder, result);
    _exit((int)task_do(task, result));
}

/* Waits until a worker ends, and tells. Returns 0 if grading is to stop. */
static int finish_one(struct worker *workers, int *running, const char *folder, engine_done *done,
                      void *context) {
    const struct task *task;
    char result[PATH_BYTES];
    enum outcome outcome;
    int status, i;
    pid_t child;

    while (!(child = waitpid(-1, &status, WNOHANG)) && !engine_stop)
        usleep(20000);
    for (i = 0; i < *running && workers[i].pid != child; i++)
        ;
    if (i == *running) /* nobody ended, or a child of another part of the grader */
        return 1;
    task = workers[i].task;
    workers[i] = workers[--*running];
    engine_result(task, folder, result);
    outcome = WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : OUTCOME_INTERNAL;
    if (!outcome && access(result, R_OK))
        outcome = OUTCOME_INTERNAL;
    return !done(task, outcome, context);
}

enum outcome engine_local(const struct task *tasks, int count, const char *folder,
                          engine_done *done, void *context) {
    struct worker *workers;
    cpu_set_t cpus;
    int most, running = 0, next = 0, going = 1, i;

    if (!count)
        return OUTCOME_ACCEPTED;
    if (!task_level())
        return engine_stop ? OUTCOME_STOPPED : OUTCOME_SANDBOX;
    folder_remove_left();
    /* The mask of a machine with more than 1024 CPUs does not fit. */
    most = tasks->kind == TASK_SPEED                  ? 1
           : sched_getaffinity(0, sizeof cpus, &cpus) ? (int)sysconf(_SC_NPROCESSORS_ONLN)
                                                      : CPU_COUNT(&cpus);
    if (!(workers = calloc((size_t)most, sizeof *workers)))
        abort();
    while (going && !engine_stop && (running || next < count)) {
        if (running < most && next < count) {
            workers[running].task = &tasks[next++];
            workers[running].pid = start(workers[running].task, folder);
            if (workers[running].pid < 0)
                going = !complain(OUTCOME_INTERNAL, "no process for a task: %s", strerror(errno));
            else
                running++;
        } else {
            going = finish_one(workers, &running, folder, done, context);
        }
    }
    for (i = 0; i < running; i++)
        kill(workers[i].pid, SIGTERM);
    for (i = 0; i < running; i++)
        waitpid(workers[i].pid, NULL, 0);
    free(workers);
    return going && !engine_stop ? OUTCOME_ACCEPTED : OUTCOME_STOPPED;
}
