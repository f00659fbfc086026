/* Orbits by an octree on a CPU: its forces against direct summation, and its bodies before the
 * judge of `orbits`. */
#include "testing.h"
#include "problems/orbits/orbits_problem.h"

enum { MOST = 1500 };

static struct star in[MOST], out[MOST];
static struct orbits_body bodies[MOST];
static double places[4][MOST]; /* masses last */
static double right[MOST][3];
static int due[MOST];

static void draw(const char *distribution, int n, struct orbits_parameters *parameters) {
    orbits_problem.set_parameters(parameters, distribution, n, 1);
    orbits_problem.generate(in, distribution, n, 5);
    for (int i = 0; i < n; i++) {
        places[3][i] = in[i].mass;
        for (int c = 0; c < 3; c++)
            places[c][i] = in[i].x[c];
    }
}

/* Direct summation. */
static void sum(const struct orbits_parameters *p) {
    for (int i = 0; i < p->n; i++) {
        memset(right[i], 0, sizeof right[i]);
        for (int j = 0; j < p->n; j++) {
            double r[3], s2 = p->softening * p->softening;

            for (int c = 0; c < 3; c++) {
                r[c] = places[c][j] - places[c][i];
                s2 += r[c] * r[c];
            }
            for (int c = 0; c < 3; c++)
                right[i][c] += in[j].mass * r[c] / (s2 * sqrt(s2));
        }
    }
}

/* Whether bodies know what they felt. */
static void know(int is_known) {
    for (int i = 0; i < MOST; i++)
        for (int c = 0; c < 3; c++)
            bodies[i].a[c] = is_known ? right[i][c] : 0;
}

/* Of every so manieth body, the error of all over all. */
static double error_of(const struct orbits_parameters *p, int stride) {
    struct orbits_tree *tree = orbits_tree_new(p);
    double *const at[3] = {places[0], places[1], places[2]};
    double off2 = 0, all2 = 0;
    int count = 0;

    assert_non_null(tree);
    for (int i = 0; i < p->n; i += stride)
        due[count++] = i;
    const double(*felt)[3] = orbits_tree_pull(tree, places[3], at, due, count, bodies);

    assert_non_null(felt);
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            off2 += pow(felt[due[k]][c] - right[due[k]][c], 2);
            all2 += pow(right[due[k]][c], 2);
        }
    orbits_tree_free(tree);
    return sqrt(off2 / all2);
}

/* All are due, a few in every group, and fewer than a group. */
TEST(forces_are_as_exact_as_the_criterion_asks_for) {
    static const char *const names[] = {"m31", "merger", "masses"};
    static const int strides[] = {1, 7, 150};
    struct orbits_parameters parameters;

    for (size_t d = 0; d < sizeof names / sizeof *names; d++) {
        draw(names[d], MOST, &parameters);
        sum(&parameters);
        for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
            double coarse, fine, by_angle;

            know(1);
            parameters.accuracy = 0x1p-9;
            coarse = error_of(&parameters, strides[k]);
            parameters.accuracy = 0x1p-20;
            fine = error_of(&parameters, strides[k]);
            know(0);
            by_angle = error_of(&parameters, strides[k]);
            if (!(coarse < 5e-3 && fine < 2e-5 && fine < coarse && by_angle > fine &&
                  by_angle < 2e-2))
                fail_msg("%s, every %dth: %g, %g, by the angle %g", names[d], strides[k], coarse,
                         fine, by_angle);
        }
    }
}

TEST(bodies_are_where_the_judge_has_them) {
    static const struct {
        const char *distribution;
        int n;
    } inputs[] = {{"plummer", 0},  {"plummer", 1}, {"plummer", 2},  {"plummer", 17},
                  {"masses", 200}, {"few", 64},    {"kepler05", 2}, {"merger", 300},
                  {"cold", 256},   {"m31", 300}};

    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
        struct orbits_parameters parameters;
        struct judgement judgement;
        void *answer;

        draw(inputs[k].distribution, inputs[k].n, &parameters);
        assert_int_equal(orbits_by_tree(&parameters, in, out, 3), 0);
        answer = orbits_problem.answer(&parameters, in, inputs[k].distribution, 3);
        assert_non_null(answer);
        orbits_problem.judge(&parameters, in, answer, out, inputs[k].distribution, 3, 0.05,
                             &judgement);
        if (judgement.outcome)
            fail_msg("%s, n = %d: %s", inputs[k].distribution, inputs[k].n, judgement.message);
        free(answer);
    }
}

/* More than a leaf's bodies at one place, so a leaf of the last level is cut into groups. */
TEST(bodies_at_one_place_feel_the_others) {
    struct orbits_parameters parameters;

    draw("plummer", 100, &parameters);
    for (int i = 0; i < 50; i++)
        for (int c = 0; c < 3; c++)
            places[c][i] = places[c][0];
    parameters.accuracy = 0x1p-20;
    sum(&parameters);
    know(1);
    assert_true(error_of(&parameters, 1) < 2e-5);
}
