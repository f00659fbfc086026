/* The problem `walk`: how exact walks are that keep its criteria, and what the judge says of wrong
 * ones. */
#include "testing.h"
#include "serial_walk.h"
#include "problems/random.h"

enum { MOST = 1500 };

static struct tree_body bodies[MOST];
static struct walk_force out[MOST];
static struct walk_parameters parameters;
static double a[MOST][3], known[MOST];
static long long memory[MOST * 20];

static void draw(const char *distribution, int n, uint64_t seed) {
    walk_problem.set_parameters(&parameters, distribution, n, 1);
    walk_problem.generate(bodies, distribution, n, seed);
}

/* One pass, or two. */
static void walk(int group, int passes, enum walk_fault fault) {
    const struct tree_parameters of_tree = {parameters.n, parameters.leaf};
    struct tree tree = tree_in(&of_tree, memory);
    struct tree_body first = bodies[0];

    assert_true(tree_bytes(parameters.n) <= sizeof memory);
    for (int pass = 1; pass <= passes; pass++) {
        int moved = tree_build(&of_tree, bodies, pass, &tree);

        assert_true(moved >= 0);
        if (parameters.n > 0) {
            float mass = bodies[0].mass;

            bodies[0] = bodies[moved];
            bodies[0].mass = mass;
        }
        serial_walk(&parameters, bodies, &tree, group, pass > 1 ? known : NULL, fault, out, a);
        for (int i = 0; i < parameters.n; i++)
            known[i] = sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]);
        bodies[0] = first;
    }
}

static double squared_distance(const struct tree_body *one, const struct tree_body *other) {
    double x = (double)one->x - other->x, y = (double)one->y - other->y;
    double z = (double)one->z - other->z;

    return x * x + y * y + z * z;
}

static struct judgement judged(int passes) {
    void *answer = walk_problem.answer(&parameters, bodies, "", passes);
    struct judgement judgement;

    assert_non_null(answer);
    walk_problem.judge(&parameters, bodies, answer, out, "", passes, 0.05, &judgement);
    free(answer);
    return judgement;
}

/* As a check draws them; a group of one body is the least exact walk. */
TEST(walks_that_keep_their_criterion_are_right) {
    static const int sizes[] = {0, 1, 2, 33, 300, MOST};

    for (int d = 0; tree_distributions[d]; d++)
        for (int s = 0; s < 12; s++)
            for (int passes = 1; passes <= 2; passes++) {
                struct random random = random_of((uint64_t)(d * 10 + s), (uint64_t)passes);
                struct judgement judgement;

                draw(tree_distributions[d], sizes[s % 6], (uint64_t)s);
                parameters.accuracy = 0x1p-12 * pow(64, random_unit(&random));
                parameters.angle = 0.3 * pow(3, random_unit(&random));
                walk(1, passes, NO_FAULT);
                judgement = judged(passes);
                if (judgement.outcome)
                    fail_msg("%s, n = %d, pass %d, angle %.2g, accuracy %.2g: %s",
                             tree_distributions[d], sizes[s % 6], passes, parameters.angle,
                             parameters.accuracy, judgement.message);
            }
}

TEST(faults_are_named) {
    static const struct {
        enum walk_fault fault;
        int passes;
        const char *words;
    } faults[] = {
        {OPPOSITE, 1, "the opposite direction"},
        {UNSOFTENED, 1, "without softening"},
        {UNSQUARED, 1, "its square is wanted"},
        {TOO_LONG, 1, "it is m / s^3"},
        {LAST_CHILD_FORGOTTEN, 1, "do all children of an opened node wait"},
        {LAST_BODY_FORGOTTEN, 2, "are all bodies of an opened leaf added"},
        {OPENED_AND_ACCEPTED, 1, "either accepted or opened"},
        {MASS_FORGOTTEN, 1, "more than the angle allows"},
        {CENTRE_OF_CELL, 1, "more than the angle allows"},
        {ALWAYS_BY_ANGLE, 2, "more than the accuracy allows"},
        {HUNDREDFOLD, 1, "more than the angle allows"},
        {HUNDREDFOLD, 2, "more than the accuracy allows"},
    };

    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct judgement judgement;

        draw("plummer", MOST, 3);
        parameters.softening = 1.0 / 16;
        if (faults[f].fault == ALWAYS_BY_ANGLE) {
            parameters.angle = 0.9;
            parameters.accuracy = 0x1p-12;
        }
        if (faults[f].fault == CENTRE_OF_CELL)
            parameters.angle = 0.2;
        walk(1, faults[f].passes, faults[f].fault);
        judgement = judged(faults[f].passes);
        if (judgement.outcome != OUTCOME_WRONG || !strstr(judgement.message, faults[f].words))
            fail_msg("fault %zu, outcome %d: %s", f, judgement.outcome, judgement.message);
    }
}

TEST(what_is_not_written_or_no_number_is_told) {
    struct judgement judgement;

    draw("plummer", 600, 4);
    walk(1, 1, NO_FAULT);
    for (unsigned word = 0; word < sizeof *out / 4; word++)
        ((unsigned *)&out[599])[word] = POISON;
    judgement = judged(1);
    assert_int_equal(judgement.outcome, OUTCOME_UNWRITTEN);
    assert_non_null(strstr(judgement.message, "1 of 600 bodies were never written"));
    walk(1, 1, NO_FAULT);
    out[7].y = NAN;
    judgement = judged(1);
    assert_int_equal(judgement.outcome, OUTCOME_NOT_FINITE);
    assert_non_null(strstr(judgement.message, "body 7 has"));
}

