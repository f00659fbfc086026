/* Watches over all processes below this one, which is their subreaper so that none escapes. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <sys/types.h>

/* What a task may use at most. */
struct limits {
    double seconds;  /* by the wall clock */
    long memory_mib; /* resident, of all processes but the referee */
    long processes;
    long disk_mib;   /* in the task's folder */
    long output_mib; /* of what the referee prints */
};

/* The word of the limit that the processes below this one are over, or NULL. `trusted`, a child of
 * this one, does not count. */
const char *watchdog_processes(const struct limits *limits, pid_t trusted);

/* MiB in use in a folder and all below it. */
long watchdog_disk_mib(const char *folder);

/* Ends all processes below this one and waits for them. */
void watchdog_kill_all(void);

#endif
