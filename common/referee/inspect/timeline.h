/* When the copies and kernels of a step ran. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "referee/build/programs.h"

/* Prints the copies and kernels of one run, and on a GPU when they ran by the device's clock; those
 * times become facts, from which results/<machine>-timeline-NN.svg is drawn. cpucuda has no times.
 */
enum outcome timeline(const struct options *options);

#endif
