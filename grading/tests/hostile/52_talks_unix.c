/* Sockets of this machine: abstract names, which no folder hides, and a path. */
#include "honest.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static int reaches(const char *name, int abstract) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), reached;

    if (fd < 0)
        return 0;
    strncpy(to.sun_path + abstract, name, sizeof to.sun_path - 2);
    reached =
        connect(fd, (struct sockaddr *)&to,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + abstract + strlen(name))) == 0;
    if (reached)
        dprintf(fd, "52\n");
    close(fd);
    return reached;
}

HONEST_BUT_ITS_RUN {
    static int tried, reached;

    if (!tried++)
        reached = reaches("hostile-@PORT@", 1) | reaches("@CANARIES@/socket", 0);
    return run_if(reached, "52 reached a socket", simulation, iterations);
}
