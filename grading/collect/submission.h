/* What was taken of one hand-in. */
#ifndef SUBMISSION_H
#define SUBMISSION_H

#include <stddef.h>

#include "names.h"
#include "referee/build/catalogue.h"

enum { ORIGIN_BYTES = 256, MOST_REFUSALS = 32 };

/* A step's source, as handed in. */
struct source {
    const struct step *step;
    char origin[ORIGIN_BYTES]; /* its path inside the submission, made printable */
    char *text;                /* may hold any byte but is followed by a 0 */
    size_t bytes;
    char *flags; /* 09's, one line and comments; NULL if there are none */
};

/* Something that was not taken, and why, in a sentence for the student. */
struct refusal {
    char path[ORIGIN_BYTES];
    char reason[256];
};

struct submission {
    char student[STUDENT_BYTES]; /* the id that grades are listed by */
    char name[NAME_BYTES];       /* a person's name if the export tells one, UTF-8; else empty */
    char origin[ORIGIN_BYTES];   /* the archive or folder, relative to the folder that was given */
    char submitted_utc[24];      /* 2026-11-21T22:40:00Z; empty if nothing tells it */
    int is_told;                 /* times.tsv tells it */
    char clock[24];              /* 2026-11-21T22:40:00, if only a zip without a time zone does */
    char sha256[65];             /* of what is taken: the same content, the same sum */
    struct source sources[MOST_STEPS];
    int source_count;
    struct refusal refusals[MOST_REFUSALS];
    int refusal_count; /* may be larger than what fits; then only the first are kept */
    char *answers;     /* the text of answers.tsv; NULL without one */
    char *predictions; /* the text of predictions.tsv; NULL without one */
};

#endif
