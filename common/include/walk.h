/* The contract of a step that computes accelerations by an octree: a step defines these functions
 * and its own struct walk. Nothing else of the harness is visible to it. */
#ifndef WALK_H
#define WALK_H

#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a body feels: its acceleration, with G = 1, to which a body or node of mass m at the
 * distance vector r adds m r / (r^2 + softening^2)^(3/2). `bodies` and `nodes` are the numbers of
 * bodies, itself included, and nodes that were added. `felt` counts a node as all its bodies: if it
 * is not n, a body was left out or added twice. */
struct walk_force {
    float x, y, z;
    int bodies, nodes, felt;
};

/* The size of a node is a length b so that none of its bodies is farther from its centre of mass.
 * Where no acceleration is known yet, a node at distance d stands for its bodies if b <= angle d;
 * later if m b^2 / d^4 <= accuracy |a|, with the acceleration a of the pass before, and b <= d: a
 * node that may hold the body itself does not tell what is near the body. */
struct walk_parameters {
    int n;            /* bodies, from 0 to 2^28 */
    int leaf;         /* bodies of a leaf, as in tree.h */
    double softening; /* above 0 */
    double angle, accuracy;
};

/* The step's own. */
struct walk;

/* Prepares walks; not timed. `in` and `out`, n of each, stay where they are until walk_destroy;
 * their contents are not defined yet. Returns NULL on failure. */
struct walk *walk_create(const struct walk_parameters *parameters, const struct tree_body *in,
                         struct walk_force *out);

/* Timed. Reads `in`, which is filled anew before every call, computes all accelerations `passes`
 * times and writes the last ones to `out`. The first pass knows no accelerations. Before each pass
 * but the first, body 0 moves to the place that body k has in `in`, k being the number of nodes of
 * the last tree of tree.h modulo n. Returns 0 when done; any other value is reported as the step's
 * own error. */
int walk_run(struct walk *walk, int passes);

void walk_destroy(struct walk *walk);

/* Optional, for a step on a GPU that is also timed by the device's own clock: puts `passes` passes
 * into the default stream, of the bodies of the last run, with the accelerations of its last pass,
 * and waits for none. What it leaves behind is never looked at. */
void walk_passes(struct walk *walk, int passes);

#ifdef __cplusplus
}
#endif

#endif
