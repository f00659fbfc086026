/* make estimate: how fast a step would be on a GPU that is not here. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "referee/base/options.h"

enum outcome estimate(const struct options *options);

/* One line for the record's GPU, beside what a machine without a GPU measures; nothing without
 * nvcc. */
void estimate_line(const struct options *options, const struct step *step);

#endif
