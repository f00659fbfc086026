/* What the referee measures of physics: the step's variants have their orders, and what the survey
 * says holds of programs whose errors are known. */
#include "testing.h"
#include "catalogue_of_steps.h"
#include "leapfrog_inputs.h"
#include "problems/leapfrog/survey.h"
#include "referee/measure/survey.h"

/* A surveyed program, and the figures that were said of it. */
struct said {
    void (*step)(struct cluster *cluster);
    int count;
    struct {
        char name[48];
        double value;
    } figures[2000];
};

static double figure(const struct said *said, const char *name) {
    for (int i = 0; i < said->count; i++)
        if (!strcmp(said->figures[i].name, name))
            return said->figures[i].value;
    fail_msg("no figure %s", name);
    return 0;
}

static void keep(void *referee, const char *name, double value, const char *unit) {
    struct said *said = referee;

    (void)unit;
    assert_in_range(said->count, 0, 1999);
    snprintf(said->figures[said->count].name, sizeof said->figures->name, "%.47s", name);
    said->figures[said->count++].value = value;
}

static int run_here(void *referee, const void *parameters, int n, int iterations, const void *input,
                    void *output) {
    struct cluster *cluster = cluster_new(parameters, input);

    assert_non_null(cluster);
    assert_int_equal(cluster->n, n);
    cluster_accelerate(cluster, n);
    while (iterations--)
        ((struct said *)referee)->step(cluster);
    cluster_end(cluster, output);
    free(cluster);
    return 0;
}

static struct said *surveyed(void (*step)(struct cluster *cluster),
                             int (*survey)(const struct surveyed *program)) {
    static struct said said;
    const struct surveyed program = {run_here, keep, &said};

    said = (struct said){.step = step};
    assert_int_equal(survey(&program), 0);
    return &said;
}

/* By ratio of the figure at twice the steps twice over. */
static double order(const struct said *said, const char *what, int steps) {
    char coarse[48], fine[48];

    snprintf(coarse, sizeof coarse, "%s_%d", what, steps);
    snprintf(fine, sizeof fine, "%s_%d", what, 4 * steps);
    return log2(figure(said, coarse) / figure(said, fine)) / 2;
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.6g instead of %.6g within %g", value, expected, tolerance);
}

static void leapfrog(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt / 2);
}

static void in_float(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt / 2);
    cluster_drift(cluster, cluster->dt);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < cluster->n; i++)
            cluster->x[c][i] = (float)cluster->x[c][i];
    cluster_accelerate(cluster, cluster->n);
    cluster_kick(cluster, cluster->dt / 2);
}

