/* What a step may say about its own run: times of its parts. The referee checks the range of each
 * figure and writes it down as the step's own word; neither speed nor accuracy rests on it. */
#ifndef FIGURES_H
#define FIGURES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Set to zero before every run; a step adds to what concerns it. */
struct figures {
    double force_seconds;    /* time spent on forces and velocities, s */
    double position_seconds; /* time spent on positions, s */
    double device_seconds;   /* one computation of all forces by the device's own clock, s */
};

extern struct figures *figures;

#ifdef __cplusplus
}
#endif

#endif
