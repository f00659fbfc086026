/* Whether a tree is one of the bodies, by what it says of itself: nodes and children may come in
 * any order, and so may bodies in a leaf. */
#include "tree_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds a part's second moments about another centre; by Steiner's theorem, since in double squares
 * of coordinates would leave little of a small cell's. */
static void add_second(struct truth *truth, const struct truth *part) {
    static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double off[3];

    for (int c = 0; c < 3; c++)
        off[c] = part->moment[c] / part->mass - truth->moment[c] / truth->mass;
    for (int s = 0; s < 6; s++)
        truth->second[s] += part->second[s] + part->mass * off[axes[s][0]] * off[axes[s][1]];
}

/* From its children's, or its bodies. */
static void find_truth_of(const struct view *view, int node) {
    const struct tree_links *links = &view->got->links[node];
    struct truth all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

    for (int k = 0; k < links->children; k++)
        include(&all, &view->truth[links->child + k]);
    for (int k = 0; k < links->count && !links->children; k++) {
        struct truth one = of_body(&view->bodies[view->got->order[links->first + k]]);

        include(&all, &one);
    }
    for (int k = 0; k < links->children; k++)
        add_second(&all, &view->truth[links->child + k]);
    for (int k = 0; k < links->count && !links->children; k++) {
        struct truth one = of_body(&view->bodies[view->got->order[links->first + k]]);

        add_second(&all, &one);
    }
    all.level = TREE_LEVELS;
    for (int c = 0; c < 3; c++)
        while ((tree_cell_number(&view->cube, c, all.low[c]) ^
                tree_cell_number(&view->cube, c, all.high[c])) >>
               (TREE_LEVELS - all.level))
            all.level--;
    view->truth[node] = all;
}

/* The walk goes by depth: nodes of one depth, which need only those below, side by side. A wrong
 * tree may be deeper than any right one; what is below that goes one by one. */
static void find_truth(const struct view *view) {
    int begins[TREE_LEVELS + 2], depths = 0, begin = 0, end = 1, nodes = *view->got->nodes;

    while (begin < end && depths < TREE_LEVELS + 2) {
        int next = end;

        begins[depths++] = begin;
        for (int w = begin; w < end; w++)
            next += view->got->links[view->walk[w]].children;
        begin = end;
        end = next;
    }
    for (int w = nodes - 1; w >= begin; w--)
        find_truth_of(view, view->walk[w]);
    for (end = begin; depths--; end = begins[depths])
#pragma omp parallel for schedule(dynamic, 256) if (end - begins[depths] >= WORTH_THREADS)
        for (int w = begins[depths]; w < end; w++)
            find_truth_of(view, view->walk[w]);
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

static int is_unwritten(float value) {
    uint32_t word;

    memcpy(&word, &value, sizeof word);
    return word == POISON;
}

/* Of second moments, which floats of a far small cell cannot have better than its places. */
static int moments_are_right(const struct view *view, int node, double tolerance) {
    static const char *const names[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    const struct tree_moments *own = &view->got->moments[node];
    const float got[] = {own->xx, own->yy, own->zz, own->xy, own->xz, own->yz};
    const struct truth *truth = &view->truth[node];
    double extent = 0, rounding = 0;

    for (int c = 0; c < 3; c++) {
        extent = fmax(extent, (double)truth->high[c] - truth->low[c]);
        rounding = fmax(rounding, tolerance * fmax(fabs(truth->low[c]), fabs(truth->high[c])));
    }
    for (int s = 0; s < 6; s++) {
        double allowed = truth->mass * (10 * tolerance * extent * extent + 2 * rounding * extent +
                                        rounding * rounding);

        if (is_unwritten(got[s])) {
            judge_as(view->judgement, OUTCOME_UNWRITTEN,
                     "second moments of node %d were never written, and the root's were", node);
            return 0;
        }
        if (!(fabs(got[s] - truth->second[s]) <= allowed)) {
            judge_as(view->judgement, isfinite(got[s]) ? OUTCOME_WRONG : OUTCOME_NOT_FINITE,
                     "node %d has the second moment %s = %.9g and should have %.9g: is it about "
                     "the node's own centre of mass, with the moments that its children have?",
                     node, names[s], got[s], truth->second[s]);
            return 0;
        }
    }
    return 1;
}

static int is_right(const struct view *view, int *memory, double tolerance) {
    int nodes = *view->got->nodes;
    double squares = 0;

    if (!tree_order_is_right(view, memory) || !tree_links_are_right(view, memory))
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
    for (int w = nodes - 1; w >= 0 && !is_unwritten(view->got->moments[0].xx); w--)
        if (!moments_are_right(view, view->walk[w], tolerance))
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
    else if (tree_number_is_right(&view) && n > 0) {
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
