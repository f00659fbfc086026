/* What a bench measures: which programs, where, and beside which. */
#ifndef BENCH_ENTRIES_H
#define BENCH_ENTRIES_H

#include "referee/timing/plan.h"
#include "referee/record/session.h"

enum { ROOT = -2, MOST_ENTRIES = 256, MOST_ROWS = MOST_SIZES * MOST_ENTRIES };

/* A program, and where it is measured. */
struct entry {
    const struct programs *programs;
    const struct program *program;
    int previous; /* the entry it is compared with; -1: none */
    int serial;  /* the entry that speed-ups are over; itself for the root of the chain; -1: none */
    int threads; /* 0: the program's own choice */
    int companion;            /* there for the comparison only */
    const char *distribution; /* of a program that is timed by the device's clock; else NULL */
    struct occasion occasions[MOST_SIZES];
    int occasion_count;
    struct timing timing; /* at the size that is being measured */
    double rate;          /* units of work a second, when it was last timed; 0: not yet */
    enum role { LEFT_OUT, BESIDE, MEASURED } role; /* at that size: BESIDE another's times only */
};

struct bench {
    const struct options *options;
    const struct catalogue *catalogue;
    int ladder, gpu;
    char chosen[MOST_STEPS]; /* of the catalogue's, by STEPS */
    struct session session;
    struct programs *programs; /* as many as the catalogue has steps; step NULL: not built */
    struct entry entries[MOST_ENTRIES];
    int entry_count;
    struct row rows[MOST_ROWS];
    int row_count;
    struct row *recorded; /* with resume: the rows that were there before, and facts */
    int recorded_count;
    struct fact *known;
    int known_count;
    int inconclusive, too_many;
    enum outcome failed; /* the first program that is wrong */
};

/* Where the entry is measured at size n; NULL if it is not. */
const struct occasion *occasion_at(const struct entry *entry, int n);

/* The entry's own, else what was asked for, where its problem has that. */
const char *entry_distribution(const struct bench *bench, const struct entry *entry);

/* With resume reads what the record has; without, or if there is none yet, nothing. */
enum outcome resume_read(struct bench *bench);

/* Whether that has facts of the program by `source`. */
int resume_knows(const struct bench *bench, const struct entry *entry, const char *source);

/* Gives every entry its role at size n: what the record has already is left out, unless something
 * that it has not is compared with it; so is a companion that nothing is compared with there. */
void resume_roles(struct bench *bench, int n);

/* Chooses, builds and adds the programs that the options ask for. */
enum outcome add_steps(struct bench *bench);

#endif
