/* steps/NN_name/hints.md, and for `## lanes` also hints.md beside this file: sections `## part 1`
 * ..., `## compile`, `## access`, `## result`, `## idea`, each of three paragraphs that begin with
 * `1. `, `2. `, `3. `. A line `Until then: copy, order` in a part's section names the outcomes,
 * beside wrong results, that a program has for want of that part. */
#ifndef HINTS_H
#define HINTS_H

#include "outcome.h"

enum { HINT_LEVELS = 3, HINT_BYTES = 2048 };

/* The kinds of failure that there are hints for. */
enum failure {
    FAILURE_NONE,
    FAILURE_COMPILE,
    FAILURE_ACCESS,
    FAILURE_RESULT,
    FAILURE_IDEA,
    FAILURE_LANES /* of a warp do not meet as their mask says */
};

/* Which kind an outcome of a check is. */
enum failure hints_failure(enum outcome outcome);

/* The section's name; NULL for FAILURE_NONE. */
const char *hints_section(enum failure failure);

/* Whether the part's section has the outcome in its line `Until then: `. */
int hints_until_then(const char *path, int part, enum outcome outcome);

/* The first hint for a compiler's words on an error of names, types or arguments; the step's own is
 * about what a line lacks. NULL: it is none of these. */
const char *hints_of_compiler(const char *error);

/* Writes the hint of that level, 1 to HINT_LEVELS, with `where` in the place of {where}. Returns 0
 * if the file has no such section or level. */
int hints_read(const char *path, const char *section, int level, const char *where,
               char text[HINT_BYTES]);

#endif
