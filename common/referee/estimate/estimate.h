/* make estimate: how fast a step would be on a GPU that is not here. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "referee/base/options.h"
#include "referee/record/record.h"

enum outcome estimate(const struct options *options);

/* One line for the records' GPU, beside what a machine without a GPU checks or measures, and of a
 * measurement's run the fact estimated_gps_N in G/s; `run` and `fact` may be NULL. 0 without nvcc,
 * when there is neither. */
int estimate_line(const struct options *options, const struct step *step, const char *run,
                  struct fact *fact);

#endif
