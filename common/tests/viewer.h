/* A viewer of `make live` without a browser, and the server it looks at. For tests that run in a
 * copy of the repository (command.h). */
#ifndef VIEWER_H
#define VIEWER_H

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "command.h"
#include "referee/live/picture.h"

/* How long a test waits for what is to come; it fails then. */
enum { PATIENCE = 20, MOST_TEXTS = 5 * PATIENCE /* four per second */ };

struct served {
    pid_t pid;
    int port;
    char token[64];
};

struct viewer {
    int fd;
    size_t held;
    unsigned char bytes[1 << 20]; /* read and not looked at yet, of a message with its head */
};

static pid_t serving; /* 0: none does */

/* Starts `build/referee live` with those options, and waits until it has said where it is. */
__attribute__((format(printf, 1, 2))) static inline struct served serve(const char *format, ...) {
    struct served served = {0};
    siginfo_t ended = {0};
    char command[512] = "exec build/referee live --results build/r ";
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command + strlen(command), sizeof command - strlen(command), format, arguments);
    va_end(arguments);
    if (serving) /* for a test that failed */
        kill(serving, SIGKILL);
    unlink("build/live.out"); /* of the one before */
    served.pid = serving = start_command(command, "live");
    /* It builds the program first. */
    while (!*served.token &&
           !waitid(P_PID, (id_t)served.pid, &ended, WEXITED | WNOHANG | WNOWAIT) && !ended.si_pid) {
        char *said = read_file("build/live.out", NULL), *at = said ? strstr(said, "http") : NULL;

        if (!at || sscanf(at, "http://%*[0-9.]:%d/?%63[0-9a-f]\n", &served.port, served.token) < 2)
            *served.token = 0;
        free(said);
        usleep(10000);
    }
    if (!*served.token)
        fail_msg("no address: %s", read_file("build/live.err", NULL));
    return served;
}

/* What it said, once it has ended. */
static inline struct result served_until(const struct served *served) {
    serving = 0;
    return end_command(served->pid, "live");
}

/* Ends it as Ctrl-C does. */
static inline struct result end_serving(const struct served *served) {
    kill(served->pid, SIGINT);
    return served_until(served);
}

/* Leaves the copy, and no server behind a test that has failed. */
static inline int stop_serving(void **state) {
    if (serving)
        kill(serving, SIGKILL);
    return leave_tree(state);
}

static inline int try_connect(const char *address, int port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {.tv_sec = PATIENCE};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    inet_pton(AF_INET, address, &to.sin_addr);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Asks for a path, with more lines of a request's head if they are given; the status of the answer,
 * 0 if there is none. `answer` gets what came up to then. */
static inline int request(int fd, const char *path, const char *more, char answer[4096]) {
    char text[512];
    size_t got = 0;
    ssize_t count = 1;

    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", path, more);
    assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    memset(answer, 0, 4096);
    while (got < 4095 && !strstr(answer, "\r\n\r\n") && (count = read(fd, answer + got, 1)) > 0)
        got += (size_t)count;
    return strncmp(answer, "HTTP/1.1 ", 9) ? 0 : atoi(answer + 9);
}

#define UPGRADE                                                                                    \
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"                   \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

static inline void come_to(struct viewer *viewer, int port, const char *path) {
    char answer[4096];

    memset(viewer, 0, offsetof(struct viewer, bytes));
    viewer->fd = try_connect("127.0.0.1", port);
    assert_true(viewer->fd >= 0);
    assert_int_equal(request(viewer->fd, path, UPGRADE, answer), 101);
}

/* A viewer who comes with the token. */
static inline void come(struct viewer *viewer, const struct served *served) {
    char path[128];

    snprintf(path, sizeof path, "/?%s", served->token);
    come_to(viewer, served->port, path);
}

static inline void go(struct viewer *viewer) {
    close(viewer->fd);
}

/* Sends a text, unless the connection takes nothing now. */
static inline void send_order(struct viewer *viewer, const char *text) {
    unsigned char message[2048] = {0x81};
    size_t size = strlen(text), head = 2;

    assert_true(size < sizeof message - 8);
    message[1] = (unsigned char)(0x80 | (size < 126 ? size : 126));
    if (size >= 126) {
        message[2] = (unsigned char)(size >> 8);
        message[3] = (unsigned char)size;
        head = 4;
    }
    memcpy(message + head + 4, text, size); /* behind a mask of 0 */
    send(viewer->fd, message, head + 4 + size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* The next message, with a 0 after it; its opcode, 1 for a text and 2 for a picture. */
static inline int next_message(struct viewer *viewer, unsigned char **message, size_t *size) {
    size_t head, wanted = 2;
    unsigned char *bytes = viewer->bytes;

    for (;;) {
        ssize_t count;

        while (viewer->held < wanted) {
            count = read(viewer->fd, bytes + viewer->held, wanted - viewer->held);
            if (count <= 0)
                fail_msg("no message comes");
            viewer->held += (size_t)count;
        }
        head = (bytes[1] & 127) < 126 ? 2 : (bytes[1] & 127) == 126 ? 4 : 10;
        if (viewer->held < head) {
            wanted = head;
            continue;
        }
        *size = bytes[1] & 127;
        for (size_t k = 2; k < head; k++)
            *size = (k == 2 ? 0 : *size << 8) | bytes[k];
        wanted = head + *size;
        assert_true(wanted < sizeof viewer->bytes);
        if (viewer->held == wanted)
            break;
    }
    bytes[wanted] = 0;
    viewer->held = 0;
    *message = bytes + head;
    return bytes[0] & 15;
}

/* The next picture that the viewer asks for; it stays until the next message. */
static inline const struct picture_head *look(struct viewer *viewer) {
    static _Alignas(8) unsigned char picture[1 << 20];
    unsigned char *message;
    size_t size;

    send_order(viewer, "more");
    for (int k = 0; next_message(viewer, &message, &size) != 2; k++)
        if (k == MOST_TEXTS)
            fail_msg("no picture comes");
    memcpy(picture, message, size);
    assert_true(size == sizeof(struct picture_head) +
                            ((struct picture_head *)(void *)picture)->dots * sizeof(struct dot));
    return (const struct picture_head *)(const void *)picture;
}

/* The next text. */
static inline const char *hear(struct viewer *viewer) {
    unsigned char *message;
    size_t size;

    while (next_message(viewer, &message, &size) != 1)
        ;
    return (const char *)message;
}

/* What stands behind a name in a text; NULL: it has no such line. */
static inline const char *value_of(const char *text, const char *name) {
    size_t length = strlen(name);

    for (; text && *text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
        if (!strncmp(text, name, length) && text[length] == '\t')
            return text + length + 1;
    return NULL;
}

/* The value in the first text that has it, as a number. */
static inline double hear_number(struct viewer *viewer, const char *name) {
    const char *value = NULL;

    for (int k = 0; k < MOST_TEXTS && !value; k++)
        value = value_of(hear(viewer), name);
    if (!value)
        fail_msg("no %s is said", name);
    return atof(value);
}

/* The first text where a name has the value `wanted` in front. */
static inline const char *hear_until(struct viewer *viewer, const char *name, const char *wanted) {
    for (int k = 0; k < MOST_TEXTS; k++) {
        const char *text = hear(viewer), *value = value_of(text, name);

        if (value && !strncmp(value, wanted, strlen(wanted)))
            return text;
    }
    fail_msg("%s does not become %s", name, wanted);
    return NULL;
}

#endif
