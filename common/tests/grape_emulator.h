/* The GRAPE-6 as its interface describes it, in double precision and without any thought of speed,
 * and the library held against it. For tests. */
#ifndef GRAPE_EMULATOR_H
#define GRAPE_EMULATOR_H

#include "testing.h"

#include "grape6.h"
#include "problems/random.h"

/* Of forces, as a share of their terms' magnitudes. */
#ifndef TOLERANCE
#define TOLERANCE 1e-11
#endif

enum { ADDRESSES = 3000, MOST_TARGETS = 1000 };

struct emulated {
    struct {
        int is_written, index;
        double tj, mass, x[3], v[3], a2[3], a6[3], a18[3];
    } memory[ADDRESSES];
    double ti;
    int id; /* of the library's cluster that gets the same */
};

/* Bodies i, and what the library says of them. */
struct block {
    int ni, index[MOST_TARGETS], nearest[MOST_TARGETS];
    double x[MOST_TARGETS][3], v[MOST_TARGETS][3], h2[MOST_TARGETS];
    double acc[MOST_TARGETS][3], jerk[MOST_TARGETS][3], pot[MOST_TARGETS];
};

static inline void write_to(struct emulated *e, int address, int index, double tj, double mass,
                            double derivative[5][3]) { /* x, v, a/2, jerk/6, snap/18 */
    assert_int_equal(g6_set_j_particle(e->id, address, index, tj, 0.125, mass, derivative[4],
                                       derivative[3], derivative[2], derivative[1], derivative[0]),
                     0);
    e->memory[address].is_written = 1;
    e->memory[address].index = index;
    e->memory[address].tj = tj;
    e->memory[address].mass = mass;
    memcpy(e->memory[address].x, derivative[0], sizeof e->memory->x);
    memcpy(e->memory[address].v, derivative[1], sizeof e->memory->v);
    memcpy(e->memory[address].a2, derivative[2], sizeof e->memory->a2);
    memcpy(e->memory[address].a6, derivative[3], sizeof e->memory->a6);
    memcpy(e->memory[address].a18, derivative[4], sizeof e->memory->a18);
}

/* A body of random numbers, with all derivatives. */
static inline void write_random(struct emulated *e, int address, int index, uint64_t seed) {
    struct random random = random_of(seed, (uint64_t)address);
    double derivative[5][3];

    for (int d = 0; d < 5; d++)
        for (int k = 0; k < 3; k++)
            derivative[d][k] = 2 * random_unit(&random) - 1;
    write_to(e, address, index, random_unit(&random), 0.5 + random_unit(&random), derivative);
}

static inline void set_time(struct emulated *e, double ti) {
    assert_int_equal(g6_set_ti(e->id, ti), 0);
    e->ti = ti;
}

static inline void predict(const struct emulated *e, int j, double x[3], double v[3]) {
    double dt = e->ti - e->memory[j].tj;

    for (int k = 0; k < 3; k++) {
        x[k] = e->memory[j].x[k] + e->memory[j].v[k] * dt + e->memory[j].a2[k] * pow(dt, 2) +
               e->memory[j].a6[k] * pow(dt, 3) + 0.75 * e->memory[j].a18[k] * pow(dt, 4);
        v[k] = e->memory[j].v[k] + 2 * e->memory[j].a2[k] * dt +
               3 * e->memory[j].a6[k] * pow(dt, 2) + 3 * e->memory[j].a18[k] * pow(dt, 3);
    }
}

/* What a body i feels: each sum, and those of its terms' magnitudes. */
struct emulated_force {
    double acc[3], jerk[3], pot, acc_size, jerk_size, pot_size, nearest_r2;
    int nearest, neighbours, list[ADDRESSES]; /* in the order of addresses */
};

