/* A star cluster by leapfrog steps with forces from a tree: Barnes and Hut (1986, Nature 324, 446),
 * for groups of stars as Makino (1991, PASJ 43, 621) has it. The stars of a group share a list of
 * distant cells and near stars, and the library sums over it. */
#include "sphere.h"

#include <string.h>

/* Cells of more than LEAF stars are divided, to DEPTH levels, which a key's 63 bits can tell. */
enum { LEAF = 8, DEPTH = 21 };

/* Cells lie as a walk meets them: all that is in a cell comes behind it, to `next`. The stars in it
 * are `begin` to `end`. */
struct cell {
    double mass, center[3], edge;
    int begin, end, next, is_leaf;
};

struct key {
    uint64_t bits;
    int star;
};

struct tree {
    struct stars stars; /* in the order of their keys */
    int ncrit;          /* stars of a group at most */
    double theta, eps;
    struct key *keys;
    struct cell *cells;
    int *groups; /* the first star of each, and the end */
    int cell_count, cell_room, group_count;
    double (*spare)[3], (*acc)[3], (*jerk)[3], *pot;
    int *nearest;  /* NULL: neither nearest stars nor jerks */
    double listed; /* on how long a list a star's force is summed, in the mean, of all steps */
};

static int compare_keys(const void *a, const void *b) {
    const struct key *left = a, *right = b;

    return (left->bits > right->bits) - (left->bits < right->bits);
}

static void reorder(struct tree *tree, double (*values)[3]) {
    for (int i = 0; i < tree->stars.n; i++)
        memcpy(tree->spare[i], values[tree->keys[i].star], sizeof *values);
    memcpy(values, tree->spare, tree->stars.n * sizeof *values);
}

/* Sorts the stars by their keys, which have the bits of z, y and x by turns, the highest first.
 * All have the same mass. Returns the edge of a cube around all. */
static double sort_stars(struct tree *tree) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, edge = 0;

    for (int i = 0; i < tree->stars.n; i++)
        for (int k = 0; k < 3; k++)
            low[k] = fmin(low[k], tree->stars.x[i][k]);
    for (int i = 0; i < tree->stars.n; i++)
        for (int k = 0; k < 3; k++)
            edge = fmax(edge, tree->stars.x[i][k] - low[k]);
    edge *= 1 + 1e-9; /* so that no star lies on the far faces */
#pragma omp parallel for
    for (int i = 0; i < tree->stars.n; i++) {
        uint64_t bits = 0;

        for (int k = 0; k < 3; k++) {
            uint64_t place = (uint64_t)((tree->stars.x[i][k] - low[k]) / edge * (1 << DEPTH));

            for (int bit = 0; bit < DEPTH; bit++)
                bits |= (place >> bit & 1) << (3 * bit + k);
        }
        tree->keys[i] = (struct key){bits, i};
    }
    qsort(tree->keys, tree->stars.n, sizeof *tree->keys, compare_keys);
    reorder(tree, tree->stars.x);
    reorder(tree, tree->stars.v);
    return edge;
}

/* The cell of the stars from `begin` to `end`, with all in it. `shift`: of the three bits that
 * divide it; below 0 if nothing does. */
static void build_cell(struct tree *tree, int begin, int end, int shift, double edge,
                       int is_grouped) {
    struct cell cell = {.begin = begin, .end = end, .edge = edge};
    int own = tree->cell_count++, stop;

    if (tree->cell_count > tree->cell_room) {
        tree->cell_room *= 2;
        tree->cells = realloc(tree->cells, tree->cell_room * sizeof cell);
        must(tree->cells ? 0 : 1);
    }
    if (!is_grouped && (end - begin <= tree->ncrit || shift < 0)) {
        tree->groups[tree->group_count++] = begin;
        is_grouped = 1;
    }
    for (int i = begin; i < end; i++) {
        cell.mass += tree->stars.mass[i];
        for (int k = 0; k < 3; k++)
            cell.center[k] += tree->stars.mass[i] * tree->stars.x[i][k];
    }
    for (int k = 0; k < 3; k++)
        cell.center[k] /= cell.mass;
    cell.is_leaf = (is_grouped && end - begin <= LEAF) || shift < 0;
    for (int i = begin; !cell.is_leaf && i < end; i = stop) {
        uint64_t octant = tree->keys[i].bits >> shift;

        for (stop = i; stop < end && tree->keys[stop].bits >> shift == octant;)
            stop++;
        build_cell(tree, i, stop, shift - 3, edge / 2, is_grouped);
    }
    cell.next = tree->cell_count;
    tree->cells[own] = cell;
}

static void build(struct tree *tree) {
    double edge = sort_stars(tree);

    tree->cell_count = tree->group_count = 0;
    build_cell(tree, 0, tree->stars.n, 3 * (DEPTH - 1), edge, 0);
    tree->groups[tree->group_count] = tree->stars.n;
}

