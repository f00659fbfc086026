/* Whether stars that came out of a program are stars at all. */
#ifndef WHOLE_H
#define WHOLE_H

#include "problems/problem.h"
#include "stars.h"

/* The words of a problem for stars that are not. */
struct star_words {
    const char *one, *several; /* "body", "bodies" */
    const char *run;           /* the function that writes them */
    const char *unwritten;     /* what may be wrong if only some were written; NULL: nothing */
    const char *not_finite;    /* what may be wrong */
    const char *mass;          /* what holds of masses */
    int masses_in_float;       /* they may come back rounded */
};

/* Whether all numbers were written; else says of which stars not. */
int stars_are_written(const struct star *out, int n, const struct star_words *words,
                      struct judgement *judgement);

/* Whether they are finite besides, and masses are what they were; else says what is not. */
int stars_are_whole(const struct star *in, const struct star *out, int n,
                    const struct star_words *words, struct judgement *judgement);

#endif