static inline struct emulated_force *emulate(const struct emulated *e, int nj,
                                             const struct block *block, int i, double eps2) {
    static _Thread_local struct emulated_force f;

    memset(&f, 0, sizeof f);
    f.nearest = -1;
    f.nearest_r2 = INFINITY;
    for (int j = 0; j < nj; j++) {
        double x[3], v[3], r2 = 0, rv = 0, v2 = 0, mass = e->memory[j].mass;

        if (!e->memory[j].is_written || e->memory[j].index == block->index[i])
            continue;
        predict(e, j, x, v);
        for (int k = 0; k < 3; k++) {
            x[k] -= block->x[i][k], v[k] -= block->v[i][k];
            r2 += x[k] * x[k], rv += x[k] * v[k], v2 += v[k] * v[k];
        }
        if (r2 < f.nearest_r2)
            f.nearest_r2 = r2, f.nearest = e->memory[j].index;
        if (r2 < block->h2[i])
            f.list[f.neighbours++] = e->memory[j].index;
        if (r2 + eps2 > 0) {
            double s = sqrt(r2 + eps2), cube = s * s * s;

            for (int k = 0; k < 3; k++) {
                f.acc[k] += mass * x[k] / cube;
                f.jerk[k] += mass * (v[k] / cube - 3 * rv * x[k] / (cube * s * s));
            }
            f.pot -= mass / s;
            f.acc_size += mass * sqrt(r2) / cube;
            f.jerk_size += 4 * mass * sqrt(v2) / cube;
            f.pot_size += mass / s;
        }
    }
    return &f;
}

static inline int by_value(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

#define HALF(block, nj) (nj), (block)->ni, (block)->index, (block)->x, (block)->v
#define FORCES(block)   (block)->acc, (block)->jerk, (block)->pot

/* Takes addresses 0, step ... as bodies i, at the time of the emulator. */
static inline void take_bodies(const struct emulated *e, struct block *block, int ni, int step) {
    block->ni = ni;
    for (int i = 0; i < ni; i++) {
        predict(e, i * step, block->x[i], block->v[i]);
        block->index[i] = e->memory[i * step].index;
        block->h2[i] = 0.01 * (i % 7);
    }
}

static inline void first_half(const struct emulated *e, int nj, struct block *block, double eps2) {
    g6calc_firsthalf(e->id, HALF(block, nj), NULL, NULL, NULL, eps2, block->h2);
}

static inline int second_half(const struct emulated *e, int nj, struct block *block, double eps2) {
    return g6calc_lasthalf2(e->id, HALF(block, nj), eps2, block->h2, FORCES(block), block->nearest);
}

/* The library's forces and neighbours, which are in the block, against the emulator's. */
static inline void assert_forces(const struct emulated *e, int nj, struct block *block,
                                 double eps2) {
    for (int i = 0; i < block->ni; i++) {
        struct emulated_force *f = emulate(e, nj, block, i, eps2);

        for (int k = 0; k < 3; k++) {
            assert_true(fabs(block->acc[i][k] - f->acc[k]) <= TOLERANCE * f->acc_size);
            assert_true(fabs(block->jerk[i][k] - f->jerk[k]) <= TOLERANCE * f->jerk_size);
        }
        assert_true(fabs(block->pot[i] - f->pot) <= TOLERANCE * f->pot_size);
        assert_int_equal(block->nearest[i], f->nearest);
    }
}

static inline void assert_lists(const struct emulated *e, int nj, struct block *block) {
    assert_int_equal(g6_read_neighbour_list(e->id), 0);
    for (int i = 0; i < block->ni; i++) {
        struct emulated_force *f = emulate(e, nj, block, i, 0);
        int list[ADDRESSES], count = -1;

        assert_int_equal(g6_get_neighbour_list(e->id, i, ADDRESSES, &count, list), 0);
        assert_int_equal(count, f->neighbours);
        qsort(f->list, f->neighbours, sizeof *f->list, by_value);
        assert_memory_equal(list, f->list, count * sizeof *list);
    }
}

/* A block's forces as a program asks for them, and all that is known about them. */
static inline void compute_and_compare(const struct emulated *e, int nj, struct block *block,
                                       double eps2) {
    first_half(e, nj, block, eps2);
    assert_int_equal(second_half(e, nj, block, eps2), 0);
    assert_forces(e, nj, block, eps2);
    assert_lists(e, nj, block);
}

#endif
