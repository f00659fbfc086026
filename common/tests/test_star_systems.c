/* Star systems: what a Plummer sphere is, orbits of two bodies, and the sums that a system keeps.
 */
#include "problems/stars/invariants.h"
#include "problems/stars/systems.h"

#include "testing.h"

enum { MANY = 4096, HUGE = 65536 };

static struct star *plummer(int n, uint64_t seed) {
    struct star *stars = malloc((size_t)n * sizeof *stars);

    assert_non_null(stars);
    stars_plummer(stars, n, seed);
    return stars;
}

static struct invariants sums_of(const struct star *stars, int n, double softening) {
    struct invariants sums;

    assert_int_equal(stars_invariants(stars, n, softening, &sums), 0);
    return sums;
}

static double length_of(const double x[3]) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void assert_near(double value, double expected, double tolerance) {
    if (fabs(value - expected) > tolerance)
        fail_msg("%.17g instead of %.17g within %g", value, expected, tolerance);
}

TEST(a_plummer_sphere_is_in_henon_units) {
    static const int sizes[] = {2, 3, 100, MANY};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct star *stars = plummer(sizes[s], 5);
        struct invariants sums = sums_of(stars, sizes[s], 0);

        assert_near(sums.mass, 1, 1e-14);
        assert_near(sums.kinetic, 0.25, 1e-13);
        assert_near(sums.potential, -0.5, 1e-12);
        assert_near(stars_energy(&sums), -0.25, 1e-12);
        assert_near(length_of(sums.momentum), 0, 1e-14);
        assert_near(length_of(sums.centre), 0, 1e-14);
        free(stars);
    }
}

TEST(above_the_size_that_is_summed_lengths_are_the_models) {
    struct star *stars = plummer(2 * PLUMMER_SUMMED, 5);
    struct invariants sums = sums_of(stars, 2 * PLUMMER_SUMMED, 0);

    assert_near(sums.kinetic, 0.25, 1e-13);
    assert_near(sums.potential, -0.5, 0.5 * 4 / sqrt(HUGE));
    free(stars);
}

/* In Henon units a Plummer length is 3 pi / 16, and half of the mass lies within 1.305 of them. */
TEST(half_of_the_mass_lies_within_the_half_mass_radius) {
    struct star *stars = plummer(HUGE, 6);
    int within = 0;

    for (int i = 0; i < HUGE; i++)
        within += length_of(stars[i].x) < 1.3048 * 3 * acos(-1) / 16;
    assert_near(within / (double)HUGE, 0.5, 4 * 0.5 / sqrt(HUGE) + 0.001);
    free(stars);
}

TEST(the_same_seed_gives_the_same_bytes) {
    struct star *once = plummer(MANY, 7), *again = plummer(MANY, 7), *other = plummer(MANY, 8);

    assert_memory_equal(once, again, MANY * sizeof *once);
    assert_true(memcmp(once, other, MANY * sizeof *once) != 0);
    /* Of this machine and compiler and of any other. */
    assert_near(once[0].x[0], -0.91669125170159771, 0);
    assert_near(once[MANY - 1].v[2], 0.033301562305786188, 0);
    free(once);
    free(again);
    free(other);
}

TEST(a_body_alone_lies_at_rest) {
    struct star *star = plummer(1, 9);

    assert_near(star->mass, 1, 0);
    assert_near(length_of(star->x) + length_of(star->v), 0, 0);
    free(star);
}

TEST(masses_differ_and_add_up_to_one) {
    struct star *stars = malloc(MANY * sizeof *stars);
    double least = 1, most = 0;

    assert_non_null(stars);
    stars_plummer_of_masses(stars, MANY, 5);
    for (int i = 0; i < MANY; i++) {
        least = fmin(least, stars[i].mass * MANY);
        most = fmax(most, stars[i].mass * MANY);
    }
    assert_near(least, 0.5, 0.02);
    assert_near(most, 1.5, 0.03);
    assert_near(sums_of(stars, MANY, 0).mass, 1, 1e-14);
    assert_near(sums_of(stars, MANY, 0).potential, -0.5, 1e-12);
    free(stars);
}

