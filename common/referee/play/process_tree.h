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

enum { MOST_THREADS = 256 };

/* Seconds that each living thread had a CPU, and was ready without one; of MOST_THREADS at most. */
struct thread_times {
    int count;
    struct {
        pid_t thread;
        double on_cpu, waited;
    } of[MOST_THREADS];
};

struct thread_times thread_times_of(pid_t pid);

/* The most that a living thread has of each since `before`; of a thread that is not in `before`,
 * all counts. The two may be of different threads. */
void most_since(const struct thread_times *before, pid_t pid, double *on_cpu, double *waited);

#endif
