/* The verbs of a learner's way through the course. `make help` says what each does. */
#ifndef VERBS_H
#define VERBS_H

#include "referee/build/catalogue.h"

enum outcome predict(const struct options *options);
enum outcome hint(const struct options *options);
enum outcome watch(const struct options *options);
enum outcome reset(const struct options *options);

enum outcome show_progress(const struct options *options);
enum outcome show_next(const struct options *options);
enum outcome submit(const struct options *options);

#endif
