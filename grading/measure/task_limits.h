/* What a task may use, and how far it is fenced in. */
#ifndef TASK_LIMITS_H
#define TASK_LIMITS_H

#include "task.h"
#include "watchdog.h"

/* By kind of task; task_do() adds processes for the machine's cores. */
extern const struct limits task_limits[];

/* task_do() with other limits. Both wait for all children of this process: call them in one that
 * has no others. */
enum outcome task_do_within(const struct task *task, const struct limits *limits,
                            const char *result);

/* The highest level of the sandbox that this machine allows; 0, said in one line, if it allows
 * none. SANDBOX_LEVEL=1 in the environment lowers it. Asked once. Also 0 when engine_stop is set.
 */
int task_level(void);

#endif
