/* Whether the numbers of a tree are a tree's: nodes, an order, and who is whose child. */
#include "tree_view.h"

static int is_poison(int word) {
    return (unsigned)word == POISON;
}

int tree_number_is_right(const struct view *view) {
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

int tree_order_is_right(const struct view *view, int *places) {
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

int tree_links_are_right(const struct view *view, int *parents) {
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
