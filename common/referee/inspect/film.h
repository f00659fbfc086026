/* Bodies in motion. */
#ifndef FILM_H
#define FILM_H

#include "referee/build/catalogue.h"

/* Draws results/film.png, twelve pictures on one sheet, and results/film.gif. Of a step that was
 * named its program moves one of the problem's scenes (struct motion). Without one, N-body's first
 * scene, a rotating shell, is moved by the fastest program there is. N and DT take the place of the
 * scene's own; DAMPING is a factor on all velocities after each iteration, 1 for none. */
enum outcome film(const struct options *options);

#endif
