/* Loops over bodies j for a vector of bodies i. */
#ifndef SUMS_CPU_H
#define SUMS_CPU_H

enum { LANES = 8 }; /* doubles per vector of AVX-512 */

typedef double lanes[LANES] __attribute__((aligned(64)));

/* A body j at the time that it was predicted to: a line of the cache. */
struct place {
    double x[3], v[3], mass;
    long long index;
};

/* Bodies i, one per lane. */
struct target_lanes {
    lanes x, y, z, vx, vy, vz, eps2, h2;
    long long index[LANES] __attribute__((aligned(64)));
};

/* What they feel of a range of places. */
struct felt_lanes {
    lanes ax, ay, az, jx, jy, jz, pot, nearest_r2;
    long long nearest[LANES] __attribute__((aligned(64)));
};

struct loops {
    /* Adds what the places pull to the sums; with `wants_nearest` also finds which is nearest. */
    void (*sum)(const struct target_lanes *, const struct place *from, const struct place *to,
                int wants_nearest, struct felt_lanes *);
    /* Bit k of near[j]: place from[j] is a neighbour of lane k. */
    void (*find)(const struct target_lanes *, const struct place *from, const struct place *to,
                 unsigned char *near);
};

/* The loops by width of vectors: 0 is for any processor; NULL if this one cannot run such. */
const struct loops *grape6_loops(int width);
const struct loops *grape6_widest_loops(void);

#endif
