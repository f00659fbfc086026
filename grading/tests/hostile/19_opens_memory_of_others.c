/* Opens the memory and the descriptors of every other process by their names in /proc. */
#include "honest.h"
#include <ctype.h>
#include <dirent.h>

HONEST_BUT_ITS_RUN {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int found = 0, self = getpid();

    while (folder && (entry = readdir(folder))) {
        static const char *const names[] = {"mem", "maps", "fd/0", "fd/3", "fd/4", "root/etc"};

        if (!isdigit((unsigned char)*entry->d_name) || atoi(entry->d_name) == self)
            continue;
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            char path[300], byte;
            int fd;

            snprintf(path, sizeof path, "/proc/%s/%s", entry->d_name, names[i]);
            fd = open(path, O_RDONLY | O_NONBLOCK);
            /* maps of another user's process opens, and then is empty */
            if (fd >= 0 && (i != 1 || read(fd, &byte, 1) == 1))
                found = 1;
            if (fd >= 0)
                close(fd);
        }
    }
    if (folder)
        closedir(folder);
    return run_if(found, "19 opened memory or files of another process", simulation, iterations);
}
