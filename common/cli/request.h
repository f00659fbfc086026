/* Whether the course and this machine have what a command line asks for. */
#ifndef REQUEST_H
#define REQUEST_H

#include "referee/build/catalogue.h"

/* Finds options->step in options->catalogue, and the size of an input that is in a file; complains
 * of a step, file, size or backend that is not there, whatever the verb makes of it. */
enum outcome request_check(struct options *options);

#endif
