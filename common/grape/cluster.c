/* Clusters are opened, closed and found by their ids. */
#include "clusters.h"
#include "grape6.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIPES = 16384 }; /* callers with arrays of a fixed size have room for so many */

static struct cluster clusters[GRAPE6_CLUSTERS] = {
    [0 ... GRAPE6_CLUSTERS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

/* Where the library was built without nvcc there is none. */
extern const struct grape_backend grape_gpu __attribute__((weak));

/* The first that can be had is taken. */
static const struct grape_backend *const backends[] = {&grape_gpu, &grape_cpu};
enum { BACKENDS = sizeof backends / sizeof *backends };

int grape6_error(int code, int id, const char *format, ...) {
    char where[32] = "", what[256];
    va_list arguments;

    if (id != -1)
        snprintf(where, sizeof where, "cluster %d: ", id);
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fprintf(stderr, "grape6: %s%s\n", where, what);
    return code;
}

const char *grape6_reason(int code) {
    return code == GRAPE6_GPU ? "a GPU failed" : "memory is short";
}

int grape6_is_finite(const double x[3]) {
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static int pipes = PIPES;

static void read_pipes(void) {
    const char *given = getenv("GRAPE6_PIPES");
    char *end;
    long number;

    if (!given)
        return;
    number = strtol(given, &end, 10);
    if (end != given && !*end && number >= 1 && number <= GRAPE6_MOST_PIPES)
        pipes = (int)number;
    else
        grape6_error(0, -1, "GRAPE6_PIPES=%.40s is not a number from 1 to %d; %d are taken", given,
                     GRAPE6_MOST_PIPES, PIPES);
}

int g6_npipes(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_pipes);
    return pipes;
}

/* The cluster, locked; NULL if there is no such id. */
static struct cluster *lock(int id) {
    if (id < 0 || id >= GRAPE6_CLUSTERS) {
        grape6_error(0, -1, "there is no cluster %d; ids are 0 to %d", id, GRAPE6_CLUSTERS - 1);
        return NULL;
    }
    pthread_mutex_lock(&clusters[id].lock);
    return &clusters[id];
}

void grape6_leave(struct cluster *cluster) {
    pthread_mutex_unlock(&cluster->lock);
}

struct cluster *grape6_enter(int id) {
    struct cluster *cluster = lock(id);

    if (cluster && !cluster->backend) {
        grape6_error(0, id, "it is not open; g6_open() comes first");
        grape6_leave(cluster);
        return NULL;
    }
    return cluster;
}

/* Gives the cluster the backend that the environment names, or the first that can be had. */
static int choose(struct cluster *cluster, int id) {
    const char *name = getenv("GRAPE6_BACKEND");
    int is_known = 0;

    for (int b = 0; b < BACKENDS; b++) {
        if (!backends[b] || (name && strcmp(name, backends[b]->name) != 0))
            continue;
        is_known = 1;
        cluster->state = backends[b]->open();
        if (cluster->state) {
            cluster->backend = backends[b];
            return 0;
        }
    }
    if (is_known)
        return grape6_error(GRAPE6_NO_MEMORY, id, "the backend %s cannot be had here",
                            name ? name : "cpu");
    return grape6_error(GRAPE6_BAD_ARGUMENT, id, "GRAPE6_BACKEND=%.40s is no backend; cpu is one",
                        name);
}

static void release(struct cluster *cluster) {
    if (cluster->backend)
        cluster->backend->close(cluster->state);
    for (int i = 0; cluster->lists && i < g6_npipes(); i++)
        free(cluster->lists[i].index);
    free(cluster->lists);
    free(cluster->targets);
    free(cluster->felt);
    cluster->backend = NULL;
    cluster->targets = NULL;
    cluster->felt = NULL;
    cluster->lists = NULL;
}

static int begin(struct cluster *cluster, int id) {
    size_t most = g6_npipes();
    int code = 0;

    cluster->targets = calloc(most, sizeof *cluster->targets);
    cluster->felt = malloc(most * sizeof *cluster->felt);
    cluster->lists = calloc(most, sizeof *cluster->lists);
    cluster->ti = 0;
    cluster->ni = cluster->nj = 0;
    cluster->is_started = cluster->has_lists = 0;
    cluster->has_jerk = 1;
    if (!cluster->targets || !cluster->felt || !cluster->lists)
        code = grape6_error(GRAPE6_NO_MEMORY, id, "memory is short for %zu bodies i", most);
    if (!code)
        code = choose(cluster, id);
    if (code)
        release(cluster);
    return code;
}

int g6_open(int id) {
    struct cluster *cluster = lock(id);
    int code;

    if (!cluster)
        return GRAPE6_NOT_OPEN;
    code = cluster->backend
               ? grape6_error(GRAPE6_NOT_OPEN, id, "it is open already; g6_close() comes first")
               : begin(cluster, id);
    grape6_leave(cluster);
    return code;
}

int g6_open_special(int count, int list[]) {
    (void)count, (void)list;
    return g6_open(0);
}

int g6_close(int id) {
    struct cluster *cluster = grape6_enter(id);

    if (!cluster)
        return GRAPE6_NOT_OPEN;
    release(cluster);
    grape6_leave(cluster);
    return 0;
}

/* The names of the library kirin, here and in other files; those for Fortran are in fortran.c. */
SAME(GPU_open, g6_open);
SAME(GPU_close, g6_close);
SAME(GPU_npipes, g6_npipes);
