/* Finds submissions in a folder, in whatever form an instructor has them, and takes from each the
 * one file a step that counts. Nothing of a submission is trusted, its names least of all. */
#ifndef COLLECT_H
#define COLLECT_H

#include "submission.h"

/* Calls `take` for each submission in `folder`, in the order of students, and of a student as they
 * came in. A submission from which nothing can be taken is given too, with its refusals. `take`
 * returns 0, or not 0 to stop. A lone source whose name tells no step is that of `only`; NULL: of
 * none. Run from the course's top; the submission is freed after the call. */
enum outcome collect(const char *folder, const struct catalogue *catalogue, const struct step *only,
                     int (*take)(const struct submission *submission, void *context),
                     void *context);

#endif
