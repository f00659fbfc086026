/* What state a step of the learner's is in: the source in steps/NN_name beside the skeleton, the
 * copy that was last accepted, and the last check. */
#ifndef LEARNER_H
#define LEARNER_H

#include "journal.h"
#include "referee/lesson/parts.h"

struct state {
    int there;          /* the step has a source in steps/ */
    int is_skeleton;    /* as it was handed out */
    int accepted;       /* as it was last accepted, and no check has failed since */
    int once_accepted;  /* something was */
    int changed;        /* saved since the last check */
    struct event check; /* the last one; no time_utc: there was none */
    struct parts parts;
};

enum outcome learner_state(const struct step *step, const struct options *options,
                           const struct events *events, struct state *state);

/* The outcome of an event's word; OUTCOME_ACCEPTED for "accepted" alone. */
enum outcome learner_outcome(const struct event *check);

#endif
