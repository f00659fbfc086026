/* steps/NN_name/hints.md: sections `## part 1` ..., `## compile`, `## access`, `## result`,
 * `## idea`, each of three paragraphs that begin with `1. `, `2. `, `3. `. A line
 * `Until then: copy, order` in a part's section names the outcomes, beside wrong results, that a
 * program has for want of that part. What a step's file lacks is looked for in hints.md beside this
 * file; a section there with a line `If it says: WORDS` is for wrong results of which the check
 * says so, and one with `If a compiler says: WORDS` has the first hint for that error. */
#ifndef HINTS_H
#define HINTS_H

#include "referee/build/catalogue.h"
#include "problems/outcome.h"

enum { HINT_LEVELS = 3, HINT_BYTES = 2048, SECTION_BYTES = 16 };

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

/* Whether a check that ended so did for want of the part: it is unfinished, or its results or its
 * idea are wrong, or the step's hints.md says so. A fault of what is written is named exactly, and
 * has hints of its own. 0: no part is missing. */
int hints_lacks_part(const char *step, enum outcome outcome, int part);

/* The section for a check that ended so and said `text`, where `part` is the first one that is not
 * written, 0: none. Returns 0 if there are no hints for that. */
int hints_choose(const char *step, enum outcome outcome, const char *text, int part,
                 char section[SECTION_BYTES]);

/* Writes the hint of that level, 1 to HINT_LEVELS, with `where` in the place of {where}, where `-`
 * is no place, and the problem's name in that of {problem}. `said` is what the compiler or linker
 * said. Returns 0 if neither the step nor the course has such a section or level. */
int hints_read(const struct step *step, const char *section, int level, const char *where,
               const char *said, char text[HINT_BYTES]);

/* Where a failure is, from what was said of it: in which line of the source, if the text names one,
 * else at which size; else -: what {where} becomes. */
void failure_where(const char *text, char where[32]);

#endif
