#define _GNU_SOURCE
#include "process_tree.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
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
static FILE *next_file(DIR *tasks, pid_t pid, const char *name) {
    struct dirent *entry;
    FILE *file = NULL;
    char path[80];

    while (tasks && !file && (entry = readdir(tasks))) {
        if (*entry->d_name == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/%.16s", (int)pid, entry->d_name, name);
        file = fopen(path, "r"); /* NULL: it ended meanwhile */
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
    FILE *file;

    while (stopped && (file = next_file(tasks, pid, "stat"))) {
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

/* Of the nanoseconds that `format` takes from the threads' schedstat the most, in seconds. */
static double most_of_threads(pid_t pid, const char *format) {
    double most = 0, nanoseconds;
    DIR *tasks = open_tasks(pid);
    FILE *file;

    while ((file = next_file(tasks, pid, "schedstat"))) {
        if (fscanf(file, format, &nanoseconds) == 1)
            most = fmax(most, nanoseconds);
        fclose(file);
    }
    if (tasks)
        closedir(tasks);
    return 1e-9 * most;
}

double cpu_seconds_of_busiest(pid_t pid) {
    return most_of_threads(pid, "%lf");
}

double seconds_without_cpu(pid_t pid) {
    return most_of_threads(pid, "%*f %lf");
}
