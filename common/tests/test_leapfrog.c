/* The problem `leapfrog`: its inputs, its oracle against what is worked out by hand, its judge. */
#include "leapfrog_inputs.h"
#include "problems/stars/invariants.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g within %g", value, expected, tolerance);
}

/* Two bodies 5 apart, softened by 12, so that the root is 13. */
TEST(a_step_of_two_bodies_is_worked_out_by_hand) {
    const struct integration_parameters parameters = {2, 0.5, 12};
    const struct star in[2] = {{2, {0, 0, 0}, {0, 0, 0}}, {4, {3, 4, 0}, {0, 0, 1}}};
    const double a0 = 4 / 2197.0, a1 = -2 / 2197.0; /* times the distance in each coordinate */
    const double x0 = 0.125 * 3 * a0, y0 = 0.125 * 4 * a0, x1 = 3 + 0.125 * 3 * a1,
                 y1 = 4 + 0.125 * 4 * a1, dx = x1 - x0, dy = y1 - y0, dz = 0.5;
    const double cube = pow(dx * dx + dy * dy + dz * dz + 144, 1.5);
    struct cluster *end = leapfrog_problem.answer(&parameters, in, "soft", 1);
    struct star out[2];

    assert_non_null(end);
    cluster_end(end, out);
    assert_near(out[0].x[0], x0, 1e-16);
    assert_near(out[0].x[1], y0, 1e-16);
    assert_near(out[1].x[0], x1, 1e-15);
    assert_near(out[1].x[2], 0.5, 1e-16);
    assert_near(out[0].v[0], 0.25 * 3 * a0 + 0.25 * 4 * dx / cube, 1e-16);
    assert_near(out[0].v[2], 0.25 * 4 * dz / cube, 1e-16);
    assert_near(out[1].v[1], 0.25 * 4 * a1 - 0.25 * 2 * dy / cube, 1e-16);
    assert_near(out[1].v[2], 1 - 0.25 * 2 * dz / cube, 1e-15);
    free(end);
}

TEST(bodies_at_one_place_exert_nothing_on_each_other) {
    const struct integration_parameters parameters = {3, 0.01, 0};
    const struct star in[3] = {{1, {1, 2, 3}, {0}}, {1, {1, 2, 3}, {0}}, {1, {2, 2, 3}, {0}}};
    struct cluster *end = cluster_new(&parameters, in);

    assert_non_null(end);
    cluster_accelerate(end, 3);
    assert_near(end->a[0][0], 1, 0);
    assert_near(end->a[0][1], 1, 0);
    assert_near(end->a[0][2], -2, 0);
    free(end);
}

/* The places of two bodies may differ by less than a double's last bit. */
TEST(the_oracle_keeps_more_than_a_double) {
    const struct integration_parameters parameters = {2, 1, 0};
    const struct star in[2] = {{0, {1, 0, 0}, {0x1p-60, 0, 0}}, {1, {1, 0, 0}, {0}}};
    struct cluster *end = cluster_new(&parameters, in);

    assert_non_null(end);
    cluster_drift(end, 1);
    cluster_accelerate(end, 2);
    assert_near(end->a[0][0] * 0x1p-120, -1, 0);
    free(end);
}

TEST(reversed_bodies_return_to_where_they_came_from) {
    const struct integration_parameters parameters = leapfrog_parameters("reversed", 100);
    struct star *start = stars_of("masses", 100, 3), *in = stars_of("reversed", 100, 3);
    struct cluster *end = leapfrog_problem.answer(&parameters, in, "reversed", 2);

    assert_non_null(end);
    for (int i = 0; i < 100; i++)
        for (int c = 0; c < 3; c++) {
            assert_near((double)end->x[c][i], start[i].x[c], 4e-15);
            assert_near((double)end->v[c][i], -start[i].v[c], 4e-14);
        }
    free(end);
    free(in);
    free(start);
}

/* Of a pair the centre of mass is at rest; pairs are far from each other; of an odd number the last
 * is alone. */
TEST(orbits_come_in_pairs) {
    struct star *stars = stars_of("kepler09", 5, 2);

    for (int p = 0; p < 2; p++) {
        const struct star *pair = stars + 2 * p;
        struct invariants sums;

        assert_int_equal(stars_invariants(pair, 2, 0, &sums), 0);
        assert_near(sums.mass, 1, 1e-15);
        assert_near(sums.centre[0], 64.0 * p, 1e-13);
        assert_near(stars_energy(&sums), -pair[0].mass * pair[1].mass / 2, 1e-12);
    }
    assert_true(stars[4].x[0] > 120);
    free(stars);
}

