/* The contract of a backend of the GRAPE-6's library, which computes for a cluster: it keeps bodies
 * in a memory, as polynomials in time, predicts them, and computes what other bodies feel of them.
 * Arguments have been checked: addresses are in range and numbers are finite. A function that
 * returns an int returns 0, or one of the codes of grape6.h. */
#ifndef GRAPE_BACKEND_H
#define GRAPE_BACKEND_H

#include "jerk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body of the memory. With dt = ti - tj it is, at the time ti, at
 *
 *     x + v dt + aby2 dt^2 + a1by6 dt^3 + 3/4 a2by18 dt^4
 *
 * and its velocity is the derivative of that. */
struct j_body {
    double x[3], v[3], aby2[3], a1by6[3], a2by18[3], mass, tj;
    int index;
};

/* A body that feels them: softening and radius of its neighbourhood, both squared. */
struct i_body {
    double x[3], v[3], eps2, h2;
    int index;
};

/* Neighbours of a body: indices, ascending, in memory from malloc(). */
struct neighbours {
    int *index, count, room;
};

/* What to compute besides acceleration and potential. Results that are not asked for may be
 * anything. */
enum { WANTS_JERK = 1, WANTS_NEAREST = 2 };

/* A backend. A cluster gets one when it is opened and keeps it until it is closed. */
struct grape_backend {
    const char *name;
    void *(*open)(void); /* returns its own state; NULL if it cannot be had here */
    void (*close)(void *state);

    /* Writes a body; predictions made before it stay as they are. An address that was never written
     * holds no body. */
    int (*write)(void *state, int address, const struct j_body *body);
    /* Moves the bodies at addresses 0 to nj - 1 to the time ti, for sum() and find(), which may be
     * called any number of times until the next prediction. */
    int (*predict)(void *state, double ti, int nj);
    /* As struct force describes it, over bodies of another index; the neighbour is an index. */
    int (*sum)(void *state, const struct i_body *bodies, int ni, int wants, struct force *forces);
    /* For each of ni bodies, all those of another index with r^2 < h2. */
    int (*find)(void *state, const struct i_body *bodies, int ni, struct neighbours *lists);

    /* Where a body is at the time ti, and how fast: zeros where there is none. */
    void (*locate)(void *state, double ti, int address, double x[3], double v[3]);
};

/* The library's own backend; and that of a step's solution, which the library has if nvcc built
 * it. */
extern const struct grape_backend grape_cpu, grape_gpu;

#ifdef __cplusplus
}
#endif

#endif
