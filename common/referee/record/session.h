/* What all rows of one run share, and how a row is filled. */
#ifndef SESSION_H
#define SESSION_H

#include "referee/machine/ceilings.h"
#include "referee/judge/check.h"
#include "referee/machine/machine.h"
#include "record.h"
#include "referee/timing/timing.h"

struct session {
    const struct options *options;
    struct machine machine;
    struct record record;
    char run[RUN_BYTES], commit[48];
    struct ceiling ceilings[CPU_CEILINGS + GPU_CEILINGS];
    int ceiling_count;
    struct trusted trusted;
};

/* Opens the record, measures the ceilings and writes them down as facts; with the option `resume`
 * only if the record has none. */
enum outcome session_begin(struct session *session, const struct options *options);

void session_end(struct session *session);

/* Fill a row: who and what; how long, beside `serial` and `previous` (NULL: not known); how far
 * off. `work` is the units of work in one iteration. */
void session_identify(const struct session *session, const struct programs *programs,
                      const struct program *program, int n, const char *distribution,
                      struct row *row);
void session_time(const struct session *session, const struct programs *programs,
                  const struct program *program, double work, const struct timing *timing,
                  const struct timing *serial, const struct timing *previous, struct row *row);
void session_accuracy(const struct verdict *verdict, struct row *row);

/* Writes down what a step said of its own loops, if it did. */
void session_say_figures(const struct session *session, const struct step *step,
                         const struct program *program, int n, const struct timing *timing);

#endif
