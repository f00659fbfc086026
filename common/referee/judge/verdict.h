/* What a check says of one program. */
#ifndef VERDICT_H
#define VERDICT_H

#include "problems/problem.h"
#include "referee/build/programs.h"

enum { MOST_CASES = 40, MOST_VERDICTS = MOST_PROGRAMS + 6 };

/* A case of a verdict: one size of one distribution. */
struct case_verdict {
    int n;
    const char *distribution;
    enum outcome outcome;
    char message[768]; /* empty if accepted */
};

/* The verdict on one program. */
struct verdict {
    char variant[40];
    char aspect[16]; /* a build of programs.h, or technique */
    enum outcome outcome;
    int skipped;   /* not looked at; the message says why */
    int unrun;     /* not run, and failed like another that was */
    int suspected; /* a race that no sanitizer reported: cpucuda saw it beside a wrong result */
    char message[1536];                    /* one line; empty if accepted */
    double error_l2, error_p99, error_max; /* the worst of all cases */
    int first_wrong_decimal;               /* 0: no such case */
    long decimals[DECIMALS];
    struct case_verdict cases[MOST_CASES]; /* as far as they were run */
    int case_count;
};

#endif
