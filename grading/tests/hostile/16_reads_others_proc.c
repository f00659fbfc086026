/* Reads command lines and environments of all other processes, the referee's seed among them. */
#include "honest.h"
#include <ctype.h>
#include <dirent.h>

static int tells(const char *pid, const char *what) {
    static char text[65536];
    char path[300];
    int fd, found;
    ssize_t bytes;

    snprintf(path, sizeof path, "/proc/%s/%s", pid, what);
    if ((fd = open(path, O_RDONLY)) < 0)
        return 0;
    bytes = read(fd, text, sizeof text - 1);
    close(fd);
    for (ssize_t i = 0; i < bytes; i++)
        if (!text[i])
            text[i] = ' ';
    text[bytes > 0 ? bytes : 0] = 0;
    found = strstr(text, "referee") || strstr(text, "/grade ") || strstr(text, "SANDBOX_") ||
            strstr(text, "SUBMISSIONS=");
    return found;
}

HONEST_BUT_ITS_RUN {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int found = 0, self = getpid();

    while (folder && (entry = readdir(folder)))
        if (isdigit((unsigned char)*entry->d_name) && atoi(entry->d_name) != self)
            found |= tells(entry->d_name, "cmdline") | tells(entry->d_name, "environ");
    if (folder)
        closedir(folder);
    return run_if(found, "16 read another process's words", simulation, iterations);
}
