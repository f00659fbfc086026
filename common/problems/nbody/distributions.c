#include "nbody_problem.h"
#include "problems/random.h"
#include "problems/stars/systems.h"

#include <math.h>
#include <string.h>

/* What all bodies of one input share. */
struct start {
    double half_width;                 /* of the cube of `uniform` */
    double inner, outer;               /* radii of `shell` */
    double speed;                      /* sqrt(n): from Henon units to unit masses */
    double angular_velocity_per_speed; /* of `shell`, in Henon units */
};

typedef struct body draw(struct random *random, const struct start *start);

/* One body a unit volume, velocities in [-1,1]: forces between neighbours are of order 1 at any n.
 */
static struct body draw_uniform(struct random *random, const struct start *start) {
    struct body body;
    body.x = (float)(start->half_width * random_sign(random));
    body.y = (float)(start->half_width * random_sign(random));
    body.z = (float)(start->half_width * random_sign(random));
    body.vx = (float)random_sign(random);
    body.vy = (float)random_sign(random);
    body.vz = (float)random_sign(random);
    return body;
}

/* mini-nbody's start: everything in [-1,1]. `soft_cube` is the same with another softening. */
static struct body draw_cube(struct random *random, const struct start *start) {
    (void)start;
    return draw_uniform(random, &(struct start){.half_width = 1.0});
}

static struct body body_at(double radius, const double direction[3], double speed,
                           const double heading[3]) {
    return (struct body){
        .x = (float)(radius * direction[0]),
        .y = (float)(radius * direction[1]),
        .z = (float)(radius * direction[2]),
        .vx = (float)(speed * heading[0]),
        .vy = (float)(speed * heading[1]),
        .vz = (float)(speed * heading[2]),
    };
}

/* Mass beyond the radius that holds 99.9% (38.7 Plummer lengths) is left out, not brought back in:
 * a body there would stretch the coordinates for nothing. That makes the potential energy
 * 0.1% deeper. The centre of mass is not moved to the origin, since a body must depend on its own
 * numbers only; it lies off by about 1 / sqrt(n). */
static struct body draw_plummer(struct random *random, const struct start *start) {
    struct star star;

    stars_draw_plummer(&star, random);
    return body_at(1, star.x, start->speed, star.v);
}

/* A spherical shell of uniform density that rotates about the z axis, as in GPU Gems 3, chapter 31;
 * its radii are those of NVIDIA's sample, 2.5 to 4. With M = 1, radii a < b and M(r) = (r^3 - a^3)
 * / (b^3 - a^3), the potential energy is
 *
 *     W = -integral of M(r) / r dM = -3 / (b^3 - a^3)^2 [(b^5 - a^5) / 5 - a^3 (b^2 - a^2) / 2],
 *
 * -3/5 for a = 0, b = 1 and -1/2 for a thin shell. Rotation is rigid, T = (1/2) omega^2 I with I =
 * (2/5) (b^5 - a^5) / (b^3 - a^3), and makes up T = 0.1 |W|: the shell falls together, breaks into
 * clumps and stays a little flattened. b is chosen so that T + W = -1/4. */
static void set_shell(struct start *start) {
    static const double ratio = 0.625, rotation = 0.1; /* a / b; T / |W| */
    double a3 = ratio * ratio * ratio, a5 = a3 * ratio * ratio, volume = 1.0 - a3;
    double potential =
        3.0 / (volume * volume) * ((1.0 - a5) / 5.0 - a3 * (1.0 - ratio * ratio) / 2.0);
    start->outer = 4.0 * (1.0 - rotation) * potential;
    start->inner = ratio * start->outer;
    double inertia = 0.4 * (1.0 - a5) / volume * start->outer * start->outer;
    start->angular_velocity_per_speed = sqrt(2.0 * rotation * potential / start->outer / inertia);
}

static struct body draw_shell(struct random *random, const struct start *start) {
    double a3 = start->inner * start->inner * start->inner;
    double b3 = start->outer * start->outer * start->outer;
    double radius = cube_root(a3 + random_unit(random) * (b3 - a3));
    double direction[3];
    random_direction(random, direction);
    double heading[3] = {-direction[1], direction[0], 0.0};
    double speed = start->speed * start->angular_velocity_per_speed * radius;
    return body_at(radius, direction, speed, heading);
}

double nbody_edge(int n) {
    return cube_root(n);
}

int nbody_in_henon_units(const char *distribution) {
    return !strcmp(distribution, "plummer") || !strcmp(distribution, "shell");
}

void nbody_generate(void *input, const char *distribution, int n, uint64_t seed) {
    struct body *bodies = input;
    struct start start = {.half_width = 0.5 * nbody_edge(n), .speed = sqrt(n)};
    set_shell(&start);
    draw *of = !strcmp(distribution, "cube")        ? draw_cube
               : !strcmp(distribution, "soft_cube") ? draw_cube
               : !strcmp(distribution, "plummer")   ? draw_plummer
               : !strcmp(distribution, "shell")     ? draw_shell
                                                    : draw_uniform;
#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int i = 0; i < n; i++) {
        struct random random = random_of(seed, (uint64_t)i);
        bodies[i] = of(&random, &start);
    }
}
