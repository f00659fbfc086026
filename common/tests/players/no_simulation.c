/* Cannot create a simulation. */
#include "honest.h"

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    (void)parameters;
    (void)in;
    (void)out;
    return NULL;
}
