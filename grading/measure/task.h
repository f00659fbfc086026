/* A task: one run of the referee on one entry, in a sandbox. It needs no gradebook, so that it can
 * be done on another machine; its result is a file. */
#ifndef TASK_H
#define TASK_H

#include <stdint.h>

enum task_kind { TASK_CHECK, TASK_SPEED };

struct task {
    long entry; /* of the gradebook; for names of files alone */
    enum task_kind kind;
    int repeat;
    const char *step; /* its name */
    uint64_t seed;
    const char *source; /* path of the source; 09's flags lie beside it */
    int level;          /* of the sandbox; 0: the highest that the machine it is done on allows */
};

/* A task's result is JSON:
 *   {"entry": 12, "kind": "check", "repeat": 0, "seed": "123", "level": 2, "machine": "...",
 *    "course": "...", "begun_utc": "...", "seconds": 12.3,
 *    "outcome": "accepted",    a word of docs/exit-codes.md; "limit" if a limit ended the run
 *    "limit": "",              then which: time, memory, processes, disk, output
 *    "words": "...",           the end of what the referee wrote to stderr: the compiler's words
 *    "referee": {...}}         what it printed: `check --json 1` or `compare --json 1`; null if
 *                              it printed nothing that can be read
 * `check --json 1` prints
 *   {"step", "source", "backend", "seed", "outcome", "code",
 *    "verdicts": [{"variant", "aspect" (results, cuda, compiled, memory, races, trace, technique),
 * "outcome", "skipped", "expected" (rejected as the catalogue expects), "error_l2", "error_p99",
 *      "error_max", "first_wrong_decimal", "message",
 *      "cases": [{"n", "distribution", "outcome", "message"}]}],
 *    "memory": {"n", "iterations", "global_bytes", "global_requests", "global_sectors",
 *      "shared_requests", "shared_wavefronts"} or null,     of the default variant's trace
 *    "note"}
 * `compare --json 1` prints
 *   {"step", "backend" (cpu, cuda), "variant", "n", "iterations", "rounds", "seed",
 *    "outcome" (accepted, inconclusive, or how the submission failed), "message",
 *    "solution": PAIR, "previous": PAIR or null}
 * where PAIR = {"step", "seconds" (its median), "seconds_submission" (beside it), "share" (median
 * over rounds of its seconds over the submission's: above 1 the submission is faster), "share_low",
 * "share_high" (second and last but one of ten rounds: the median is between them with 98%)}.
 * Without a GPU `compare` of a step in CUDA C ends with outcome no-gpu and measures nothing. */

enum { PATH_BYTES = 512 };

#endif
