#define _GNU_SOURCE
#include "cgroup.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The hierarchies that have what is needed: v2's, mounted alone or beside v1, or v1's two. */
static const struct hierarchy {
    const char *mount, *line; /* of /proc/self/cgroup */
    const char *limits[2][2]; /* a file and what goes there, "memory" or "processes" */
} hierarchies[] = {
    {"/sys/fs/cgroup", "0::", {{"memory.max", "memory"}, {"pids.max", "processes"}}},
    {"/sys/fs/cgroup/memory", ":memory:", {{"memory.limit_in_bytes", "memory"}, {NULL, NULL}}},
    {"/sys/fs/cgroup/pids", ":pids:", {{"pids.max", "processes"}, {NULL, NULL}}},
};

static int read_text(const char *folder, const char *name, char *text, size_t size) {
    char path[CGROUP_BYTES + 64];
    ssize_t length;
    int file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if ((file = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return 0;
    length = read(file, text, size - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    return length >= 0;
}

static int write_number(const char *folder, const char *name, long long number) {
    char path[CGROUP_BYTES + 64], text[32];
    int length = snprintf(text, sizeof text, "%lld", number), file, written;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if ((file = open(path, O_WRONLY | O_CLOEXEC)) < 0)
        return 0;
    written = write(file, text, (size_t)length) == length;
    close(file);
    return written;
}

/* This process's own place in a hierarchy; empty for its root. */
static void own_place(const struct hierarchy *hierarchy, char place[CGROUP_BYTES / 2]) {
    char text[4096], *line, *next;

    *place = 0;
    if (!read_text("/proc/self", "cgroup", text, sizeof text))
        return;
    for (line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
        char *found = strstr(line, hierarchy->line);

        if (found && strlen(found += strlen(hierarchy->line)) < CGROUP_BYTES / 2)
            strcpy(place, strcmp(found, "/") ? found : "");
    }
}

/* Below this process's own place, else below the root, which a container may show in its stead. */
static int make_in(const struct hierarchy *hierarchy, const char *name, const struct limits *limits,
                   char path[CGROUP_BYTES]) {
    char place[CGROUP_BYTES / 2];
    int attempt, i;

    own_place(hierarchy, place);
    for (attempt = 0; attempt < 2; attempt++) {
        int whole = 1;

        snprintf(path, CGROUP_BYTES, "%s%s/%s", hierarchy->mount, attempt ? "" : place, name);
        if (mkdir(path, 0700))
            continue;
        for (i = 0; i < 2 && hierarchy->limits[i][0]; i++)
            whole &= write_number(path, hierarchy->limits[i][0],
                                  strcmp(hierarchy->limits[i][1], "memory")
                                      ? limits->processes
                                      : (long long)limits->memory_mib << 20);
        if (whole)
            return 1;
        rmdir(path);
    }
    return 0;
}

void cgroup_make(struct cgroup *cgroup, const char *name, const struct limits *limits) {
    if ((cgroup->count = make_in(&hierarchies[0], name, limits, cgroup->paths[0])))
        return;
    if (!make_in(&hierarchies[1], name, limits, cgroup->paths[0]))
        return;
    if (make_in(&hierarchies[2], name, limits, cgroup->paths[1]))
        cgroup->count = 2;
    else
        rmdir(cgroup->paths[0]);
}

void cgroup_join(const struct cgroup *cgroup, char text[CGROUP_PATHS * CGROUP_BYTES]) {
    snprintf(text, (size_t)CGROUP_PATHS * CGROUP_BYTES, "%s%s%s",
             cgroup->count ? cgroup->paths[0] : "", cgroup->count > 1 ? ":" : "",
             cgroup->count > 1 ? cgroup->paths[1] : "");
}

/* The number behind a word in one of the group's files; 0 without it. */
static long count_of(const struct cgroup *cgroup, const char *name, const char *word) {
    char text[1024], *found;
    int i;

    for (i = 0; i < cgroup->count; i++)
        if (read_text(cgroup->paths[i], name, text, sizeof text) && (found = strstr(text, word)))
            return atol(found + strlen(word));
    return 0;
}

const char *cgroup_limit(const struct cgroup *cgroup) {
    return count_of(cgroup, "memory.events", "oom_kill ") > 0 ||
                   count_of(cgroup, "memory.oom_control", "oom_kill ") > 0
               ? "memory"
           : count_of(cgroup, "pids.events", "max ") > 0 ? "processes"
                                                         : NULL;
}

static void empty(const char *path) {
    char text[16384], *word, *next;
    int tries;

    for (tries = 0; tries < 1000 && rmdir(path); tries++) {
        if (!read_text(path, "cgroup.procs", text, sizeof text))
            return;
        for (word = strtok_r(text, "\n", &next); word; word = strtok_r(NULL, "\n", &next))
            if (atoi(word) > 0)
                kill(atoi(word), SIGKILL);
        usleep(2000);
    }
}

void cgroup_remove(const struct cgroup *cgroup) {
    int i;

    for (i = 0; i < cgroup->count; i++)
        empty(cgroup->paths[i]);
}

void cgroup_remove_left(const char *name) {
    char place[CGROUP_BYTES / 2], path[CGROUP_BYTES];
    size_t i;

    for (i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        own_place(&hierarchies[i], place);
        snprintf(path, sizeof path, "%s%s/%s", hierarchies[i].mount, place, name);
        empty(path);
        snprintf(path, sizeof path, "%s/%s", hierarchies[i].mount, name);
        empty(path);
    }
}
