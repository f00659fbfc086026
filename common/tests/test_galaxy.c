/* The problem `galaxy`: its model against closed forms and against Jeans's equation, its bodies
 * against what they were drawn from, its judge. Quadratures of the model are held against another
 * library's in test_galaxy_gsl.c. */
#include "testing.h"

#include "kit/bessel.h"
#include "kit/spheroids.h"
#include "problems/galaxy/galaxy_problem.h"
#include "problems/sorted.h"

static const double pi = 3.141592653589793;

static struct galaxy_parameters parameters_of(const char *distribution, int n) {
    struct galaxy_parameters parameters;

    galaxy_problem.set_parameters(&parameters, distribution, n, 1);
    return parameters;
}

static struct galaxy_model *model_of(const struct galaxy_parameters *parameters) {
    struct galaxy_model *model = galaxy_model_new(parameters, GALAXY_RIGHT);

    assert_non_null(model);
    return model;
}

/* About the model's own centre if they are not to be centred. */
static struct star *bodies_of(const struct galaxy_parameters *parameters, enum galaxy_fault fault,
                              int tables, uint64_t seed) {
    struct star *stars = calloc((size_t)parameters->n, sizeof *stars);

    assert_non_null(stars);
    assert_int_equal(galaxy_make(parameters, fault, tables, seed, 1, stars), 0);
    return stars;
}

static void assert_about(double value, double expected, double part) {
    if (!(fabs(value - expected) <= part * fabs(expected)))
        fail_msg("%.9g instead of %.9g within %g of it", value, expected, part);
}

/* Hernquist 1990, equation 17, of mass 1, scale 1 and G = 1; q^2 = -E. */
static double hernquist_f(double energy) {
    double q2 = -energy, q = sqrt(q2), rest = 1 - q2;

    return (3 * asin(q) + q * sqrt(rest) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3)) /
           (8 * sqrt(2) * pi * pi * pi * pow(rest, 2.5));
}

TEST(a_bulge_alone_has_hernquists_distribution_function) {
    struct galaxy_parameters parameters = parameters_of("bulge", 1);
    struct galaxy_model *model;

    parameters.mass[BULGE] = parameters.scale[BULGE] = 1;
    parameters.truncation = 1e5;
    model = model_of(&parameters);
    for (double q2 = 0.02; q2 < 0.9; q2 += 0.02)
        assert_about(galaxy_f(model, BULGE, -q2), hernquist_f(-q2), 1e-3);
    free(model);
}

/* Two moments of f at a radius: the density, and the mean square of the speed in one direction. */
static void moments(const struct galaxy_model *model, int c, double r, double *density,
                    double *sigma2) {
    enum { CELLS = 4000 };
    double potential = galaxy_at(model, model->potential[c], r), escape = sqrt(-2 * potential);
    double squares = 0;

    *density = 0;
    for (int k = 0; k < CELLS; k++) {
        double v = (k + 0.5) / CELLS * escape;
        double f = galaxy_f(model, c, potential + v * v / 2);

        *density += 4 * pi * f * v * v * escape / CELLS;
        squares += 4 * pi * f * v * v * v * v * escape / CELLS;
    }
    *sigma2 = squares / *density / 3;
}

/* A sphere without rotation: density sigma^2 is the integral of density M / r^2 from r on. */
TEST(spheres_keep_jeanss_equation_in_the_potential_of_all) {
    static const double radii[] = {0.01, 0.1, 1, 8, 30, 100, 300};
    const struct galaxy_parameters parameters = parameters_of("m31", 1);
    struct galaxy_model *model = model_of(&parameters);

    for (int c = 0; c < SPHEROIDS; c++) {
        double factor = 0; /* from spheroid_density() to a density with the component's mass */
        const double step = 1e-3;

        for (double y = log(1e-6); y < log(2600); y += step)
            factor += 4 * pi * exp(3 * y) * spheroid_density(&parameters, c, exp(y)) * step;
        factor = parameters.mass[c] / factor;
        for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
            double pressure = 0, density, sigma2;
            double expected = factor * spheroid_density(&parameters, c, radii[i]);

            for (double y = log(radii[i]) + step / 2; y < log(2600); y += step)
                pressure += factor * spheroid_density(&parameters, c, exp(y)) *
                            galaxy_at(model, model->all, exp(y)) * exp(-y) * step;
            moments(model, c, radii[i], &density, &sigma2);
            assert_about(density, expected, 4e-3);
            assert_about(sigma2, pressure / expected, 4e-3);
        }
    }
    free(model);
}

