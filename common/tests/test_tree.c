/* The problem `tree`: the serial builder's trees, what the judge says of wrong ones, and inputs.
 */
#include "testing.h"
#include "problems/tree/tree_problem.h"

static const struct problem *const problem = &tree_problem;

enum { MOST = 3000 };

struct sample {
    struct tree_parameters parameters;
    struct tree_body bodies[MOST];
    _Alignas(16) char memory[16 + MOST * 148];
    struct tree tree;
};

static void draw(struct sample *sample, const char *distribution, int n, uint64_t seed) {
    memset(sample->memory, 0, sizeof sample->memory);
    problem->set_parameters(&sample->parameters, distribution, n, 1);
    problem->generate(sample->bodies, distribution, n, seed);
    sample->tree = tree_in(&sample->parameters, sample->memory);
    assert_true(tree_bytes(n) <= sizeof sample->memory);
}

/* Draws a sample, and its tree after so many builds. */
static void grow(struct sample *sample, const char *distribution, int n, uint64_t seed,
                 int builds) {
    draw(sample, distribution, n, seed);
    assert_true(tree_build(&sample->parameters, sample->bodies, builds, &sample->tree) >= 0);
}

static struct judgement judged(const struct sample *sample, int builds) {
    void *answer = problem->answer(&sample->parameters, sample->bodies, "", builds);
    struct judgement judgement;

    assert_non_null(answer);
    problem->judge(&sample->parameters, sample->bodies, answer, sample->memory, "", builds, 1e-6,
                   &judgement);
    free(answer);
    return judgement;
}

static void assert_right(const struct sample *sample, int builds) {
    struct judgement judgement = judged(sample, builds);

    if (judgement.outcome)
        fail_msg("%s", judgement.message);
    assert_true(judgement.error_max < 1e-6);
}

static struct sample sample;

TEST(every_input_has_a_tree) {
    static const int sizes[] = {0, 1, 2, 3, 16, 17, 300, MOST};

    for (int d = 0; tree_distributions[d]; d++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            grow(&sample, tree_distributions[d], sizes[s], s, 1 + (int)s % 3);
            assert_right(&sample, 1 + (int)s % 3);
        }
}

/* A cube of side 4 from -1 on: 0 and 1 are in the same eighth, 2 in another; of leaves of one body
 * there are five nodes. */
TEST(a_tree_is_as_by_hand) {
    const struct tree_body bodies[] = {{-1, -1, -1, 1}, {0, -1, -1, 2}, {1, 1, 1, 5}};
    struct tree_body centre;

    draw(&sample, "single", 3, 1);
    memcpy(sample.bodies, bodies, sizeof bodies);
    assert_true(tree_build(&sample.parameters, sample.bodies, 1, &sample.tree) >= 0);
    assert_right(&sample, 1);
    assert_int_equal(*sample.tree.nodes, 5);
    assert_true(sample.tree.cells[0].half == 2 && sample.tree.cells[0].x == 1);
    assert_int_equal(sample.tree.links[0].children, 2);
    centre = sample.tree.centres[0];
    assert_true(centre.mass == 8 && centre.x == 0.5f && centre.y == 0.25f);
    for (int i = 1; i < 5; i++)
        if (sample.tree.links[i].count == 2) {
            assert_true(sample.tree.cells[i].half == 1 && sample.tree.cells[i].x == 0);
            centre = sample.tree.centres[i];
            assert_true(centre.mass == 3 && fabs(centre.x + 1. / 3) < 1e-7);
        }
}

/* n bodies at one place are one leaf of the last level; two in neighbouring finest cells need three
 * nodes and not a chain. */
