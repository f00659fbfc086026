/* `make galaxy`: a galaxy, its profiles and its rotation in a picture. */
#ifndef MAKE_GALAXY_H
#define MAKE_GALAXY_H

#include "problems/outcome.h"
#include "referee/base/options.h"

/* By the trusted program, by the step's if one is given, or out of the file FROM; into the file TO
 * (snapshot.h). Writes results/galaxy-facts.csv, and becomes the script that draws them. */
enum outcome make_galaxy(const struct options *options);

#endif
