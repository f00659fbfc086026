#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <time.h>

#include "cpu_seconds.h"

double cpu_seconds(pid_t pid) {
    struct timespec used;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double cpu_seconds_of_busiest(pid_t pid) {
    char path[64], tasks[64];
    struct dirent *entry;
    double busiest = 0;
    DIR *folder;

    snprintf(tasks, sizeof tasks, "/proc/%d/task", (int)pid);
    if (!(folder = opendir(tasks)))
        return 0;
    while ((entry = readdir(folder))) {
        unsigned long long nanoseconds = 0;
        FILE *file;

        snprintf(path, sizeof path, "%.30s/%.16s/schedstat", tasks, entry->d_name);
        if ((file = fopen(path, "r"))) {
            if (fscanf(file, "%llu", &nanoseconds) == 1 && 1e-9 * (double)nanoseconds > busiest)
                busiest = 1e-9 * (double)nanoseconds;
            fclose(file);
        }
    }
    closedir(folder);
    return busiest;
}
