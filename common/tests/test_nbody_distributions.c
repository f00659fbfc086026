/* Starts: ranges, profiles, energies, and that a body depends on its own numbers only. */
#include "nbody_inputs.h"

#include "testing.h"

enum { MANY = 100000, PAIRS = 8192 };

/* Four standard deviations of a share of n. */
static double share_tolerance(double share, int n) {
    return 4 * sqrt(share * (1 - share) / n);
}

static double radius_of(const struct body *b) {
    return sqrt((double)b->x * b->x + (double)b->y * b->y + (double)b->z * b->z);
}

static double speed2_of(const struct body *b) {
    return (double)b->vx * b->vx + (double)b->vy * b->vy + (double)b->vz * b->vz;
}

/* Energies in Henon units: masses 1/n, and speeds freed of the factor sqrt(n). */
static double kinetic_energy(const struct body *bodies, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += speed2_of(&bodies[i]);
    return 0.5 * sum / n / n;
}

static double potential_energy(const struct body *bodies, int n) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
            double dz = bodies[j].z - bodies[i].z;
            sum -= 1 / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
    return sum / n / n;
}

/* Mean and mean square of what is uniform in [-1,1]: 0 +- 4 / sqrt(3 n), 1/3 +- 4 sqrt(4/45/n). */
static void assert_uniform(const float *values, size_t stride, int n, double half_width) {
    double sum = 0, sum2 = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        double value = values[(size_t)i * stride] / half_width;
        sum += value;
        sum2 += value * value;
        largest = fmax(largest, fabs(value));
    }
    assert_true(largest <= 1 + 1e-7);
    assert_true(largest > 1 - 20.0 / n);
    assert_true(fabs(sum / n) < 4 / sqrt(3.0 * n));
    assert_true(fabs(sum2 / n - 1 / 3.0) < 4 * sqrt(4 / 45.0 / n));
}

TEST(uniform_has_one_body_a_unit_volume) {
    struct body *bodies = generated("uniform", MANY, 11);
    const float *floats = &bodies->x;
    for (size_t component = 0; component < 6; component++)
        assert_uniform(floats + component, 6, MANY, component < 3 ? 0.5 * cbrt(MANY) : 1.0);
    free(bodies);
}

TEST(cube_is_within_one) {
    struct body *bodies = generated("cube", MANY, 12);
    for (size_t component = 0; component < 6; component++)
        assert_uniform(&bodies->x + component, 6, MANY, 1.0);
    free(bodies);
}

static void directions_are_isotropic(const struct body *bodies, int n) {
    double mean[6] = {0}, square[6] = {0}, cross = 0;
    for (int i = 0; i < n; i++) {
        const struct body *b = &bodies[i];
        double r = radius_of(b), v = sqrt(speed2_of(b));
        double unit[6] = {b->x / r, b->y / r, b->z / r, b->vx / v, b->vy / v, b->vz / v};
        for (int c = 0; c < 6; c++) {
            mean[c] += unit[c] / n;
            square[c] += unit[c] * unit[c] / n;
        }
        cross += (unit[0] * unit[3] + unit[1] * unit[4] + unit[2] * unit[5]) / n;
    }
    for (int c = 0; c < 6; c++) {
        assert_true(fabs(mean[c]) < 4 / sqrt(3.0 * n));
        assert_true(fabs(square[c] - 1 / 3.0) < 4 * sqrt(4 / 45.0 / n));
    }
    assert_true(fabs(cross) < 4 / sqrt(3.0 * n)); /* headings do not know where the body is */
}

TEST(plummer_has_plummers_profile) {
    static const double radii[] = {0.2, 0.5, 0.8, 1.3, 2.0, 5.0, 15.0}; /* Plummer lengths */
    static const double kept_mass = 0.999, length = 3 * 3.14159265358979324 / 16;
    struct body *bodies = generated("plummer", MANY, 13);
    for (size_t k = 0; k < sizeof radii / sizeof *radii; k++) {
        double a = radii[k], mass = a * a * a / pow(1 + a * a, 1.5) / kept_mass;
        int inside = 0;
        for (int i = 0; i < MANY; i++)
            inside += radius_of(&bodies[i]) < a * length;
        assert_true(fabs((double)inside / MANY - mass) < share_tolerance(mass, MANY));
    }
    for (int i = 0; i < MANY; i++)
        assert_true(radius_of(&bodies[i]) < 38.8 * length);
    directions_are_isotropic(bodies, MANY);
    free(bodies);
}

/* Mean square speed at radius r is (1/2) (1 + r^2)^(-1/2) in Plummer's units; no speed exceeds that
 * of escape. */
TEST(plummer_speeds_follow_the_potential) {
    static const double length = 3 * 3.14159265358979324 / 16;
    struct body *bodies = generated("plummer", MANY, 14);
    double got[2] = {0}, expected[2] = {0};
    for (int i = 0; i < MANY; i++) {
        double r = radius_of(&bodies[i]) / length, v2 = speed2_of(&bodies[i]) * length / MANY;
        int outer = r > 1.3;
        got[outer] += v2;
        expected[outer] += 0.5 / sqrt(1 + r * r);
        assert_true(v2 <= 2 / sqrt(1 + r * r) * (1 + 1e-5));
    }
    assert_true(fabs(got[0] / expected[0] - 1) < 0.015);
    assert_true(fabs(got[1] / expected[1] - 1) < 0.015);
    free(bodies);
}

