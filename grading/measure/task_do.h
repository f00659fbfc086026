/* Does a task, within limits and fenced in. */
#ifndef TASK_DO_H
#define TASK_DO_H

#include "problems/outcome.h"
#include "task.h"
#include "watchdog.h"

/* Does the task and writes its result to the file `result`, all at once; on failure there is none.
 * A failure is the machine's, never the entry's: no sandbox, a full disk, a signal
 * (OUTCOME_STOPPED). Speeds wait for their turn on the GPU, or on the CPU, whoever else grades on
 * this machine. */
enum outcome task_do(const struct task *task, const char *result);

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
