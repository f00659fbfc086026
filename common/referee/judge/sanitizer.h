/* Reads what a sanitizer printed before it ended a player. */
#ifndef SANITIZER_H
#define SANITIZER_H

#include "problems/outcome.h"

enum { SANITIZER_MESSAGE = 704 };

/* OUTCOME_RACE, OUTCOME_ORDER, OUTCOME_MEMORY or OUTCOME_CRASHED and a message (SANITIZER_MESSAGE
 * bytes) with the source lines, if `printed` holds a report; else OUTCOME_ACCEPTED. Lines count
 * only in `source`, the file as messages name it. */
enum outcome sanitizer_read(const char *printed, const char *source, char *message);

/* Whether libarcher told ThreadSanitizer how OpenMP orders threads; without it a race report under
 * OpenMP means nothing. */
int sanitizer_knows_openmp(const char *printed);

#endif
