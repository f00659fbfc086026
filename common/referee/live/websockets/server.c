/* The server with libwebsockets: one thread that serves, and under a lock what it shares with those
 * who call it. */
#define _GNU_SOURCE
#include "referee/live/server.h"

#include <libwebsockets.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_ORDERS = 32,     /* that wait; more are dropped */
    MOST_UNSEEN = 3,      /* pictures a viewer may have on their way */
    MOST_CONNECTIONS = 64 /* viewers and requests at one time */
};

/* A message with room for the library's header, which is written anew for each viewer. */
struct message {
    int users; /* the server while it is the last one, and the thread while it sends it */
    size_t bytes;
    unsigned char room[LWS_PRE + 1];
};

/* A connection, of a page or of a socket. */
struct viewer {
    struct viewer *next;
    int asked;              /* pictures it has asked for and not got */
    unsigned picture, text; /* numbers of those it got last */
};

struct server {
    struct lws_context *context;
    const char *token, *page;
    size_t page_bytes;
    pthread_t thread;

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t news;
    struct viewer *viewers;
    struct message *picture, *text;
    unsigned picture_number, text_number;
    char orders[MOST_ORDERS][ORDER_BYTES];
    int first_order, order_count;
    int ending;
};

/* Takes as long for a wrong token as for a right one. */
static int has_token(struct lws *connection, const char *token) {
    char given[128] = "";
    int length = lws_hdr_copy_fragment(connection, given, sizeof given, WSI_TOKEN_HTTP_URI_ARGS, 0);
    unsigned char differs = length != (int)strlen(token);

    for (int i = 0; i < length && token[i]; i++)
        differs |= (unsigned char)(given[i] ^ token[i]);
    return !differs;
}

static int refuse(struct lws *connection, unsigned status, const char *why) {
    lws_return_http_status(connection, status, why);
    return -1;
}

static int add(struct lws *connection, const char *name, const char *value, unsigned char **at,
               unsigned char *end) {
    return lws_add_http_header_by_name(connection, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at, end);
}

/* The page is one file, and may connect to where it comes from and to nowhere else. */
static int send_head(struct lws *connection, const struct server *server) {
    unsigned char room[LWS_PRE + 1024], *begin = room + LWS_PRE, *at = begin,
                                        *end = room + sizeof room - 1;

    return lws_add_http_common_headers(connection, HTTP_STATUS_OK, "text/html; charset=utf-8",
                                       server->page_bytes, &at, end) ||
           add(connection, "content-security-policy:",
               "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
               "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
               "frame-ancestors 'none'",
               &at, end) ||
           add(connection, "referrer-policy:", "no-referrer", &at, end) ||
           add(connection, "cache-control:", "no-store", &at, end) ||
           lws_finalize_write_http_header(connection, begin, &at, end);
}

static int send_page(struct lws *connection, const struct server *server) {
    unsigned char *room = malloc(LWS_PRE + server->page_bytes);
    int sent;

    if (!room)
        return -1;
    memcpy(room + LWS_PRE, server->page, server->page_bytes);
    sent = lws_write(connection, room + LWS_PRE, server->page_bytes, LWS_WRITE_HTTP_FINAL);
    free(room);
    return sent < 0 ? -1 : lws_http_transaction_completed(connection);
}

