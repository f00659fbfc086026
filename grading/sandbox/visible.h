/* What a program in the sandbox can see: one list for bubblewrap and for Landlock. */
#ifndef VISIBLE_H
#define VISIBLE_H

#include "sandbox.h"

enum sight {
    LISTED, /* what names are there; in bubblewrap those that are seen */
    SEEN,
    WRITTEN,
    DEVICE
};

struct visible {
    char *path; /* absolute */
    enum sight sight;
};

enum { MOST_VISIBLE = 256 };

/* Lists what is there and may be read, folders before what is in them; how many. Ends the program
 * if FOLDER or a part of the course may not be read. */
int visible_list(const struct sandbox *sandbox, struct visible list[MOST_VISIBLE]);

/* Whether `path` is `folder` or below it. */
int is_below(const char *path, const char *folder);

/* Whether `path` would be seen as part of the system. */
int is_system(const char *path);

#endif
