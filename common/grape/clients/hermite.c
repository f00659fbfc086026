/* A star cluster by Hermite's scheme of the fourth order with block time steps: Makino and Aarseth
 * (1992, PASJ 44, 141). A step is a power of 1/2, and a star's time a multiple of its step; stars
 * whose steps end at the same time form a block, for which the library computes the forces. */
#include "sphere.h"

/* A star of level k has the step 2^-k. */
enum { COARSEST = 6, LEVELS = 49 };

/* Below so many stars, threads cost more than they gain. */
enum { WORTH_THREADS = 512 };

struct hermite {
    struct stars stars;
    double eps, eta, now;
    /* Of each star, at its own time. */
    double *time, (*acc)[3], (*jerk)[3];
    int *level;
    /* All stars, those with the shortest steps first, and how many there are of each level: a
     * block is the first of them. */
    int *order, *sorted, count[LEVELS];
    /* Of the block: the stars' numbers, what is predicted, what is felt there. Starlab's program
     * kira needs the nearest star for its binaries; it is asked for so that times compare. */
    int *index, *nearest;
    double (*x)[3], (*v)[3], (*felt)[3], (*felt_jerk)[3], *pot;
    long long blocks, moved;
};

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* The library predicts star i by the same two derivatives as predict() does. */
static void send(const struct hermite *h, int i, double x[3], double v[3], const double acc[3],
                 const double jerk[3]) {
    double zero[3] = {0}, aby2[3], a1by6[3];

    for (int k = 0; k < 3; k++)
        aby2[k] = acc[k] / 2, a1by6[k] = jerk[k] / 6;
    must(g6_set_j_particle(0, i, i, h->now, ldexp(1, -h->level[i]), h->stars.mass[i], zero, a1by6,
                           aby2, v, x));
}

/* Star b of the block, as it will be if its jerk does not change. */
static void predict(struct hermite *h, int b) {
    int i = h->order[b];
    double dt = h->now - h->time[i];

    h->index[b] = i;
    for (int k = 0; k < 3; k++) {
        double v = h->stars.v[i][k], a = h->acc[i][k], j = h->jerk[i][k];

        h->x[b][k] = h->stars.x[i][k] + dt * (v + dt / 2 * (a + dt / 3 * j));
        h->v[b][k] = v + dt * (a + dt / 2 * j);
    }
}

/* The level for a step that is wanted: any shorter one, or the next longer one, if the star's time
 * is a multiple of it. */
static int next_level(double now, double wanted, int level) {
    if (wanted >= ldexp(2, -level) && level > COARSEST &&
        ldexp(now, level - 1) == floor(ldexp(now, level - 1)))
        return level - 1;
    while (wanted < ldexp(1, -level))
        if (++level == LEVELS) {
            fprintf(stderr, "a star at the time %g needs a step of %g; 2^-%d is the shortest\n",
                    now, wanted, LEVELS - 1);
            exit(1);
        }
    return level;
}

/* Ends star b's step: the corrector, and the next step by Aarseth's criterion, both from the cubic
 * that has the acceleration and the jerk of the step's two ends. Where the star is stays in the
 * block, too: one thread sends it from there in order, not from all over other cores' caches. */
static void correct(struct hermite *h, int b) {
    int i = h->index[b];
    double dt = h->now - h->time[i], snap[3], crackle[3], a, j, s, c;

    for (int k = 0; k < 3; k++) {
        double a0 = h->acc[i][k], a1 = h->felt[b][k], j0 = h->jerk[i][k], j1 = h->felt_jerk[b][k];
        double v0 = h->stars.v[i][k], v1 = v0 + dt / 2 * (a0 + a1) + dt * dt / 12 * (j0 - j1);

        h->x[b][k] = h->stars.x[i][k] += dt / 2 * (v0 + v1) + dt * dt / 12 * (a0 - a1);
        h->v[b][k] = h->stars.v[i][k] = v1;
        crackle[k] = (6 * dt * (j0 + j1) - 12 * (a1 - a0)) / (dt * dt * dt);
        snap[k] = (6 * (a1 - a0) - dt * (4 * j0 + 2 * j1)) / (dt * dt) + dt * crackle[k];
        h->acc[i][k] = a1;
        h->jerk[i][k] = j1;
    }
    a = length_of(h->acc[i]), j = length_of(h->jerk[i]);
    s = length_of(snap), c = length_of(crackle);
    h->time[i] = h->now;
    h->level[i] = next_level(h->now, sqrt(h->eta * (a * s + j * j) / (j * c + s * s)), h->level[i]);
}

/* Sorts the first stars, all of levels from `coarsest` on, by their new levels. */
static void sort_block(struct hermite *h, int size, int coarsest) {
    int place[LEVELS] = {0};

    for (int k = coarsest; k < LEVELS; k++)
        h->count[k] = 0;
    for (int b = 0; b < size; b++)
        h->count[h->level[h->order[b]]]++;
    for (int k = LEVELS - 1; k > coarsest; k--)
        place[k - 1] = place[k] + h->count[k];
    for (int b = 0; b < size; b++)
        h->sorted[place[h->level[h->order[b]]]++] = h->order[b];
    for (int b = 0; b < size; b++)
        h->order[b] = h->sorted[b];
}

/* Goes to the time at which the shortest steps end. Returns how many stars end one there, and the
 * coarsest level of which that time is a multiple. */
