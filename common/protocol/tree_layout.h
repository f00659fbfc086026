/* How the output of the problem `tree` lies in the player's buffer: four words, of which the first
 * is the number of nodes, then the nodes' arrays, then the order. */
#ifndef TREE_LAYOUT_H
#define TREE_LAYOUT_H

#include <stddef.h>

#include "tree.h"

enum { TREE_WORDS = 4, TREE_NODE_BYTES = 72 };

static inline size_t tree_bytes(int n) {
    return TREE_WORDS * sizeof(int) + (size_t)n * (2 * TREE_NODE_BYTES + sizeof(int));
}

static inline struct tree tree_in(const struct tree_parameters *parameters, void *output) {
    size_t most = 2 * (size_t)parameters->n;
    struct tree tree;

    tree.nodes = (int *)output;
    tree.centres = (struct tree_body *)(tree.nodes + TREE_WORDS);
    tree.cells = (struct tree_cell *)(tree.centres + most);
    tree.links = (struct tree_links *)(tree.cells + most);
    tree.moments = (struct tree_moments *)(tree.links + most);
    tree.order = (int *)(tree.moments + most);
    return tree;
}

#endif
