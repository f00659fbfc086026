/* A scene of a problem (struct motion) and the program that moves it. For film and live. */
#ifndef MOVING_H
#define MOVING_H

#include "problems/problem.h"
#include "protocol/player.h"
#include "referee/build/catalogue.h"

enum { AXES = 3 };

struct moving {
    const struct problem *problem;
    struct scene scene; /* with what the user asked for in its place */
    uint64_t seed;
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    size_t input_bytes, output_bytes;
    char *now, *next;      /* the elements; `next` is room for the next ones */
    struct player *player; /* NULL: the trusted program */
    char program[512];     /* the player's */
    const char *name;      /* of its step */
    char mover[192];       /* what moves the elements, as messages call it */
    int on_cpucuda;        /* a CPU plays the GPU */
};

/* The scene that the options ask for, of their step or else of N-body; complains if there is none.
 * Of the problem's scenes it is the first, or for an N above 2 the first that is none of a pair. */
enum outcome moving_choose(struct moving *moving, const struct options *options);

/* Makes the elements and has the step's program move them; without a step N-body's trusted program,
 * timed on one iteration, or the fastest solution that this host has in its record if that is
 * faster. Where a CPU plays the GPU and nobody gave an N, there are no more than problem->sizes
 * says of such a CPU. */
enum outcome moving_start(struct moving *moving, const struct options *options);

/* The elements where the scene, which may be another one now, begins, and the program started anew.
 */
enum outcome moving_again(struct moving *moving);

/* Has the program go on with other parameters: those that `parameters` holds now. */
enum outcome moving_set(struct moving *moving);

/* Moves the elements by so many iterations; `seconds` gets the time that took. */
enum outcome moving_advance(struct moving *moving, int iterations, double *seconds);

/* Ends the program and frees the elements. */
void moving_end(struct moving *moving);

/* Where an element has a coordinate: `offset` is that of its position or velocity. */
char *moving_place(const struct moving *moving, int i, size_t offset, int axis);
double moving_coordinate(const struct moving *moving, int i, size_t offset, int axis);

#endif
