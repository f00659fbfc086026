/* Which of a student's attempts counts for a step, and what late days and a cap leave of it. */
#ifndef LATE_H
#define LATE_H

#include "rubric.h"

/* A step as handed in once, and the sums of its items that are ITEM_EARNED. */
struct handed_in {
    long entry;
    const char *submitted_utc; /* empty: not known, and then never late */
    double earned, possible;
};

/* A row of the gradebook's table `total`. */
struct total {
    long entry;
    double earned;   /* before late days and cap */
    int late_days;   /* begun days after the rubric's due_utc */
    double points;   /* after them */
    double possible; /* without what was left out */
    char explanation[512];
};

/* The total of a step from all of a student's attempts, at least one. The best one is that with the
 * largest share of what is possible, after late days; of equals the one that was handed in last. */
void late_total(const struct rubric *rubric, const struct step *step,
                const struct handed_in *attempts, int count, struct total *total);

#endif
