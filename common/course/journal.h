/* What a learner did: results/journal.tsv, a line an event, and results/passed/NN_name/, the
 * learner's source as it was last accepted. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "referee/judge/check.h"

/* A line of the journal. */
struct event {
    char time_utc[24]; /* 2026-11-21T19:30:00Z */
    char event[12];    /* check, hint */
    char step[40];
    char result[16]; /* of a check its outcome's word; of a hint its failure class */
    char where[32];  /* of a check `line 61` or `n = 257`, else -; of a hint its level */
    char text[1024]; /* of a check what it said, else - */
};

/* Appends an event, with the time it is now. A tab or line end in `text` becomes a space. */
enum outcome journal_add(const char *results, struct event *event);

struct events {
    struct event *list;
    int count, room;
};

/* Reads all events, none if there is no journal; of a damaged one none, too. */
enum outcome journal_read(const char *results, struct events *events);
void journal_free(struct events *events);

/* Writes down how a check of the learner's own file in steps/ ended, and keeps a copy of one that
 * was accepted as a whole. Of other files nothing. `outcome` is that of the check, or of the build
 * that it did not get past. */
enum outcome journal_check(const struct programs *programs, const struct options *options,
                           const struct check *check, enum outcome outcome);

#endif
