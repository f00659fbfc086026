#define _GNU_SOURCE
#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "task_do.h"
#include "referee/base/options.h"

static const char *const kinds[] = {[TASK_CHECK] = "check", [TASK_SPEED] = "speed"};

void engine_result(const struct task *task, const char *folder, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%.440s/%ld-%s-%d.json", folder, task->entry, kinds[task->kind],
             task->repeat);
}

/* A line a task; the source's path is the last of it, since it may hold anything but a line end. */
enum outcome engine_list_write(const struct task *tasks, int count, const char *list) {
    int file, wrong, i;
    FILE *stream;

    unlink(list);
    file = open(list, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    stream = file < 0 ? NULL : fdopen(file, "w");
    if (!stream)
        return complain(OUTCOME_RESULTS, "%s cannot be written: %s", list, strerror(errno));
    for (i = 0; i < count; i++)
        fprintf(stream, "%ld %d %d %s %" PRIu64 " %d %s\n", tasks[i].entry, (int)tasks[i].kind,
                tasks[i].repeat, tasks[i].step, tasks[i].seed, tasks[i].level, tasks[i].source);
    wrong = ferror(stream);
    if (fclose(stream) || wrong)
        return complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_RESULTS,
                        "%s cannot be written: %s", list, strerror(errno));
    return OUTCOME_ACCEPTED;
}

enum outcome engine_list_do(const char *list, int number) {
    char line[PATH_BYTES + 128] = "", step[40], source[PATH_BYTES], folder[PATH_BYTES];
    struct task task = {.step = step, .source = source};
    FILE *stream = fopen(list, "r");
    char result[PATH_BYTES];
    int i, kind;

    for (i = -1; stream && i < number && fgets(line, sizeof line, stream);)
        i++;
    if (stream)
        fclose(stream);
    if (!stream || i < number || number < 0 ||
        sscanf(line, "%ld %d %d %39s %" SCNu64 " %d %511[^\n]", &task.entry, &kind, &task.repeat,
               step, &task.seed, &task.level, source) != 7)
        return complain(OUTCOME_USAGE, "%s has no task %d", list, number);
    task.kind = (enum task_kind)kind;
    snprintf(folder, sizeof folder, "%.*s",
             (int)(strrchr(list, '/') ? strrchr(list, '/') - list : 1),
             strrchr(list, '/') ? list : ".");
    engine_result(&task, folder, result);
    return task_do(&task, result);
}
