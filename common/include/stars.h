/* What the steps of star clusters compute with. */
#ifndef STARS_H
#define STARS_H

/* A body of the given mass, at place x with velocity v. Lengths, velocities and times are in units
 * in which G = 1; a whole cluster has mass 1 and energy -1/4 (Henon units), unless a contract says
 * otherwise. */
struct star {
    double mass, x[3], v[3];
};

#endif
