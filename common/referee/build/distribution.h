/* The option --distribution: what inputs are drawn from, or a file of the user's. */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include "catalogue.h"
#include "referee/base/options.h"

/* Whether the problems of the steps that were asked for have the distribution; else complains. Of
 * one that is "file:PATH" the file is read, and its size becomes options->n. */
enum outcome distribution_read(struct options *options);

#endif
