/* The questions of a handout and the form of their answers, as its lines say: "**Answer:** a number
 * from LOW to HIGH, ...", "a whole number from LOW to HIGH, ...", "one of `word`, `word`". */
#ifndef QUESTIONS_H
#define QUESTIONS_H

#include "referee/build/catalogue.h"

enum { MOST_QUESTIONS = 32, FORM_BYTES = 240 };

struct questions {
    int count;                              /* 0: the handout has none, or is not there */
    char forms[MOST_QUESTIONS][FORM_BYTES]; /* as in the handout; of question 1 first */
};

/* Reads those of steps/NN_name/README.md. */
void questions_read(const struct step *step, struct questions *questions);

/* Whether the answer has the form and is in its range. A form of no known kind takes any. */
int question_takes(const char *form, const char *answer);

#endif
