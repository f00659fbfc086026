/* The contract of a step that builds an octree over bodies: a step defines these functions and its
 * own struct octree. Nothing else of the harness is visible to it. */
#ifndef TREE_H
#define TREE_H

#ifdef __cplusplus
extern "C" {
#endif

/* A place and a mass: those of a body, or the centre of mass of many bodies and their mass. Masses
 * are above 0, places finite and below 1e18. */
struct tree_body {
    float x, y, z, mass;
};

/* A cube: its centre, and half of its side. */
struct tree_cell {
    float x, y, z, half;
};

/* Second moments of a node's bodies about its centre of mass c: of x and y the sum of m (x - c.x)
 * (y - c.y), and so on. The quadrupole is three times these without their trace. */
struct tree_moments {
    float xx, yy, zz, xy, xz, yz;
};

/* Bodies order[first] ... order[first + count - 1] are a node's; nodes child ... child + children
 * - 1 are its children. A leaf has none. */
struct tree_links {
    int first, count;
    int child, children;
};

/* The cube of all bodies has its corner where their least coordinates are, and as its side the
 * least power of two that is greater than their extent in x, y and z; 1 if all are at one place.
 * Cells of level k are 2^k to each side of the cube, up to level TREE_LEVELS. A body is in the cell
 * whose number, counted from 0 in x, is floor((x - corner.x) / side * 2^k), and in y and z alike;
 * in double this is exact. */
enum { TREE_LEVELS = 21 };

/* A node's cell is the smallest that has all its bodies, so a node with children has two or more,
 * each in an eighth of its cell. A node is a leaf if it has at most `leaf` bodies, or if its cell
 * is of level TREE_LEVELS. Children lie side by side among the nodes, and their bodies side by side
 * in the order, the first child's first; which of the eight comes first is left open, and so is the
 * order of bodies in a leaf. Node 0 is the root. There are fewer than 2 n nodes; none for n = 0. A
 * step may do without second moments, and leaves them unwritten. */
struct tree {
    int *order;                   /* n */
    int *nodes;                   /* how many there are, one number */
    struct tree_body *centres;    /* 2 n: a node's mass and centre of mass */
    struct tree_cell *cells;      /* 2 n */
    struct tree_links *links;     /* 2 n */
    struct tree_moments *moments; /* 2 n */
};

struct tree_parameters {
    int n;    /* bodies, from 0 to 2^28 */
    int leaf; /* bodies of a leaf, 1 or more */
};

/* The step's own. */
struct octree;

/* Prepares building; not timed. `in` and the arrays of `out` stay where they are until
 * octree_destroy; their contents are not defined yet. Returns NULL on failure. */
struct octree *octree_create(const struct tree_parameters *parameters, const struct tree_body *in,
                             const struct tree *out);

/* Timed. Reads `in`, which is filled anew before every call, builds the tree `builds` times and
 * writes the last one to `out`. Before each build but the first, body 0 moves to the place that
 * body k has in `in`, k being the number of nodes of the last tree modulo n. So no build can begin
 * before the last one has ended. Returns 0 when done; any other value is reported as the step's own
 * error. */
int octree_run(struct octree *octree, int builds);

void octree_destroy(struct octree *octree);

/* Optional, for a step on a GPU that is also timed by the device's own clock: puts `builds` builds
 * into the default stream, of the bodies of the last run, and waits for none. What it leaves behind
 * is never looked at. */
void octree_builds(struct octree *octree, int builds);

#ifdef __cplusplus
}
#endif

#endif
