/* The library of the GRAPE-6's interface against an emulator in double precision: what forces,
 * neighbours and lists are, for every use of the interface. */
#include "grape_emulator.h"

#ifndef BACKEND
#define BACKEND "cpu"
#endif

enum { N = 700, PIPES = 1000 };

static struct emulated grape;
static struct block block;

static int open_pipes(void **state) {
    (void)state;
    setenv("GRAPE6_PIPES", "1000", 1); /* before anything asks for them */
    setenv("GRAPE6_BACKEND", BACKEND, 1);
    return 0;
}

/* N bodies whose indices are in no order and have nothing to do with their addresses. */
static int fill(void **state) {
    (void)state;
    memset(&grape, 0, sizeof grape);
    grape.id = 3;
    if (g6_open(grape.id))
        return -1;
    for (int j = 0; j < N; j++)
        write_random(&grape, j, 100 + j * 29 % N * 3, 1);
    set_time(&grape, 1.25);
    return 0;
}

static int empty(void **state) {
    (void)state;
    return g6_close(grape.id);
}

#define GRAPE_TEST(name) TEST_IN(fill, empty, name)

GRAPE_TEST(blocks_of_every_size) {
    static const int sizes[] = {1, 7, 8, 9, 16, 255, 256, 257, N};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        take_bodies(&grape, &block, sizes[s], 1);
        compute_and_compare(&grape, N, &block, 1e-4);
    }
}

GRAPE_TEST(as_many_as_there_are_pipes) {
    assert_int_equal(g6_npipes(), PIPES);
    for (int j = N; j < PIPES; j++)
        write_random(&grape, j, -2 - j, 1); /* numbers may be below 0 */
    take_bodies(&grape, &block, PIPES, 1);
    compute_and_compare(&grape, 60, &block, 1e-4);
}

GRAPE_TEST(nj_shrinks_and_grows) {
    static const int sizes[] = {N, 1, 3, 511, 512, 513, 640};

    take_bodies(&grape, &block, 20, 30);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        compute_and_compare(&grape, sizes[s], &block, 1e-4);
}

GRAPE_TEST(addresses_are_updated_here_and_there) {
    static const int addresses[] = {699, 0, 13, 512, 511, 1999, 1024, 1023, 13};

    take_bodies(&grape, &block, 30, 20);
    block.h2[0] = 1e6; /* all bodies */
    for (size_t a = 0; a < sizeof addresses / sizeof *addresses; a++) {
        write_random(&grape, addresses[a], 5000 + addresses[a], 2 + a);
        compute_and_compare(&grape, 2000, &block, 1e-4); /* most from N on hold no body */
        compute_and_compare(&grape, N, &block, 1e-4);
    }
}

/* A predictor of positions or velocities that lacks a power, or has another one, is far off. */
GRAPE_TEST(bodies_are_predicted_with_all_derivatives) {
    static double x[2000][3], v[2000][3];
    double right_x[3], right_v[3];

    write_random(&grape, 1999, 7, 3);
    for (double ti = -1; ti < 3; ti += 1.5) {
        set_time(&grape, ti);
        take_bodies(&grape, &block, 9, 77);
        compute_and_compare(&grape, N, &block, 1e-4);
        g6_get_predicted_j_particles(grape.id, 2000, x, v);
        for (int j = 0; j < 2000; j++) {
            predict(&grape, j, right_x, right_v);
            for (int k = 0; k < 3; k++) {
                assert_true(fabs(x[j][k] - right_x[k]) < 1e-12);
                assert_true(fabs(v[j][k] - right_v[k]) < 1e-12);
            }
        }
    }
}

GRAPE_TEST(a_body_that_rests) {
    double x[3] = {0.1, 0.2, 0.3}, zero[3] = {0};

    assert_int_equal(g6_set_j_particle_mxonly(grape.id, 5, 77, 3, x), 0);
    grape.memory[5].index = 77;
    grape.memory[5].mass = 3;
    memcpy(grape.memory[5].x, x, sizeof x);
    memcpy(grape.memory[5].v, zero, sizeof zero);
    memcpy(grape.memory[5].a2, zero, sizeof zero);
    memcpy(grape.memory[5].a6, zero, sizeof zero);
    memcpy(grape.memory[5].a18, zero, sizeof zero);
    take_bodies(&grape, &block, 9, 1);
    compute_and_compare(&grape, N, &block, 1e-4);
}

