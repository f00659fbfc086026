/* Units: what will be a submission, an archive or the loose files of one student. */
#ifndef UNIT_H
#define UNIT_H

#include "choose.h"
#include "owner.h"

/* How well it is known whose a unit is. */
enum rank {
    RANK_ARCHIVE, /* by the id inside an archive alone */
    RANK_NAME,    /* the archive's name says so too */
    RANK_FOLDER,  /* the instructor's folder says so */
    RANK_PLATFORM /* the learning platform does */
};

struct unit {
    struct submission submission;
    char *key;                                  /* units with the same key are one */
    char authority[NAME_BYTES + STUDENT_BYTES]; /* who says whose it is */
    enum rank rank;
    enum mark_kind platform;
    char inside[STUDENT_BYTES]; /* the id in an archive of `make submit`; may be another's */
    int is_around;              /* there is an archive in it, which is a unit of its own */
    int from_export;            /* of an archive or a folder that holds a class's */
    unsigned long long attempt; /* in which order they came in */
    long long time;             /* unpack.h */
    struct file *files;
    int count;
};

struct units {
    struct unit *units;
    int count;
    struct container **containers; /* that the files are in */
    int container_count;
    char *metadata; /* of an unpacked Gradescope export, else NULL */
};

/* Sorts the files of something that lies in the folder that was given into units. The container
 * then belongs to `units`. `name` is what it is called there. */
void units_add(struct units *units, struct container *container, const char *name);

/* Settles who may have the id that several units claim, and puts them in order: by student, and of
 * a student as they came in. */
void units_settle(struct units *units);

void units_free(struct units *units);

#endif
