/* The system calls a step may not make: those that start, trace, signal or limit another process,
 * resize the referee's buffers, or let a player run while it is stopped. A step needs none. */
#ifndef FILTER_H
#define FILTER_H

/* Installs the filter in the calling process, for good. Returns 0, or -1 if the kernel has no
 * seccomp. A refused call raises SIGSYS. */
int filter_install(void);

/* Whether a refused call was one that starts a process. */
int filter_starts_process(int call);

#endif
