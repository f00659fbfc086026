#define _GNU_SOURCE
#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_stop.h"
#include "referee/machine/machine.h"
#include "referee/base/options.h"

/* Takes "FOLDER/" and then "FOLDER" out of a text of `bytes`; the new number of bytes. */
static size_t forget_folder(char *text, size_t bytes, const struct folder *folder) {
    char name[FOLDER_BYTES + 1], *found;
    int i;

    for (i = 0; i < 2; i++) {
        size_t length = (size_t)snprintf(name, sizeof name, "%s%s", folder->path, i ? "" : "/");

        while (bytes && (found = memmem(text, bytes, name, length))) {
            memmove(found, found + length, bytes - (size_t)(found - text) - length);
            bytes -= length;
        }
    }
    return bytes;
}

/* A string of JSON: UTF-8, without control characters but line ends and tabs. Other bytes become
 * '?', and so does a character that the beginning was cut off. */
static json_t *printable(char *text) {
    unsigned char *c;
    json_t *string;

    for (c = (unsigned char *)text; *c; c++)
        if ((*c < ' ' && *c != '\n' && *c != '\t') || *c == 127)
            *c = '?';
    if ((string = json_string(text)))
        return string;
    for (c = (unsigned char *)text; *c; c++)
        if (*c > 126)
            *c = '?';
    return json_string(text);
}

static json_t *machine_text(void) {
    struct machine machine;
    char text[320];

    machine_describe(&machine);
    snprintf(text, sizeof text, "%s, %s%s%s", machine.host, machine.cpu, *machine.gpu ? ", " : "",
             machine.gpu);
    return printable(text);
}

/* The commit of the course that measures. Git refuses another user's checkout unless told. */
static json_t *course_text(void) {
    FILE *answer = popen("git -c safe.directory='*' describe --always --dirty 2>/dev/null", "r");
    char text[128] = "";

    if (answer && !fgets(text, sizeof text, answer))
        *text = 0;
    if (answer)
        pclose(answer);
    text[strcspn(text, "\n")] = 0;
    return printable(*text ? text : strcpy(text, "unknown"));
}

/* Whether the compilers came to their end: the table of programs is written after them. */
static int is_built(const struct folder *folder) {
    char path[FOLDER_BYTES + 32];

    snprintf(path, sizeof path, "%s/build/players.tsv", folder->path);
    return access(path, F_OK) == 0;
}

static enum outcome write_whole(const char *path, const char *text) {
    char scratch[PATH_BYTES + 16];
    size_t length = strlen(text);
    int file, wrong;

    snprintf(scratch, sizeof scratch, "%s.%d", path, (int)getpid());
    file = open(scratch, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    wrong = file < 0 || write(file, text, length) != (ssize_t)length || fsync(file);
    if (file >= 0 && close(file))
        wrong = 1;
    if (!wrong && !rename(scratch, path))
        return OUTCOME_ACCEPTED;
    wrong = errno;
    unlink(scratch);
    return complain(wrong == ENOSPC || wrong == EDQUOT || wrong == EFBIG || file >= 0
                        ? OUTCOME_FULL
                        : OUTCOME_RESULTS,
                    "%s cannot be written: %s", path, strerror(wrong));
}

enum outcome result_write(const char *path, const struct task *task, const struct folder *folder,
                          const struct referee_run *run, int level, const char *begun_utc,
                          const char *outcome) {
    size_t bytes = forget_folder(run->out, run->out_bytes, folder);
    json_t *referee = bytes ? json_loadb(run->out, bytes, 0, NULL) : NULL, *whole;
    char words[sizeof run->words], seed[24];
    enum outcome written = OUTCOME_INTERNAL;
    char *text = NULL;

    memcpy(words, run->words, sizeof words);
    words[forget_folder(words, strlen(words), folder)] = 0;
    snprintf(seed, sizeof seed, "%" PRIu64, task->seed);
    whole = json_pack("{s:I, s:s, s:i, s:s, s:i, s:o, s:o, s:s, s:f, s:s, s:s, s:b, s:o, s:o}",
                      "entry", (json_int_t)task->entry, "kind",
                      task->kind == TASK_CHECK ? "check" : "speed", "repeat", task->repeat, "seed",
                      seed, "level", level, "machine", machine_text(), "course", course_text(),
                      "begun_utc", begun_utc, "seconds", run->seconds, "outcome", outcome, "limit",
                      run->limit ? run->limit : "", "built", is_built(folder), "words",
                      printable(words), "referee", referee ? referee : json_null());
    if (whole)
        text = json_dumps(whole, JSON_INDENT(1));
    if (engine_stop) /* which may have ended what was asked of git, too */
        written = OUTCOME_STOPPED;
    else if (text)
        written = write_whole(path, text);
    else
        complain(OUTCOME_INTERNAL, "%s: no memory for a result", path);
    free(text);
    json_decref(whole);
    return written;
}
