/* What a player printed before it gave up, as a message. */
#ifndef LAST_WORDS_H
#define LAST_WORDS_H

#include <stddef.h>

#include "problems/outcome.h"

/* The outcome that cpucuda's last line "cpucuda: WORD: text" in `printed` names, and its text with
 * source lines in `message`; OUTCOME_ACCEPTED if there is no such line. */
enum outcome last_words(const char *printed, const char *program, char *message, size_t size);

/* Copies the last line of `printed` that holds something; "" if there is none. */
void last_line(const char *printed, char *line, size_t size);

#endif
