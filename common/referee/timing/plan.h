/* Which program is measured at which sizes. */
#ifndef PLAN_H
#define PLAN_H

#include "problems/problem.h"

enum { MOST_SIZES = 16 };

/* A size, and the iterations of a timed run there; 0: as many as make 20 ms (timing.h). */
struct occasion {
    int n, iterations;
    int errors; /* against fp64 are wanted */
};

struct planned {
    const struct sizes *sizes; /* the problem's */
    const char *backend;       /* cpu, cuda or cpucuda */
    int is_default;            /* the step's default variant */
    int companion;             /* timed for a comparison with another step only */
    int threads;               /* for its scaling with threads; 0: the program's own choice */
    int device_clock;          /* kernel-only: timed without copies, by the device's own clock */
    int device_sizes;          /* at so many sizes then, if that is more than the first */
    int device_too;            /* another program of it is, and nobody asked for this one */
    int ladder;                /* `make run`, which climbs in a minute or two; else `make bench` */
    int gpu;                   /* this machine has one */
    int over_n;        /* its rate is wanted at many sizes: the end of the ladder (catalogue.h) */
    int n, iterations; /* what N= and ITERATIONS= ask for; 0: not given */
};

/* Fills in where the program is measured, smallest first, and returns at how many sizes. Of the
 * problem's sizes these are
 *
 *   backend   make bench                           make run (default variants)
 *   cpu       all timed; other variants the first  the first timed with a GPU, else `small`
 *   cuda      all timed                            all timed
 *   cpucuda   `small`                              `small`
 *
 * The scaling with threads is measured at the first timed size only. A run on the GPU at a timed
 * size has the iterations that go with it. `make bench` of the ladder's end on the GPU, its default
 * variant, also takes the powers of two from 1024 to 1048576, for the picture of its rate over n.
 * Above `with_errors`, and of a program in C above its first size, where they would take minutes,
 * there are no errors against fp64. A companion on the CPU of a machine with a GPU stops at
 * `beside`. By the device's clock the default variant is timed at all of `by_device`, in their
 * order, others at the first or the first `device_sizes`; if `device_alone`, these are not timed
 * host to host. With N= there is that size only. */
int plan_occasions(const struct planned *planned, struct occasion occasions[MOST_SIZES]);

/* The largest size that is planned without N=. */
int plan_largest(const struct sizes *sizes);

/* Whether the backend's times mean anything: cpucuda's do not. */
int plan_is_timed(const char *backend);

#endif
