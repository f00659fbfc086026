/* A server of one page and of pictures that follow each other, for viewers that come and go. It has
 * a thread of its own, and nothing here waits for a viewer. Made with libwebsockets as a module,
 * build/lib/live.so, so that nothing else needs that library. */
#ifndef SERVER_H
#define SERVER_H

#include <stddef.h>

enum { ORDER_BYTES = 64 };

struct server_options {
    const char *address; /* to listen at */
    int port;
    const char *token; /* behind ? in the page's address and in that of its socket */
    const char *page;
    size_t page_bytes;
};

/* Whom pictures are for. */
struct audience {
    int viewers;
    int waiting; /* of them, for a picture newer than the last one shown */
};

struct server;

struct server_functions {
    /* NULL: the library refuses. */
    struct server *(*start)(const struct server_options *options);

    struct audience (*audience)(struct server *server);

    /* The next order of a viewer, a short text, in the order they came. Returns 0 if none comes
     * before so many seconds; it then also returns when somebody comes or waits. */
    int (*order)(struct server *server, double seconds, char order[ORDER_BYTES]);

    /* Keeps a copy of the picture for whoever asks; one that nobody has got is dropped. */
    void (*show)(struct server *server, const void *picture, size_t bytes);

    /* The same of a text: every viewer gets the last one without asking. */
    void (*say)(struct server *server, const char *text);

    /* Sends the last text, closes all connections, and returns. */
    void (*end)(struct server *server);
};

/* What the module exports. */
extern const struct server_functions live_server;

#endif
