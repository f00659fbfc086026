/* What the kernels of a step ask of memory, counted by the build `trace` of cpucuda. */
#ifndef TRACE_STEP_H
#define TRACE_STEP_H

#include "referee/build/programs.h"
#include "referee/record/session.h"

/* Prints the table by source line (trace_print.h) for two iterations of one variant. */
enum outcome trace_step(const struct options *options);

/* Writes the sums down as facts of the run, for that variant at the problem's small size (4096
 * bodies): what documents quote. A machine without a C++ compiler has none. */
enum outcome trace_record(const struct session *session, const struct programs *programs,
                          const char *variant);

#endif
