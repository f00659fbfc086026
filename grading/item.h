/* What is known of an entry, and the items that it earns. */
#ifndef ITEM_H
#define ITEM_H

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

#endif
