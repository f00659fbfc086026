/* Takes from the files of a submission the one file a step that counts. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "container.h"
#include "submission.h"

/* What counts, as collect() was told. */
struct wanted {
    const struct catalogue *catalogue;
    const struct step *only; /* of which a lone source is, whatever it is called; NULL: none */
};

/* A file of a submission: `path` is below what says whose it is. */
struct file {
    const char *path;
    const struct piece *piece;
};

/* Fills sources, answers, predictions, refusals and the sum. What is taken is copied. */
void choose_files(struct submission *submission, const struct file *files, int count,
                  const struct wanted *wanted);

__attribute__((format(printf, 3, 4))) void refuse_file(struct submission *submission,
                                                       const char *path, const char *format, ...);

#endif
