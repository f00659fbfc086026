/* Sleeps whenever the player `is_company` has run since its own last run: what a shared cache or a
 * shared power limit does to a program, only more surely. */
#include <sys/stat.h>
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
    static off_t before;
    struct stat file;
    off_t now = stat("build/tests/company", &file) ? 0 : file.st_size;

    if (now != before)
        usleep(40000);
    before = now;
    return honest_run(simulation, iterations);
}