/* Or there is no such galaxy. */
TEST(distribution_functions_are_nowhere_negative) {
    for (double truncation = 150; truncation < 401; truncation += 125) {
        struct galaxy_parameters parameters = parameters_of("m31", 1);
        struct galaxy_model *model;

        parameters.truncation = truncation;
        model = model_of(&parameters);
        for (int c = 0; c < SPHEROIDS; c++)
            for (int i = 0; i < GALAXY_RADII; i++)
                assert_true(model->f[c][i] >= 0);
        free(model);
    }
}

/* The largest distance of n sorted numbers from the uniform distribution, times sqrt(n): it has
 * Kolmogorov's distribution, above 1.95 once in a thousand. */
static double farthest(double *parts, int n) {
    double most = 0;

    sort_ascending(parts, n);
    for (int i = 0; i < n; i++)
        most = fmax(most, fmax((i + 1.0) / n - parts[i], parts[i] - (double)i / n));
    return most * sqrt(n);
}

static double length(const double *v, int count) {
    double sum = 0;

    for (int c = 0; c < count; c++)
        sum += v[c] * v[c];
    return sqrt(sum);
}

/* Radii, from the closed forms that there are: the truncation cuts off little of the bulge, and the
 * disk has none. Of the others from the model's own table. */
TEST(bodies_are_where_the_densities_say) {
    struct galaxy_parameters parameters = parameters_of("m31", 60000);
    struct galaxy_model *model = model_of(&parameters);
    struct star *stars = bodies_of(&parameters, GALAXY_NOT_CENTRED, 0, 5);
    double *parts = calloc((size_t)parameters.n, sizeof *parts);

    assert_non_null(parts);
    for (int c = 0; c < COMPONENTS; c++) {
        int first = galaxy_first(&parameters, c), n = galaxy_first(&parameters, c + 1) - first;

        for (int i = 0; i < n; i++) {
            double r = length(stars[first + i].x, c == DISK ? 2 : 3);

            parts[i] = c == DISK ? 1 - (1 + r / 5.4) * exp(-r / 5.4)
                                 : galaxy_at(model, model->inside[c], r) / parameters.mass[c];
            if (c == BULGE)
                assert_about(parts[i], pow(r / (r + 0.61), 2), 0.02);
        }
        if (farthest(parts, n) > 1.95)
            fail_msg("component %d: %g", c, farthest(parts, n));
        for (int i = 0; i < n && c == DISK; i++)
            parts[i] = (1 + tanh(stars[first + i].x[2] / parameters.thickness)) / 2;
        assert_true(c != DISK || farthest(parts, n) < 1.95);
    }
    free(parts);
    free(stars);
    free(model);
}

TEST(a_galaxy_is_in_virial_equilibrium_and_at_rest) {
    struct galaxy_parameters parameters = parameters_of("m31", 6000);
    struct star *stars = bodies_of(&parameters, GALAXY_RIGHT, 0, 3);
    double kinetic = 0, potential = 0, x[3] = {0}, v[3] = {0};

    for (int i = 0; i < parameters.n; i++) {
        kinetic += stars[i].mass * pow(length(stars[i].v, 3), 2) / 2;
        for (int c = 0; c < 3; c++) {
            x[c] += stars[i].x[c] / parameters.n;
            v[c] += stars[i].v[c] / parameters.n;
        }
        for (int j = 0; j < i; j++) {
            double apart[3];

            for (int c = 0; c < 3; c++)
                apart[c] = stars[i].x[c] - stars[j].x[c];
            potential -= stars[i].mass * stars[j].mass / length(apart, 3);
        }
    }
    assert_true(length(x, 3) < 1e-11 && length(v, 3) < 1e-11);
    assert_about(-2 * kinetic / potential, 1, 0.03);
    free(stars);
}

/* Of rings around 5, 8, 11 and so on kpc: dispersions, and how fast they turn; Q is least in one of
 * them. */
