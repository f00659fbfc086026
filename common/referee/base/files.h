/* Whole files. */
#ifndef REFEREE_FILES_H
#define REFEREE_FILES_H

#include <stdio.h>
#include <sys/types.h>

/* The rest of an open file, and a file's bytes, with a 0 after them; to be freed. `size`, if not
 * NULL, gets their number. NULL: the file cannot be read. */
char *file_rest(FILE *file, size_t *size);
char *file_bytes(const char *path, size_t *size);

/* Whether the file holds these bytes; NULL stands for no file. */
int file_holds(const char *path, const char *bytes, size_t size);

/* Puts the bytes, or another file's, in the file's place, so that it is never seen half written; it
 * keeps its mode, and a new file gets that mode, less the umask. Returns 0, or -1 with errno and
 * leaves the file as it was. */
int file_put(const char *path, const void *bytes, size_t size, mode_t mode);
int file_copy(const char *from, const char *to, mode_t mode);

#endif
