/* The folder of a task, /tmp/course-grading.XXXXXX: the source, 09's flags and build/, which
 * belongs to the user that builds and runs. */
#ifndef FOLDER_H
#define FOLDER_H

#include <sys/types.h>

#include "problems/outcome.h"

enum { FOLDER_BYTES = 32 };

struct folder {
    char path[FOLDER_BYTES];
    char source[FOLDER_BYTES + 40]; /* in it */
    int lock;                       /* held while the folder is in use */
};

/* Makes it and copies the source, and flags if they lie beside it. */
enum outcome folder_make(struct folder *folder, const char *source, uid_t user);

/* Removes it with all that is in it. */
void folder_remove(struct folder *folder);

/* Removes any folder with all that is in it. */
void folder_delete(const char *path);

/* The last part of its path. */
const char *folder_name(const struct folder *folder);

/* Removes what graders left that were killed: folders that nobody holds, and their cgroups. */
void folder_remove_left(void);

/* Whether so little is left of the disk that programs may have failed for want of it. */
int folder_disk_full(void);

#endif
