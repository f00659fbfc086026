/* The contract of an N-body step: a step defines these three functions and its own
 * struct simulation. Nothing else of the harness is visible to it. */
#ifndef NBODY_H
#define NBODY_H

#ifdef __cplusplus
extern "C" {
#endif

/* One particle of unit mass. Lengths, velocities and times are in units in which G = 1. */
struct body {
    float x, y, z;
    float vx, vy, vz;
};

struct parameters {
    int n;           /* number of bodies, at least 1 */
    float dt;        /* time step */
    float softening; /* length squared; added to r^2 */
};

/* The step's own: its layout is the lesson. */
struct simulation;

/* Prepares a simulation of parameters->n bodies; not timed. `in` and `out` (n bodies each) stay
 * where they are until simulation_destroy, so a step may register them; their contents are not
 * defined yet. Returns NULL on failure. */
struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out);

/* Timed. Reads `in`, which is filled anew before every call, advances all bodies by `iterations`
 * time steps, each v += dt F and then x += dt v, and writes `out`. Returns 0 when done; any other
 * value is reported as the step's own error. */
int simulation_run(struct simulation *simulation, int iterations);

void simulation_destroy(struct simulation *simulation);

/* Optional, for a step on a GPU whose forces are also timed kernel-only, by the device's own clock,
 * as papers do. Puts `repeats` computations of all forces into the default stream, from the
 * positions of the last run, and waits for none. What it leaves behind is never looked at. */
void simulation_forces(struct simulation *simulation, int repeats);

#ifdef __cplusplus
}
#endif

#endif
