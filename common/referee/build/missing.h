/* CUDA that cpucuda has not, in a source that it does not compile. */
#ifndef MISSING_H
#define MISSING_H

#include <stddef.h>
#include <stdio.h>

/* Looks at the lines of the source that the compiler complains of in `log`, which calls the source
 * `shown`. If one of them uses such a feature of CUDA, puts "SHOWN:LINE: `WORD`: cpucuda has no
 * FEATURE" into `message` and returns 1. */
int missing_feature(FILE *log, const char *source, const char *shown, char *message, size_t size);

/* Of a source that nvcc accepts: "cpucuda lacks something that this uses: " and the first error
 * that is about the source. */
int missing_line(FILE *log, char *message, size_t size);

#endif
