/* What bodies feel, from an octree that is made for each block step: for more bodies than direct
 * summation has time for. Groups of neighbours that are due walk it together, as in walk.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "orbits_problem.h"
#include "problems/tree/tree_problem.h"

enum { GROUP = 16, LIST = 1024, STACK = 8 * (TREE_LEVELS + 1) };

struct orbits_tree {
    struct orbits_parameters parameters;
    struct tree_body *bodies;
    struct tree tree;
    void *memory; /* of the tree */
    int *before;  /* n + 1: how many bodies that are due the tree has before its body k */
    int *due;     /* those, in the tree's order */
    char *is_due;
    double (*felt)[3];
    double *reach2; /* of nodes: no body is farther from the centre of mass than the root of this */
};

/* Of a group, its box, its least acceleration that is known, and the parts that it is to feel, as
 * seen from the middle of the box. */
struct walker {
    const struct orbits_tree *tree;
    double low[3], high[3], known;
    int count, parts; /* bodies of the group, and parts in the list */
    float own[GROUP][3], sums[GROUP][3], x[LIST], y[LIST], z[LIST], mass[LIST];
};

void orbits_tree_free(struct orbits_tree *tree) {
    if (!tree)
        return;
    free(tree->bodies);
    free(tree->memory);
    free(tree->before);
    free(tree->felt);
    free(tree->reach2);
    free(tree);
}

struct orbits_tree *orbits_tree_new(const struct orbits_parameters *parameters) {
    size_t n = (size_t)parameters->n;
    const struct tree_parameters of_tree = {parameters->n, parameters->leaf};
    struct orbits_tree *tree = calloc(1, sizeof *tree);

    if (!tree)
        return NULL;
    tree->parameters = *parameters;
    tree->bodies = malloc(n * sizeof *tree->bodies + 1);
    tree->memory = malloc(tree_bytes(parameters->n));
    tree->before = malloc((2 * n + 2) * sizeof *tree->before);
    tree->felt = malloc(n * (sizeof *tree->felt + sizeof *tree->is_due) + 1);
    tree->reach2 = malloc(2 * n * sizeof *tree->reach2 + 1);
    if (!tree->bodies || !tree->memory || !tree->before || !tree->felt || !tree->reach2) {
        orbits_tree_free(tree);
        return NULL;
    }
    tree->due = tree->before + n + 1;
    tree->is_due = (char *)(tree->felt + n);
    tree->tree = tree_in(&of_tree, tree->memory);
    tree->tree.moments = NULL;
    return tree;
}

/* The distance of the centre of mass from the farthest corner of the cell. */
static void find_reach(struct orbits_tree *tree) {
    for (int node = 0; node < *tree->tree.nodes; node++) {
        const struct tree_body *centre = &tree->tree.centres[node];
        const struct tree_cell *cell = &tree->tree.cells[node];
        double x = fabs((double)centre->x - cell->x) + cell->half;
        double y = fabs((double)centre->y - cell->y) + cell->half;
        double z = fabs((double)centre->z - cell->z) + cell->half;

        tree->reach2[node] = x * x + y * y + z * z;
    }
}

static void add_parts(struct walker *walker) {
    float eps2 = (float)pow(walker->tree->parameters.softening, 2);

    for (int k = 0; k < walker->count; k++) {
        float own_x = walker->own[k][0], own_y = walker->own[k][1], own_z = walker->own[k][2];
        float ax = 0, ay = 0, az = 0;

#pragma omp simd reduction(+ : ax, ay, az)
        for (int p = 0; p < walker->parts; p++) {
            float dx = walker->x[p] - own_x, dy = walker->y[p] - own_y, dz = walker->z[p] - own_z;
            float s2 = dx * dx + dy * dy + dz * dz + eps2;
            float scale = walker->mass[p] / (s2 * sqrtf(s2));

            ax += scale * dx;
            ay += scale * dy;
            az += scale * dz;
        }
        walker->sums[k][0] += ax;
        walker->sums[k][1] += ay;
        walker->sums[k][2] += az;
    }
    walker->parts = 0;
}

static void feel(struct walker *walker, const struct tree_body *part) {
    int p = walker->parts++;

    walker->x[p] = (float)(part->x - (walker->low[0] + walker->high[0]) / 2);
    walker->y[p] = (float)(part->y - (walker->low[1] + walker->high[1]) / 2);
    walker->z[p] = (float)(part->z - (walker->low[2] + walker->high[2]) / 2);
    walker->mass[p] = part->mass;
    if (walker->parts == LIST)
        add_parts(walker);
}

