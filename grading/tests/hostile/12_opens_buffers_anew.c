/* The same by copies of the descriptors, by their names in /proc, by holes, leases and new seals;
 * then it writes beyond the end of its mapping. Else right. */
#define _GNU_SOURCE
#include "honest.h"
#include <sys/mman.h>

HONEST_BUT_ITS_RUN {
    for (int fd = 3; fd <= 5; fd++) {
        int copy = dup(fd), again;
        char path[32];

        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        again = open(path, O_RDWR | O_TRUNC);
        if (ftruncate(copy, 0) == 0 || truncate(path, 1 << 30) == 0)
            boast("12 resized a buffer");
        fcntl(copy, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK);
        fcntl(copy, F_SETLEASE, F_WRLCK);
        fcntl(copy, F_SETFL, O_APPEND | O_NONBLOCK);
        if (again >= 0)
            close(again);
        close(copy);
    }
    mmap(NULL, 1ul << 32, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 1l << 32);
    return honest_run(simulation, iterations);
}
