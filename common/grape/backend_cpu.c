/* The backend that every machine has: bodies in memory, all cores, the vectors of sums_cpu.c. */
#include "grape_backend.h"
#include "grape6.h"
#include "sums_cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A body's sum is added up from those over PART places, in their order: its bits depend neither on
 * the threads nor on the other bodies i. At most BATCH bodies i have such parts in memory. */
enum { PART = 512, BATCH = 256 };

/* Below so many pairs, or bodies to predict, threads cost more than they gain. */
enum { PAIRS = 50000, PREDICTED = 10000 };

struct slot {
    struct j_body source;
    int is_written;
};

struct cpu {
    struct slot *slots;
    struct place *places;
    struct felt_lanes *parts;
    int room, places_room, parts_room;
    int first_empty; /* the lowest address that was never written */
    int count;       /* of places */
};

static void *cpu_open(void) {
    return calloc(1, sizeof(struct cpu));
}

static void cpu_close(void *state) {
    struct cpu *cpu = state;

    free(cpu->slots);
    free(cpu->places);
    free(cpu->parts);
    free(cpu);
}

static int cpu_write(void *state, int address, const struct j_body *source) {
    struct cpu *cpu = state;

    if (address >= cpu->room) {
        int room = address < 1024                ? 1024
                   : address < GRAPE6_BODIES / 2 ? 2 * address
                                                 : GRAPE6_BODIES;
        struct slot *slots =
            calloc(room, sizeof *slots); /* pages that are not touched cost nothing */

        if (!slots)
            return GRAPE6_NO_MEMORY;
        if (cpu->room)
            memcpy(slots, cpu->slots, cpu->room * sizeof *slots);
        free(cpu->slots);
        cpu->slots = slots;
        cpu->room = room;
    }
    cpu->slots[address] = (struct slot){*source, 1};
    while (cpu->first_empty < cpu->room && cpu->slots[cpu->first_empty].is_written)
        cpu->first_empty++;
    return 0;
}

/* Room for `count` items, at a multiple of 64 bytes; what was there is lost. */
static int make_room(void *items, int *room, int count, size_t size) {
    void **old = items, *block;

    if (count <= *room)
        return 0;
    if (posix_memalign(&block, 64, count * size))
        return GRAPE6_NO_MEMORY;
    free(*old);
    *old = block;
    *room = count;
    return 0;
}

static void predict_body(const struct j_body *j, double ti, double x[3], double v[3]) {
    double dt = ti - j->tj;

    for (int k = 0; k < 3; k++) {
        double a = j->aby2[k], jerk = j->a1by6[k], snap = j->a2by18[k];

        x[k] = j->x[k] + dt * (j->v[k] + dt * (a + dt * (jerk + dt * 0.75 * snap)));
        v[k] = j->v[k] + dt * (2 * a + dt * (3 * jerk + dt * 3 * snap));
    }
}

static int cpu_predict(void *state, double ti, int nj) {
    struct cpu *cpu = state;
    int end = nj < cpu->room ? nj : cpu->room;
    int code = make_room(&cpu->places, &cpu->places_room, end, sizeof *cpu->places);

    if (code)
        return code;
#pragma omp parallel for schedule(static) if (end > PREDICTED)
    for (int j = 0; j < end; j++) {
        const struct j_body *source = &cpu->slots[j].source;
        struct place *place = &cpu->places[j];

        predict_body(source, ti, place->x, place->v);
        place->mass = source->mass;
        place->index = source->index;
    }
    cpu->count = end < cpu->first_empty ? end : cpu->first_empty;
    for (int j = cpu->count; j < end; j++)
        if (cpu->slots[j].is_written)
            cpu->places[cpu->count++] = cpu->places[j];
    return 0;
}

static void cpu_locate(void *state, double ti, int address, double x[3], double v[3]) {
    static const struct j_body none;
    const struct cpu *cpu = state;

    predict_body(address < cpu->room ? &cpu->slots[address].source : &none, ti, x, v);
}

/* Up to LANES bodies i; lanes that none is left for repeat the first. */
static void load_lanes(const struct i_body *targets, int count, struct target_lanes *i) {
    for (int k = 0; k < LANES; k++) {
        const struct i_body *target = &targets[k < count ? k : 0];

        i->x[k] = target->x[0], i->y[k] = target->x[1], i->z[k] = target->x[2];
        i->vx[k] = target->v[0], i->vy[k] = target->v[1], i->vz[k] = target->v[2];
        i->eps2[k] = target->eps2;
        i->h2[k] = target->h2;
        i->index[k] = target->index;
    }
}

