/* listener FOLDER: waits for whoever comes by TCP and UDP on 127.0.0.1, by an abstract socket and
 * by FOLDER/socket. Writes its port to FOLDER/port, and a line to FOLDER/visitors for each visit.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { TCP, UDP, ABSTRACT, PATH, SOCKETS };

static const char *const names[SOCKETS] = {"tcp", "udp", "abstract", "path"};

static int listen_inet(int type, unsigned short *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = *port};
    socklen_t bytes = sizeof address;
    int fd = socket(AF_INET, type, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, bytes) ||
        (type == SOCK_STREAM && listen(fd, 16)) ||
        getsockname(fd, (struct sockaddr *)&address, &bytes))
        return -1;
    *port = address.sin_port;
    return fd;
}

static int listen_unix(const char *name, int abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(address.sun_path + abstract, sizeof address.sun_path - (size_t)abstract, "%s", name);
    if (fd < 0 ||
        bind(fd, (struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)abstract +
                         strlen(name))) ||
        listen(fd, 16))
        return -1;
    return fd;
}

/* Writes a line to a file of the folder we are in. */
static void note(const char *file, const char *mode, const char *line) {
    FILE *out = fopen(file, mode);

    if (out) {
        fprintf(out, "%s\n", line);
        fclose(out);
    }
}

int main(int count, char **words) {
    struct pollfd sockets[SOCKETS];
    unsigned short port = 0;
    char text[32], bytes[64];
    int i;

    if (count != 2 || chdir(words[1])) {
        fprintf(stderr, "usage: listener FOLDER\n");
        return 3;
    }
    sockets[TCP].fd = listen_inet(SOCK_STREAM, &port);
    sockets[UDP].fd = listen_inet(SOCK_DGRAM, &port);
    snprintf(text, sizeof text, "hostile-%d", ntohs(port));
    sockets[ABSTRACT].fd = listen_unix(text, 1);
    sockets[PATH].fd = listen_unix("socket", 0);
    chmod("socket", 0777);
    for (i = 0; i < SOCKETS; i++) {
        sockets[i].events = POLLIN;
        if (sockets[i].fd < 0) {
            perror(names[i]);
            return 1;
        }
    }
    snprintf(text, sizeof text, "%d", ntohs(port));
    note("port", "w", text);
    while (poll(sockets, SOCKETS, -1) > 0)
        for (i = 0; i < SOCKETS; i++) {
            if (!sockets[i].revents)
                continue;
            note("visitors", "a", names[i]);
            if (i == UDP)
                (void)!recv(sockets[i].fd, bytes, sizeof bytes, 0);
            else
                close(accept(sockets[i].fd, NULL, NULL));
        }
    return 1;
}
