/* Tables that what was measured and done is written down in: a header, then lines of as many
 * fields, between tabs or else commas, which are only appended. Of a record the fields are between
 * commas.
 */
#ifndef LINES_H
#define LINES_H

#include "problems/outcome.h"

/* Appends whole lines under the folder's lock: all of them or none, even when the writer is killed.
 * Makes folder and file if need be; `header` and those below are without a newline. Complains if it
 * cannot. */
enum outcome lines_append(const char *folder, const char *path, const char *header,
                          const char *lines);

/* Reads a file to `text`, to be freed: 0 bytes, or the header and whole lines, which the file may
 * be `to_write` for. NULL: there is no file. Complains of any other. */
enum outcome lines_text(const char *path, const char *header, int to_write, char **text);

/* Calls `take` with each line but the header, without its newline, until that returns no 0, which
 * means that the line is damaged. No file, no lines. */
enum outcome lines_read(const char *path, const char *header,
                        int (*take)(void *to, const char *line), void *to);

/* Writes the time it is, UTC, as 2026-11-21T19:30:00Z. */
void lines_time(char time_utc[24]);

#endif
