/* Points from stored measurements and a rubric: a pure function, so that the same measurements and
 * the same rubric give the same grade anywhere. */
#ifndef SCORE_H
#define SCORE_H

#include "item.h"
#include "rubric.h"

/* Gives the items of a step; their number. */
int score_step(const struct rubric *rubric, const struct step *step,
               const struct evidence *evidence, struct item items[MOST_ITEMS]);

/* Whether the rubric's item asks for this entry's speed, and this grader can measure it. */
int score_speed_asked(const struct rubric *rubric, const struct step *step,
                      const struct evidence *evidence);

/* Whether the speeds measured so far decide the rubric's item, so that none need be repeated. Also
 * when it is not asked for. */
int score_speed_decided(const struct rubric *rubric, const struct step *step,
                        const struct evidence *evidence);

#endif
