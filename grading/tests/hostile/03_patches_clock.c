/* Its clock stands still, and it takes its time: right results, slowly. */
#include "honest.h"
#include <sys/time.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    *now = (struct timespec){0};
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    *now = (struct timeval){0};
    return 0;
}

time_t time(time_t *now) {
    if (now)
        *now = 0;
    return 0;
}

HONEST_BUT_ITS_RUN {
    usleep(100000);
    return honest_run(simulation, iterations);
}
