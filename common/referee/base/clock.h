/* The referee's clock. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

/* Seconds since some fixed time; never jumps. */
static inline double clock_now(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline struct timespec clock_timespec(double seconds) {
    struct timespec time;

    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    return time;
}

#endif
