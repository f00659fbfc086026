/* What a timeline holds, for people, programs and the record. */
#ifndef TIMELINE_PRINT_H
#define TIMELINE_PRINT_H

#include "protocol/counters.h"
#include "referee/build/programs.h"
#include "referee/record/record.h"

enum { TIMELINE_NAME = 64, MOST_TIMELINE_FACTS = 2 * MOST_INTERVALS + 4 };

/* Sums over the intervals; times in s, 0 of cpucuda. Copies and kernels of several streams may run
 * at the same time: `neither` is when none of them did. */
struct timeline_sums {
    int copies, kernels;
    uint64_t bytes;
    double copying, computing, neither, whole;
};

struct timeline_sums timeline_sum(const struct counters *counters);

/* What an interval is: "copy in", "copy out" or the kernel's name. On a GPU that is what stands
 * before <<< in the launch's line of the source; `program` is the path of the one that ran. */
void timeline_name(const char *program, const struct interval *interval, char name[TIMELINE_NAME]);

/* Prints a table; or members of a JSON object. */
void timeline_print(const struct program *program, const struct counters *counters);
void timeline_print_json(const struct program *program, const struct counters *counters);

/* Begin and end of every interval, as timeline_n30000_00_copy_in_begin, and the sums. Returns how
 * many facts there are. */
int timeline_facts(const char *step, const struct program *program, const struct counters *counters,
                   int n, const char *run, struct fact facts[MOST_TIMELINE_FACTS]);

#endif
