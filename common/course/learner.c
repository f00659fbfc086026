#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "learner.h"
#include "referee/base/files.h"

/* The seconds since 1970 of 2026-11-21T19:30:00Z. */
static time_t read_time(const char *time_utc) {
    struct tm moment = {0};

    return strptime(time_utc, "%Y-%m-%dT%H:%M:%SZ", &moment) ? timegm(&moment) : 0;
}

enum outcome learner_outcome(const struct event *check) {
    enum outcome outcome = outcome_of_word(check->result, strlen(check->result));

    return outcome || !strcmp(check->result, "accepted") ? outcome : OUTCOME_INTERNAL;
}

enum outcome learner_state(const struct step *step, const struct options *options,
                           const struct events *events, struct state *state) {
    struct edited edited;
    char passed[512], kept[560], *slash;
    int i, same = 1;

    memset(state, 0, sizeof *state);
    for (i = 0; i < events->count; i++)
        if (!strcmp(events->list[i].event, "check") && !strcmp(events->list[i].step, step->name))
            state->check = events->list[i];
    learner_files(step, &edited);
    state->there = access(edited.paths[0], R_OK) == 0;
    state->is_skeleton = state->there;
    passed_path(step, options, passed);
    state->once_accepted = access(passed, R_OK) == 0;
    slash = strrchr(passed, '/');
    for (i = 0; i < edited.count; i++) {
        struct stat status;
        size_t size = 0;
        char *bytes = skeleton_bytes(step, edited.names[i], &size);

        state->is_skeleton = file_holds(edited.paths[i], bytes, size) && state->is_skeleton;
        free(bytes);
        snprintf(kept, sizeof kept, "%.*s/%s", (int)(slash - passed), passed, edited.names[i]);
        bytes = file_bytes(kept, &size);
        same = file_holds(edited.paths[i], bytes, size) && same;
        free(bytes);
        if (*state->check.time_utc && !stat(edited.paths[i], &status) &&
            status.st_mtime > read_time(state->check.time_utc))
            state->changed = 1;
    }
    state->accepted = state->there && state->once_accepted && same &&
                      (!*state->check.time_utc || !learner_outcome(&state->check));
    return state->there ? parts_read(&state->parts, edited.paths[0]) : OUTCOME_ACCEPTED;
}
