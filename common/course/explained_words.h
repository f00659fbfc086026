/* What figures say, in sentences. */
#ifndef EXPLAINED_WORDS_H
#define EXPLAINED_WORDS_H

#include "explained.h"

enum { MOST_SENTENCES = 6, SENTENCE_BYTES = 640 };

/* What the step changed, if there is one before it; what its limit is and how much of it is
 * reached; of a CPU's limit, which vectors it is for; what its warps wait for; what holds its
 * occupancy back. Returns how many there are. */
int explained_sentences(const struct explained *after, const struct explained *before,
                        char sentences[MOST_SENTENCES][SENTENCE_BYTES]);

#endif
