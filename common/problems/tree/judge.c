/* Whether a tree is one of the bodies, by what it says of itself: nodes and children may come in
 * any order, and so may bodies in a leaf. */
#include "tree_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a node, from its bodies: where they lie, and exact sums. */
struct truth {
    float low[3], high[3];
    double mass, moment[3]; /* sums of m, m x, m y and m z */
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

static int is_poison(int word) {
    return (unsigned)word == POISON;
}

static int number_is_right(const struct view *view) {
    int nodes = *view->got->nodes, n = view->parameters->n;

    if (is_poison(nodes))
        judge_as(view->judgement, OUTCOME_UNWRITTEN,
                 "the number of nodes was never written: does octree_run set *out->nodes?");
    else if (n == 0 ? nodes != 0 : nodes < 1 || nodes > 2 * n)
        judge_as(view->judgement, OUTCOME_WRONG, "there are %d nodes for %d bodies; %s", nodes, n,
                 n == 0 ? "no bodies have none"
                        : "the root is one, and 2 n are more than there can be");
    else
        return 1;
    return 0;
}

/* `places` has room for n. */
static int order_is_right(const struct view *view, int *places) {
    int n = view->parameters->n;
    const int *order = view->got->order;

    for (int i = 0; i < n; i++)
        places[i] = -1;
    for (int i = 0; i < n; i++) {
        int body = order[i];

        if (is_poison(body)) {
            judge_as(view->judgement, OUTCOME_UNWRITTEN, "place %d of the order was never written",
                     i);
            return 0;
        }
        if (body < 0 || body >= n) {
            judge_as(view->judgement, OUTCOME_WRONG,
                     "place %d of the order has body %d, and there are bodies 0 to %d", i, body,
                     n - 1);
            return 0;
        }
        if (places[body] >= 0) {
            judge_as(view->judgement, OUTCOME_WRONG,
                     "body %d is in the order twice, at places %d and %d: each body has one key "
                     "and one place",
                     body, places[body], i);
            return 0;
        }
        places[body] = i;
    }
    return 1;
}

/* A node's own numbers. */
static int links_are_possible(const struct view *view, int node) {
    const struct tree_links *links = &view->got->links[node];
    int nodes = *view->got->nodes;

    if (is_poison(links->first) || is_poison(links->count) || is_poison(links->child) ||
        is_poison(links->children)) {
        judge_as(view->judgement, OUTCOME_UNWRITTEN, "the links of node %d were never written",
                 node);
        return 0;
    }
    if ((unsigned)links->first == POISON_DEVICE || (unsigned)links->count == POISON_DEVICE) {
        judge_as(view->judgement, OUTCOME_WRONG,
                 "the links of node %d of %d have what memory of the device holds before anything "
                 "is written there: is each node that was counted written, and to a place of its "
                 "own?",
                 node, nodes);
        return 0;
    }
    if (links->children < 0 || links->children > 8 || links->children == 1) {
        judge_as(view->judgement, OUTCOME_WRONG,
                 "node %d has %d children; a node has none, or 2 to 8", node, links->children);
        return 0;
    }
    if (links->children && (links->child < 1 || links->child > nodes - links->children)) {
        judge_as(view->judgement, OUTCOME_WRONG,
                 "children of node %d are nodes %d to %d, and there are nodes 0 to %d", node,
                 links->child, links->child + links->children - 1, nodes - 1);
        return 0;
    }
    return 1;
}

/* From the root on: each node is reached once, and children share out their parent's bodies. */
static int links_are_right(const struct view *view, int *parents) {
    const struct tree_links *all = view->got->links;
    int nodes = *view->got->nodes, reached = 1;

    for (int i = 0; i < nodes; i++)
        parents[i] = -1;
    view->walk[0] = parents[0] = 0;
    if (!links_are_possible(view, 0))
        return 0;
    if (all[0].first != 0 || all[0].count != view->parameters->n) {
        judge_as(view->judgement, OUTCOME_WRONG,
                 "the root has %d bodies from place %d on, and should have all %d from place 0 on",
                 all[0].count, all[0].first, view->parameters->n);
        return 0;
    }
    for (int w = 0; w < reached; w++) {
        int node = view->walk[w], at = all[node].first, end = at + all[node].count;

        for (int k = 0; k < all[node].children; k++) {
            int child = all[node].child + k;

            if (!links_are_possible(view, child))
                return 0;
            if (parents[child] >= 0) {
                judge_as(view->judgement, OUTCOME_WRONG,
                         "node %d is a child of node %d and of node %d: has every node room of its "
                         "own for its children?",
                         child, parents[child], node);
                return 0;
            }
            if (all[child].first != at || all[child].count < 1 || all[child].count > end - at) {
                judge_as(view->judgement, OUTCOME_WRONG,
                         "node %d, child %d of node %d, has %d bodies from place %d on; it should "
                         "begin at place %d, where the child before ends, and end at %d at most",
                         child, k, node, all[child].count, all[child].first, at, end);
                return 0;
            }
            at += all[child].count;
            parents[child] = node;
            view->walk[reached++] = child;
        }
        if (all[node].children && at != end) {
            judge_as(view->judgement, OUTCOME_WRONG,
                     "node %d has bodies up to place %d, and its last child ends at place %d: "
                     "each body of a node is in one of its children",
                     node, end - 1, at - 1);
            return 0;
        }
    }
    for (int i = 0; i < nodes; i++)
        if (parents[i] < 0) {
            judge_as(view->judgement, OUTCOME_WRONG,
                     "node %d of %d is no node's child: %d are reached from the root", i, nodes,
                     reached);
            return 0;
        }
    return 1;
}

static void include(struct truth *truth, const struct truth *part) {
    for (int c = 0; c < 3; c++) {
        truth->low[c] = fminf(truth->low[c], part->low[c]);
        truth->high[c] = fmaxf(truth->high[c], part->high[c]);
        truth->moment[c] += part->moment[c];
    }
    truth->mass += part->mass;
}

static struct truth of_body(const struct tree_body *body) {
    struct truth truth = {.mass = body->mass, .level = TREE_LEVELS};

