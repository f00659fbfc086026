/* CPU time of another process. */
#ifndef CPU_SECONDS_H
#define CPU_SECONDS_H

#include <sys/types.h>

/* Seconds over all its threads, ended ones too; 0 if it is gone. */
double cpu_seconds(pid_t pid);

/* Seconds of the thread that worked most, among those that still live. */
double cpu_seconds_of_busiest(pid_t pid);

#endif
