#define _GNU_SOURCE
#include "watchdog.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
    pid_t pid, parent;
    long pages; /* resident */
    int below;  /* this process */
};

struct processes {
    struct process *list;
    int count;
};

/* proc(5): the name, in parentheses, may hold anything; then state and parent are fields 3 and 4,
 * and resident pages field 24. Zombies are left out. */
static int read_process(const char *pid, struct process *process) {
    char path[64], text[1024], *rest;
    char state;
    int parent;
    ssize_t length;
    int file;

    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    if ((file = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return 0;
    length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    if (!(rest = strrchr(text, ')')) ||
        sscanf(rest + 1,
               " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%ld",
               &state, &parent, &process->pages) != 3)
        return 0;
    process->pid = atoi(pid);
    process->parent = parent;
    process->below = 0;
    return state != 'Z';
}

/* All processes, those below this one marked. Children may have smaller numbers than their parents:
 * the marks spread until nothing changes. */
static void read_processes(struct processes *processes) {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int room = 0, changed = 1, i, k;
    pid_t self = getpid();

    processes->list = NULL;
    processes->count = 0;
    while (folder && (entry = readdir(folder))) {
        if (!isdigit((unsigned char)*entry->d_name))
            continue;
        if (processes->count == room) {
            room = room ? 2 * room : 256;
            processes->list = realloc(processes->list, (size_t)room * sizeof *processes->list);
            if (!processes->list)
                abort();
        }
        processes->count += read_process(entry->d_name, &processes->list[processes->count]);
    }
    if (folder)
        closedir(folder);
    while (changed) {
        changed = 0;
        for (i = 0; i < processes->count; i++) {
            struct process *process = &processes->list[i];

            for (k = 0; k < processes->count && !process->below; k++)
                if (process->parent == self ||
                    (processes->list[k].below && processes->list[k].pid == process->parent))
                    changed = process->below = 1;
        }
    }
}

const char *watchdog_processes(const struct limits *limits, pid_t trusted) {
    long pages = 0, count = 0, page = sysconf(_SC_PAGESIZE);
    struct processes processes;
    int i;

    read_processes(&processes);
    for (i = 0; i < processes.count; i++)
        if (processes.list[i].below && processes.list[i].pid != trusted) {
            pages += processes.list[i].pages;
            count++;
        }
    free(processes.list);
    return count > limits->processes                          ? "processes"
           : pages > limits->memory_mib * ((1L << 20) / page) ? "memory"
                                                              : NULL;
}

static long long bytes_below(int parent, const char *name, int depth) {
    int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file < 0 ? NULL : fdopendir(file);
    long long bytes = 0;
    struct dirent *entry;
    struct stat status;

    while (folder && (entry = readdir(folder))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW))
            continue;
        bytes += (long long)status.st_blocks * 512;
        if (S_ISDIR(status.st_mode) && depth) /* a file descriptor a level */
            bytes += bytes_below(dirfd(folder), entry->d_name, depth - 1);
    }
    if (folder)
        closedir(folder);
    else if (file >= 0)
        close(file);
    return bytes;
}

long watchdog_disk_mib(const char *folder) {
    return (long)(bytes_below(AT_FDCWD, folder, 100) >> 20);
}

void watchdog_kill_all(void) {
    struct processes processes;
    int i, alive;

    do {
        alive = 0;
        read_processes(&processes);
        for (i = 0; i < processes.count; i++)
            if (processes.list[i].below)
                alive |= !kill(processes.list[i].pid, SIGKILL);
        free(processes.list);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (alive)
            usleep(2000);
    } while (alive);
}
