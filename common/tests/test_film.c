/* Films: what moves in them, without the drawing of it. */
#include "testing.h"
#include "command.h"
#include "record_files.h"
#include "referee/machine/machine.h"
#include "problems/galaxy/galaxy_problem.h"

enum { FRAMES = 72, MOST_BODIES = 64 };
static const double turn = 6.283185307179586;

static float frames[FRAMES][MOST_BODIES][3];
static double times[FRAMES];

static void assert_near(double value, double wanted, double margin) {
    if (!(fabs(value - wanted) <= margin))
        fail_msg("%g is not within %g of %g", value, margin, wanted);
}

/* A film of n bodies by those options. */
static void shoot(int n, const char *options) {
    size_t size;
    char *words, *word;

    assert_code(run("printf '#!/bin/sh\n' >common/report/film/draw_film.sh; "
                    "build/referee film --results build/r %s",
                    options),
                0);
    float *floats = (float *)(void *)read_file("build/film.f32", &size);

    assert_int_equal(size, sizeof(float) * 3 * FRAMES * (size_t)n);
    for (int frame = 0; frame < FRAMES; frame++)
        memcpy(frames[frame], floats + (size_t)frame * 3 * (size_t)n, sizeof(float[3]) * (size_t)n);
    free(floats);
    word = words = read_file("build/film-times.txt", NULL);
    for (int frame = 0; frame < FRAMES; frame++)
        times[frame] = strtod(word, &word);
    free(words);
}

