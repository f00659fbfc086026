/* Which program is measured at which sizes. */
#ifndef PLAN_H
#define PLAN_H

enum { MOST_SIZES = 12, LARGEST_PLANNED = 1048576 };

/* A size, and the iterations of a timed run there; 0: as many as make 20 ms (timing.h). */
struct occasion {
    int n, iterations;
    int errors; /* against fp64 are wanted */
};

struct planned {
    const char *backend; /* cpu, cuda or cpucuda */
    int is_default;      /* the step's default variant */
    int companion;       /* timed for a comparison with another step only */
    int threads;         /* for its scaling with threads; 0: the program's own choice */
    int forces;          /* they alone are timed, by the device's own clock */
    int ladder;          /* `make run`, which climbs in a minute or two; else `make bench` */
    int gpu;             /* this machine has one */
    int over_n;          /* its rate is wanted at many sizes: the end of the ladder (catalogue.h) */
    int n, iterations;   /* what N= and ITERATIONS= ask for; 0: not given */
};

/* Fills in where the program is measured, smallest first, and returns at how many sizes.
 *
 *   backend   make bench                           make run (default variants)
 *   cpu       all three; other variants 30000      30000 with a GPU, else 4096
 *   cuda      all three                            all three
 *   cpucuda   4096                                 4096
 *
 * The three are 30000, 65536 and 131072; the scaling with threads is measured at the first size
 * only. A run on the GPU at one of the three sizes has 10 iterations. `make bench` of the ladder's
 * end on the GPU, its default variant, also takes the powers of two from 1024 to 1048576, for the
 * picture of its rate over n. Above 131072 there are no errors against fp64: the oracle would
 * take minutes. A companion on the CPU of a machine with a GPU stops at 65536: step 01 would take a
 * minute more. Forces alone are timed at the powers of four from 1024 to 16384, at 131072 and
 * at 1048576, those of other variants than the default at 131072. With N= there is that size only.
 */
int plan(const struct planned *planned, struct occasion occasions[MOST_SIZES]);

/* Whether the backend's times mean anything: cpucuda's do not. */
int plan_is_timed(const char *backend);

#endif
