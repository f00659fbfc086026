#define _GNU_SOURCE
#include "door.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "referee/base/files.h"

enum { TOKEN_BYTES = 16 };

static const char page_path[] = "common/report/live/live.html", usual_address[] = "127.0.0.1";

/* Whether one can listen there: the library would not say why not. A port of 0 becomes one that is
 * free. */
static enum outcome try_port(const char *text, int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1, why;

    if (inet_pton(AF_INET, text, &address.sin_addr) != 1)
        return complain(OUTCOME_USAGE,
                        "ADDRESS=%s: an address of this machine is needed, as in 127.0.0.1", text);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    why = bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1) ||
                  getsockname(listener, (struct sockaddr *)&address, &size)
              ? errno
              : 0;
    close(listener);
    if (why == EADDRNOTAVAIL)
        return complain(OUTCOME_USAGE,
                        "ADDRESS=%s: this machine has no such address; 127.0.0.1 is "
                        "itself",
                        text);
    if (why)
        return complain(OUTCOME_PORT, "PORT=%d: %s; another one is needed, or none for a free one",
                        *port, why == EADDRINUSE ? "it is taken" : strerror(why));
    *port = ntohs(address.sin_port);
    return OUTCOME_ACCEPTED;
}

static enum outcome draw_token(char token[2 * TOKEN_BYTES + 1]) {
    unsigned char bytes[TOKEN_BYTES];

    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return complain(OUTCOME_INTERNAL, "no random token: %s", strerror(errno));
    for (int i = 0; i < TOKEN_BYTES; i++)
        sprintf(token + (size_t)2 * i, "%02x", bytes[i]);
    return OUTCOME_ACCEPTED;
}

enum outcome door_open(const struct options *options, const struct server_functions **functions,
                       struct server **server) {
    static char token[2 * TOKEN_BYTES + 1];
    struct server_options wanted = {.address = options->address ? options->address : usual_address,
                                    .port = options->port,
                                    .token = token};
    void *module = dlopen("build/lib/live.so", RTLD_NOW | RTLD_LOCAL);
    enum outcome outcome;

    if (!module || !(*functions = dlsym(module, "live_server")))
        return complain(OUTCOME_INTERNAL,
                        "libwebsockets was not found when the harness was built; install it "
                        "(Debian: libwebsockets-dev) and give the command again");
    if (!(wanted.page = file_bytes(page_path, &wanted.page_bytes)))
        return complain(OUTCOME_INTERNAL, "%s cannot be read: %s", page_path, strerror(errno));
    if ((outcome = try_port(wanted.address, &wanted.port)) || (outcome = draw_token(token)))
        return outcome;
    if (!(*server = (*functions)->start(&wanted)))
        return complain(OUTCOME_INTERNAL, "libwebsockets does not start");
    printf("http://%s:%d/?%s\n", wanted.address, wanted.port, token);
    fflush(stdout);
    return OUTCOME_ACCEPTED;
}
