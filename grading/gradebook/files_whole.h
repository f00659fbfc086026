/* Whole files. */
#ifndef FILES_WHOLE_H
#define FILES_WHOLE_H

#include <stddef.h>

/* A file's bytes and a 0 after them, to be freed; `bytes`, if not NULL, their number. NULL if the
 * file cannot be read. */
char *file_whole(const char *path, size_t *bytes);

/* Writes a file anew for its owner alone; 0 if that fails, and errno says why. */
int file_write(const char *path, const void *bytes, size_t count);

#endif