/* A cell is opened if its edge is more than theta times its distance to the nearest place that a
 * star of the group may have. */
static int is_opened(const struct tree *tree, const struct cell *cell, const double low[3],
                     const double high[3]) {
    double distance2 = 0;

    for (int k = 0; k < 3; k++) {
        double outside = fmax(fmax(low[k] - cell->center[k], cell->center[k] - high[k]), 0);

        distance2 += outside * outside;
    }
    return cell->edge * cell->edge > tree->theta * tree->theta * distance2;
}

/* Writes the list of a group to the library. A cell has an index that no star has. Returns how
 * long it is. */
static int write_list(struct tree *tree, int begin, int end) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int length = 0;

    for (int i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], tree->stars.x[i][k]);
            high[k] = fmax(high[k], tree->stars.x[i][k]);
        }
    for (int c = 0; c < tree->cell_count;) {
        struct cell *cell = &tree->cells[c];

        c = cell->next;
        if (!is_opened(tree, cell, low, high))
            must(g6_set_j_particle_mxonly(0, length++, -1, cell->mass, cell->center));
        else if (!cell->is_leaf)
            c = (int)(cell - tree->cells) + 1;
        else
            for (int j = cell->begin; j < cell->end; j++)
                must(g6_set_j_particle_mxonly(0, length++, j, tree->stars.mass[j],
                                              tree->stars.x[j]));
    }
    return length;
}

/* The accelerations of all stars. */
static void tree_forces(struct tree *tree) {
    struct stars *stars = &tree->stars;

    build(tree);
    must(g6_set_ti(0, 0));
    for (int g = 0; g < tree->group_count; g++) {
        int begin = tree->groups[g], end = tree->groups[g + 1];
        int length = write_list(tree, begin, end);

        forces(length, end - begin, stars->index + begin, stars->x + begin, stars->v + begin,
               tree->eps, tree->acc + begin, tree->jerk + begin, tree->pot + begin,
               tree->nearest ? tree->nearest + begin : NULL);
        tree->listed += (double)length * (end - begin) / stars->n;
    }
}

static struct tree plant(struct stars stars, int ncrit, double theta, double eps, int is_lean) {
    size_t n = stars.n;
    struct tree tree = {.stars = stars, .ncrit = ncrit, .theta = theta, .eps = eps};

    tree.keys = room_for(n, sizeof *tree.keys);
    tree.groups = room_for(n + 1, sizeof *tree.groups);
    tree.cells = room_for(tree.cell_room = 1024, sizeof *tree.cells);
    tree.spare = room_for(n, sizeof *tree.spare), tree.acc = room_for(n, sizeof *tree.acc);
    tree.jerk = room_for(n, sizeof *tree.jerk), tree.pot = room_for(n, sizeof *tree.pot);
    tree.nearest = is_lean ? NULL : room_for(n, sizeof *tree.nearest);
    return tree;
}

static void add(int n, double (*to)[3], double factor, double (*a)[3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] += factor * a[i][k];
}

int main(int argc, char **argv) {
    double n = argument(argc, argv, 1, 0), ncrit = argument(argc, argv, 2, 8192);
    double theta = argument(argc, argv, 3, 0.75), dt = argument(argc, argv, 4, 1.0 / 64);
    double seed = argument(argc, argv, 5, 1), before, after, took, eps = 1.0 / 32;
    int is_lean = argc > 6 && !strcmp(argv[6], "lean"), steps = (int)round(1 / dt);
    struct tree tree;
    struct stars *stars = &tree.stars;

    if (n < 2 || n > 1 << 24 || ncrit < 1 || theta < 0 || !(dt > 0 && dt <= 1) ||
        (argc > 6 && !is_lean && strcmp(argv[6], "normal") != 0)) {
        fprintf(stderr, "usage: tree N [ncrit theta dt seed normal|lean]\n");
        return 1;
    }
    must(g6_open(0));
    tree = plant(plummer_sphere((int)n, (uint64_t)seed), (int)fmin(ncrit, 1 << 30), theta, eps,
                 is_lean);
    before = kinetic_energy(stars) + potential_energy(stars, eps);
    must(is_lean ? g6_set_jerk_mode(0, 0) : 0);
    took = -seconds();
    tree_forces(&tree);
    tree.listed = 0;
    for (int step = 0; step < steps; step++) {
        add(stars->n, stars->v, dt / 2, tree.acc);
        add(stars->n, stars->x, dt, stars->v);
        tree_forces(&tree);
        add(stars->n, stars->v, dt / 2, tree.acc);
    }
    took += seconds();
    after = kinetic_energy(stars) + potential_energy(stars, eps);
    printf("%d,%d,%g,%g,%s,%.4g,%.0f,%.3e,%.17g\n", stars->n, tree.ncrit, theta, dt,
           is_lean ? "lean" : "normal", took, tree.listed / steps, (after - before) / before,
           after);
    return g6_close(0);
}
