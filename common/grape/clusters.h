/* A cluster: what the calls with one id share. */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include <pthread.h>

#include "grape_backend.h"

struct cluster {
    pthread_mutex_t lock;
    const struct grape_backend *backend; /* NULL: not open */
    void *state;                         /* the backend's */
    double ti;

    /* The bodies i, and the number of bodies j that they feel. Room is for g6_npipes(). */
    struct i_body *targets;
    struct force *felt;
    struct neighbours *lists;
    int ni, nj;
    int is_started; /* bodies are predicted for the targets, or could not be, which `code` says */
    int has_lists, has_jerk;
    int code;
};

/* The cluster, locked until grape6_leave(), as `held`; NULL, with a line on stderr, if it is not
 * open. Both are for one function of the interface. */
struct cluster *grape6_enter(int id);
void grape6_leave(struct cluster *cluster);

/* Writes a line to stderr, which begins with the id unless that is -1; returns the code. */
__attribute__((format(printf, 3, 4))) int grape6_error(int code, int id, const char *format, ...);

/* What is behind a backend's code: "memory is short" or another reason. */
const char *grape6_reason(int code);

/* Whether all three are finite numbers. */
int grape6_is_finite(const double x[3]);

/* Another name of the interface for a function of the same file. */
#define SAME(name, as) __attribute__((alias(#as), visibility("default"))) extern __typeof__(as) name

#endif
