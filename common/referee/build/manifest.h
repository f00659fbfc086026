/* steps/NN_name/manifest: what is particular to a step. Lines `name = value` and comments after a
 * #, without functions of make: make includes the same file. */
#ifndef MANIFEST_H
#define MANIFEST_H

#include <stddef.h>

enum { MOST_VALUE = 512 };

struct setting {
    char name[64], value[MOST_VALUE];
    int line;
};

/* The next line of `*at` that sets something; begins with `line` = 0. Returns 1; 0: there is none;
 * -1: setting->line is no such line. */
int manifest_next(const char **at, struct setting *setting);

/* The value of a name, empty if the manifest (NULL: an empty one) does not set it. Returns whether
 * it does. */
int manifest_value(const char *manifest, const char *name, char value[MOST_VALUE]);

/* Takes the next word of a list, up to `separator` or a space, into `word` (64 bytes). Returns 0 at
 * its end. */
int next_word(const char **list, char word[64]);

/* Looks for what is wrong with a manifest: a line that is none, a name that there is not or is
 * there twice, one that is missing, a variant without flags, flags, a cost or a library of no
 * variant. Returns the line's number, 0 if all is well; `message` (512 bytes) says what. */
int manifest_wrong(const char *manifest, char *message);

#endif