TEST(the_disk_turns_and_swings_as_epicycles_do) {
    struct galaxy_parameters parameters = parameters_of("m31", 400000);
    struct galaxy_model *model = model_of(&parameters);
    struct star *stars = bodies_of(&parameters, GALAXY_NOT_CENTRED, 1, 9);
    double least = INFINITY;

    for (double radius = 5; radius < 22; radius += 3) {
        double outwards2 = 0, forwards = 0, forwards2 = 0, upwards2 = 0, of_all = 0, q, v_c, kappa;
        int count = 0;

        for (int i = galaxy_first(&parameters, DISK); i < parameters.n; i++) {
            const double *x = stars[i].x, *v = stars[i].v, r = length(x, 2);
            double outwards = (x[0] * v[0] + x[1] * v[1]) / r,
                   across = (x[0] * v[1] - x[1] * v[0]) / r;

            if (fabs(r - radius) > 0.5)
                continue;
            count++;
            of_all += galaxy_at(model, model->circular2, r) -
                      across * across; /* what the asymmetric drift takes */
            outwards2 += outwards * outwards;
            forwards += across;
            forwards2 += across * across;
            upwards2 += v[2] * v[2];
        }
        outwards2 /= count;
        forwards /= count;
        forwards2 = forwards2 / count - forwards * forwards;
        v_c = sqrt(galaxy_at(model, model->circular2, radius));
        kappa = sqrt(galaxy_at(model, model->kappa2, radius));
        q = sqrt(outwards2) * kappa * 2 * pi * 5.4 * 5.4 /
            (3.36 * parameters.mass[DISK] * exp(-radius / 5.4));
        least = fmin(least, q);
        assert_true(q > 1.8 * 0.93);
        assert_about(forwards2, outwards2 * pow(kappa * radius / (2 * v_c), 2), 0.2);
        /* Jeans in cylindrical coordinates, without the tilt: v_c^2 - <v_phi^2> = sigma_R^2 (2 R /
         * scale - 1), R d ln(Sigma sigma_R^2) / dR being -2 R / scale. */
        assert_true(fabs(of_all / count - outwards2 * (2 * radius / 5.4 - 1)) < 0.02 * v_c * v_c);
        assert_true(upwards2 / count > pi * parameters.thickness * parameters.mass[DISK] *
                                           exp(-radius / 5.4) / (2 * pi * 5.4 * 5.4));
    }
    assert_about(least, 1.8, 0.07);
    free(stars);
    free(model);
}

/* What is not near anything else: 251 km/s at 16 kpc is what M31 has there, and a disk alone is
 * Freeman's, fastest at 2.2 scale lengths with 0.88 sqrt(pi Sigma_0 scale) (1970). */
TEST(rotation_curves_are_the_known_ones) {
    const struct galaxy_parameters m31 = parameters_of("m31", 1), disk = parameters_of("disk", 1);
    struct galaxy_model *model = model_of(&m31);
    double best = 0, at = 0;

    assert_about(sqrt(galaxy_at(model, model->circular2, 16)), 251, 0.03);
    for (double r = 1; r < 40; r += 0.01) {
        double v2 = thin_disk_speed_squared(disk.mass[DISK], 5.4, r);

        at = v2 > best ? r : at;
        best = fmax(best, v2);
    }
    assert_about(at / 5.4, 2.15, 0.01);
    assert_about(sqrt(best), 0.88 * sqrt(disk.mass[DISK] / (2 * 5.4)), 0.01);
    free(model);
}

/* What is looked at of a survey. */
static const char *const looked_at[] = {"halo", "disk", "rotation", "q"};

/* A surveyed program, its model made with a fault, and how far its figures are from the model's. */
struct said {
    enum galaxy_fault fault;
    int count;
    double value[4], worst[4];
};

static int run_here(void *referee, const void *parameters, int n, int iterations, const void *input,
                    void *output) {
    struct galaxy_parameters of_fewer = *(const struct galaxy_parameters *)parameters;
    const struct said *said = referee;

    of_fewer.n = n;
    return galaxy_make(&of_fewer, said->fault, 1, *(const uint64_t *)input, iterations, output);
}

/* A figure is said before the model's. Where bodies are few, chance hides what is looked at. */
static void keep(void *referee, const char *name, double value, const char *unit) {
    struct said *said = referee;
    int ring = atoi(name + strlen(name) - 2);
    int is_model = !strncmp(name, "model_", 6);

    (void)unit;
    name += is_model ? 6 : 0;
    for (int k = 0; k < 4; k++) {
        size_t length = strlen(looked_at[k]);

        if (strncmp(name, looked_at[k], length) != 0 || name[length] != '_' || ring < 20 ||
            ring >= 34)
            continue;
        if (is_model) {
            said->worst[k] = fmax(said->worst[k], fabs(said->value[k] / value - 1));
            said->count++;
        }
        said->value[k] = value;
    }
}

static struct said surveyed(enum galaxy_fault fault) {
    struct said said = {.fault = fault};
    const struct surveyed program = {run_here, keep, &said};

    assert_int_equal(galaxy_survey(&program), 0);
    assert_int_equal(said.count, 4 * 14);
    return said;
}

