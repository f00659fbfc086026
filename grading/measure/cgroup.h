/* A cgroup for what a task starts: limits of memory and processes that the kernel keeps. */
#ifndef CGROUP_H
#define CGROUP_H

#include "watchdog.h"

enum { CGROUP_PATHS = 2, CGROUP_BYTES = 256 };

struct cgroup {
    char paths[CGROUP_PATHS][CGROUP_BYTES]; /* one of v2, or of v1 memory and pids */
    int count;                              /* 0: none can be made here */
};

/* Makes a cgroup of that name, where this process may. Else the watchdog alone keeps the limits. */
void cgroup_make(struct cgroup *cgroup, const char *name, const struct limits *limits);

/* Its folders joined by ':', as the sandbox reads them. */
void cgroup_join(const struct cgroup *cgroup, char text[CGROUP_PATHS * CGROUP_BYTES]);

/* The word of a limit that the kernel had to keep, or NULL. */
const char *cgroup_limit(const struct cgroup *cgroup);

/* Ends what is left in it and removes it. */
void cgroup_remove(const struct cgroup *cgroup);

/* Removes what a killed grader left under that name. */
void cgroup_remove_left(const char *name);

#endif