    for (int c = 0; c < 3; c++) {
        truth.low[c] = truth.high[c] = tree_coordinate(body, c);
        truth.moment[c] = (double)body->mass * truth.low[c];
    }
    return truth;
}

static void find_truth(const struct view *view) {
    for (int w = *view->got->nodes - 1; w >= 0; w--) {
        int node = view->walk[w];
        const struct tree_links *links = &view->got->links[node];
        struct truth all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

        for (int k = 0; k < links->children; k++)
            include(&all, &view->truth[links->child + k]);
        for (int k = 0; k < links->count && !links->children; k++) {
            struct truth one = of_body(&view->bodies[view->got->order[links->first + k]]);

            include(&all, &one);
        }
        all.level = TREE_LEVELS;
        for (int c = 0; c < 3; c++)
            while ((tree_cell_number(&view->cube, c, all.low[c]) ^
                    tree_cell_number(&view->cube, c, all.high[c])) >>
                   (TREE_LEVELS - all.level))
                all.level--;
        view->truth[node] = all;
    }
}

/* Which eighth of the parent's cell a node's first place is in. */
static int eighth_of(const struct view *view, int node, int level) {
    int eighth = 0;

    for (int c = 0; c < 3; c++)
        eighth |= (int)(tree_cell_number(&view->cube, c, view->truth[node].low[c]) >>
                            (TREE_LEVELS - 1 - level) &
                        1)
                  << c;
    return eighth;
}

/* Nodes are leaves where they should be, and children are eighths. */
static int cells_are_split(const struct view *view, int node) {
    const struct tree_links *links = &view->got->links[node];
    int leaf = view->parameters->leaf, level = view->truth[node].level, of_eighth[8] = {0};

    if (!links->children && links->count > leaf && level < TREE_LEVELS) {
        judge_as(view->judgement, OUTCOME_WRONG,
                 "node %d is a leaf with %d bodies; a leaf has at most %d, unless its cell is of "
                 "the last level, and this one's is of level %d",
                 node, links->count, leaf, level);
        return 0;
    }
    if (links->children && (links->count <= leaf || level == TREE_LEVELS)) {
        judge_as(view->judgement, OUTCOME_WRONG,
                 "node %d has %d bodies in a cell of level %d, and children; a node of at most %d "
                 "bodies, or of level %d, is a leaf",
                 node, links->count, level, leaf, TREE_LEVELS);
        return 0;
    }
    for (int k = 0; k < links->children; k++) {
        int child = links->child + k, eighth = eighth_of(view, child, level);

        if (view->truth[child].level <= level) {
            judge_as(view->judgement, OUTCOME_WRONG,
                     "node %d, a child of node %d, has bodies of more than one eighth of that "
                     "one's cell, which is of level %d: do keys keep the bodies of a cell "
                     "together, in double as tree.h has it, and is it that level's digit by which "
                     "they are parted?",
                     child, node, level);
            return 0;
        }
        if (of_eighth[eighth]) {
            judge_as(view->judgement, OUTCOME_WRONG,
                     "nodes %d and %d, children of node %d, are in the same eighth of its cell",
                     of_eighth[eighth], child, node);
            return 0;
        }
        of_eighth[eighth] = child;
    }
    return 1;
}

static int cell_is_right(const struct view *view, int node) {
    static const double rounded = 0x1p-22;
    const struct tree_cell *cell = &view->got->cells[node];
    const float centre[3] = {cell->x, cell->y, cell->z};
    const struct truth *truth = &view->truth[node];
    double side = ldexp(view->cube.side, -truth->level);

    if (!(cell->half == side / 2)) {
        judge_as(view->judgement, isfinite(cell->half) ? OUTCOME_WRONG : OUTCOME_NOT_FINITE,
                 "node %d has a cell with half a side of %g and should have %g: the smallest cell "
                 "that has its %d bodies is of level %d",
                 node, cell->half, side / 2, view->got->links[node].count, truth->level);
        return 0;
    }
    for (int c = 0; c < 3; c++) {
        uint32_t number =
            tree_cell_number(&view->cube, c, truth->low[c]) >> (TREE_LEVELS - truth->level);
        double right = view->cube.corner[c] + (number + 0.5) * side;

        if (!(fabs(centre[c] - right) <= rounded * (fabs(right) + side))) {
            judge_as(
                view->judgement, isfinite(centre[c]) ? OUTCOME_WRONG : OUTCOME_NOT_FINITE,
                "node %d has a cell with its centre at %c = %.9g and should have %.9g: are cells "
                "numbered in double, as tree.h has it?",
                node, "xyz"[c], centre[c], right);
            return 0;
        }
    }
    return 1;
}

/* Adds to the sum of squared errors. */
static int sums_are_right(const struct view *view, int node, double tolerance, double *squares) {
    const struct tree_body *centre = &view->got->centres[node];
    const struct truth *truth = &view->truth[node];
    const char *kind = view->got->links[node].children ? "children" : "bodies";
    double error = 0;

    if (!(fabs(centre->mass - truth->mass) <= tolerance * truth->mass)) {
        judge_as(view->judgement, isfinite(centre->mass) ? OUTCOME_WRONG : OUTCOME_NOT_FINITE,
                 "node %d has mass %.9g; its %d bodies have %.9g: are all its %s added up, and "
                 "each once, when they have their masses?",
                 node, centre->mass, view->got->links[node].count, truth->mass, kind);
        return 0;
    }
    for (int c = 0; c < 3; c++) {
        double right = truth->moment[c] / truth->mass, got = tree_coordinate(centre, c);
        double size = fmax(fabs(truth->low[c]), fabs(truth->high[c]));

        if (!(fabs(got - right) <= tolerance * size)) {
            judge_as(view->judgement, isfinite(got) ? OUTCOME_WRONG : OUTCOME_NOT_FINITE,
                     "node %d has its centre of mass at %c = %.9g and should have %.9g: is each of "
                     "its %s weighted by its mass, and the sum divided by theirs?",
                     node, "xyz"[c], got, right, kind);
            return 0;
        }
        error = fmax(error, size > 0 ? fabs(got - right) / size : 0);
    }
    *squares += error * error;
    view->judgement->error_max = fmax(view->judgement->error_max, error);
    return 1;
}

static int is_right(const struct view *view, int *memory, double tolerance) {
    int nodes = *view->got->nodes;
    double squares = 0;

    if (!order_is_right(view, memory) || !links_are_right(view, memory))
        return 0;
    find_truth(view);
    for (int w = 0; w < nodes; w++)
        if (!cells_are_split(view, view->walk[w]))
            return 0;
    for (int w = 0; w < nodes; w++)
        if (!cell_is_right(view, view->walk[w]))
            return 0;
    for (int w = nodes - 1; w >= 0; w--) /* what is wrong below is wrong above */
        if (!sums_are_right(view, view->walk[w], tolerance, &squares))
            return 0;
    view->judgement->error_l2 = sqrt(squares / nodes);
    view->judgement->error_p99 = view->judgement->error_max;
    return 1;
}

/* Of a wrong tree: whether it is the one of a first build, where body 0 has its own place. */
static void compare_with_first(const struct view *view, struct tree_body own, int *memory,
                               double tolerance) {
    struct judgement judgement = {0};
    struct view first = *view;

    view->bodies[0] = own;
    first.judgement = &judgement;
    first.cube = tree_cube_of(view->bodies, view->parameters->n);
    if (is_right(&first, memory, tolerance))
        judge_as(view->judgement, OUTCOME_WRONG,
                 "it is the tree of the bodies as they are in the first build; before each other "
                 "body 0 moves, to where the number of nodes of the last tree says (tree.h)");
}

void tree_judge_one(const struct tree_parameters *parameters, const struct tree_body *input,
                    int moved, const struct tree *got, double tolerance,
                    struct judgement *judgement) {
    size_t n = (size_t)parameters->n;
    struct tree_body *bodies = malloc(n * sizeof *bodies + 1);
    int *memory = malloc(2 * n * sizeof *memory + 1), *walk = malloc(2 * n * sizeof *walk + 1);
    struct truth *truth = malloc(2 * n * sizeof *truth + 1);
    struct view view = {parameters, bodies, got, {{0}, 1}, walk, truth, judgement};

    memset(judgement, 0, sizeof *judgement);
    if (!bodies || !memory || !walk || !truth)
        judge_as(judgement, OUTCOME_INTERNAL, "memory is short for the judgement of a tree");
    else if (number_is_right(&view) && n > 0) {
        memcpy(bodies, input, n * sizeof *bodies);
        bodies[0] = input[moved];
        bodies[0].mass = input[0].mass;
        view.cube = tree_cube_of(bodies, parameters->n);
        if (!is_right(&view, memory, tolerance) && moved > 0)
            compare_with_first(&view, input[0], memory, tolerance);
    }
    free(truth);
    free(walk);
    free(memory);
    free(bodies);
}
