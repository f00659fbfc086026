/* Defines the player's own functions beside its own. Nothing else is needed, it thinks. */
#include "honest.h"

int step_run(int iterations);
int main(void);

int step_run(int iterations) {
    (void)iterations;
    return 0;
}
int main(void) {
    return 0;
}

HONEST_STEP