static int next_block(struct hermite *h, int *coarsest) {
    int level = LEVELS - 1, size = 0;

    while (!h->count[level])
        level--;
    h->now += ldexp(1, -level);
    while (level >= COARSEST && ldexp(h->now, level) == floor(ldexp(h->now, level)))
        size += h->count[level--];
    *coarsest = level + 1;
    return size;
}

static void advance(struct hermite *h) {
    int coarsest, size = next_block(h, &coarsest);

#pragma omp parallel for if (size > WORTH_THREADS)
    for (int b = 0; b < size; b++)
        predict(h, b);
    must(g6_set_ti(0, h->now));
    forces(h->stars.n, size, h->index, h->x, h->v, h->eps, h->felt, h->felt_jerk, h->pot,
           h->nearest);
#pragma omp parallel for if (size > WORTH_THREADS)
    for (int b = 0; b < size; b++)
        correct(h, b);
    for (int b = 0; b < size; b++)
        send(h, h->index[b], h->x[b], h->v[b], h->felt[b], h->felt_jerk[b]);
    sort_block(h, size, coarsest);
    h->blocks++;
    h->moved += size;
}

/* At the time 0. Before there is a cubic, a step is short: a 32nd of what the criterion gives a
 * circular orbit. A passing star shows in the third derivative first; steps of a quarter miss it.
 */
static struct hermite start(struct stars stars, double eps, double eta) {
    size_t n = stars.n;
    struct hermite h = {.stars = stars, .eps = eps, .eta = eta};

    h.time = room_for(n, sizeof *h.time), h.level = room_for(n, sizeof *h.level);
    h.acc = room_for(n, sizeof *h.acc), h.jerk = room_for(n, sizeof *h.jerk);
    h.order = room_for(n, sizeof *h.order), h.sorted = room_for(n, sizeof *h.sorted);
    h.index = room_for(n, sizeof *h.index), h.nearest = room_for(n, sizeof *h.nearest);
    h.x = room_for(n, sizeof *h.x), h.v = room_for(n, sizeof *h.v);
    h.felt = room_for(n, sizeof *h.felt), h.felt_jerk = room_for(n, sizeof *h.felt_jerk);
    h.pot = room_for(n, sizeof *h.pot);
    for (int i = 0; i < stars.n; i++)
        send(&h, i, stars.x[i], stars.v[i], h.acc[i], h.jerk[i]);
    must(g6_set_ti(0, 0));
    forces(stars.n, stars.n, stars.index, stars.x, stars.v, eps, h.acc, h.jerk, h.pot, h.nearest);
    for (int i = 0; i < stars.n; i++) {
        h.level[i] =
            next_level(0, sqrt(eta) / 32 * length_of(h.acc[i]) / length_of(h.jerk[i]), COARSEST);
        h.order[i] = i;
        send(&h, i, stars.x[i], stars.v[i], h.acc[i], h.jerk[i]);
    }
    sort_block(&h, stars.n, COARSEST);
    return h;
}

/* To a time that is a multiple of the coarsest step, where all stars have the same time. */
static void evolve(struct hermite *h, double end) {
    h->blocks = h->moved = 0;
    while (h->now < end)
        advance(h);
}

static double momentum(const struct stars *stars) {
    double p[3] = {0};

    for (int i = 0; i < stars->n; i++)
        for (int k = 0; k < 3; k++)
            p[k] += stars->mass[i] * stars->v[i][k];
    return length_of(p);
}

int main(int argc, char **argv) {
    double n = argument(argc, argv, 1, 0), begin = argument(argc, argv, 2, 0.25);
    double end = argument(argc, argv, 3, 0.5), eps = argument(argc, argv, 4, 1.0 / 256);
    double eta = argument(argc, argv, 5, 0.02), seed = argument(argc, argv, 6, 1), took;
    double before, before_here = NAN, after, after_here = NAN;
    struct hermite h;

    if (n < 2 || n > 1 << 24 || begin < 0 || end <= begin || fmod(begin, ldexp(1, -COARSEST)) ||
        fmod(end, ldexp(1, -COARSEST)) || eps < 0 || eta <= 0) {
        fprintf(stderr,
                "usage: hermite N [t_begin t_end eps eta seed]; times are multiples of 1/%d\n",
                1 << COARSEST);
        return 1;
    }
    must(g6_open(0));
    h = start(plummer_sphere((int)n, (uint64_t)seed), eps, eta);
    before = kinetic_energy(&h.stars);
    if (n <= 16384)
        before_here = before + potential_energy_here(&h.stars, eps);
    for (int i = 0; i < h.stars.n; i++)
        before += h.stars.mass[i] * h.pot[i] / 2;
    evolve(&h, begin);
    took = -seconds();
    evolve(&h, end);
    took += seconds();
    after = kinetic_energy(&h.stars);
    if (n <= 16384)
        after_here = after + potential_energy_here(&h.stars, eps);
    after += potential_energy(&h.stars, eps);
    printf("%d,%g,%g,%.4g,%lld,%lld,%.1f,%.3e,%.3e,%.17g,%.3e\n", h.stars.n, eps, eta, took,
           h.blocks, h.moved, (double)h.moved / (double)h.blocks, (after - before) / before,
           (after_here - before_here) / before_here, after, momentum(&h.stars));
    return g6_close(0);
}
