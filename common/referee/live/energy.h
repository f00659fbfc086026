/* The energy of what moves, in a thread that gets what time the others leave. */
#ifndef ENERGY_H
#define ENERGY_H

#include "referee/inspect/moving.h"

/* Its sums are over all pairs: of more elements there is none. */
enum { MOST_SUMMED = 1 << 17 };

struct energy {
    int known;
    double kinetic, potential, time; /* in units in which G and the total mass are 1 */
    double first;                    /* the sum of both when it was known first */
};

struct energy_thread;

/* NULL: no memory or thread. */
struct energy_thread *energy_start(void);

/* Has the energy of the elements as they are now summed, if the last sum is done and was long
 * enough ago that all sums take at most one part in 50 of the time; they are copied. */
void energy_sum(struct energy_thread *thread, const struct moving *moving, double softening,
                double time);

/* Forgets what was: the elements or what moves them are others now. */
void energy_forget(struct energy_thread *thread);

struct energy energy_last(struct energy_thread *thread);

#endif
