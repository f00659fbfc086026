/* What a trace counted, by line of the source and as facts of the record. */
#ifndef TRACE_PRINT_H
#define TRACE_PRINT_H

#include "protocol/counters.h"
#include "problems/problem.h"

enum { TRACE_FACTS = 4 };

struct trace_fact {
    char name[48]; /* trace_global_bytes_per_interaction */
    const char *unit;
    double value;
};

/* The sums over all lines, for `work` units of the problem's work. Returns how many there are: what
 * no access tells, such as wavefronts without shared memory, is left out. */
int trace_facts(const struct counters *counters, const struct problem *problem, double work,
                struct trace_fact facts[TRACE_FACTS]);

/* Prints a table of the program's lines, in their order, and the sums; or both as the
 * member `trace` of a JSON object. */
void trace_print(const char *program, const struct counters *counters,
                 const struct problem *problem, double work);
void trace_print_json(const char *program, const struct counters *counters,
                      const struct problem *problem, double work);

#endif
