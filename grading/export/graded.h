/* What a gradebook says of a class, in the order in which it is written out. All texts are UTF-8
 * without control characters but line ends and tabs. */
#ifndef GRADED_H
#define GRADED_H

#include <sqlite3.h>

#include "referee/build/catalogue.h"
#include "problems/outcome.h"

/* An item of the rubric. One that is not counted has a state other than "earned". */
struct graded_item {
    char *name, *state, *explanation;
    double points, possible;
    int counted;
};

/* An answer to a question of the step's handout. */
struct graded_answer {
    char *question, *text;
    const char *wrong; /* what the question asks for instead (questions.h), else NULL */
};

/* A student's step. */
struct graded_step {
    const struct step *step;
    int there;     /* the gradebook has a total of it */
    int handed_in; /* if not, there are no items */
    int attempt;   /* how many of this student's entries came up to the one that counts */
    char *origin, *submitted_utc, *explanation;
    int by_clock; /* the time follows from a zip's clock and the rubric's time zone */
    double earned, points, possible;
    int late_days;
    struct graded_item *items;
    int item_count;
    struct graded_answer *answers;
    int answer_count;
    struct questions *questions; /* of the handout, if there are answers */
    char *outcome; /* of the check, a word of docs/exit-codes.md; empty: not checked */
    char *hint;    /* of the first level, for how the check failed; empty: none */
};

struct graded_refusal {
    char *archive, *path, *reason;
};

struct student {
    char *id, *name;
    char *file; /* the id as the name of a file, without an ending */
    double points, possible;
    struct graded_step *steps; /* as many as the class has */
    struct graded_refusal *refusals;
    int refusal_count;
};

struct graded {
    const struct step *steps[MOST_STEPS]; /* with a total, in the catalogue's order */
    double possible[MOST_STEPS];          /* the most that any student's step could earn */
    int step_count;
    char *time_zone;          /* the rubric's */
    struct student *students; /* by id; the course's own solutions are none */
    int student_count;
};

/* Reads all of it. Texts are freed by graded_free(). */
enum outcome graded_read(sqlite3 *book, const struct catalogue *catalogue, struct graded *graded);
void graded_free(struct graded *graded);

/* 100 times points over possible; 0 where nothing is possible. */
double graded_percent(double points, double possible);

/* A column's text (query.h), cleaned; to be freed. */
char *graded_text(sqlite3_stmt *statement, int column);

/* The hint of level 1 for an entry whose check failed so; an empty text if there is none. `result`
 * is what the check's task wrote (measure/task.h). To be freed. */
char *graded_hint(const struct step *step, const char *outcome, const char *result);

#endif
