/* What graders on one machine must not use at the same time: GPU, CPU while it is timed, users.
 * Each is a lock on a file that the kernel lets go when its holder dies, however it dies. */
#ifndef TURN_H
#define TURN_H

#include <sys/types.h>

#include "task.h"

/* Waits for the turn of a task: a speed has the GPU, or the CPU, alone; a check on a GPU shares it.
 * Returns a file descriptor that keeps it, -1 if none is needed, or -2 if engine_stop ended the
 * wait or there is no such lock (said in one line). `gpu` says whether the step runs on one. */
int turn_take(enum task_kind kind, int gpu);

/* A user of its own for what a task starts, where this process is root: a uid that has no account,
 * and processes neither here nor of another grader. Returns what keeps it, or -1 if all are in use.
 */
int turn_user(uid_t *user);

/* Ends all processes of that user. */
void turn_kill_user(uid_t user);

#endif
