/* UDP and DNS. That the call succeeds tells nothing, so the listener counts. Else right. */
#include "honest.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

HONEST_BUT_ITS_RUN {
    static int tried;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi("@PORT@"))};
    int fd;

    if (!tried++ && (fd = socket(AF_INET, SOCK_DGRAM, 0)) >= 0) {
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        sendto(fd, "51\n", 3, 0, (struct sockaddr *)&to, sizeof to);
        to.sin_port = htons(53);
        sendto(fd, "51\n", 3, 0, (struct sockaddr *)&to, sizeof to);
        close(fd);
    }
    return honest_run(simulation, iterations);
}
