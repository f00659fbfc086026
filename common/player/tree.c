/* Adapter: a step that builds an octree as a player's step. */
#include "adapter.h"
#include "protocol/tree_layout.h"

const char step_problem[] = "tree";

static struct octree *create(const void *parameters, const void *in, void *out) {
    const struct tree tree = tree_in(parameters, out);

    return octree_create(parameters, in, &tree);
}

OBJECT_BY(octree, builds, create)
