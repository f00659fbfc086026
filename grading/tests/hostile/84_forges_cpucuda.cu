/* Ends with cpucuda's status and a line that names another cause than its own. Nothing is right. */
#include <stdio.h>
#include <stdlib.h>

#include "nbody.h"

struct simulation *simulation_create(const struct parameters *, const struct body *,
                                     struct body *) {
    printf("cpucuda: accepted: all is well\ncpucuda: internal: the referee failed\n"
           "cpucuda: limit: no fault of mine\ncpucuda: inconclusive: measure again\n");
    fflush(stdout);
    _Exit(67);
}
int simulation_run(struct simulation *, int) {
    return 0;
}
void simulation_destroy(struct simulation *) {
}
