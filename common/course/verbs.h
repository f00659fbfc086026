/* The verbs of a learner's way through the course. `make help` says what each does. */
#ifndef VERBS_H
#define VERBS_H

#include "referee/build/catalogue.h"

enum outcome predict(const struct step *step, const struct options *options);
enum outcome hint(const struct step *step, const struct options *options);
enum outcome watch(const struct step *step, const struct options *options);
enum outcome reset(const struct step *step, const struct options *options);

enum outcome show_progress(const struct catalogue *catalogue, const struct options *options);
enum outcome show_next(const struct catalogue *catalogue, const struct options *options);
enum outcome submit(const struct catalogue *catalogue, const struct options *options);

#endif
