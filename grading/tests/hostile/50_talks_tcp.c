/* TCP to this machine and another one. */
#include "honest.h"
#include <arpa/inet.h>
#include <sys/socket.h>

static int reaches(const char *address, int port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval patience = {1, 0};
    int fd = socket(AF_INET, SOCK_STREAM, 0), reached;

    if (fd < 0)
        return 0;
    inet_pton(AF_INET, address, &to.sin_addr);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    reached = connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    if (reached)
        dprintf(fd, "50\n");
    close(fd);
    return reached;
}

HONEST_BUT_ITS_RUN {
    static int tried, reached;

    if (!tried++)
        reached = reaches("127.0.0.1", atoi("@PORT@")) | reaches("198.51.100.1", 80);
    return run_if(reached, "50 reached somebody by TCP", simulation, iterations);
}
