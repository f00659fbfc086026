/* Points from stored measurements and a rubric: a pure function, so that the same measurements and
 * the same rubric give the same grade anywhere. */
#ifndef SCORE_H
#define SCORE_H

#include "rubric.h"

/* A speed is measured so often before it is left inconclusive. */
enum { MOST_ITEMS = 16, MOST_SPEEDS = 8, MOST_REPEATS = 3 };

enum item_state { ITEM_EARNED, ITEM_LEFT_OUT, ITEM_INCONCLUSIVE };

struct item {
    char name[24];           /* as in the rubric */
    double points, possible; /* both 0 unless it is earned, so that sums need not ask */
    enum item_state state;   /* what is left out counts neither way, and the explanation says why */
    char explanation[1024];
};

/* What is known of an entry. The texts are results of tasks (measure/task.h); NULL: not measured.
 */
struct evidence {
    const char *check;
    const char *speeds[MOST_SPEEDS]; /* by repeat */
    int speed_count;
    const char *reference; /* the check of this step's solution on the same grader */
    int untouched;         /* its code is that of the step's skeleton */
    int predicted;         /* a prediction was handed in that was not late */
    double predicted_speedup;
    int questions_answered; /* answers that are not empty, of the step */
};

/* Gives the items of a step; their number. */
int score_step(const struct rubric *rubric, const struct step *step,
               const struct evidence *evidence, struct item items[MOST_ITEMS]);

/* Whether the rubric's item asks for this entry's speed, and this grader can measure it. */
int score_speed_asked(const struct rubric *rubric, const struct step *step,
                      const struct evidence *evidence);

/* Whether the speeds measured so far decide the rubric's item, so that none need be repeated. Also
 * when it is not asked for. */
int score_speed_decided(const struct rubric *rubric, const struct step *step,
                        const struct evidence *evidence);

#endif