TEST(bodies_that_keys_cannot_tell_apart_are_one_leaf) {
    grow(&sample, "one_place", 500, 3, 1);
    assert_right(&sample, 1);
    assert_int_equal(*sample.tree.nodes, 1);
    assert_true(sample.tree.cells[0].half == 0x1p-22f);
    draw(&sample, "single", 3, 1);
    for (int i = 0; i < 3; i++)
        sample.bodies[i] = (struct tree_body){i == 2 ? 0.75f : (float)i * 0x1p-21f, 0, 0, 1};
    assert_true(tree_build(&sample.parameters, sample.bodies, 1, &sample.tree) >= 0);
    assert_right(&sample, 1);
    assert_int_equal(*sample.tree.nodes, 5);
}

/* Another order of nodes, of children and of a leaf's bodies: an equally right tree. */
TEST(any_order_of_nodes_is_right) {
    static struct sample other;
    int nodes, next = 1, places = 0, at[2 * MOST], begins[2 * MOST];

    grow(&sample, "plummer", 1000, 5, 1);
    other = sample;
    other.tree = tree_in(&other.parameters, other.memory);
    nodes = *sample.tree.nodes;
    /* Depth first, the last child first: node at[k] of the one is node k of the other. */
    at[0] = 0;
    begins[0] = 0;
    for (int k = 0; k < next; k++) {
        struct tree_links links = sample.tree.links[at[k]], *own = &other.tree.links[k];
        int begin = begins[k];

        *own = (struct tree_links){begin, links.count, links.children ? next : 0, links.children};
        other.tree.centres[k] = sample.tree.centres[at[k]];
        other.tree.cells[k] = sample.tree.cells[at[k]];
        other.tree.moments[k] = sample.tree.moments[at[k]];
        for (int c = links.children - 1; c >= 0; c--) {
            at[next] = links.child + c;
            begins[next++] = begin;
            begin += sample.tree.links[links.child + c].count;
        }
        for (int b = 0; b < links.count && !links.children; b++, places++)
            other.tree.order[begins[k] + b] = sample.tree.order[links.first + links.count - 1 - b];
    }
    assert_int_equal(next, nodes);
    assert_int_equal(places, 1000);
    assert_right(&other, 1);
}

/* Second moments are a step's choice. */
TEST(moments_may_be_left_out) {
    grow(&sample, "sphere", 500, 2, 1);
    for (int i = 0; i < *sample.tree.nodes; i++)
        for (int word = 0; word < 6; word++)
            ((unsigned *)&sample.tree.moments[i])[word] = POISON;
    assert_right(&sample, 1);
    sample.tree.moments[0].xx = 0;
    assert_int_equal(judged(&sample, 1).outcome, OUTCOME_UNWRITTEN);
}

/* The tree of a later build is one of another body 0. */
TEST(body_0_moves_between_builds) {
    struct judgement judgement;
    int moved;

    draw(&sample, "plummer", 600, 8);
    moved = tree_build(&sample.parameters, sample.bodies, 2, &sample.tree);
    assert_true(moved > 0);
    assert_right(&sample, 2);
    judgement = judged(&sample, 1);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    grow(&sample, "plummer", 600, 8, 1);
    assert_int_equal(*sample.tree.nodes % 600, moved);
    judgement = judged(&sample, 2);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    assert_non_null(strstr(judgement.message, "as they are in the first build"));
}

/* A node whose first and last child have two bodies or more. */
static int parent_of_leaves(const struct tree *tree) {
    for (int i = *tree->nodes - 1; i > 0; i--) {
        const struct tree_links *own = &tree->links[i], *first = &tree->links[own->child];

        if (own->children && first[0].count > 1 && first[own->children - 1].count > 1)
            return i;
    }
    fail_msg("no node");
    return 0;
}

enum fault {
    NO_NUMBER,
    TOO_MANY,
    NO_ORDER,
    FAR_BODY,
    TWICE,
    SWAPPED,
    NO_LINKS,
    DEVICE_LINKS,
    ROOT,
    ONE_CHILD,
    FAR_CHILDREN,
    SHARED_CHILDREN,
    LATE_CHILD,
    SHORT_PARENT,
    ORPHAN,
    FULL_LEAF,
    SPLIT_LEAF,
    CELL,
    CELL_CENTRE,
    NO_CELL,
    MASS,
    MASSES,
    CENTRE,
    NAN_CENTRE,
    UNWEIGHTED,
    MOMENT,
    HALF_WRITTEN,
    FAULTS
};

