/* Tables that a learner's work is written down in: a header, then a line an event, only appended.
 */
#ifndef LINES_H
#define LINES_H

#include "problems/outcome.h"

/* Appends a line, with its newline, to `results`/`name`; makes folder and file if need be. Returns
 * OUTCOME_RESULTS, and says why, if it cannot. */
enum outcome lines_append(const char *results, const char *name, const char *header,
                          const char *line);

/* Calls `take` with each line but the header, without its newline, until that returns no 0, which
 * means that the line is damaged. No file, no lines. `fields` says in a word what a line has. */
enum outcome lines_read(const char *results, const char *name, const char *header,
                        const char *fields, int (*take)(void *to, const char *line), void *to);

/* Writes the time it is, UTC, as 2026-11-21T19:30:00Z. */
void lines_time(char time_utc[24]);

#endif
