/* Adapter: a step that builds an octree as a player's step. */
#include "adapter.h"
#include "protocol/tree_layout.h"

const char step_problem[] = "tree";

OBJECT(octree, builds)

int step_create(const void *parameters, const void *in, void *out) {
    const struct tree tree = tree_in(parameters, out);

    object = octree_create(parameters, in, &tree);
    return object ? 0 : 1;
}
