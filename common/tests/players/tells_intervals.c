/* Right result; it tells copies and kernels with times, as the build `timeline` on a GPU does. Of
 * 13 bodies it tells nonsense. */
#include <math.h>
#include <string.h>

#include "honest.h"

void device_turn_ends(int turn, int status, struct counters *counters);

static int bodies, runs;

int simulation_run(struct simulation *simulation, int iterations) {
    bodies = simulation->parameters.n;
    return honest_run(simulation, iterations);
}

static void tell(struct counters *counters, int kind, const char *kernel, double begin,
                 double end) {
    struct interval *interval = &counters->intervals[counters->interval_count++];

    interval->kind = (unsigned char)kind;
    interval->bytes = kind == KERNEL ? 0 : 6144;
    strcpy(interval->kernel, kernel);
    interval->begin = runs * begin;
    interval->end = runs * end;
}

/* The times of the second run are twice those of the first, which is for warming up. */
void device_turn_ends(int turn, int status, struct counters *counters) {
    if (turn != TURN_RUN || status)
        return;
    runs++;
    tell(counters, COPY_IN, "", 0, 0.5e-3);
    tell(counters, KERNEL, "forces", 0.625e-3, 2.5e-3);
    tell(counters, KERNEL, "moves", 2.5e-3, 2.625e-3);
    tell(counters, COPY_OUT, "", 3e-3, 3.5e-3);
    if (bodies != 13)
        return;
    counters->intervals[0].begin = NAN;
    counters->intervals[1].end = 1e30;
    memset(counters->intervals[2].kernel, 'x', sizeof counters->intervals[2].kernel);
    counters->intervals[3].kind = 77;
    counters->interval_count = UINT64_MAX;
}
