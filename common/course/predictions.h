/* What a learner expected of a step before it was measured: results/predictions.tsv. */
#ifndef PREDICTIONS_H
#define PREDICTIONS_H

#include "referee/build/catalogue.h"
#include "referee/record/student_rows.h"

struct prediction {
    char time_utc[24];
    char step[40];
    double speedup; /* over the step it builds on, at the largest n at which a bench times both; 0:
                     * it builds on none */
    char limit[16]; /* the resource that limits: one word of predictions_limits() */
    int late;       /* made after the step had been timed */
};

struct predictions {
    struct prediction *list;
    int count;
};

enum outcome predictions_read(const char *results, struct predictions *predictions);
void predictions_free(struct predictions *predictions);

/* Appends one; sets its time. */
enum outcome predictions_add(const char *results, struct prediction *prediction);

/* The step's last one made before it was timed, else its last late one. NULL: none. */
const struct prediction *predictions_last(const struct predictions *predictions, const char *step);

/* What may limit a step. */
struct limit {
    const char *word, *meaning;
};

/* Those of the step; the last one's word is NULL. */
const struct limit *predictions_limits(const struct step *step);

/* Prints a line for each of the steps, or of the one named, that there is a prediction of: beside
 * it what was measured of the learner's own program. */
enum outcome predictions_print(const struct catalogue *catalogue, const char *step,
                               const char *results);

#endif
