/* Whose a file is, by the names that learning platforms give when a class is exported. */
#ifndef OWNER_H
#define OWNER_H

#include "names.h"

enum mark_kind { MARK_NONE, MARK_MOODLE, MARK_CANVAS, MARK_GRADESCOPE };

/* What the beginning of a path says. */
struct mark {
    enum mark_kind kind;
    char id[STUDENT_BYTES];     /* Moodle's participant, Canvas's user, Gradescope's submission_N */
    char name[NAME_BYTES];      /* as the platform writes it; of Gradescope empty */
    unsigned long long attempt; /* Canvas numbers files in the order they came in */
    int version;                /* Canvas's -N of a file handed in again under the same name */
    const char *rest;           /* the path below it, or the student's own name of the file */
};

/* Reads the mark at the beginning of a path: its first component, or its second below Gradescope's
 * assignment_N_export. Deeper down names are a student's to choose. */
enum mark_kind owner_mark(const char *path, struct mark *mark);

/* Whether a platform made the file of what was typed into its form. */
int owner_is_typed(const char *path);

/* Whether a component of the path is named as a learning platform's export names it: then the
 * archive holds a class and not one student's work. */
int owner_is_export(const char *path);

enum { MOST_TOGETHER = 8 };

/* A submission in Gradescope's metadata: a group has several people. */
struct hand_in {
    char ids[MOST_TOGETHER][STUDENT_BYTES];
    char names[MOST_TOGETHER][NAME_BYTES];
    int people;
    char submitted_utc[24];
};

/* Finds submission_N in the text of submission_metadata.yml. Returns 0 if it is not there. */
int owner_gradescope(const char *metadata, const char *submission, struct hand_in *found);

/* Writes seconds since 1970 as 2026-11-21T22:40:00Z; empty for none (below 1). */
void owner_time(char text[24], long long seconds);

/* Reads 2026-11-21T22:40:00Z, and with a space, fractions and an offset. -1: it is none. */
long long owner_read_time(const char *text);

#endif
