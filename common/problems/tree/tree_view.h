/* A tree under judgement. */
#ifndef TREE_VIEW_H
#define TREE_VIEW_H

#include "tree_problem.h"

/* Of a node, from its bodies: where they lie, and exact sums. */
struct truth {
    float low[3], high[3];
    double mass, moment[3]; /* sums of m, m x, m y and m z */
    double second[6];       /* about the centre of mass, in the order of struct tree_moments */
    int level;              /* of the smallest cell that has them */
};

struct view {
    const struct tree_parameters *parameters;
    struct tree_body *bodies;
    const struct tree *got;
    struct tree_cube cube;
    int *walk;           /* all nodes, parents first */
    struct truth *truth; /* by node */
    struct judgement *judgement;
};

/* Each says what is wrong first, and returns whether nothing is. */
int tree_number_is_right(const struct view *view);

/* `places` has room for n. */
int tree_order_is_right(const struct view *view, int *places);

/* From the root on: each node is reached once, and children share out their parent's bodies. Sets
 * `walk`; `parents` has room for all nodes. */
int tree_links_are_right(const struct view *view, int *parents);

#endif