/* Bodies 10, 11 and 600 are at one place, where there are a test point and body 10 as bodies i. */
GRAPE_TEST(coincident_bodies_without_softening) {
    double at[5][3] = {{0.5, 0.25, 0.125}, {1, 2, 3}},
           other[5][3] = {{0.5, 0.25, 0.125}, {2, 1, 0}};

    write_to(&grape, 10, 9001, grape.ti, 1, at);
    write_to(&grape, 11, 8999, grape.ti, 1, other);
    write_to(&grape, 600, 9000, grape.ti, 1, other);
    take_bodies(&grape, &block, 3, 5);
    block.index[0] = -1;
    memcpy(block.x[0], at[0], sizeof block.x[0]);
    for (int i = 0; i < 3; i++)
        block.h2[i] = 0.2;
    compute_and_compare(&grape, N, &block, 0);
    assert_int_equal(block.nearest[0], 9001); /* the one at the lower address */
    assert_int_equal(block.nearest[2], 8999);
    block.h2[0] = 0; /* nothing is nearer than that */
    compute_and_compare(&grape, N, &block, 1e-2);
    take_bodies(&grape, &block, 1, 5); /* the test point alone: no body has its index, or near it */
    block.index[0] = -1;
    memcpy(block.x[0], at[0], sizeof block.x[0]);
    compute_and_compare(&grape, N, &block, 0);
}

/* A body i that its caller has predicted otherwise is still the body j of its index. */
GRAPE_TEST(a_body_is_left_out_by_its_index) {
    take_bodies(&grape, &block, 40, 3);
    for (int i = 0; i < 40; i++)
        block.x[i][0] += 1e-9;
    compute_and_compare(&grape, N, &block, 0);
    take_bodies(&grape, &block, 40, 3);
    for (int i = 0; i < 40; i++)
        block.index[i] = i; /* an address, and no body's index */
    compute_and_compare(&grape, N, &block, 1e-2);
}

GRAPE_TEST(one_body_and_nobody_else) {
    take_bodies(&grape, &block, 1, 1);
    compute_and_compare(&grape, 1, &block, 0);
    assert_int_equal(block.nearest[0], -1);
    assert_true(block.pot[0] == 0);
}

GRAPE_TEST(what_is_written_counts_from_the_next_first_half_on) {
    static struct emulated before;

    take_bodies(&grape, &block, 30, 20);
    first_half(&grape, N, &block, 1e-4);
    before = grape;
    write_random(&grape, 44, 44, 9);
    assert_int_equal(second_half(&grape, N, &block, 1e-4), 0);
    assert_forces(&before, N, &block, 1e-4);
    compute_and_compare(&grape, N, &block, 1e-4);
}

GRAPE_TEST(lists_may_be_too_short) {
    int list[4] = {0, 0, -7, -7}, all[N], count;

    take_bodies(&grape, &block, 2, 1);
    block.h2[0] = 100;
    block.h2[1] = 0;
    compute_and_compare(&grape, N, &block, 1e-4);
    assert_int_equal(g6_get_neighbour_list(grape.id, 0, N, &count, all), 0);
    assert_int_equal(count, N - 1);
    assert_int_equal(g6_get_neighbour_list(grape.id, 0, 2, &count, list), 1);
    assert_int_equal(count, N - 1);
    assert_memory_equal(list, all, 2 * sizeof *list);
    assert_int_equal(list[2], -7);
    assert_int_equal(g6_get_neighbour_list(grape.id, 1, 0, &count, NULL), 0);
    assert_int_equal(count, 0);
}

/* Callers disagree on what they pass as the forces of before. */
GRAPE_TEST(scales_are_ignored) {
    static double nonsense[N][3], pot[N];

    for (int i = 0; i < N; i++)
        nonsense[i][0] = NAN, nonsense[i][1] = 1e300, pot[i] = INFINITY;
    take_bodies(&grape, &block, 30, 20);
    g6calc_firsthalf(grape.id, HALF(&block, N), nonsense, nonsense, pot, 1e-4, block.h2);
    assert_int_equal(second_half(&grape, N, &block, 1e-4), 0);
    assert_forces(&grape, N, &block, 1e-4);
}

GRAPE_TEST(a_second_half_may_be_asked_again) {
    static double acc[N][3], jerk[N][3], pot[N];

    take_bodies(&grape, &block, 30, 20);
    compute_and_compare(&grape, N, &block, 1e-4);
    assert_int_equal(g6calc_lasthalf(grape.id, HALF(&block, N), 1e-4, NULL, acc, jerk, pot), 0);
    for (int i = 0; i < 30; i++)
        assert_true(fabs(pot[i] - block.pot[i]) <= 1e-12 * fabs(pot[i]));
    memcpy(block.acc, acc, 30 * sizeof *acc);
    memcpy(block.jerk, jerk, 30 * sizeof *jerk);
    assert_forces(&grape, N, &block, 1e-4);
}

