/* Writes up to 4 GiB to each folder that takes a file. Else right. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    static const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm", ".", "..", "@CANARIES@"};
    static char block[1 << 20];

    memset(block, 1, sizeof block);
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[4096];
        int fd;

        snprintf(path, sizeof path, "%s/hostile-filled", folders[i]);
        if ((fd = open(path, O_WRONLY | O_CREAT, 0666)) < 0)
            continue;
        for (int block_count = 0; block_count < 4096; block_count++)
            if (write(fd, block, sizeof block) < (ssize_t)sizeof block)
                break;
        close(fd);
    }
    return honest_run(simulation, iterations);
}
