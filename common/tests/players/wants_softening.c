/* Takes the parameters of timed runs alone. */
#include "honest.h"

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    return parameters->softening == 0.1f ? honest_create(parameters, in, out) : NULL;
}
