/* The rubric: what is worth how much. grading/rubric.ini is the one that comes with the course. */
#ifndef RUBRIC_H
#define RUBRIC_H

#include "catalogue.h"
#include "outcome.h"

enum attempt { ATTEMPT_BEST, ATTEMPT_LAST };

/* Of a step; a section [05_tiling] over [default]. Points of 0 leave an item out. */
struct step_rubric {
    double compiles;
    double small, edges, large, decimals; /* right at n = 1 and 2, around blocks, at the large size;
                                             by decimals */
    double memory, races;                 /* clean */
    double accuracy;
    double idea;
    double traffic;         /* memory behaviour, from the trace */
    double traffic_from, traffic_to; /* bytes over the solution's: nothing at from, all at to */
    double speed;
    double speed_from, speed_to; /* share of the solution's speed; from < 0: the predecessor's own */
    char speed_origin[128];      /* where the ramp comes from: a machine and a date */
    double prediction, questions;
    int question_count;          /* answers that earn all of `questions` */
    double cap;                  /* at most so many points; 0: none */
    char due_utc[24];            /* 2026-11-30T23:59:00Z; empty: never late */
};

struct rubric {
    enum attempt attempt;
    int late_days;           /* after so many days a step is worth nothing */
    double late_percent;     /* a late day takes, of the points earned */
    struct step_rubric steps[MOST_STEPS]; /* in the catalogue's order */
};

/* Reads a rubric. What is wrong with it is told in one line with file and line, and nothing of it
 * is used. */
enum outcome rubric_read(struct rubric *rubric, const char *path,
                         const struct catalogue *catalogue);

#endif