/* The second pass is of another body 0, and by the accuracy. */
TEST(passes_are_told_apart) {
    draw("galaxy", 900, 5);
    parameters.angle = 0.3;
    parameters.accuracy = 0x1p-12;
    walk(1, 2, NO_FAULT);
    assert_int_equal(judged(2).outcome, OUTCOME_ACCEPTED);
    assert_int_equal(judged(1).outcome, OUTCOME_WRONG);
    walk(1, 1, NO_FAULT);
    assert_int_equal(judged(1).outcome, OUTCOME_ACCEPTED);
    assert_int_equal(judged(2).outcome, OUTCOME_WRONG);
}

/* Against the sample of the trusted program. */
TEST(timed_runs_are_judged_by_a_sample) {
    static struct walk_force trusted[MOST];
    struct judgement judgement;

    for (int passes = 1; passes <= 2; passes++) {
        draw("plummer", MOST, 6);
        walk(1, passes, NO_FAULT);
        assert_int_equal(walk_problem.trusted(&parameters, bodies, trusted, passes), 0);
        walk_problem.judge_timed(&parameters, bodies, trusted, out, 0.05, &judgement);
        if (judgement.outcome)
            fail_msg("%s", judgement.message);
        for (int i = 0; i < MOST; i++)
            out[i].x *= 1.5f;
        walk_problem.judge_timed(&parameters, bodies, trusted, out, 0.05, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
        out[MOST - 1].felt--;
        walk_problem.judge_timed(&parameters, bodies, trusted, out, 0.05, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
        assert_non_null(strstr(judgement.message, "feels 1499 of 1500"));
    }
}

/* What a group accepts, each of its bodies might: by the farthest body of the node, its own
 * distance from the centre of mass and, by the accuracy, its own |a|. Random trees and random
 * groups of up to 70 bodies that follow each other. */
TEST(what_a_group_accepts_each_of_its_bodies_may_accept) {
    enum { BODIES = 300, GROUPS = 12 };
    long accepted = 0;

    for (int d = 0; tree_distributions[d]; d++) {
        const struct tree_parameters of_tree = {BODIES, 1 + d % 5};
        struct tree tree = tree_in(&of_tree, memory);

        draw(tree_distributions[d], BODIES, (uint64_t)d);
        assert_int_equal(tree_build(&of_tree, bodies, 1, &tree), 0);
        for (int g = 0; g < GROUPS; g++) {
            struct random random = random_of((uint64_t)g, (uint64_t)d);
            struct serial_walk walk = {&parameters, bodies, &tree, NO_FAULT, .known = INFINITY};
            int by_accuracy = g % 2;

            parameters.angle = random_unit(&random);
            parameters.accuracy = exp2(-20 * random_unit(&random));
            walk.count = 1 + (int)(70 * random_unit(&random));
            walk.first = (int)((BODIES - walk.count) * random_unit(&random));
            set_box(&walk);
            for (int k = walk.first; k < walk.first + walk.count; k++) {
                known[tree.order[k]] = exp2(10 - 20 * random_unit(&random));
                walk.known = fmin(walk.known, known[tree.order[k]]);
            }
            walk.known = by_accuracy ? walk.known : -1;
            for (int node = 0; node < *tree.nodes; node++) {
                const struct tree_body *centre = &tree.centres[node];
                double b2 = 0;

                if (!is_accepted(&walk, node))
                    continue;
                for (int k = 0; k < tree.links[node].count; k++)
                    b2 = fmax(b2, squared_distance(&bodies[tree.order[tree.links[node].first + k]],
                                                   centre));
                for (int k = walk.first; k < walk.first + walk.count; k++) {
                    int i = tree.order[k];
                    double d2 = squared_distance(&bodies[i], centre) * (1 + 1e-6);

                    accepted++;
                    if (by_accuracy ? b2 > d2 || centre->mass * b2 >
                                                     parameters.accuracy * known[i] * d2 * d2
                                    : b2 > parameters.angle * parameters.angle * d2)
                        fail_msg("%s, group %d, node %d, body %d", tree_distributions[d], g, node,
                                 i);
                }
            }
        }
    }
    assert_true(accepted > 10000);
}

/* A larger group opens what any of its bodies would, and is more exact. */
TEST(groups_open_more) {
    double error;
    long parts = 0;

    draw("plummer", MOST, 7);
    parameters.angle = 0.9;
    walk(1, 1, NO_FAULT);
    error = judged(1).error_l2;
    for (int i = 0; i < MOST; i++)
        parts += out[i].bodies + out[i].nodes;
    walk(64, 1, NO_FAULT);
    assert_int_equal(judged(1).outcome, OUTCOME_ACCEPTED);
    assert_true(judged(1).error_l2 < error);
    for (int i = 0; i < MOST; i++)
        parts -= out[i].bodies + out[i].nodes;
    assert_true(parts < 0);
}

GROUP(NULL, NULL)
