/* Answers before it was asked anything, and says so in its figures. */
#include <sys/mman.h>
#include <unistd.h>

#include "honest.h"

__attribute__((constructor)) static void before_main(void) {
    struct own_figures *own =
        mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_SHARED, FIGURES_FD, 0);

    if (own != MAP_FAILED && write(REPLY_FD, "r", 1) == 1)
        own->figures.force_seconds = 1;
}
