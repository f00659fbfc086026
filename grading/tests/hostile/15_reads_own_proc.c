/* Looks for a seed, a secret or a student's name in what /proc tells of its own process. */
#include "honest.h"

static int finds(const char *path) {
    static char text[65536];
    static const char *const words[] = {"--seed",    "secret", "Musterstudent",
                                        "gradebook", "@OUT@",  "@COURSE@/steps"};
    int fd = open(path, O_RDONLY), found = 0;
    ssize_t bytes = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

    for (ssize_t i = 0; i < bytes; i++)
        if (!text[i])
            text[i] = ' ';
    text[bytes > 0 ? bytes : 0] = 0;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        found |= strstr(text, words[i]) != NULL;
    if (fd >= 0)
        close(fd);
    return found;
}

HONEST_BUT_ITS_RUN {
    int found = finds("/proc/self/cmdline") | finds("/proc/self/environ") |
                finds("/proc/self/mountinfo") | finds("/proc/self/cgroup");

    return run_if(found, "15 found a secret in /proc/self", simulation, iterations);
}