/* Three bodies whose sums are worked out by hand. */
TEST(invariants_of_three_bodies) {
    const struct star stars[] = {
        {1, {0, 0, 0}, {0, 2, 0}}, {2, {3, 0, 0}, {0, 0, 1}}, {4, {0, 4, 0}, {1, 0, 0}}};
    struct invariants sums = sums_of(stars, 3, 0);

    assert_near(sums.mass, 7, 0);
    assert_near(sums.kinetic, 2 + 1 + 2, 1e-15);
    assert_near(sums.potential, -(2 / 3.0 + 4 / 4.0 + 8 / 5.0), 1e-15);
    assert_near(sums.momentum[0], 4, 0);
    assert_near(sums.momentum[1], 2, 0);
    assert_near(sums.momentum[2], 2, 0);
    assert_near(sums.angular_momentum[0], 0, 0);
    assert_near(sums.angular_momentum[1], -6, 0);
    assert_near(sums.angular_momentum[2], -16, 0);
    assert_near(sums.centre[0], 6 / 7.0, 1e-15);
    assert_near(sums.centre[1], 16 / 7.0, 1e-15);
    /* Softened by 4: distances of 5, sqrt(32) and sqrt(41). */
    assert_near(sums_of(stars, 3, 4).potential, -(2 / 5.0 + 4 / sqrt(32) + 8 / sqrt(41)), 1e-15);
}

/* A body is no partner of its own, whichever lane it is in. */
TEST(many_bodies_have_the_potential_of_their_pairs) {
    struct star *stars = plummer(201, 3);
    double sum = 0;

    for (int i = 0; i < 201; i++)
        for (int j = 0; j < i; j++) {
            double r2 = 0.01;

            for (int c = 0; c < 3; c++)
                r2 += pow(stars[i].x[c] - stars[j].x[c], 2);
            sum -= stars[i].mass * stars[j].mass / sqrt(r2);
        }
    assert_near(sums_of(stars, 201, 0.1).potential, sum, 1e-14);
    free(stars);
}

TEST(an_orbit_of_two_bodies_keeps_energy_and_angular_momentum) {
    static const double eccentricities[] = {0, 0.5, 0.9};

    for (size_t e = 0; e < 3; e++) {
        struct kepler orbit = stars_kepler(eccentricities[e], 11 + e);
        double reduced = orbit.lighter * (1 - orbit.lighter);
        struct star start[2], at[2];

        assert_true(orbit.lighter >= 0.1 && orbit.lighter <= 0.4);
        stars_kepler_start(&orbit, start);
        for (int k = 0; k < 40; k++) {
            struct invariants sums;

            stars_kepler_at(&orbit, 0.37 * k - 3, at);
            sums = sums_of(at, 2, 0);
            assert_near(stars_energy(&sums), -reduced / 2, 1e-13);
            assert_near(length_of(sums.angular_momentum),
                        reduced * sqrt(1 - pow(orbit.eccentricity, 2)), 1e-14);
            assert_near(length_of(sums.momentum) + length_of(sums.centre), 0, 1e-14);
        }
        stars_kepler_at(&orbit, 2 * acos(-1), at);
        for (int c = 0; c < 3; c++)
            assert_near(at[1].x[c], start[1].x[c], 1e-13);
        stars_kepler_at(&orbit, acos(-1), at); /* the apocentre */
        for (int c = 0; c < 3; c++)
            assert_near(at[1].x[c],
                        -start[1].x[c] * (1 + orbit.eccentricity) / (1 - orbit.eccentricity),
                        1e-13);
    }
}

/* The distance swept has the rate that the velocity says, so the phase is Kepler's. */
TEST(positions_of_an_orbit_change_by_their_velocities) {
    struct kepler orbit = stars_kepler(0.9, 4);
    const double h = 1e-4;

    for (int k = 1; k < 20; k++) {
        struct star before[2], at[2], after[2];

        stars_kepler_at(&orbit, 0.3 * k - h, before);
        stars_kepler_at(&orbit, 0.3 * k, at);
        stars_kepler_at(&orbit, 0.3 * k + h, after);
        for (int c = 0; c < 3; c++)
            assert_near((after[1].x[c] - before[1].x[c]) / (2 * h), at[1].v[c], 1e-5);
    }
}
