/* What the N-body problems offer for technique checks. */
#ifndef NBODY_TECHNIQUES_H
#define NBODY_TECHNIQUES_H

#include "problems/technique.h"

/* Pairs of bodies that the observed run has computed. */
double nbody_interactions(const struct observed *observed);

/* Tables, one of a file: of programs in C; of launches, copies, flags and roots; of what kernels
 * ask of memory; of tensor cores and several devices. */
extern const struct technique nbody_techniques_c[], nbody_techniques_run[],
    nbody_techniques_memory[], nbody_techniques_units[];

/* All of them. */
extern const struct technique *const nbody_techniques[];

#endif