GRAPE_TEST(the_halves_in_smaller_pieces) {
    double acc[3] = {0};
    int flag[30];

    take_bodies(&grape, &block, 30, 20);
    memset(flag, -1, sizeof flag);
    g6_set_njp(grape.id, N);
    for (int i = 0; i < 30; i++) {
        g6_set_i_particle_scales_from_real_value(grape.id, i, acc, acc, 0, 1, 1);
        g6_set_i_particle(grape.id, i, block.index[i], block.x[i], block.v[i], 1e-4, block.h2[i]);
    }
    g6_set_nip(grape.id, 30);
    assert_int_equal(g6_get_force_etc(grape.id, FORCES(&block), block.nearest, flag), 0);
    assert_forces(&grape, N, &block, 1e-4);
    assert_lists(&grape, N, &block);
    for (int i = 0; i < 30; i++)
        assert_int_equal(flag[i], 0);
    set_time(&grape, 0.5);
    take_bodies(&grape, &block, 30, 20);
    for (int i = 0; i < 30; i++)
        g6_set_i_particle(grape.id, i, block.index[i], block.x[i], block.v[i], 1e-4, block.h2[i]);
    memset(block.pot, 0, sizeof block.pot);
    assert_int_equal(g6_get_force(grape.id, FORCES(&block), flag), 0);
    assert_int_equal(g6_get_force_etc(grape.id, FORCES(&block), block.nearest, flag), 0);
    assert_forces(&grape, N, &block, 1e-4);
}

GRAPE_TEST(a_cluster_that_was_closed_is_empty) {
    take_bodies(&grape, &block, 3, 1);
    assert_int_equal(g6_close(grape.id), 0);
    assert_int_equal(g6_open(grape.id), 0);
    memset(&grape.memory, 0, sizeof grape.memory);
    compute_and_compare(&grape, N, &block, 1e-4);
    assert_int_equal(block.nearest[0], -1);
}

GRAPE_TEST(what_only_the_hardware_needs) {
    assert_int_equal(g6_set_tunit(51) | g6_set_xunit(51), 0);
    assert_int_equal(g6_initialize_jp_buffer(grape.id, 100) | g6_flush_jp_buffer(grape.id), 0);
    assert_int_equal(g6_reset(grape.id) | g6_reset_fofpga(grape.id), 0);
    assert_int_equal(g6_set_overflow_flag_test_mode(1, 1, 1), 0);
    assert_int_equal(g6_setup_njdata(grape.id, N), 0);
    g6_set_neighbour_list_sort_mode(2);
    assert_int_equal(g6_get_neighbour_list_sort_mode(), 2);
    assert_int_equal(g6_getnjmax(grape.id), GRAPE6_BODIES);
    take_bodies(&grape, &block, 10, 20);
    compute_and_compare(&grape, N, &block, 1e-4);
}

/* The forces of a block by one of the names of a second half, 0 to 5; of the odd ones with the
 * nearest body. */
static void compute_by(int name, struct block *by) {
    int *index = by->index, ni = 20, nj = N;
    double(*x)[3] = by->x, (*v)[3] = by->v, *h2 = by->h2, eps2 = 1e-4;

    memset(by, 0, sizeof *by);
    take_bodies(&grape, by, ni, 20);
    g6calc_firsthalf(grape.id, nj, ni, index, x, v, FORCES(by), eps2, h2);
    if (name == 0)
        g6calc_lasthalf(grape.id, nj, ni, index, x, v, eps2, h2, FORCES(by));
    else if (name == 1)
        g6calc_lasthalf2(grape.id, nj, ni, index, x, v, eps2, h2, FORCES(by), by->nearest);
    else if (name == 2)
        g6calc_lasthalfn(grape.id, nj, ni, index, x, v, eps2, h2, FORCES(by));
    else if (name == 3)
        g6calc_lasthalf2n(grape.id, nj, ni, index, x, v, eps2, h2, FORCES(by), by->nearest);
    else if (name == 4)
        g6calc_lasthalfn_(&grape.id, &nj, &ni, index, x, v, &eps2, h2, FORCES(by));
    else
        g6calc_lasthalf2n_(&grape.id, &nj, &ni, index, x, v, &eps2, h2, FORCES(by), by->nearest);
    assert_lists(&grape, N, by);
}

/* The same bits by the names of other libraries. */
GRAPE_TEST(what_others_call_it) {
    static struct block right;
    int list[1];

    for (int name = 2; name < 6; name++) {
        compute_by(name % 2, &right);
        compute_by(name, &block);
        assert_memory_equal(&block, &right, sizeof right);
    }
    assert_forces(&grape, N, &block, 1e-4);
    assert_int_equal(g6_close(grape.id), 0);
    assert_int_equal(g6_open_special(1, list), 0);
    assert_int_equal(g6_close(0), 0);
    assert_int_equal(g6_open(grape.id), 0);
}

GROUP(open_pipes, NULL)
