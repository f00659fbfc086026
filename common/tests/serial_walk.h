/* A walk by a serial program that is easy to believe, for groups of bodies that follow each other
 * in the tree's order; or with a fault. */
#ifndef SERIAL_WALK_H
#define SERIAL_WALK_H

#include <math.h>

#include "problems/walk/walk_problem.h"

enum walk_fault {
    NO_FAULT,
    OPPOSITE,
    UNSOFTENED,
    UNSQUARED,
    TOO_LONG,
    LAST_CHILD_FORGOTTEN,
    LAST_BODY_FORGOTTEN,
    OPENED_AND_ACCEPTED,
    MASS_FORGOTTEN,  /* of nodes: that of their first body */
    CENTRE_OF_CELL,  /* nodes pull to the centres of their cells */
    ALWAYS_BY_ANGLE, /* never by the accuracy */
    HUNDREDFOLD,     /* accuracy and angle are taken for 100 and 10 times what they are */
};

struct serial_walk {
    const struct walk_parameters *parameters;
    const struct tree_body *bodies;
    const struct tree *tree;
    enum walk_fault fault;
    int first, count;       /* of the group, in the tree's order */
    double low[3], high[3]; /* its box */
    double known;           /* its least |a|; negative: not known */
    struct walk_force *out;
    double (*a)[3]; /* of all bodies */
};

static inline void pull_group(struct serial_walk *walk, const struct tree_body *part) {
    const double eps = walk->fault == UNSOFTENED ? 0 : walk->parameters->softening;
    const double eps2 = walk->fault == UNSQUARED ? eps : eps * eps;

    for (int k = walk->first; k < walk->first + walk->count; k++) {
        int i = walk->tree->order[k];
        double r[3], r2 = 0, s2;

        for (int c = 0; c < 3; c++) {
            r[c] = (double)tree_coordinate(part, c) - tree_coordinate(&walk->bodies[i], c);
            r2 += r[c] * r[c];
        }
        s2 = r2 + eps2;
        for (int c = 0; c < 3 && s2 > 0; c++)
            walk->a[i][c] += (walk->fault == OPPOSITE ? -1 : 1) * part->mass * r[c] /
                             (walk->fault == TOO_LONG ? s2 : s2 * sqrt(s2));
    }
}

static inline void count_group(struct serial_walk *walk, int bodies, int nodes, int felt) {
    for (int k = walk->first; k < walk->first + walk->count; k++) {
        struct walk_force *out = &walk->out[walk->tree->order[k]];

        out->bodies += bodies;
        out->nodes += nodes;
        out->felt += felt;
    }
}

static inline int is_accepted(const struct serial_walk *walk, int node) {
    const struct tree_body *centre = &walk->tree->centres[node];
    const struct tree_cell *cell = &walk->tree->cells[node];
    const float middle[3] = {cell->x, cell->y, cell->z};
    double b2 = 0, d2 = 0, angle = walk->parameters->angle, accuracy = walk->parameters->accuracy;

    if (walk->fault == HUNDREDFOLD) {
        angle *= 10;
        accuracy *= 100;
    }
    for (int c = 0; c < 3; c++) {
        double at = tree_coordinate(centre, c), reach = fabs(at - middle[c]) + cell->half;
        double off = fmax(0, fmax(walk->low[c] - at, at - walk->high[c]));

        b2 += reach * reach;
        d2 += off * off;
    }
    if (walk->tree->links[node].count == 1)
        b2 = 0;
    return walk->known < 0 || walk->fault == ALWAYS_BY_ANGLE
               ? b2 <= angle * angle * d2
               : b2 <= d2 && centre->mass * b2 <= accuracy * walk->known * d2 * d2;
}

static inline void walk_node(struct serial_walk *walk, int node) {
    const struct tree_links *links = &walk->tree->links[node];
    struct tree_body part = walk->tree->centres[node];
    int accepted = is_accepted(walk, node),
        count = links->children ? links->children : links->count;

    if (accepted) {
        if (walk->fault == MASS_FORGOTTEN)
            part.mass = walk->bodies[walk->tree->order[links->first]].mass;
        if (walk->fault == CENTRE_OF_CELL) {
            part.x = walk->tree->cells[node].x;
            part.y = walk->tree->cells[node].y;
            part.z = walk->tree->cells[node].z;
        }
        pull_group(walk, &part);
        count_group(walk, 0, 1, links->count);
        if (walk->fault != OPENED_AND_ACCEPTED || node % 64)
            return;
    }
    if (links->children && walk->fault == LAST_CHILD_FORGOTTEN && node % 64 == 0)
        count--;
    if (!links->children && walk->fault == LAST_BODY_FORGOTTEN && count == walk->parameters->leaf)
        count--;
    for (int k = 0; k < count; k++) {
        if (links->children) {
            walk_node(walk, links->child + k);
        } else {
            pull_group(walk, &walk->bodies[walk->tree->order[links->first + k]]);
            count_group(walk, 1, 0, 1);
        }
    }
}

/* Of the group. */
static inline void set_box(struct serial_walk *walk) {
    for (int c = 0; c < 3; c++) {
        walk->low[c] = INFINITY;
        walk->high[c] = -INFINITY;
        for (int k = walk->first; k < walk->first + walk->count; k++) {
            double at = tree_coordinate(&walk->bodies[walk->tree->order[k]], c);

            walk->low[c] = fmin(walk->low[c], at);
            walk->high[c] = fmax(walk->high[c], at);
        }
    }
}

/* One pass over bodies in the places of `bodies`, with the tree of them; `known`, |a| of each body,
 * may be NULL. `a` has room for all, in double. */
static inline void serial_walk(const struct walk_parameters *parameters,
                               const struct tree_body *bodies, const struct tree *tree, int group,
                               const double *known, enum walk_fault fault, struct walk_force *out,
                               double (*a)[3]) {
    struct serial_walk walk = {parameters, bodies, tree, fault, .out = out, .a = a};

    memset(out, 0, (size_t)parameters->n * sizeof *out);
    memset(a, 0, (size_t)parameters->n * sizeof *a);
    for (int first = 0; first < parameters->n; first += group) {
        walk.first = first;
        walk.count = parameters->n - first < group ? parameters->n - first : group;
        walk.known = known ? INFINITY : -1;
        set_box(&walk);
        for (int k = first; k < first + walk.count && known; k++)
            walk.known = fmin(walk.known, known[tree->order[k]]);
        walk_node(&walk, 0);
    }
    for (int i = 0; i < parameters->n; i++) {
        out[i].x = (float)a[i][0];
        out[i].y = (float)a[i][1];
        out[i].z = (float)a[i][2];
    }
}

#endif
