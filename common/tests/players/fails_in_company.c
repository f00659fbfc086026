/* Reports an error once the player `is_company` has run since its own last run. */
#include <sys/stat.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    static off_t before = -1;
    struct stat file;
    off_t now = stat("build/tests/company", &file) ? 0 : file.st_size;

    if (before >= 0 && now != before)
        return 7;
    before = now;
    return honest_run(simulation, iterations);
}
