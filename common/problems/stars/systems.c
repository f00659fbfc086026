#include "systems.h"

#include <math.h>

#include "invariants.h"
#include "problems/problem.h"
#include "problems/random.h"

/* The share of the sphere's mass within the largest radius, 38.7 Plummer lengths; without it a body
 * in a thousand would be drawn from the remaining infinity. */
static const double kept_mass = 0.999;

/* 3 pi / 16: what a Plummer length is in Henon units. */
static const double plummer_length = 0.58904862254808623;

/* The potential energy of that share, its mass taken as 1, in Henon units. With G = 1 and lengths
 * in Plummer lengths it is -(integral of M(r) / r dM) / 0.999^2, and with r = tan t the integral is
 * that of 3 sin^4 t cos^2 t, 3 [t / 16 - sin(4 t) / 64 - sin^3(2 t) / 48]. */
static const double kept_potential = -0.5009722315837439;

/* As Aarseth, Henon and Wielen (1974, A&A 37, 183) do: M(r) = r^3 (1 + r^2)^(-3/2), escape speed
 * sqrt(2) (1 + r^2)^(-1/4), and q = speed / escape speed has the density q^2 (1 - q^2)^(7/2), whose
 * maximum is 0.092. */
void stars_draw_plummer(struct star *star, struct random *random) {
    double root = cube_root(kept_mass * random_unit(random));
    double radius = root / sqrt(1.0 - root * root);
    double q, q2, height;

    random_direction(random, star->x);
    do {
        q = random_unit(random);
        height = 0.1 * random_unit(random);
        q2 = q * q;
    } while (height > q2 * (1.0 - q2) * (1.0 - q2) * (1.0 - q2) * sqrt(1.0 - q2));
    random_direction(random, star->v);
    for (int c = 0; c < 3; c++) {
        star->x[c] *= plummer_length * radius;
        star->v[c] *= q * sqrt(2.0 / sqrt(1.0 + radius * radius) / plummer_length);
    }
}

/* Moves the centre of mass to the origin and brings it to rest; total mass 1. The sums are in
 * order. */
static void recentre(struct star *stars, int n) {
    double mass = 0;

    for (int i = 0; i < n; i++)
        mass += stars[i].mass;
    for (int i = 0; i < n; i++)
        stars[i].mass /= mass;
    for (int c = 0; c < 3; c++) {
        double x = 0, v = 0;

        for (int i = 0; i < n; i++) {
            x += stars[i].mass * stars[i].x[c];
            v += stars[i].mass * stars[i].v[c];
        }
        for (int i = 0; i < n; i++) {
            stars[i].x[c] -= x;
            stars[i].v[c] -= v;
        }
    }
}

/* Kinetic energy 1/4, potential energy -1/2. */
static void rescale(struct star *stars, int n) {
    double kinetic = 0, potential = kept_potential;
    struct invariants sums;

    for (int i = 0; i < n; i++) {
        const double *v = stars[i].v;

        kinetic += stars[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
    }
    if (n <= PLUMMER_SUMMED && !stars_invariants(stars, n, 0, &sums))
        potential = sums.potential;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            stars[i].x[c] *= -2 * potential;
            stars[i].v[c] *= sqrt(0.25 / kinetic);
        }
}

static void make_plummer(struct star *stars, int n, int of_masses, uint64_t seed) {
#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++) {
        struct random random = random_of(seed, (uint64_t)i);

        stars_draw_plummer(&stars[i], &random);
        stars[i].mass = of_masses ? 1 + 0.5 * random_sign(&random) : 1;
    }
    recentre(stars, n);
    if (n > 1)
        rescale(stars, n);
}

void stars_plummer(struct star *stars, int n, uint64_t seed) {
    make_plummer(stars, n, 0, seed);
}

void stars_plummer_of_masses(struct star *stars, int n, uint64_t seed) {
    make_plummer(stars, n, 1, seed);
}

struct kepler stars_kepler(double eccentricity, uint64_t seed) {
    struct random random = random_of(seed, 0);
    struct kepler orbit = {eccentricity, 0.25 + 0.15 * random_sign(&random)};
    double along, length = 0;