/* walk.h's criteria. */
static int is_accepted(const struct walker *walker, int node) {
    const struct orbits_parameters *p = &walker->tree->parameters;
    const struct tree_body *centre = &walker->tree->tree.centres[node];
    const double at[3] = {centre->x, centre->y, centre->z};
    double b2 = walker->tree->reach2[node], d2 = 0;

    for (int c = 0; c < 3; c++) {
        double below = walker->low[c] - at[c], above = at[c] - walker->high[c];
        double off = below > above ? below : above;

        d2 += off > 0 ? off * off : 0;
    }
    return walker->known == 0
               ? b2 <= p->angle * p->angle * d2
               : b2 <= d2 && centre->mass * b2 <= p->accuracy * walker->known * d2 * d2;
}

static void walk(struct walker *walker) {
    const struct orbits_tree *tree = walker->tree;
    int waiting[STACK] = {0}, wait = 1;

    while (wait > 0) {
        int node = waiting[--wait];
        const struct tree_links *links = &tree->tree.links[node];

        if (links->count > 1 && is_accepted(walker, node)) {
            feel(walker, &tree->tree.centres[node]);
            continue;
        }
        for (int k = 0; k < links->children; k++)
            waiting[wait++] = links->child + k;
        for (int k = 0; k < links->count && !links->children; k++)
            feel(walker, &tree->bodies[tree->tree.order[links->first + k]]);
    }
    add_parts(walker);
}

/* Bodies due[first] ... due[first + count - 1] feel all. */
static void pull_group(const struct orbits_tree *tree, int first, int count,
                       const struct orbits_body *bodies) {
    struct walker walker = {.tree = tree, .count = count, .known = INFINITY};

    for (int c = 0; c < 3; c++) {
        walker.low[c] = INFINITY;
        walker.high[c] = -INFINITY;
        for (int k = 0; k < count; k++) {
            double at = tree_coordinate(&tree->bodies[tree->due[first + k]], c);

            walker.low[c] = fmin(walker.low[c], at);
            walker.high[c] = fmax(walker.high[c], at);
        }
    }
    for (int k = 0; k < count; k++) {
        const double *a = bodies[tree->due[first + k]].a;

        walker.known = fmin(walker.known, sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
        for (int c = 0; c < 3; c++)
            walker.own[k][c] = (float)(tree_coordinate(&tree->bodies[tree->due[first + k]], c) -
                                       (walker.low[c] + walker.high[c]) / 2);
    }
    walk(&walker);
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            tree->felt[tree->due[first + k]][c] = walker.sums[k][c];
}

static int due_in(const struct orbits_tree *tree, const struct tree_links *node) {
    return tree->before[node->first + node->count] - tree->before[node->first];
}

/* Groups of a node with too many bodies that are due: children with few enough, or parts of a leaf.
 */
static void pull_groups(const struct orbits_tree *tree, const struct tree_links *node,
                        const struct orbits_body *bodies) {
    int begin = tree->before[node->first], end = begin + due_in(tree, node);

    for (int first = begin; first < end && !node->children; first += GROUP)
        pull_group(tree, first, end - first < GROUP ? end - first : GROUP, bodies);
    for (int k = 0; k < node->children; k++) {
        const struct tree_links *child = &tree->tree.links[node->child + k];
        int count = due_in(tree, child);

        if (count > 0 && count <= GROUP)
            pull_group(tree, tree->before[child->first], count, bodies);
    }
}

const double (*orbits_tree_pull(struct orbits_tree *tree, const double *mass, double *const at[3],
                                const int *due, int count, const struct orbits_body *bodies))[3] {
    int n = tree->parameters.n;
    const struct tree_parameters of_tree = {n, tree->parameters.leaf};
    const struct tree_links *links = tree->tree.links;

    for (int i = 0; i < n; i++)
        tree->bodies[i] =
            (struct tree_body){(float)at[0][i], (float)at[1][i], (float)at[2][i], (float)mass[i]};
    if (tree_build(&of_tree, tree->bodies, 1, &tree->tree) < 0)
        return NULL;
    find_reach(tree);
    memset(tree->is_due, 0, (size_t)n);
    for (int k = 0; k < count; k++)
        tree->is_due[due[k]] = 1;
    tree->before[0] = 0;
    for (int k = 0; k < n; k++) {
        int i = tree->tree.order[k];

        tree->due[tree->before[k]] = i;
        tree->before[k + 1] = tree->before[k] + tree->is_due[i];
    }
    if (count > 0 && count <= GROUP)
        pull_group(tree, 0, count, bodies);
#pragma omp parallel for schedule(dynamic, 64)
    for (int node = 0; node < *tree->tree.nodes; node++)
        if (due_in(tree, &links[node]) > GROUP)
            pull_groups(tree, &links[node], bodies);
    return (const double(*)[3])tree->felt;
}
