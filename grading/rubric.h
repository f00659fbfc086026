/* The rubric: what is worth how much. grading/rubric.ini is the one that comes with the course. */
#ifndef RUBRIC_H
#define RUBRIC_H

#include "referee/build/catalogue.h"
#include "problems/outcome.h"

enum attempt { ATTEMPT_BEST, ATTEMPT_LAST };

/* Of a step; a section [NN_name] over [without ITEM] over [default]. Points of 0 leave an item out.
 */
struct step_rubric {
    double compiles;
    double small, edges, large, decimals; /* right at n up to 2, below 2000, from 2000 on; by
                                             decimals */
    double memory, races;                 /* clean */
    double accuracy;
    double idea;
    double traffic;                  /* memory behaviour, from the trace */
    double traffic_from, traffic_to; /* over the solution's: nothing at from, all at to */
    double speed;
    double speed_from,
        speed_to;           /* share of the solution's speed; from < 0: the predecessor's own */
    char speed_origin[128]; /* where the ramp comes from: a machine and a date */
    double prediction, questions;
    int question_count; /* answers that earn all of `questions` */
    double cap_percent; /* at most so much of what is possible; 100: no cap */
    char due_utc[24];   /* 2026-11-30T23:59:00Z; empty: never late */
};

struct rubric {
    enum attempt attempt;
    int late_days;       /* handed in more days late than these, a step is worth nothing */
    double late_percent; /* a late day takes, of the points earned */
    char time_zone[64];  /* of the clock of exports' zips, which say none */
    int count;           /* of the catalogue's steps */
    struct step_rubric steps[MOST_STEPS]; /* in the catalogue's order */
    char names[MOST_STEPS][40];           /* the steps' */
};

/* Reads a rubric. What is wrong with it is told in one line with file and line, and `rubric` is
 * left as it was: OUTCOME_RUBRIC. */
enum outcome rubric_read(struct rubric *rubric, const char *path,
                         const struct catalogue *catalogue);

/* The step's part of the rubric; NULL if it was read with a catalogue without the step. */
const struct step_rubric *rubric_step(const struct rubric *rubric, const struct step *step);

/* Whether the step can be timed beside the one it builds on: both in C, or both in CUDA C. */
int rubric_has_previous(const struct step *step, const struct catalogue *catalogue);

#endif
