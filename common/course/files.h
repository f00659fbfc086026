/* Whole files of a learner. */
#ifndef FILES_H
#define FILES_H

#include <stdio.h>

/* The rest of an open file, and a file's bytes, to be freed; NULL: there is no such file. */
char *file_rest(FILE *file, size_t *size);
char *file_bytes(const char *path, size_t *size);

/* Whether the file holds these bytes; NULL stands for no file. */
int file_holds(const char *path, const char *bytes, size_t size);

/* Puts the bytes in the file's place, so that it is never seen half written. Returns 0, or -1 and
 * leaves the file as it was. */
int file_put(const char *path, const char *bytes, size_t size);

#endif
