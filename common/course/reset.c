#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "learner.h"
#include "referee/base/files.h"
#include "verbs.h"

/* Copies the learner's file to the first of path.1, path.2, ... that is free. */
static enum outcome keep(const char *path, char kept[112]) {
    int number = 0;

    do
        snprintf(kept, 112, "%s.%d", path, ++number);
    while (!access(kept, F_OK));
    return file_copy(path, kept, 0666)
               ? complain(OUTCOME_RESULTS, "%s: %s; %s stays as it is", kept, strerror(errno), path)
               : OUTCOME_ACCEPTED;
}

static enum outcome reset_file(const struct step *step, const char *name, const char *path,
                               int *changed) {
    char kept[112] = "";
    size_t size;
    char *bytes = skeleton_bytes(step, name, &size);
    enum outcome outcome = OUTCOME_ACCEPTED;

    if (!bytes)
        return complain(OUTCOME_NO_SOURCE,
                        "%s has no skeleton here, neither by a solution nor in "
                        "steps/.skeletons",
                        path);
    if (!file_holds(path, bytes, size)) {
        if (access(path, F_OK) == 0)
            outcome = keep(path, kept);
        if (!outcome && file_put(path, bytes, size, 0666))
            outcome = complain(OUTCOME_RESULTS, "%s.new: %s; %s stays as it is", path,
                               strerror(errno), path);
        if (!outcome && *kept)
            printf("%s is as it was handed out; yours is kept as %s\n", path, kept);
        else if (!outcome)
            printf("%s is as it was handed out\n", path);
        *changed = 1;
    }
    free(bytes);
    return outcome;
}

enum outcome reset(const struct options *options) {
    const struct step *step = options->step;
    struct edited edited;
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i, changed = 0;

    learner_files(step, &edited);
    for (i = 0; i < edited.count && !outcome; i++)
        outcome = reset_file(step, edited.names[i], edited.paths[i], &changed);
    if (!outcome && !changed)
        outcome = complain(OUTCOME_STATE, "%s is as it was handed out; there is nothing to reset",
                           edited.paths[0]);
    return outcome;
}