static void spoil(struct sample *own, enum fault fault) {
    const struct tree *tree = &own->tree;
    int node = parent_of_leaves(tree), child = tree->links[node].child, nodes = *tree->nodes;
    int poison = (int)POISON;
    float bits;

    memcpy(&bits, &poison, sizeof bits);
    switch (fault) {
    case NO_NUMBER:
        *tree->nodes = poison;
        break;
    case TOO_MANY:
        *tree->nodes = 2 * own->parameters.n + 1;
        break;
    case NO_ORDER:
        tree->order[7] = poison;
        break;
    case FAR_BODY:
        tree->order[7] = own->parameters.n;
        break;
    case TWICE:
        tree->order[7] = tree->order[8];
        break;
    case SWAPPED:
        tree->order[0] ^= tree->order[own->parameters.n - 1];
        tree->order[own->parameters.n - 1] ^= tree->order[0];
        tree->order[0] ^= tree->order[own->parameters.n - 1];
        break;
    case NO_LINKS:
        tree->links[nodes - 1].child = poison;
        break;
    case DEVICE_LINKS:
        tree->links[nodes - 1].first = (int)POISON_DEVICE;
        break;
    case ROOT:
        tree->links[0].count--;
        break;
    case ONE_CHILD:
        tree->links[node].children = 1;
        break;
    case FAR_CHILDREN:
        tree->links[node].child = nodes - 1;
        break;
    case SHARED_CHILDREN:
        tree->links[node].child = tree->links[0].child;
        break;
    case LATE_CHILD:
        tree->links[child].first++;
        break;
    case SHORT_PARENT:
        tree->links[child + tree->links[node].children - 1].count--;
        break;
    case ORPHAN:
        tree->links[nodes] = tree->links[nodes - 1];
        ++*tree->nodes;
        break;
    case FULL_LEAF:
        own->parameters.leaf = 1;
        break;
    case SPLIT_LEAF:
        own->parameters.leaf = tree->links[node].count;
        break;
    case CELL:
        tree->cells[node].half *= 2;
        break;
    case CELL_CENTRE:
        tree->cells[node].y += tree->cells[node].half;
        break;
    case NO_CELL:
        tree->cells[node].half = bits;
        break;
    case MASS:
        tree->centres[node].mass *= 1.00001f;
        break;
    case MASSES:
        tree->centres[child].mass /= 2;
        break;
    case CENTRE:
        tree->centres[node].z += 1e-4f;
        break;
    case NAN_CENTRE:
        tree->centres[node].x = NAN;
        break;
    case UNWEIGHTED:
        tree->centres[node].x *= tree->centres[node].mass;
        break;
    case MOMENT:
        tree->moments[node].xy += tree->moments[node].xx / 100;
        break;
    case HALF_WRITTEN:
        tree->moments[node].zz = bits;
        break;
    case FAULTS:
        break;
    }
}

