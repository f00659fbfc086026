/* Technique checks: is a right program also the program that the step is about? A problem offers
 * measures of what was observed of a run; a step's manifest names some, with bounds:
 *
 *     technique = launches_per_iteration >= 1, threads_per_block_as_given
 *
 * The first that does not hold tells why. */
#ifndef TECHNIQUE_H
#define TECHNIQUE_H

#include "problem.h"

struct technique {
    const char *name;
    /* NAN: it holds under no bound. */
    double (*measure)(const struct observed *observed);
    /* What was seen and what is wanted, in `message` (512 bytes), with "{+0x12ab}" for the line of
     * an offset into the program. */
    void (*say)(const struct observed *observed, double bound, char *message);
    /* What the manifest's bound comes to for this program; NULL: itself. */
    double (*bound_for)(const struct observed *observed, double bound);
    const char *per; /* what a bound is written with, as "/threads"; NULL: nothing */
    int unbounded;   /* it is named alone, and its measure is 1 if it holds, else 0 */
};

/* Elements that the observed run has gone over, in all iterations. */
double technique_elements(const struct observed *observed);

/* A measure: blocks of the launch that has most. */
double technique_blocks(const struct observed *observed);

/* What lines of the trace come to, by the value of each, and which has most. */
struct tally {
    double sum;
    const struct trace_line *most; /* NULL: none has any */
};
struct tally technique_tally(const struct observed *observed,
                             double (*value)(const struct trace_line *line));

/* A row of a table, of a step in C with OpenMP: the work of its other threads over that of the
 * busiest. */
double technique_work_of_others(const struct observed *observed);
void technique_say_unshared(const struct observed *observed, double bound, char *message);
#define TECHNIQUE_WORK_OF_OTHERS                                                                   \
    {                                                                                              \
        .name = "work_of_other_threads", .measure = technique_work_of_others,                      \
        .say = technique_say_unshared                                                              \
    }

/* Whether a right program follows the technique that a manifest asks for. Returns 1 if so; else 0
 * and says in `message` (512 bytes) what is missing; -1 for a text without any. */
int technique_check(const struct problem *problem, const char *text,
                    const struct observed *observed, char *message);

/* Whether the text asks for what the problem does not offer; `message` (512 bytes) says what. */
int technique_wrong(const struct problem *problem, const char *text, char *message);

#endif
