/* Adapter: a step that sorts an array as a player's step. */
#include "protocol/player.h"
#include "radix_sort.h"

static struct radix_sort *sort;

const char step_problem[] = "radix_sort";

int step_create(const void *parameters, const void *in, void *out) {
    sort = radix_sort_create(parameters, in, out);
    return sort ? 0 : 1;
}

int step_run(int iterations) {
    return radix_sort_run(sort, iterations);
}

void step_destroy(void) {
    radix_sort_destroy(sort);
    sort = 0;
}

void radix_sort_passes(struct radix_sort *, int) __attribute__((weak)); /* a step may have none */

void step_enqueue(int repeats) {
    if (radix_sort_passes)
        radix_sort_passes(sort, repeats);
}
