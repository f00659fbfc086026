/* What the path of a source says of the step that it is of. */
#ifndef STEP_NAMES_H
#define STEP_NAMES_H

#include "referee/build/catalogue.h"

/* The words of the path that name a step, or would: the last of its folders that does, and of its
 * own name NN_name of NN_name.cu, NN of nbody_NN.cu. Empty: there is none. Both have room for
 * MOST_PATH. */
void step_words(const struct catalogue *catalogue, const char *path, char *folder, char *file);

/* The step that the word names: 05, 5, its full name, or that with hyphens; NULL: there is none. */
const struct step *step_named(const struct catalogue *catalogue, const char *word);

/* Whether a file is called as the step's source is; or, if a `word` in its name tells the step, as
 * that word is, with or without the source's name before it. Its ending is another question. */
int step_is_called(const char *base, const char *word, const struct step *step);

/* Whether the file is in C or CUDA C as the step is. */
int step_is_of_kind(const char *base, const struct step *step);

/* The only step whose source is called as the file is. NULL: `count`, of such steps, is not 1. */
const struct step *step_with_source(const struct catalogue *catalogue, const char *base,
                                    int *count);

#endif
