/* See why: what a step's program asks of the machine, beside that of the step it builds on. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "referee/build/catalogue.h"

/* Prints one table of both, where every figure is marked with its origin, a few sentences and, of
 * CUDA C, memory by source line. Figures come from ncu where there is a GPU, from nvcc, from the
 * machine code, from the trace, from the record of this machine and, of what is not known then,
 * from the committed one. Nothing is judged or written. */
enum outcome explain(const struct options *options);

#endif
