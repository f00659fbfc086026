/* Adapter: a step that scans an array as a player's step. */
#include "protocol/player.h"
#include "scan.h"

static struct scan *scan;

const char step_problem[] = "scan";

int step_create(const void *parameters, const void *in, void *out) {
    scan = scan_create(parameters, in, out);
    return scan ? 0 : 1;
}

int step_run(int iterations) {
    return scan_run(scan, iterations);
}

void step_destroy(void) {
    scan_destroy(scan);
    scan = 0;
}

void scan_passes(struct scan *, int) __attribute__((weak)); /* a step may have none */

void step_enqueue(int repeats) {
    if (scan_passes)
        scan_passes(scan, repeats);
}
