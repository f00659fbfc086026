/* A folder or an archive with the files that were found in it, in memory. */
#ifndef CONTAINER_H
#define CONTAINER_H

#include <sys/types.h>

#include "unpack.h"

struct container;

/* A file. One that was not read has `why`, one of no interest no bytes. An archive inside an
 * archive or folder has `inner`. */
struct piece {
    char *path; /* inside the container */
    char *text;
    size_t bytes;
    int64_t time; /* an archive's entry's (unpack.h) */
    enum why why;
    struct container *inner;
};

struct container {
    char *path;                         /* from the folder that was given */
    int is_archive, is_export, is_file; /* else a folder */
    enum level level;
    struct piece *pieces;
    int count, entries;
    size_t kept; /* bytes */
    enum why why;
};

/* Reads the folder or file `name` in the open directory `folder`; Symbolic
 * links are not followed. A file that is no archive is the
 * only piece of its container. At LEVEL_ANY it may be an export of a class. */
struct container *container_read(int folder, const char *name, enum level level);

void container_free(struct container *container);

#endif
