/* Measures steps and writes the record. */
#ifndef BENCH_H
#define BENCH_H

#include "referee/build/catalogue.h"
#include "referee/record/record.h"

/* Times every variant of a step, or of all steps of the catalogue, each beside the step it builds
 * on; writes a row for each and prints the table. With `ladder`, the default variants of all
 * solutions at one small size: what a machine without a GPU climbs in a minute. */
enum outcome bench(const struct options *options, int ladder);

/* One checked run of one variant: prints its time, writes no row. */
enum outcome bench_once(const struct options *options);

#endif