static int answer(struct lws *connection, const struct server *server, const char *path) {
    if (!lws_hdr_total_length(connection, WSI_TOKEN_GET_URI))
        return refuse(connection, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET");
    if (!has_token(connection, server->token))
        return refuse(connection, HTTP_STATUS_FORBIDDEN,
                      "The address needs the token that make live printed.");
    if (strcmp(path, "/"))
        return refuse(connection, HTTP_STATUS_NOT_FOUND, "There is one page, /.");
    if (send_head(connection, server))
        return -1;
    lws_callback_on_writable(connection);
    return 0;
}

static void release(struct message *message) {
    if (message && --message->users == 0)
        free(message);
}

/* What the viewer gets next, its number seen; NULL: nothing. */
static struct message *next_message(struct server *server, struct viewer *viewer, int *is_text) {
    struct message *message = NULL;

    *is_text = server->text && viewer->text != server->text_number;
    if (*is_text) {
        message = server->text;
        viewer->text = server->text_number;
    } else if (viewer->asked && server->picture && viewer->picture != server->picture_number) {
        message = server->picture;
        viewer->picture = server->picture_number;
        viewer->asked--;
    }
    if (message)
        message->users++;
    return message;
}

/* One message for each time that the connection takes one without waiting. */
static int send_next(struct lws *connection, struct server *server, struct viewer *viewer) {
    struct message *message;
    int is_text, sent;

    pthread_mutex_lock(&server->lock);
    message = next_message(server, viewer, &is_text);
    pthread_mutex_unlock(&server->lock);
    if (!message)
        return 0;
    sent = lws_write(connection, message->room + LWS_PRE, message->bytes,
                     is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    pthread_mutex_lock(&server->lock);
    release(message);
    pthread_cond_signal(&server->news);
    pthread_mutex_unlock(&server->lock);
    lws_callback_on_writable(connection);
    return sent < 0 ? -1 : 0;
}

static void enter(struct server *server, struct viewer *viewer) {
    viewer->next = server->viewers;
    server->viewers = viewer;
}

static void leave(struct server *server, struct viewer *viewer) {
    struct viewer **place = &server->viewers;

    while (*place && *place != viewer)
        place = &(*place)->next;
    if (*place)
        *place = viewer->next;
}

/* "more" asks for a picture; all else is for whoever calls order(). */
static void receive(struct server *server, struct viewer *viewer, const char *text, size_t bytes) {
    char *order;

    if (bytes == 4 && !memcmp(text, "more", 4)) {
        viewer->asked += viewer->asked < MOST_UNSEEN;
    } else if (bytes < ORDER_BYTES && server->order_count < MOST_ORDERS) {
        order = server->orders[(server->first_order + server->order_count++) % MOST_ORDERS];
        memcpy(order, text, bytes);
        order[bytes] = 0;
    }
}

static int call_back(struct lws *connection, enum lws_callback_reasons reason, void *of_viewer,
                     void *in, size_t bytes) {
    struct server *server = lws_context_user(lws_get_context(connection));
    struct viewer *viewer = of_viewer;

    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return answer(connection, server, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_page(connection, server);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return has_token(connection, server->token) ? 0 : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return send_next(connection, server, viewer);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        lws_callback_on_writable_all_protocol(server->context, lws_get_protocol(connection));
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_RECEIVE:
        pthread_mutex_lock(&server->lock);
        if (reason == LWS_CALLBACK_ESTABLISHED)
            enter(server, viewer);
        else if (reason == LWS_CALLBACK_CLOSED)
            leave(server, viewer);
        else if (lws_is_first_fragment(connection) && lws_is_final_fragment(connection))
            receive(server, viewer, in, bytes);
        pthread_cond_signal(&server->news);
        pthread_mutex_unlock(&server->lock);
        if (reason != LWS_CALLBACK_CLOSED)
            lws_callback_on_writable(connection);
        return 0;
    default:
        return lws_callback_http_dummy(connection, reason, of_viewer, in, bytes);
    }
}

static void *serve(void *of_server) {
    struct server *server = of_server;
    int ending = 0;

    while (!ending && lws_service(server->context, 0) >= 0) {
        pthread_mutex_lock(&server->lock);
        ending = server->ending;
        pthread_mutex_unlock(&server->lock);
    }
    return NULL;
}

static struct server *start(const struct server_options *options) {
    static const struct lws_protocols protocols[] = {
        {.name = "live", .callback = call_back, .per_session_data_size = sizeof(struct viewer)},
        {.name = NULL}};
    struct server *server = calloc(1, sizeof *server);
    int is_any = !strcmp(options->address, "0.0.0.0"); /* to the library, no address at all */
    struct lws_context_creation_info info = {.port = options->port,
                                             .iface = is_any ? NULL : options->address,
                                             .protocols = protocols,
                                             .options = LWS_SERVER_OPTION_DISABLE_IPV6,
                                             .fd_limit_per_thread = MOST_CONNECTIONS,
                                             .user = server};

    if (!server)
        return NULL;
    server->token = options->token;
    server->page = options->page;
    server->page_bytes = options->page_bytes;
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->news, NULL);
    lws_set_log_level(0, NULL);
    if (!(server->context = lws_create_context(&info)) ||
        pthread_create(&server->thread, NULL, serve, server)) {
        lws_context_destroy(server->context);
        free(server);
        return NULL;
    }
    return server;
}

static struct audience audience_of(const struct server *server) {
    struct audience audience = {0};

    for (const struct viewer *viewer = server->viewers; viewer; viewer = viewer->next) {
        audience.viewers++;
        audience.waiting += viewer->asked && viewer->picture == server->picture_number;
    }
    return audience;
}

static struct audience audience(struct server *server) {
    struct audience now;

    pthread_mutex_lock(&server->lock);
    now = audience_of(server);
    pthread_mutex_unlock(&server->lock);
    return now;
}

static int order(struct server *server, double seconds, char text[ORDER_BYTES]) {
    struct timespec until;
    int found;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)(1e9 * (seconds - (double)(time_t)seconds));
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&server->lock);
    if (!server->order_count && seconds > 0)
        pthread_cond_timedwait(&server->news, &server->lock, &until);
    found = server->order_count > 0;
    if (found) {
        memcpy(text, server->orders[server->first_order], ORDER_BYTES);
        server->first_order = (server->first_order + 1) % MOST_ORDERS;
        server->order_count--;
    }
    pthread_mutex_unlock(&server->lock);
    return found;
}

/* Puts a message in the place of the last one. */
static void put(struct server *server, struct message **place, unsigned *number, const void *bytes,
                size_t count) {
    struct message *message = malloc(sizeof *message + count);

    if (!message)
        return;
    message->users = 1;
    message->bytes = count;
    memcpy(message->room + LWS_PRE, bytes, count);
    pthread_mutex_lock(&server->lock);
    release(*place);
    *place = message;
    ++*number;
    pthread_mutex_unlock(&server->lock);
    lws_cancel_service(server->context);
}

static void show(struct server *server, const void *picture, size_t bytes) {
    put(server, &server->picture, &server->picture_number, picture, bytes);
}

static void say(struct server *server, const char *text) {
    put(server, &server->text, &server->text_number, text, strlen(text));
}

static int all_have_text(struct server *server) {
    int all = 1;

    pthread_mutex_lock(&server->lock);
    for (const struct viewer *viewer = server->viewers; viewer; viewer = viewer->next)
        all &= viewer->text == server->text_number;
    pthread_mutex_unlock(&server->lock);
    return all;
}

/* A viewer that does not read is waited for half a second. */
static void end(struct server *server) {
    for (int k = 0; k < 50 && !all_have_text(server); k++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    pthread_mutex_lock(&server->lock);
    server->ending = 1;
    pthread_mutex_unlock(&server->lock);
    lws_cancel_service(server->context);
    pthread_join(server->thread, NULL);
    lws_context_destroy(server->context);
    release(server->picture);
    release(server->text);
    free(server);
}

const struct server_functions live_server = {start, audience, order, show, say, end};
