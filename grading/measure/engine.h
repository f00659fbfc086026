/* Engines: where tasks are done, many at once. The local one is this machine; another one sends
 * them elsewhere. Both leave every task's result as a file, and the process that asked takes it
 * over. */
#ifndef ENGINE_H
#define ENGINE_H

#include "engine_stop.h"
#include "problems/outcome.h"
#include "task.h"

/* Called by an engine in the process that started it, once for each task, in any order. `outcome`
 * is OUTCOME_ACCEPTED if the file of engine_result() is there, whatever it says of the entry; else
 * the task could not be done, and was complained of. Returns 0, or not 0 to stop the engine, which
 * then returns OUTCOME_STOPPED. */
typedef int engine_done(const struct task *task, enum outcome outcome, void *context);

/* Does `count` tasks, all of one kind. The sources and what the engine needs lie in `folder`, which
 * no other grader uses; results go there. A task whose result is there already is not among them. A
 * task that is not done for a reason of the machine's is told to `done` like any other; if none can
 * be done at all (no sandbox, no such engine) that is the outcome, with one line. */
typedef enum outcome engine_run(const struct task *tasks, int count, const char *folder,
                                engine_done *done, void *context);

engine_run engine_local, engine_slurm;

/* The file of a task's result: FOLDER/12-check-0.json. */
void engine_result(const struct task *task, const char *folder, char path[PATH_BYTES]);

/* For engines that start `build/grade task LIST NUMBER` elsewhere, from the course's root: writes
 * the list of tasks, for its owner's eyes alone since seeds are in it. The command does task
 * NUMBER, from 0, and puts its result beside the list; its exit status is an outcome. SIGTERM ends
 * it cleanly. */
enum outcome engine_list_write(const struct task *tasks, int count, const char *list);
enum outcome engine_list_do(const char *list, int number);

#endif
