#include "explain.h"

#include <stdio.h>
#include <stdlib.h>

#include "explained.h"
#include "referee/lesson/parts.h"

static enum outcome fill(struct explained *explained, const struct options *options,
                         const struct explained *after, struct origins *origins) {
    static struct parts parts;
    enum outcome outcome = parts_read(&parts, explained->programs.source);
    const struct part *part = parts_unfinished(&parts);
    char sentence[PART_BYTES];

    if (outcome)
        return outcome;
    if (part) {
        part_sentence(part, sentence);
        origin_note(origins, "%s", sentence);
    }
    outcome = explained_build(explained, options, origins);
    return outcome ? outcome : explained_recall(explained, options, after, origins);
}

enum outcome explain(const struct options *options) {
    const struct step *step = options->step;
    static struct explained after, before;
    static struct origins origins;
    /* What holds for the machine holds for the step before as well; it has sources and variants of
     * its own. */
    const struct options same_machine = {.arch = options->arch,
                                         .machine = options->machine,
                                         .results = options->results,
                                         .n = options->n,
                                         .seed = options->seed};
    const struct step *previous =
        *step->builds_on ? catalogue_find(options->catalogue, step->builds_on) : NULL;
    enum outcome outcome;

    if (previous && !programs_there(previous, options)) {
        origin_note(&origins,
                    "%s is missing beside it: this copy of the course has no solutions, and yours "
                    "is not accepted yet: `make check STEP=%.2s`",
                    previous->name, previous->name);
        previous = NULL;
    }
    if (options->backend)
        return complain(OUTCOME_USAGE, "explain looks at whatever this machine has; leave BACKEND "
                                       "out");
    if ((outcome = programs_choose(&after.programs, step, options, 0)) ||
        (outcome = fill(&after, options, NULL, &origins)))
        return outcome;
    if (previous && ((outcome = programs_choose(&before.programs, previous, &same_machine, 1)) ||
                     (outcome = fill(&before, &same_machine, &after, &origins))))
        return outcome;
    (options->json ? explained_print_json : explained_print)(&after, previous ? &before : NULL,
                                                             &origins);
    return OUTCOME_ACCEPTED;
}
