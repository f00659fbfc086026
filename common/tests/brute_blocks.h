/* Stars moved by block steps the slow and plain way, in double: at every block step all stars are
 * asked anew who is due. What the scheduler of a program is held against. */
#ifndef BRUTE_BLOCKS_H
#define BRUTE_BLOCKS_H

#include <math.h>

#include "cluster.h"

enum { MOST_TRAVELLERS = 600, LONGEST = 40 }; /* an interval is 2^LONGEST ticks */

struct brute {
    double first, fall; /* the first step over sqrt(eta), at most: shares of |a| / |j|, and of
                         * (m / |a|^3)^(1/4) for the star's mass m; 0: no limit */
    long blocks, moved; /* block steps, and steps of stars */
    /* What has to hold, counted where it does not. */
    long off_grid, overtaken, late;
};

struct brute_star {
    struct star star;
    double a[3], j[3];
    unsigned long long time, step;
};

static double brute_length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Where a star is, after dt of its own. */
static struct star brute_predict(const struct brute_star *star, double dt) {
    struct star there = star->star;

    for (int c = 0; c < 3; c++) {
        there.x[c] +=
            star->star.v[c] * dt + star->a[c] * dt * dt / 2 + star->j[c] * dt * dt * dt / 6;
        there.v[c] += star->a[c] * dt + star->j[c] * dt * dt / 2;
    }
    return there;
}

static void brute_feel(const struct star *stars, int n, int i, double softening, double a[3],
                       double jerk[3]) {
    for (int c = 0; c < 3; c++)
        a[c] = jerk[c] = 0;
    for (int j = 0; j < n; j++) {
        double r[3], v[3], square = softening * softening, rv = 0, scale;

        for (int c = 0; c < 3; c++) {
            r[c] = stars[j].x[c] - stars[i].x[c];
            v[c] = stars[j].v[c] - stars[i].v[c];
            square += r[c] * r[c];
            rv += r[c] * v[c];
        }
        if (j == i)
            continue;
        scale = stars[j].mass / (square * sqrt(square));
        for (int c = 0; c < 3; c++) {
            a[c] += scale * r[c];
            jerk[c] += scale * (v[c] - 3 * rv / square * r[c]);
        }
    }
}

/* The criterion's step after one of dt, with the derivatives at its end. */
static double brute_wanted(const struct brute_star *star, const double a[3], const double j[3],
                           double dt, double eta) {
    double snap[3], crackle[3], s, k, al = brute_length(a), jl = brute_length(j);

    for (int c = 0; c < 3; c++) {
        crackle[c] =
            6 / (dt * dt) * (star->j[c] + j[c]) + 12 / (dt * dt * dt) * (star->a[c] - a[c]);
        snap[c] = -6 / (dt * dt) * (star->a[c] - a[c]) - 2 / dt * (2 * star->j[c] + j[c]) +
                  dt * crackle[c];
    }
    s = brute_length(snap);
    k = brute_length(crackle);
    return sqrt(eta * (al * s + jl * jl) / (jl * k + s * s));
}

/* Moves stars by so many intervals. */
static void brute_run(struct brute *brute, const struct cluster_parameters *parameters,
                      const struct star *in, struct star *out, int intervals) {
    static struct brute_star stars[MOST_TRAVELLERS];
    static struct star at[MOST_TRAVELLERS];
    const unsigned long long longest = 1ULL << LONGEST, end = longest * (unsigned)intervals;
    const double tick = parameters->interval / (double)longest;
    int n = parameters->n;

    for (int i = 0; i < n; i++) {
        double wanted;

        stars[i] = (struct brute_star){.star = in[i], .step = longest};
        brute_feel(in, n, i, parameters->softening, stars[i].a, stars[i].j);
        wanted = brute->first * brute_length(stars[i].a) / brute_length(stars[i].j);
        if (brute->fall > 0)
            wanted = fmin(wanted,
                          brute->fall * pow(in[i].mass / pow(brute_length(stars[i].a), 3), 0.25));
        wanted *= sqrt(parameters->accuracy);
        while ((double)stars[i].step * tick > wanted)
            stars[i].step /= 2;
    }
    for (;;) {
        unsigned long long now = ~0ULL;
        long size = 0;

        for (int i = 0; i < n; i++)
            now = stars[i].time + stars[i].step < now ? stars[i].time + stars[i].step : now;
        if (now > end)
            break;
        for (int i = 0; i < n; i++)
            at[i] = brute_predict(&stars[i], (double)(now - stars[i].time) * tick);
        for (int i = 0; i < n; i++) {
            struct brute_star *star = &stars[i];
            double a[3], j[3], dt = (double)star->step * tick, wanted;

            brute->overtaken += star->time + star->step < now;
            if (star->time + star->step != now)
                continue;
            brute_feel(at, n, i, parameters->softening, a, j);
            wanted = brute_wanted(star, a, j, dt, parameters->accuracy);
            for (int c = 0; c < 3; c++) {
                double v = star->star.v[c];

                star->star.v[c] +=
                    dt / 2 * (star->a[c] + a[c]) + dt * dt / 12 * (star->j[c] - j[c]);
                star->star.x[c] +=
                    dt / 2 * (v + star->star.v[c]) + dt * dt / 12 * (star->a[c] - a[c]);
                star->a[c] = a[c];
                star->j[c] = j[c];
            }
            star->time = now;
            if (star->step < longest && now % (2 * star->step) == 0 &&
                2 * (double)star->step * tick <= wanted)
                star->step *= 2;
            else
                while ((double)star->step * tick > wanted)
                    star->step /= 2;
            brute->off_grid += now % star->step != 0;
            size++;
        }
        brute->blocks++;
        brute->moved += size;
    }
    for (int i = 0; i < n; i++) {
        brute->late += stars[i].time != end;
        out[i] = stars[i].star;
    }
}

#endif
