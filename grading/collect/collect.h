/* Finds submissions in a folder, in whatever form an instructor has them, and takes from each the
 * one file a step that counts. Nothing of a submission is trusted, its names least of all. */
#ifndef COLLECT_H
#define COLLECT_H

#include <stddef.h>

#include "referee/build/catalogue.h"
#include "problems/outcome.h"

enum { STUDENT_BYTES = 64, NAME_BYTES = 128, ORIGIN_BYTES = 256, MOST_REFUSALS = 32 };

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

/* Calls `take` for each submission in `folder`, in the order of students, and of a student as they
 * came in. A submission from which nothing can be taken is given too, with its refusals. `take`
 * returns 0, or not 0 to stop. A lone source whose name tells no step is that of `only`; NULL: of
 * none. Run from the course's top; the submission is freed after the call. */
enum outcome collect(const char *folder, const struct catalogue *catalogue, const struct step *only,
                     int (*take)(const struct submission *submission, void *context),
                     void *context);

#endif
