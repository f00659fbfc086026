/* Adapter: a step that scans an array as a player's step. */
#include "adapter.h"
#include "scan.h"

const char step_problem[] = "scan";

OBJECT(scan, passes)

int step_create(const void *parameters, const void *in, void *out) {
    object = scan_create(parameters, in, out);
    return object ? 0 : 1;
}