/* Mean of eight starts: one of 8192 bodies lies off by 1%. */
TEST(plummer_is_in_henon_units) {
    enum { STARTS = 8 };
    double t = 0, w = 0;
    for (uint64_t seed = 0; seed < STARTS; seed++) {
        struct body *bodies = generated("plummer", PAIRS, seed);
        t += kinetic_energy(bodies, PAIRS) / STARTS;
        w += potential_energy(bodies, PAIRS) / STARTS;
        free(bodies);
    }
    assert_true(fabs(t + w + 0.25) < 0.01 * 0.25);
    assert_true(fabs(-t / w - 0.5) < 0.005);
}

TEST(shell_rotates_about_z) {
    struct body *bodies = generated("shell", MANY, 16);
    double inner = 1e9, outer = 0, mean[3] = {0}, omega = 0;
    for (int i = 0; i < MANY; i++) {
        const struct body *b = &bodies[i];
        inner = fmin(inner, radius_of(b));
        outer = fmax(outer, radius_of(b));
        mean[0] += b->x / (double)MANY;
        mean[1] += b->y / (double)MANY;
        mean[2] += b->z / (double)MANY;
        assert_true(b->vz == 0);
        double angular_momentum = (double)b->x * b->vy - (double)b->y * b->vx;
        double arm2 = (double)b->x * b->x + (double)b->y * b->y;
        if (!i)
            omega = angular_momentum / arm2;
        assert_true(omega > 0);
        assert_true(fabs(angular_momentum / arm2 / omega - 1) < 1e-5);
        assert_true(fabs(speed2_of(b) / (omega * omega * arm2) - 1) < 1e-5);
    }
    assert_true(fabs(inner / outer - 0.625) < 1e-3);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(mean[c]) < 4 * outer / sqrt(3.0 * MANY));

    double middle = 0.5 * (inner + outer), a3 = pow(inner, 3), b3 = pow(outer, 3);
    double mass = (pow(middle, 3) - a3) / (b3 - a3);
    int inside = 0;
    for (int i = 0; i < MANY; i++)
        inside += radius_of(&bodies[i]) < middle;
    assert_true(fabs((double)inside / MANY - mass) < share_tolerance(mass, MANY));
    free(bodies);
}

TEST(shell_has_its_energies) {
    struct body *bodies = generated("shell", PAIRS, 17);
    double t = kinetic_energy(bodies, PAIRS), w = potential_energy(bodies, PAIRS);
    assert_true(fabs(t + w + 0.25) < 0.005 * 0.25);
    assert_true(fabs(-t / w - 0.1) < 0.001);
    free(bodies);
}

/* FNV-1a. */
static uint64_t hash_of(const void *memory, size_t bytes) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t b = 0; b < bytes; b++)
        hash = (hash ^ ((const unsigned char *)memory)[b]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The bytes themselves, as they came out of gcc 12 and clang 14 on x86-64, with and without FMA. */
TEST(bytes_are_the_same_everywhere) {
    static const struct {
        const char *distribution;
        uint64_t hash;
    } expected[] = {
        {"uniform", UINT64_C(0x3bd866319bb9930a)},   {"cube", UINT64_C(0x4601b3cab43337f6)},
        {"soft_cube", UINT64_C(0x4601b3cab43337f6)}, {"plummer", UINT64_C(0x94bf424c2cc70cda)},
        {"shell", UINT64_C(0x84846b27de677928)},
    };
    for (size_t d = 0; d < sizeof expected / sizeof *expected; d++) {
        struct body *bodies = generated(expected[d].distribution, 1000, 2026);
        assert_int_equal(hash_of(bodies, 1000 * sizeof *bodies), expected[d].hash);
        free(bodies);
    }
}

TEST(a_body_depends_on_its_own_numbers) {
    struct body *few = generated("cube", 100, 18), *many = generated("cube", 1000, 18);
    assert_memory_equal(few, many, 100 * sizeof *few);
    free(few);
    few = generated("uniform", 125, 18);
    nbody_problem.generate(many, "uniform", 1000, 18);
    for (int i = 0; i < 125; i++) { /* 1000 / 125 = 2^3: exact */
        assert_true(many[i].x == 2 * few[i].x && many[i].y == 2 * few[i].y);
        assert_true(many[i].vx == few[i].vx && many[i].vz == few[i].vz);
    }
    free(few);
    free(many);
}

/* Correlation of two rows of numbers of variance 1/3 is below 4 / sqrt(n). */
TEST(seeds_and_bodies_are_independent) {
    enum { N = 20000 };
    struct body *a = generated("cube", N, 19), *b = generated("cube", N, 20);
    double seeds = 0, bodies = 0, components = 0, streams = 0;
    for (int i = 0; i + 1 < N; i++) {
        seeds += 3.0 * a[i].x * b[i].x / N;
        bodies += 3.0 * a[i].x * a[i + 1].x / N;
        components += 3.0 * a[i].x * a[i].y / N;
        streams += 3.0 * a[i].x * b[i + 1].x / N;
        assert_true(a[i].x != b[i].x || a[i].y != b[i].y);
        assert_true(a[i + 1].x != a[i].y && a[i + 1].x != b[i].x);
    }
    assert_true(fabs(seeds) < 4 / sqrt(N));
    assert_true(fabs(bodies) < 4 / sqrt(N));
    assert_true(fabs(components) < 4 / sqrt(N));
    assert_true(fabs(streams) < 4 / sqrt(N));
    free(a);
    free(b);
}