static void euler(struct cluster *cluster) {
    cluster_kick(cluster, cluster->dt);
    cluster_drift(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
}

/* Explicit Euler gains energy in every orbit. */
static void explicit_euler(struct cluster *cluster) {
    cluster_drift(cluster, cluster->dt);
    cluster_kick(cluster, cluster->dt);
    cluster_accelerate(cluster, cluster->n);
}

/* Yoshida's fourth order (1990, Physics Letters A 150, 262): three leapfrogs. */
static void fourth_order(struct cluster *cluster) {
    double root = cbrt(2), dt = cluster->dt;
    const double shares[] = {1 / (2 - root), -root / (2 - root), 1 / (2 - root)};

    for (int s = 0; s < 3; s++) {
        cluster->dt = shares[s] * dt;
        leapfrog(cluster);
    }
    cluster->dt = dt;
}

TEST(the_survey_tells_orders_apart) {
    assert_near(order(surveyed(leapfrog, leapfrog_survey_orders), "error_kepler05", 4096), 2, 0.01);
    assert_near(order(surveyed(euler, leapfrog_survey_orders), "error_kepler05", 4096), 1, 0.05);
    assert_near(order(surveyed(explicit_euler, leapfrog_survey_orders), "error_kepler05", 16384), 1,
                0.2);
    assert_near(order(surveyed(fourth_order, leapfrog_survey_orders), "error_kepler05", 512), 4,
                0.1);
    assert_near(order(surveyed(fourth_order, leapfrog_survey_orders), "energy_kepler09", 4096), 4,
                0.3);
}

/* The phase grows with every orbit, and the energy of a symplectic integrator does not. */
/* 24 bits of a position leave an error that smaller steps do not lessen. */
TEST(the_survey_sees_the_floor_of_float) {
    const struct said *said = surveyed(in_float, leapfrog_survey_orders);

    assert_near(order(said, "error_kepler05", 256), 2, 0.1);
    assert_true(figure(said, "error_kepler05_65536") > 1e-5);
    assert_true(figure(surveyed(in_float, leapfrog_survey_reversal), "reversal_kepler05") > 1e-8);
}

TEST(the_survey_tells_phase_from_energy) {
    const struct said *said = surveyed(leapfrog, leapfrog_survey_orbits);

    assert_near(figure(said, "phase_orbit_8") / figure(said, "phase_orbit_1"), 8, 0.2);
    assert_near(figure(said, "energy_orbit_32") / figure(said, "energy_orbit_1"), 1, 0.01);
    assert_near(figure(said, "path_x_000"), 0.5, 1e-15);
    assert_near(figure(said, "path_y_000"), 0, 1e-15);
    said = surveyed(explicit_euler, leapfrog_survey_orbits);
    assert_true(figure(said, "energy_orbit_4") > 1.2 * figure(said, "energy_orbit_1"));
    assert_true(figure(said, "energy_orbit_32") > figure(said, "energy_orbit_4"));
}

TEST(the_survey_turns_round) {
    const struct said *said = surveyed(leapfrog, leapfrog_survey_reversal);

    assert_true(figure(said, "reversal_kepler05") < 1e-12);
    assert_true(figure(said, "reversal_sphere") < 1e-13);
    said = surveyed(euler, leapfrog_survey_reversal);
    assert_true(figure(said, "reversal_kepler05") > 1e-4);
    assert_true(figure(said, "reversal_sphere") > 1e-4);
}

/* A step of a body on a spring multiplies its state by a matrix of determinant 1 and trace 2 -
 * (omega dt)^2: beyond omega dt = 2 an eigenvalue is above 1. From rest the leapfrog's body is at
 * cosh(k acosh(|trace| / 2)). */
TEST(the_survey_sees_where_the_leapfrog_explodes) {
    const struct said *said = surveyed(leapfrog, leapfrog_survey_growth);

    assert_true(figure(said, "growth_199") < 1.01);
    assert_near(figure(said, "growth_201") / cosh(32 * acosh(2.01 * 2.01 / 2 - 1)), 1, 1e-6);
    assert_near(figure(said, "growth_210") / cosh(32 * acosh(2.10 * 2.10 / 2 - 1)), 1, 1e-6);
}

/* The programs of the step, as they are timed. */
static struct said *played(const struct programs *programs, const char *variant,
                           const char *const *names, size_t count) {
    static struct said said;
    struct fact *facts;
    int facts_count;

    said.count = 0;
    assert_int_equal(survey_program(&leapfrog_problem, programs,
                                    programs_find(programs, variant, "plain"), "run", &facts,
                                    &facts_count),
                     0);
    for (int i = 0; i < facts_count; i++) {
        assert_string_equal(facts[i].field[0], "run");
        assert_string_equal(facts[i].field[2], variant);
        assert_string_equal(facts[i].field[6], "survey");
        keep(&said, facts[i].field[3], atof(facts[i].field[4]), "");
    }
    free(facts);
    for (size_t i = 0; i < count; i++)
        figure(&said, names[i]);
    return &said;
}

TEST(the_steps_variants_have_their_orders) {
    static const char *const names[] = {
        "error_kepler09_65536", "phase_orbit_32",  "path_x_192",    "reversal_sphere",
        "soft_quarter_16",      "bare_steps_1024", "soft_momentum", "growth_250"};
    static struct programs programs;
    const struct options options = {.of = "solutions"};
    const struct said *said;

    assert_int_equal(
        programs_choose(&programs, catalogue_find(&catalogue, "30_leapfrog"), &options, 1), 0);
    assert_int_equal(programs_build(&programs, "plain", NULL), 0);
    said = played(&programs, "leapfrog", names, sizeof names / sizeof *names);
    assert_near(order(said, "error_kepler05", 4096), 2, 0.2);
    assert_near(order(said, "error_kepler09", 16384), 2, 0.2);
    assert_near(order(said, "energy_kepler09", 4096), 2, 0.2);
    assert_near(order(said, "soft_steps", 256), 2, 0.2);
    assert_true(figure(said, "reversal_kepler09") < 1e-12);
    assert_true(figure(said, "soft_momentum") < 1e-14);
    assert_true(figure(said, "growth_199") < 1.01);
    assert_true(figure(said, "growth_201") > 100);
    said = played(&programs, "euler", names, sizeof names / sizeof *names);
    assert_near(order(said, "error_kepler05", 4096), 1, 0.2);
    assert_near(order(said, "soft_steps", 256), 1, 0.2);
    assert_true(figure(said, "reversal_kepler05") > 1e-4);
}

GROUP(read_catalogue, NULL)
