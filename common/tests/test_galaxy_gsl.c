/* The galaxy's model against GSL's quadrature, special functions and interpolation. */
#include "testing.h"

#if __has_include(<gsl/gsl_integration.h>)
#include <gsl/gsl_deriv.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_spline.h>

#include "kit/bessel.h"
#include "kit/spheroids.h"
#include "problems/galaxy/galaxy_problem.h"

static const double pi = 3.141592653589793;
static const double radii[] = {0.01, 0.1, 0.6, 3, 8, 30, 100, 300};
enum { COUNT = sizeof radii / sizeof *radii, PIECES = 2000 };

/* What the integrands are of. */
static struct galaxy_parameters m31;
static struct galaxy_model *model;
static int sphere;
static gsl_interp_accel *places;
static gsl_spline *radius_of; /* ln r over the potential */

static int make_model(void **state) {
    static double ln_r[GALAXY_RADII];

    (void)state;
    galaxy_problem.set_parameters(&m31, "m31", 1, 1);
    model = galaxy_model_new(&m31, GALAXY_RIGHT);
    places = gsl_interp_accel_alloc();
    radius_of = gsl_spline_alloc(gsl_interp_cspline, GALAXY_RADII);
    for (int i = 0; i < GALAXY_RADII; i++)
        ln_r[i] = log(model->r[i]);
    return gsl_spline_init(radius_of, model->potential[HALO], ln_r, GALAXY_RADII);
}

static int free_model(void **state) {
    (void)state;
    gsl_spline_free(radius_of);
    gsl_interp_accel_free(places);
    free(model);
    return 0;
}

/* In pieces of its own choice, to 1e-9. */
static double integral(double (*of)(double x, void *), double from, double to) {
    static gsl_integration_workspace *workspace;
    const gsl_function function = {of, NULL};
    double value, error;

    if (!workspace)
        workspace = gsl_integration_workspace_alloc(PIECES);
    assert_int_equal(gsl_integration_qag(&function, from, to, 0, 1e-9, PIECES, GSL_INTEG_GAUSS31,
                                         workspace, &value, &error),
                     0);
    return value;
}

static void assert_about(double value, double expected, double part) {
    if (!(fabs(value - expected) <= part * fabs(expected)))
        fail_msg("%.12g instead of %.12g within %g of it", value, expected, part);
}

static double shell(double ln_r, void *unused) {
    (void)unused;
    return 4 * pi * exp(3 * ln_r) * spheroid_density(&m31, sphere, exp(ln_r));
}

/* The mass of a sphere inside r; inside 1e-7 kpc there is none to speak of. */
static double mass_inside(double r) {
    return m31.mass[sphere] * integral(shell, log(1e-7), log(r)) /
           integral(shell, log(1e-7), log(10 * m31.truncation));
}

/* Inside its first radius the model takes all densities for 1 / r, which the stellar halo's is not
 * quite. */
TEST(masses_inside_radii_are_gsls) {
    for (sphere = 0; sphere < SPHEROIDS; sphere++)
        for (int i = 0; i < COUNT; i++) {
            double mass = mass_inside(radii[i]);

            assert_about(galaxy_at(model, model->inside[sphere], radii[i]), mass, 1e-5);
            assert_about(galaxy_radius(model, sphere, mass), radii[i], 1e-5);
        }
}

/* M / r of all, whose integral over ln r is the potential's rise. */
static double force(double ln_r, void *unused) {
    double r = exp(ln_r), mass = m31.mass[DISK] * disk_inside(m31.scale[DISK], r);

    (void)unused;
    for (int c = 0; c < SPHEROIDS; c++)
        mass += galaxy_at(model, model->inside[c], r);
    return mass / r;
}

TEST(the_potential_is_gsls) {
    double outermost = model->r[GALAXY_RADII - 1];

    for (int i = 0; i < COUNT; i++)
        assert_about(galaxy_at(model, model->potential[HALO], radii[i]),
                     -force(log(outermost), NULL) - integral(force, log(radii[i]), log(outermost)),
                     1e-7);
}

/* -d density / d potential, of a sphere with its mass, over ln r. */
static double slope(double ln_r, void *unused) {
    double r = exp(ln_r), all = integral(shell, log(1e-7), log(10 * m31.truncation));

    (void)unused;
    return -m31.mass[sphere] / all * spheroid_density(&m31, sphere, r) *
           spheroid_slope(&m31, sphere, r) / force(ln_r, NULL);
}

/* With potential = E + x^2 Eddington's integral has no infinite end. */
static double eddington(double x, void *energy) {
    const gsl_function function = {slope, NULL};
    double ln_r = gsl_spline_eval(radius_of, *(double *)energy + x * x, places), value, error;

    assert_int_equal(gsl_deriv_central(&function, ln_r, 1e-3, &value, &error), 0);
    return -2 * value / force(ln_r, NULL);
}

TEST(distribution_functions_are_gsls) {
    gsl_integration_workspace *workspace = gsl_integration_workspace_alloc(PIECES);

    for (sphere = 0; sphere < SPHEROIDS; sphere++)
        for (int i = 1; i < COUNT - 1; i++) {
            double energy = galaxy_at(model, model->potential[HALO], radii[i]), value, error;
            double end = sqrt(0.999 * model->potential[HALO][GALAXY_RADII - 1] - energy);
            const gsl_function function = {eddington, &energy};

            assert_int_equal(gsl_integration_qag(&function, 0, end, 0, 1e-5, PIECES,
                                                 GSL_INTEG_GAUSS21, workspace, &value, &error),
                             0);
            assert_about(galaxy_f(model, sphere, energy), value / (sqrt(8) * pi * pi), 5e-4);
        }
    gsl_integration_workspace_free(workspace);
}

TEST(bessel_functions_are_gsls) {
    for (double x = 1e-4; x < 250; x *= 1.3) {
        double i0, i1, k0, k1;

        bessel_i_scaled(x, &i0, &i1);
        bessel_k_scaled(x, &k0, &k1);
        assert_about(i0, gsl_sf_bessel_I0_scaled(x), 1e-13);
        assert_about(i1, gsl_sf_bessel_I1_scaled(x), 1e-10);
        assert_about(k0, gsl_sf_bessel_K0_scaled(x), 1e-12);
        assert_about(k1, gsl_sf_bessel_K1_scaled(x), 1e-12);
    }
}

GROUP(make_model, free_model)
#else
TEST(there_is_no_gsl_here) {
    skip();
}
#endif
