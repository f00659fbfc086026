/* The honest N-body step that every player here is linked with. Its simulation_ functions are weak:
 * a player defines those in which it cheats or fails, and calls honest_ ones for the rest. */
#ifndef HONEST_H
#define HONEST_H

#include <stddef.h>

#include "figures.h"
#include "nbody.h"
#include "protocol/player.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
};

struct simulation *honest_create(const struct parameters *parameters, const struct body *in,
                                 struct body *out);
int honest_run(struct simulation *simulation, int iterations);

/* The two halves of an iteration, on `bodies`. */
void honest_velocities(const struct parameters *parameters, struct body *bodies);
void honest_positions(const struct parameters *parameters, struct body *bodies);

/* Bytes of the bodies of a simulation. */
size_t honest_bytes(const struct simulation *simulation);

/* In a file of several players: PLAYER(forks) { ... } is what the program `forks` does for a run;
 * as such the Makefile links it. */
#define PLAYER(name)                                                                               \
    int run_of_##name(struct simulation *simulation, int iterations);                              \
    int run_of_##name(__attribute__((unused)) struct simulation *simulation,                       \
                      __attribute__((unused)) int iterations)

#endif
