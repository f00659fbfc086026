/* Writes sizes of its own into the page that tells it the referee's, and forged figures behind its
 * own. Else right. */
#include "honest.h"
#include <sys/mman.h>

HONEST_BUT_ITS_RUN {
    unsigned char *header = (unsigned char *)simulation->in - 4096;
    unsigned char *figures = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);

    honest_run(simulation, iterations);
    memset(header, 0xff, 4096);
    if (figures != MAP_FAILED)
        memset(figures, 0xff, 64);
    return 0;
}
