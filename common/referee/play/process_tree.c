#define _GNU_SOURCE
#include "process_tree.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A sandbox puts two processes of its own above a program. */
enum { DEEPEST = 4 };

enum answer { NO, YES, HIDDEN };

/* In a container root may not see what another user's process runs. */
static enum answer runs(pid_t pid, const struct stat *program) {
    struct stat status;
    char path[40];

    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    if (stat(path, &status))
        return errno == EACCES ? HIDDEN : NO;
    return status.st_dev == program->st_dev && status.st_ino == program->st_ino;
}

static pid_t search(pid_t top, const struct stat *program, int depth) {
    enum answer answer = runs(top, program);
    char path[64];
    pid_t found = 0;
    FILE *children;
    int child, count = 0;

    if (answer == YES)
        return top;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)top, (int)top);
    if (depth == DEEPEST || !(children = fopen(path, "r")))
        return 0;
    for (; !found && fscanf(children, "%d", &child) == 1; count++)
        found = search(child, program, depth + 1);
    fclose(children);
    /* There the sandbox has no process of its own, and the program may start none. */
    return answer == HIDDEN && !count ? top : found;
}

pid_t process_running(pid_t top, const struct stat *program) {
    return search(top, program, 0);
}

static DIR *open_tasks(pid_t pid) {
    char path[32];

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return opendir(path);
}

/* Opens the file of that name of the next thread; NULL: there is none. */
static FILE *next_file(DIR *tasks, pid_t pid, const char *name, pid_t *thread) {
    struct dirent *entry;
    FILE *file = NULL;
    char path[80];

    while (tasks && !file && (entry = readdir(tasks))) {
        if (*entry->d_name == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/%.16s", (int)pid, entry->d_name, name);
        file = fopen(path, "r"); /* NULL: it ended meanwhile */
        *thread = (pid_t)atoi(entry->d_name);
    }
    return file;
}

/* The letter of a thread's state stands behind the name, which may hold any character. */
static char state_in(FILE *file) {
    char line[512] = "";
    char *name_end;

    if (!fgets(line, sizeof line, file))
        *line = 0;
    name_end = strrchr(line, ')');
    return name_end && name_end[1] ? name_end[2] : 'X';
}

int process_is_stopped(pid_t pid) {
    DIR *tasks = open_tasks(pid);
    int stopped = 1;
    pid_t thread;
    FILE *file;

    while (stopped && (file = next_file(tasks, pid, "stat", &thread))) {
        stopped = strchr("TtXZ", state_in(file)) != NULL;
        fclose(file);
    }
    if (tasks)
        closedir(tasks);
    return stopped;
}

double cpu_seconds(pid_t pid) {
    struct timespec used;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* The times of the next thread. 0: there is no further thread. */
static int next_times(DIR *tasks, pid_t pid, pid_t *thread, double *on_cpu, double *waited) {
    FILE *file = next_file(tasks, pid, "schedstat", thread);

    if (!file)
        return 0;
    if (fscanf(file, "%lf %lf", on_cpu, waited) != 2)
        *on_cpu = *waited = 0;
    fclose(file);
    *on_cpu *= 1e-9;
    *waited *= 1e-9;
    return 1;
}

struct thread_times thread_times_of(pid_t pid) {
    DIR *tasks = open_tasks(pid);
    struct thread_times times = {0};

    while (times.count < MOST_THREADS &&
           next_times(tasks, pid, &times.of[times.count].thread, &times.of[times.count].on_cpu,
                      &times.of[times.count].waited))
        times.count++;
    if (tasks)
        closedir(tasks);
    return times;
}

void most_since(const struct thread_times *before, pid_t pid, double *on_cpu, double *waited) {
    struct thread_times now = thread_times_of(pid);

    *on_cpu = *waited = 0;
    for (int i = 0; i < now.count; i++) {
        for (int k = 0; k < before->count; k++)
            if (before->of[k].thread == now.of[i].thread) {
                now.of[i].on_cpu -= before->of[k].on_cpu;
                now.of[i].waited -= before->of[k].waited;
            }
        *on_cpu = fmax(*on_cpu, now.of[i].on_cpu);
        *waited = fmax(*waited, now.of[i].waited);
    }
}