static double distance(const float a[3], const float b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* How far two bodies have turned around each other, in all. */
static double turned(void) {
    double angle = 0;

    for (int frame = 1; frame < FRAMES; frame++) {
        double dot = 0, squares = 1;

        for (int end = 0; end < 2; end++)
            squares *= distance(frames[frame - end][0], frames[frame - end][1]);
        for (int axis = 0; axis < 3; axis++)
            dot += (frames[frame][1][axis] - frames[frame][0][axis]) *
                   (frames[frame - 1][1][axis] - frames[frame - 1][0][axis]);
        angle += acos(fmax(-1, fmin(1, dot / squares)));
    }
    return angle;
}

/* Three orbits of eccentricity 0.5 from the pericentre on, without a drift of the whole. */
static void assert_orbits(void) {
    double nearest = INFINITY, farthest = 0;

    assert_near(times[FRAMES - 1], 3 * turn, 1e-3);
    for (int frame = 0; frame < FRAMES; frame++) {
        nearest = fmin(nearest, distance(frames[frame][0], frames[frame][1]));
        farthest = fmax(farthest, distance(frames[frame][0], frames[frame][1]));
    }
    assert_near(distance(frames[0][0], frames[0][1]), 0.5, 1e-6);
    assert_near(nearest, 0.5, 0.01);
    assert_near(farthest, 1.5, 0.01);
    assert_near(turned(), 3 * turn, 0.1);
    assert_true(distance(frames[0][1], frames[FRAMES - 1][1]) < 0.06);
}

TEST(stars_go_round_in_orbits) {
    shoot(2, "--step 30_leapfrog --of solutions");
    assert_orbits();
    shoot(2, "--step 32_hermite --of solutions --distribution kepler05");
    assert_orbits();
}

/* Without masses, and with one per body behind the bodies. */
TEST(a_step_moves_what_the_trusted_program_moves) {
    static const char *const steps[] = {"01_serial", "13_cpu_simd"};
    static float trusted[FRAMES][MOST_BODIES][3];
    char options[64];

    shoot(MOST_BODIES, "--n 64");
    memcpy(trusted, frames, sizeof trusted);
    assert_near(times[FRAMES - 1], 6.2, 0.1);
    for (size_t step = 0; step < 2; step++) {
        double moved = 0;

        snprintf(options, sizeof options, "--n 64 --step %s --of solutions", steps[step]);
        shoot(MOST_BODIES, options);
        for (int i = 0; i < MOST_BODIES; i++) {
            assert_true(distance(frames[0][i], trusted[0][i]) == 0);
            assert_true(distance(frames[10][i], trusted[10][i]) < 1e-4);
            moved = fmax(moved, distance(frames[0][i], frames[10][i]));
        }
        assert_true(moved > 0.1);
    }
}

/* Damped so much, two bodies at the pericentre fall towards each other and do not go round. */
TEST(damping_takes_velocities_away) {
    enum { BEFORE_THEY_MEET = 6 };

    shoot(2, "--step 30_leapfrog --of solutions --damping 0.5 --dt 0.01");
    for (int frame = 1; frame < BEFORE_THEY_MEET; frame++)
        assert_true(distance(frames[frame][0], frames[frame][1]) <
                    distance(frames[frame - 1][0], frames[frame - 1][1]));
}

/* Bodies of that component in M31 of n. */
static int bodies_in(int n, int component) {
    struct galaxy_parameters m31;

    galaxy_problem.set_parameters(&m31, "m31", n, 1);
    return galaxy_first(&m31, component + 1) - galaxy_first(&m31, component);
}

/* The median of the distances of `count` bodies from a place. */
static double median_distance(const float (*bodies)[3], int count, const float from[3]) {
    double distances[MOST_BODIES];

    for (int i = 0; i < count; i++) {
        double own = distance(bodies[i], from);
        int k = i;

        for (; k > 0 && distances[k - 1] > own; k--)
            distances[k] = distances[k - 1];
        distances[k] = own;
    }
    return distances[count / 2];
}

/* What shines of it: neither its halo nor, in a billion years, another size. */
TEST(a_galaxy_stays_a_galaxy) {
    static const float middle[3] = {0};
    int shown = 600 - bodies_in(600, HALO);

    shoot(shown, "--step 44_galaxy --of solutions --n 600");
    assert_near(times[FRAMES - 1], 1e9 / YEARS, 1e-3);
    assert_true(distance(frames[0][0], frames[FRAMES - 1][0]) > 0.1);
    for (int frame = 0; frame < FRAMES; frame++) {
        double radius = median_distance(frames[frame], shown, middle);

        if (!(radius > 1 && radius < 20))
            fail_msg("frame %d: half of the stars are beyond %g kpc", frame, radius);
    }
}

/* Each has its own bodies in its place at first, and at the end they have one place. */
TEST(two_galaxies_meet) {
    static const float middle[3] = {0};
    int each = 300 - bodies_in(300, HALO);

    shoot(2 * each, "--step 44_galaxy --of solutions --n 600 --distribution meeting");
    for (int half = 0; half < 2; half++) {
        const float place[3] = {half ? 50 : -50, 0, 0};

        assert_true(median_distance(frames[0] + half * each, each, place) < 15);
        assert_true(median_distance(frames[FRAMES - 1] + half * each, each, middle) < 30);
    }
}

/* What this machine has recorded, as it calls itself there, and not another. */
TEST(the_fastest_of_the_record_moves) {
    struct row rows[2] = {{{""}}};
    struct machine machine;
    struct record record;
    struct result result;

    machine_describe(&machine);
    assert_int_equal(record_open(&record, "build/r", "pc"), 0);
    for (int i = 0; i < 2; i++) {
        row_set(&rows[i], COLUMN_host, "%s", i ? "another" : machine.recorded);
        row_set(&rows[i], COLUMN_step, i ? "13_cpu_simd" : "01_serial");
        row_set(&rows[i], COLUMN_variant, i ? "static" : "gcc_O3_native");
        row_set(&rows[i], COLUMN_problem, "nbody");
        row_set(&rows[i], COLUMN_source, "solution");
        row_set(&rows[i], COLUMN_verdict, "accepted");
        row_set(&rows[i], COLUMN_n, "30000");
        row_set(&rows[i], COLUMN_rate_gps, "%d", 1000000 * (i + 1));
    }
    assert_int_equal(record_append(&record, rows, 2), 0);
    result = run("build/referee film --n 64 --machine pc --results build/r");
    assert_code(result, 0);
    assert_says(result.out, "solutions/01_serial/nbody.c, variant gcc_O3_native");
}

TEST(what_cannot_be_filmed_says_so) {
    assert_one_line(run("build/referee film --step 22_scan"), 3,
                    "nothing moves in the problem scan",
                    "there are scenes of nbody, nbody_masses, leapfrog");
    assert_one_line(run("build/referee film --step 30_leapfrog --distribution soft"), 3,
                    "distribution soft", "kepler05, kepler09, plummer is needed");
    assert_one_line(run("build/referee film --step 44_galaxy --of solutions --distribution disk"),
                    3, "distribution disk", "m31, meeting is needed");
    assert_one_line(run("build/referee film --variant euler"), 3, "VARIANT", "STEP=");
}

/* One body on its way leaves dots: a cell of 1 in the second frame where it was in the first. */
TEST(few_bodies_leave_a_path) {
    char *first, *second;
    int dot = 0;

    assert_code(run("printf '0.5 0 0 -0.5 0 0\\n' | awk -f common/report/film/film.awk "
                    "-v task=frames -v n=1 -v range=1 -v folder=build"),
                0);
    first = read_file("build/frame.0", NULL);
    second = read_file("build/frame.1", NULL);
    assert_int_equal(strlen(first), strlen(second));
    for (size_t k = 0; first[k]; k++)
        dot += first[k] > '1' && second[k] == '1';
    assert_int_equal(dot, 1);
    free(first);
    free(second);
}

GROUP(enter_tree, leave_tree)
