/* How fast a program of a step is beside the solution of the step and of the one it builds on. */
#ifndef COMPARE_H
#define COMPARE_H

#include "referee/build/catalogue.h"

/* Times the chosen source's default variant in turns with the solution's, then with that of the
 * step before, each pair on the same fresh inputs with every output compared, and prints what they
 * took; `SEED=` decides the inputs, `N=` the size: 131072 bodies on a GPU, 4096 on a CPU. A CPU
 * program before one for a GPU is left out. The outcome is the submission's failure, or
 * inconclusive. */
enum outcome compare(const struct options *options);

#endif
