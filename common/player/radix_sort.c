/* Adapter: a step that sorts an array as a player's step. */
#include "adapter.h"
#include "radix_sort.h"

const char step_problem[] = "radix_sort";

OBJECT(radix_sort, passes)

int step_create(const void *parameters, const void *in, void *out) {
    object = radix_sort_create(parameters, in, out);
    return object ? 0 : 1;
}