    random_direction(&random, orbit.towards);
    /* Another direction, less its part along the first; again if that leaves little. */
    while (length < 0.1) {
        random_direction(&random, orbit.across);
        along = 0, length = 0;
        for (int c = 0; c < 3; c++)
            along += orbit.across[c] * orbit.towards[c];
        for (int c = 0; c < 3; c++) {
            orbit.across[c] -= along * orbit.towards[c];
            length += orbit.across[c] * orbit.across[c];
        }
        length = sqrt(length);
    }
    for (int c = 0; c < 3; c++)
        orbit.across[c] /= length;
    return orbit;
}

/* The lighter body relative to the heavier one: x and v along `towards`, then along `across`. */
static void place(const struct kepler *orbit, const double x[2], const double v[2],
                  struct star stars[2]) {
    double shares[2] = {-orbit->lighter, 1 - orbit->lighter};

    stars[0].mass = 1 - orbit->lighter;
    stars[1].mass = orbit->lighter;
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 3; c++) {
            stars[s].x[c] = shares[s] * (x[0] * orbit->towards[c] + x[1] * orbit->across[c]);
            stars[s].v[c] = shares[s] * (v[0] * orbit->towards[c] + v[1] * orbit->across[c]);
        }
}

void stars_kepler_start(const struct kepler *orbit, struct star stars[2]) {
    double e = orbit->eccentricity;

    place(orbit, (double[]){1 - e, 0}, (double[]){0, sqrt((1 + e) / (1 - e))}, stars);
}

/* Kepler's equation M = E - e sin E by Newton's iteration from E = M + 0.85 e sign(sin M) (Danby
 * 1988, Fundamentals of Celestial Mechanics, section 6.6); x = cos E - e, y = sqrt(1 - e^2) sin E,
 * dE/dt = 1 / (1 - e cos E). */
void stars_kepler_at(const struct kepler *orbit, double time, struct star stars[2]) {
    enum { MOST = 50 };
    double e = orbit->eccentricity, round = sqrt(1 - e * e);
    double mean = remainder(time, 2 * acos(-1)), anomaly = mean + copysign(0.85 * e, mean);
    double change = 1, rate;

    for (int step = 0; step < MOST && fabs(change) > 1e-15; step++) {
        change = (anomaly - e * sin(anomaly) - mean) / (1 - e * cos(anomaly));
        anomaly -= change;
    }
    rate = 1 / (1 - e * cos(anomaly));
    place(orbit, (double[]){cos(anomaly) - e, round * sin(anomaly)},
          (double[]){-sin(anomaly) * rate, round * cos(anomaly) * rate}, stars);
}

void stars_binaries(struct star *stars, int n, uint64_t seed) {
    const double unit = cube_root(2.0 / n) / BINARY_SPEED, spacing = 32 * unit;

    for (int i = 0; i < n; i++) {
        struct kepler orbit = stars_kepler(0, seed_of(seed, (uint64_t)(i / 2)));
        double side = i % 2 ? 0.5 : -0.5;
        int k = i / 2, at[3] = {k % 8, k / 8 % 8, k / 64};
        double speed = k % 16 ? BINARY_SPEED / 8 : BINARY_SPEED;
        double distance = k % 16 ? 4 * unit : unit;

        stars[i].mass = 1.0 / n;
        for (int c = 0; c < 3; c++) {
            stars[i].x[c] = spacing * at[c] + side * distance * orbit.towards[c];
            stars[i].v[c] = side * distance * speed * orbit.across[c];
        }
    }
}

void stars_merger(struct star *stars, int n, uint64_t seed) {
    int half = n / 2;

    if (half < 2) {
        stars_plummer(stars, n, seed);
        return;
    }
    stars_plummer(stars, half, seed);
    stars_plummer(stars + half, n - half, seed_of(seed, 1));
    for (int i = 0; i < n; i++) {
        double side = i < half ? -1 : 1;

        stars[i].mass /= 2;
        for (int c = 0; c < 3; c++)
            stars[i].v[c] *= 0.70710678118654752;
        stars[i].x[0] += 0.5 * side;
        stars[i].x[1] += 0.25 * side;
        stars[i].v[0] -= 0.5 * side;
    }
}

size_t stars_bytes(const char *distribution, int n) {
    (void)distribution;
    return (size_t)n * sizeof(struct star);
}

void stars_sharpen(void *input, const void *before, const char *distribution, int n) {
    (void)distribution;
    keep_ends(input, before, n, sizeof(struct star));
}

void stars_push_alone(struct star *stars, int n, uint64_t seed) {
    struct random random = random_of(seed, 0);

    if (n == 1)
        random_direction(&random, stars->v);
}
