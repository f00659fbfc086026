/* The parts of a learner's source, between fences: which of them are written (fences.awk). */
#ifndef PARTS_H
#define PARTS_H

#include "referee/build/programs.h"

enum { MOST_PARTS = 16, PART_BYTES = 800 };

struct part {
    char file[512]; /* the source, or `flags` beside it */
    int number, line;
    int written, has_placeholder;
    char task[128];
};

struct parts {
    struct part list[MOST_PARTS];
    int count;
    char broken[640]; /* one line on a fence that is not whole, or empty */
};

/* Reads the parts of a source and of the file `flags` beside it, if there is one. A source without
 * fences has none; one whose fences are not whole, none after that place. */
enum outcome parts_read(struct parts *parts, const char *source);

/* The first part that is not written; NULL: none. */
const struct part *parts_unfinished(const struct parts *parts);

/* Leaves out all but those of the numbers in `needed`, "1 2 5". */
void parts_keep(struct parts *parts, const char *needed);

/* Whether a check that ends so is what it comes to for want of a part that is not written: with
 * wrong results always, otherwise where the step's hints.md says so. */
int parts_explain(const struct parts *parts, const char *step, enum outcome outcome);

/* What its sentence holds, by which the journal is read. */
#define UNWRITTEN " is not written yet: "

/* The sentence that names a part that is not written, with its place. */
void part_sentence(const struct part *part, char sentence[PART_BYTES]);

/* The number of the part that the first such sentence in `text` names; 0: there is none. */
int part_named(const char *text);

/* The file `flags` beside a source, of a step that leaves nvcc's flags to the learner. Where a step
 * has none, they stand in its Makefile. */
void name_flags(const char *source, char path[544]);

/* The files of a step that a learner edits: its source and, where the skeleton has one, `flags`. */
struct edited {
    char names[2][32], paths[2][96];
    int count;
};

void learner_files(const struct step *step, struct edited *edited);

/* The skeleton's bytes of that file, to be freed; NULL: there is none. From the solution, where
 * there is one, else from steps/.skeletons, which an exported course has. */
char *skeleton_bytes(const struct step *step, const char *name, size_t *size);

#endif
