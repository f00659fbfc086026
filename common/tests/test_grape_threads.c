/* The library of the GRAPE-6's interface: its bits, its threads and its three kinds of vectors. */
#include "grape_emulator.h"

#include <omp.h>
#include <pthread.h>

#include "grape/sums_cpu.h"

enum { N = 2500, NI = 300 };

static struct emulated grapes[2];
static struct block blocks[2], again;

static int fill(void **state) {
    (void)state;
    for (int id = 0; id < 2; id++) {
        grapes[id].id = id;
        if (g6_open(id))
            return -1;
        for (int j = 0; j < N; j++)
            write_random(&grapes[id], j, j, 5 + id);
        set_time(&grapes[id], id);
        take_bodies(&grapes[id], &blocks[id], NI, 8);
    }
    return 0;
}

static int empty(void **state) {
    (void)state;
    return g6_close(0) | g6_close(1);
}

static void compute(int id, struct block *block) {
    first_half(&grapes[id], N, block, 1e-4);
    assert_int_equal(second_half(&grapes[id], N, block, 1e-4), 0);
}

static void assert_same(const struct block *a, const struct block *b, int first, int count) {
    assert_memory_equal(a->acc + first, b->acc, count * sizeof *a->acc);
    assert_memory_equal(a->jerk + first, b->jerk, count * sizeof *a->jerk);
    assert_memory_equal(a->pot + first, b->pot, count * sizeof *a->pot);
    assert_memory_equal(a->nearest + first, b->nearest, count * sizeof *a->nearest);
}

TEST_IN(fill, empty, bits_do_not_depend_on_threads) {
    omp_set_num_threads(1);
    compute(0, &blocks[0]);
    assert_forces(&grapes[0], N, &blocks[0], 1e-4);
    for (int threads = 1; threads <= 7; threads++) {
        omp_set_num_threads(threads);
        again = blocks[0];
        memset(again.acc, 0, sizeof again.acc);
        compute(0, &again);
        assert_same(&blocks[0], &again, 0, NI);
    }
}

/* Nor on which bodies are asked for beside them. */
TEST_IN(fill, empty, bits_do_not_depend_on_the_block) {
    compute(0, &blocks[0]);
    for (int first = 0; first < NI; first += 53) {
        again = blocks[0];
        again.ni = 3;
        memmove(again.x, again.x + first, 3 * sizeof *again.x);
        memmove(again.v, again.v + first, 3 * sizeof *again.v);
        memmove(again.index, again.index + first, 3 * sizeof *again.index);
        compute(0, &again);
        assert_same(&blocks[0], &again, first, 3);
    }
}

/* Asserts of CMocka are for the first thread alone. */
static void *compute_often(void *argument) {
    int id = *(int *)argument;
    static _Thread_local struct block own;
    long wrong = 0;

    for (int k = 0; k < 40; k++) {
        own = blocks[id];
        memset(own.acc, 0, sizeof own.acc);
        g6_set_ti(id, id);
        g6calc_firsthalf(id, HALF(&own, N), NULL, NULL, NULL, 1e-4, own.h2);
        wrong += g6calc_lasthalf2(id, HALF(&own, N), 1e-4, own.h2, FORCES(&own), own.nearest);
        wrong += memcmp(own.acc, blocks[id].acc, sizeof own.acc) != 0;
        wrong += memcmp(own.nearest, blocks[id].nearest, sizeof own.nearest) != 0;
        wrong += g6_read_neighbour_list(id);
    }
    return (void *)wrong;
}

TEST_IN(fill, empty, two_clusters_in_two_threads) {
    pthread_t threads[2];
    int ids[2] = {0, 1};
    void *wrong;

    omp_set_num_threads(2);
    for (int id = 0; id < 2; id++) {
        compute(id, &blocks[id]);
        assert_forces(&grapes[id], N, &blocks[id], 1e-4);
    }
    for (int id = 0; id < 2; id++)
        assert_int_equal(pthread_create(&threads[id], NULL, compute_often, &ids[id]), 0);
    for (int id = 0; id < 2; id++) {
        assert_int_equal(pthread_join(threads[id], &wrong), 0);
        assert_null(wrong);
    }
}

/* Two threads write to one cluster, whose memory grows meanwhile. */
static void *write_half(void *argument) {
    double zero[3] = {0};
    long wrong = 0;

    for (int address = *(int *)argument; address < 200000; address += 2) {
        double x[3] = {address, 1, 0};

        wrong += g6_set_j_particle(2, address, address, 0, 0, 1, zero, zero, zero, zero, x);
    }
    return (void *)wrong;
}

TEST(two_threads_in_one_cluster) {
    static double x[200000][3], v[200000][3];
    pthread_t threads[2];
    int firsts[2] = {0, 1};
    void *wrong;

    assert_int_equal(g6_open(2), 0);
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, write_half, &firsts[t]), 0);
    for (int t = 0; t < 2; t++) {
        assert_int_equal(pthread_join(threads[t], &wrong), 0);
        assert_null(wrong);
    }
    g6_get_predicted_j_particles(2, 200000, x, v);
    for (int j = 0; j < 200000; j++)
        assert_true(x[j][0] == j && x[j][1] == 1);
    assert_int_equal(g6_close(2), 0);
}

/* Every processor has the first; the others are held against it where they can run. */
TEST(vectors_of_all_widths_agree) {
    enum { PLACES = 1000 };
    static struct place places[PLACES];
    static const struct felt_lanes none;
    struct target_lanes targets;
    struct felt_lanes right[2], felt;
    unsigned char near[PLACES], own[PLACES];

    for (int j = 0; j < PLACES; j++) {
        struct random random = random_of(8, j);

        for (int k = 0; k < 3; k++)
            places[j].x[k] = random_unit(&random), places[j].v[k] = random_unit(&random);
        places[j].mass = random_unit(&random);
        places[j].index = j;
    }
    for (int k = 0; k < LANES; k++) {
        const struct place *j = &places[k * 99];

        targets.x[k] = j->x[0], targets.y[k] = j->x[1], targets.z[k] = j->x[2];
        targets.vx[k] = j->v[0], targets.vy[k] = j->v[1], targets.vz[k] = j->v[2];
        targets.eps2[k] = k % 2 ? 1e-3 : 0;
        targets.h2[k] = 0.02 * k;
        targets.index[k] = k == 4 ? -1 : j->index; /* at a body's place, and not that body */
    }
    for (int w = 0; grape6_loops(w); w++)
        for (int wants_nearest = 0; wants_nearest < 2; wants_nearest++) {
            const double *a = (double *)&right[wants_nearest], *b = (double *)&felt;

            felt = none;
            for (int k = 0; k < LANES; k++)
                felt.nearest_r2[k] = INFINITY, felt.nearest[k] = -1;
            grape6_loops(w)->sum(&targets, places, places + PLACES, wants_nearest, &felt);
            grape6_loops(w)->find(&targets, places, places + PLACES, own);
            if (!w) {
                right[wants_nearest] = felt;
                memcpy(near, own, sizeof near);
            }
            for (int k = 0; k < 7 * LANES; k++)
                assert_true(fabs(a[k] - b[k]) <= 1e-11 * fabs(a[k]) + 1e-9);
            assert_memory_equal(felt.nearest, right[wants_nearest].nearest, sizeof felt.nearest);
            assert_memory_equal(own, near, sizeof near);
        }
    assert_int_equal(right[1].nearest[4], 4 * 99);
    assert_int_equal(near[4 * 99] >> 4 & 1, 1);
}

GROUP(NULL, NULL)
