/* The rotating shell of bodies, moving. */
#ifndef FILM_H
#define FILM_H

#include "referee/build/catalogue.h"

/* Runs 16384 bodies (N) from the distribution `shell` with the fastest program there is and draws
 * results/film.png, twelve pictures on one sheet, and results/film.gif. DT is the time step in
 * Henon units, DAMPING a factor on all velocities after each time step, 1 for none. */
enum outcome film(const struct options *options);

#endif