/* Rings 20 to 33, between 3 and 34 kpc, of the bodies of the model, and with a wrong rotation. */
TEST(the_survey_sees_profiles_and_rotation) {
    struct said said = surveyed(GALAXY_RIGHT);

    if (!(said.worst[0] < 0.05 && said.worst[1] < 0.1 && said.worst[2] < 0.01 &&
          said.worst[3] < 0.15))
        fail_msg("%g %g %g %g", said.worst[0], said.worst[1], said.worst[2], said.worst[3]);
    assert_true(surveyed(GALAXY_NO_DRIFT).worst[2] > 1.5 * said.worst[2]);
    assert_true(surveyed(GALAXY_KEPLER).worst[3] > 0.2);
}

static struct judgement judged(const struct galaxy_parameters *parameters, const struct star *out) {
    uint64_t seed = 7;
    void *answer = galaxy_problem.answer(parameters, &seed, "m31", 2);
    struct judgement judgement;

    assert_non_null(answer);
    galaxy_problem.judge(parameters, &seed, answer, out, "m31", 2, 1e-3, &judgement);
    free(answer);
    return judgement;
}

/* Tables are as good as an integral for each body, and each fault is told by its cause. */
TEST(the_judge_knows_what_is_usual) {
    static const char *const phrases[GALAXY_FAULTS] = {"",
                                                       "speeds that it would have alone",
                                                       "without the disk",
                                                       "Eddington's integral over",
                                                       "velocities with speed v grows as v^2 dv",
                                                       "half of v^2 is wanted",
                                                       "asymmetric drift",
                                                       "sigma_phi is as large as",
                                                       "as around a point mass",
                                                       "the spheres pull, too",
                                                       "centre of mass is not",
                                                       "these are the bodies of *seed"};
    struct galaxy_parameters parameters = parameters_of("m31", 1000);
    struct star *out = calloc(1000, sizeof *out);

    assert_non_null(out);
    for (int fault = 0; fault < GALAXY_FAULTS; fault++) {
        struct judgement judgement;

        assert_int_equal(galaxy_make(&parameters, (enum galaxy_fault)fault, 1, 7, 2, out), 0);
        judgement = judged(&parameters, out);
        if (judgement.outcome != (fault ? OUTCOME_WRONG : OUTCOME_ACCEPTED) ||
            !strstr(judgement.message, phrases[fault]))
            fail_msg("fault %d: outcome %d, %s", fault, judgement.outcome, judgement.message);
        assert_true(fault || judgement.error_l2 < 2e-4);
    }
    assert_int_equal(galaxy_make(&parameters, GALAXY_RIGHT, 0, 7, 2, out), 0);
    out[999].mass *= 1.0001;
    assert_non_null(strstr(judged(&parameters, out).message, "the mass of body 999 is"));
    out[990].v[2] = NAN;
    assert_non_null(
        strstr(judged(&parameters, out).message, "the velocity of body 990, of the disk, is not"));
    memcpy(&out[10].x[1], (uint32_t[]){POISON, POISON}, 8);
    assert_int_equal(judged(&parameters, out).outcome, OUTCOME_UNWRITTEN);
    free(out);
}

TEST(components_share_the_bodies_by_mass) {
    const struct galaxy_parameters m31 = parameters_of("m31", 100000),
                                   disk = parameters_of("disk", 3);

    assert_int_equal(galaxy_first(&m31, HALO), 0);
    assert_int_equal(galaxy_first(&m31, COMPONENTS), 100000);
    assert_int_equal(galaxy_first(&m31, COMPONENTS) - galaxy_first(&m31, DISK), 4122);
    assert_int_equal(galaxy_first(&disk, DISK), 0);
}

/* Seeds and bodies next to each other share no number, and all are inside (0, 1). */
TEST(numbers_of_neighbours_are_apart) {
    double u[4][GALAXY_NUMBERS], sum = 0, product = 0;

    for (int i = 0; i < 20000; i++) {
        galaxy_draw(1, i, u[0]);
        galaxy_draw(2, i, u[1]);
        galaxy_draw(1, i + 1, u[2]);
        galaxy_draw(2, i - 1, u[3]);
        for (int k = 0; k < GALAXY_NUMBERS; k++) {
            assert_true(u[0][k] > 0 && u[0][k] < 1);
            for (int other = 1; other < 4; other++)
                for (int l = 0; l < GALAXY_NUMBERS; l++)
                    assert_true(u[0][k] != u[other][l]);
            sum += u[0][k] - 0.5;
            product += (u[0][k] - 0.5) * (u[2][k] - 0.5);
        }
    }
    assert_true(fabs(sum) < 4 * sqrt(140000 / 12.0) && fabs(product) < 4 * sqrt(140000) / 12);
}