TEST(faults_are_told_apart) {
    static const struct {
        enum outcome outcome;
        const char *phrase;
    } said[FAULTS] = {
        [NO_NUMBER] = {OUTCOME_UNWRITTEN, "number of nodes was never written"},
        [TOO_MANY] = {OUTCOME_WRONG, "more than there can be"},
        [NO_ORDER] = {OUTCOME_UNWRITTEN, "place 7 of the order"},
        [FAR_BODY] = {OUTCOME_WRONG, "there are bodies 0 to 999"},
        [TWICE] = {OUTCOME_WRONG, "in the order twice, at places 7 and 8"},
        [SWAPPED] = {OUTCOME_WRONG, "more than one eighth"},
        [NO_LINKS] = {OUTCOME_UNWRITTEN, "were never written"},
        [DEVICE_LINKS] = {OUTCOME_WRONG, "memory of the device"},
        [ROOT] = {OUTCOME_WRONG, "the root has 999 bodies"},
        [ONE_CHILD] = {OUTCOME_WRONG, "none, or 2 to 8"},
        [FAR_CHILDREN] = {OUTCOME_WRONG, "and there are nodes 0 to"},
        [SHARED_CHILDREN] = {OUTCOME_WRONG, "room of its own for its children"},
        [LATE_CHILD] = {OUTCOME_WRONG, "where the child before ends"},
        [SHORT_PARENT] = {OUTCOME_WRONG, "each body of a node is in one of its children"},
        [ORPHAN] = {OUTCOME_WRONG, "is no node's child"},
        [FULL_LEAF] = {OUTCOME_WRONG, "a leaf has at most 1"},
        [SPLIT_LEAF] = {OUTCOME_WRONG, "is a leaf"},
        [CELL] = {OUTCOME_WRONG, "the smallest cell that has its"},
        [CELL_CENTRE] = {OUTCOME_WRONG, "its centre at y"},
        [NO_CELL] = {OUTCOME_NOT_FINITE, "half a side of"},
        [MASS] = {OUTCOME_WRONG, "has mass"},
        [MASSES] = {OUTCOME_WRONG, "are all its bodies added up"},
        [CENTRE] = {OUTCOME_WRONG, "centre of mass at z"},
        [NAN_CENTRE] = {OUTCOME_NOT_FINITE, "centre of mass at x"},
        [MOMENT] = {OUTCOME_WRONG, "second moment xy"},
        [HALF_WRITTEN] = {OUTCOME_UNWRITTEN, "and the root's were"},
        [UNWEIGHTED] = {OUTCOME_WRONG, "centre of mass at x"},
    };

    for (int fault = 0; fault < FAULTS; fault++) {
        struct judgement judgement;

        grow(&sample, "plummer", 1000, 4, 1);
        spoil(&sample, (enum fault)fault);
        judgement = judged(&sample, 1);
        if (judgement.outcome != said[fault].outcome ||
            !strstr(judgement.message, said[fault].phrase))
            fail_msg("fault %d: outcome %d, \"%s\"", fault, judgement.outcome, judgement.message);
    }
}

TEST(a_timed_tree_is_judged_as_a_whole) {
    static struct sample timed;
    struct judgement judgement;

    grow(&sample, "galaxy", 2000, 6, 3);
    timed = sample;
    problem->judge_timed(&sample.parameters, sample.bodies, sample.memory, timed.memory, 1e-6,
                         &judgement);
    assert_int_equal(judgement.outcome, 0);
    timed.tree = tree_in(&timed.parameters, timed.memory);
    timed.tree.centres[0].mass = 0;
    problem->judge_timed(&sample.parameters, sample.bodies, sample.memory, timed.memory, 1e-6,
                         &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
    assert_non_null(strstr(judgement.message, "node 0 has mass 0"));
}

/* Places are finite, a seed gives the same bytes, and inputs have what they are there for. */
TEST(inputs_are_what_they_are_called) {
    static struct tree_body again[MOST];
    int equal = 0;

    for (int d = 0; tree_distributions[d]; d++) {
        problem->generate(sample.bodies, tree_distributions[d], MOST, 9);
        problem->generate(again, tree_distributions[d], MOST, 9);
        assert_memory_equal(sample.bodies, again, sizeof again);
        for (int i = 0; i < MOST; i++) {
            const struct tree_body *body = &sample.bodies[i];

            assert_true(fabsf(body->x) < 1e6f && fabsf(body->y) < 1e6f && fabsf(body->z) < 1e6f);
            assert_true(body->mass * MOST >= 0.5f && body->mass * MOST <= 1.5f);
        }
    }
    grow(&sample, "close", 2000, 9, 1);
    for (int i = 0; i < *sample.tree.nodes; i++)
        equal += !sample.tree.links[i].children && sample.tree.links[i].count > 16;
    assert_true(equal > 5); /* leaves that are fuller, for want of keys */
}
