/* Bodies that are written and read back, in tests of each format. */
#ifndef SNAPSHOT_BODIES_H
#define SNAPSHOT_BODIES_H

#include "testing.h"
#include "files.h"

#include "problems/galaxy/snapshot.h"

/* Two bodies of the halo, none of the stellar halo, one of the bulge, three of the disk; numbers
 * that need all digits, large, small and -0. */
static inline struct snapshot six_bodies(void) {
    struct snapshot six = {malloc(6 * sizeof *six.stars), {0, 2, 2, 3, 6}};
    double value = 1;

    assert_non_null(six.stars);
    for (int i = 0; i < 6; i++) {
        struct star *s = &six.stars[i];

        *s = (struct star){.mass = value / 3};
        for (int c = 0; c < 3; c++, value *= -1.7) {
            s->x[c] = value / 7;
            s->v[c] = 1e-3 / value;
        }
        s->mass = fabs(s->mass);
    }
    six.stars[5].x[0] = -0.0;
    six.stars[4].v[1] = 1e-30 / 3;
    return six;
}

/* In the test's folder. */
static inline const char *path_of(const char *name) {
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline struct snapshot read_right(const char *name) {
    struct snapshot snapshot;
    char message[512] = "";

    if (snapshot_read(path_of(name), &snapshot, message))
        fail_msg("%s", message);
    return snapshot;
}

static inline void write_right(const char *name, const struct snapshot *snapshot) {
    char message[512] = "";

    if (snapshot_write(path_of(name), snapshot, message))
        fail_msg("%s", message);
}

/* The file is refused, and the line begins with its name and has the phrase. */
static inline void assert_refused(const char *name, const char *phrase) {
    struct snapshot snapshot;
    char message[512] = "";

    assert_int_equal(snapshot_read(path_of(name), &snapshot, message), OUTCOME_INPUT);
    assert_null(snapshot.stars);
    if (strncmp(message, path_of(name), strlen(path_of(name))) != 0 || !strstr(message, phrase) ||
        strchr(message, '\n'))
        fail_msg("\"%s\" lacks \"%s\"", message, phrase);
}

#endif