/* Lane k of the parts, in their order. */
static void add_parts(const struct felt_lanes *parts, int count, int k, struct force *felt) {
    double nearest_r2 = INFINITY;

    *felt = (struct force){.neighbour = -1};
    for (const struct felt_lanes *part = parts; part < parts + count; part++) {
        felt->acceleration[0] += part->ax[k], felt->jerk[0] += part->jx[k];
        felt->acceleration[1] += part->ay[k], felt->jerk[1] += part->jy[k];
        felt->acceleration[2] += part->az[k], felt->jerk[2] += part->jz[k];
        felt->potential += part->pot[k];
        if (part->nearest_r2[k] < nearest_r2) {
            nearest_r2 = part->nearest_r2[k];
            felt->neighbour = (int)part->nearest[k];
        }
    }
}

static int cpu_sum(void *state, const struct i_body *targets, int ni, int wants,
                   struct force *felt) {
    struct cpu *cpu = state;
    const struct loops *loops = grape6_widest_loops();
    int parts = (cpu->count + PART - 1) / PART;
    int code =
        make_room(&cpu->parts, &cpu->parts_room, parts * (BATCH / LANES), sizeof *cpu->parts);

    if (code)
        return code;
    for (int first = 0; first < ni; first += BATCH) {
        int count = ni - first < BATCH ? ni - first : BATCH, vectors = (count + LANES - 1) / LANES;

#pragma omp parallel for schedule(dynamic) if ((double)count * cpu->count > PAIRS)
        for (int task = 0; task < vectors * parts; task++) {
            int vector = task % vectors, part = task / vectors, i = vector * LANES;
            int from = part * PART, to = part < parts - 1 ? from + PART : cpu->count;
            struct felt_lanes sums = {0};
            struct target_lanes own;

            for (int k = 0; k < LANES; k++)
                sums.nearest_r2[k] = INFINITY, sums.nearest[k] = -1;
            load_lanes(&targets[first + i], count - i, &own);
            loops->sum(&own, cpu->places + from, cpu->places + to, wants & WANTS_NEAREST, &sums);
            cpu->parts[vector * parts + part] = sums;
        }
        for (int i = 0; i < count; i++)
            add_parts(cpu->parts + (size_t)(i / LANES) * parts, parts, i % LANES, &felt[first + i]);
    }
    return 0;
}

static int add_neighbour(struct neighbours *list, int index) {
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 64;
        int *longer = realloc(list->index, room * sizeof *longer);

        if (!longer)
            return GRAPE6_NO_MEMORY;
        list->index = longer;
        list->room = room;
    }
    list->index[list->count++] = index;
    return 0;
}

static int compare(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;

    return (left > right) - (left < right);
}

/* The lists of up to LANES bodies i. */
static int find_vector(const struct cpu *cpu, const struct i_body *targets, int count,
                       struct neighbours *lists) {
    const struct loops *loops = grape6_widest_loops();
    unsigned char near[PART];
    struct target_lanes own;
    int code = 0;

    count = count < LANES ? count : LANES;
    load_lanes(targets, count, &own);
    for (int k = 0; k < count; k++)
        lists[k].count = 0;
    for (int from = 0; from < cpu->count; from += PART) {
        int to = from + PART < cpu->count ? from + PART : cpu->count;

        loops->find(&own, cpu->places + from, cpu->places + to, near);
        for (int j = from; j < to; j++)
            for (int k = 0; near[j - from] >> k && !code; k++)
                if (k < count && near[j - from] >> k & 1)
                    code = add_neighbour(&lists[k], (int)cpu->places[j].index);
    }
    for (int k = 0; k < count; k++)
        if (lists[k].count)
            qsort(lists[k].index, lists[k].count, sizeof *lists[k].index, compare);
    return code;
}

static int cpu_find(void *state, const struct i_body *targets, int ni, struct neighbours *lists) {
    const struct cpu *cpu = state;
    int code = 0;

#pragma omp parallel for schedule(dynamic) reduction(min                                           \
                                                     : code) if ((double)ni * cpu->count > PAIRS)
    for (int i = 0; i < ni; i += LANES) {
        int own = find_vector(cpu, targets + i, ni - i, lists + i);

        code = own < code ? own : code;
    }
    return code;
}

const struct grape_backend grape_cpu = {.name = "cpu",
                                        .open = cpu_open,
                                        .close = cpu_close,
                                        .write = cpu_write,
                                        .predict = cpu_predict,
                                        .sum = cpu_sum,
                                        .find = cpu_find,
                                        .locate = cpu_locate};