TEST(one_body_alone_moves) {
    struct star *star = stars_of("plummer", 1, 2);

    assert_true(star->v[0] != 0);
    free(star);
}

/* The right output with a change in it. */
static struct judgement changed(const char *distribution, int n,
                                void (*change)(struct star *out, int n)) {
    const struct integration_parameters parameters = leapfrog_parameters(distribution, n);
    struct star *in = stars_of(distribution, n, 1), *out = stars_of(distribution, n, 2);
    struct judgement judgement;

    assert_int_equal(leapfrog_problem.trusted(&parameters, in, out, 3), 0);
    change(out, n);
    judgement = judged_stars(&parameters, in, out, distribution, 3);
    free(in);
    free(out);
    return judgement;
}

static void nothing(struct star *out, int n) {
    (void)out, (void)n;
}

static void one_coordinate(struct star *out, int n) {
    out[n - 2].v[1] += 1e-9;
}

static void one_mass(struct star *out, int n) {
    out[n / 2].mass *= 2;
}

static void one_nan(struct star *out, int n) {
    out[n / 2].x[2] = NAN;
}

static void one_unwritten(struct star *out, int n) {
    uint32_t poison[2] = {POISON, POISON};

    memcpy(&out[n - 1].v[2], poison, sizeof poison);
}

TEST(the_judge_names_body_and_coordinate) {
    static const struct {
        void (*change)(struct star *out, int n);
        enum outcome outcome;
        const char *phrase;
    } changes[] = {
        {nothing, OUTCOME_ACCEPTED, ""},
        {one_coordinate, OUTCOME_WRONG,
         "1 of 100 bodies is off, the first is body 98; the worst is body 98, whose velocity y is"},
        {one_mass, OUTCOME_WRONG, "the mass of body 50 was 0.0"},
        {one_nan, OUTCOME_NOT_FINITE, "the position z of body 50 is nan"},
        {one_unwritten, OUTCOME_UNWRITTEN, "1 of 100 bodies were never written"},
    };

    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        struct judgement judgement = changed("masses", 100, changes[c].change);

        if (judgement.outcome != changes[c].outcome ||
            !strstr(judgement.message, changes[c].phrase))
            fail_msg("change %zu: outcome %d, \"%s\"", c, judgement.outcome, judgement.message);
    }
}

/* Bits that a double loses in a step are no error, whatever else is near. */
TEST(roundings_are_let_through_and_no_more) {
    const struct integration_parameters parameters = {2, 1e-6, 0};
    const struct star in[2] = {{0.5, {1e6, 0, 0}, {0, 1, 0}}, {0.5, {1e6 + 1, 0, 0}, {0, -1, 0}}};
    struct star out[2];

    assert_int_equal(leapfrog_problem.trusted(&parameters, in, out, 1), 0);
    out[0].x[0] = nextafter(out[0].x[0], 0);
    assert_int_equal(judged_stars(&parameters, in, out, "soft", 1).outcome, OUTCOME_ACCEPTED);
    out[0].x[0] -= 1e-8;
    assert_int_equal(judged_stars(&parameters, in, out, "soft", 1).outcome, OUTCOME_WRONG);
}

/* Runs of half the forces part from the trusted program by far more than the limit. */
TEST(a_timed_run_that_saves_forces_is_seen) {
    enum { N = 512, STEPS = 100 };
    struct integration_parameters parameters, twice;
    struct star *in = stars_of("plummer", N, 1), *right = stars_of("plummer", N, 1);
    struct star *out = stars_of("plummer", N, 1);
    struct judgement judgement;

    leapfrog_problem.set_timed_parameters(&parameters, "plummer", N, STEPS);
    twice = parameters;
    twice.dt *= 2;
    leapfrog_problem.trusted(&parameters, in, right, STEPS);
    leapfrog_problem.judge_timed(&parameters, in, right, right, 1e-10, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    leapfrog_problem.trusted(&twice, in, out, STEPS / 2);
    leapfrog_problem.judge_timed(&parameters, in, right, out, 1e-10, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
    assert_true(judgement.error_l2 > 1e-5);
    free(in);
    free(right);
    free(out);
}
