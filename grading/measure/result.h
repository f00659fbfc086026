/* The file of a task's result (task.h). */
#ifndef RESULT_H
#define RESULT_H

#include "referee.h"

/* Writes what a run gave, all at once. The name of the task's folder, which is another one each
 * time, is taken out of all texts. `begun_utc` is when it began; `outcome` how it ended. */
enum outcome result_write(const char *path, const struct task *task, const struct folder *folder,
                          const struct referee_run *run, int level, const char *begun_utc,
                          const char *outcome);

#endif
