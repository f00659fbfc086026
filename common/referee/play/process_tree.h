/* Processes below others, and CPU time of another, as /proc tells of them. */
#ifndef PROCESS_TREE_H
#define PROCESS_TREE_H

#include <sys/stat.h>
#include <sys/types.h>

/* The process that runs that program: `top` itself, or the first below it. 0: there is none.
 */
pid_t process_running(pid_t top, const struct stat *program);

/* Whether every thread of the process is stopped; also if there is no such process. */
int process_is_stopped(pid_t pid);

/* CPU seconds over all its threads, ended ones too; 0 if it is gone. */
double cpu_seconds(pid_t pid);

/* Those of the thread that worked most, among those that still live. */
double cpu_seconds_of_busiest(pid_t pid);

enum { MOST_WAITS = 256 };

/* Seconds in which a thread was ready but had no CPU, of each living thread up to MOST_WAITS. */
struct waits {
    int count;
    struct {
        pid_t thread;
        double seconds;
    } of[MOST_WAITS];
};

struct waits waits_of(pid_t pid);

/* Such seconds since `before`, of the living thread with most of them; of a thread that is not in
 * `before`, all. */
double waits_since(const struct waits *before, pid_t pid);

#endif
