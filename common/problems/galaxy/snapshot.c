#define _GNU_SOURCE
#include "snapshot.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* The format of libhdf5's module, a file of its own: nothing else of the course needs the library.
 */
static const struct snapshot_format *gadget_format(void) {
    void *module = dlopen("build/lib/gadget.so", RTLD_NOW | RTLD_LOCAL);

    return module ? dlsym(module, "gadget_format") : NULL;
}

const struct snapshot_format *snapshot_format(const char *path, char *message) {
    const char *dot = strrchr(path, '.'), *suffix = dot ? dot : "";
    const struct snapshot_format *gadget = strcmp(suffix, ".hdf5") ? NULL : gadget_format();

    if (gadget || !strcmp(suffix, ".tipsy") || !strcmp(suffix, ".txt"))
        return gadget ? gadget : strcmp(suffix, ".txt") ? &tipsy_format : &text_format;
    snprintf(message, 512, "%s: %s", path,
             strcmp(suffix, ".hdf5")
                 ? "a name that ends in .tipsy, .txt or .hdf5 is needed"
                 : "libhdf5 was not found when the harness was built; install it (Debian: "
                   "libhdf5-dev) and give the command again, or take .tipsy or .txt");
    return NULL;
}

static int check_bodies(const struct snapshot *snapshot, char *what) {
    const int n = snapshot->first[COMPONENTS];

    for (int i = 0; i < n; i++) {
        const struct star *s = &snapshot->stars[i];
        int is_finite = isfinite(s->mass);

        for (int c = 0; c < 3; c++)
            is_finite &= isfinite(s->x[c]) && isfinite(s->v[c]);
        if (!is_finite || s->mass < 0)
            return snprintf(what, WHAT_BYTES,
                            "body %d of %d has %s; all numbers should be finite, and no mass "
                            "negative",
                            i + 1, n,
                            is_finite ? "a negative mass" : "a number that is not finite");
    }
    return n ? 0 : snprintf(what, WHAT_BYTES, "there are no bodies; there should be one or more");
}

enum outcome snapshot_read(const char *path, struct snapshot *snapshot, char *message) {
    const struct snapshot_format *format = snapshot_format(path, message);
    char what[WHAT_BYTES];
    FILE *file;
    int failed;

    *snapshot = (struct snapshot){NULL};
    if (!format)
        return OUTCOME_INPUT;
    if (!(file = fopen(path, "re"))) {
        snprintf(message, 512, "%s: %s", path, strerror(errno));
        return OUTCOME_INPUT;
    }
    failed = format->read(file, path, snapshot, what) || check_bodies(snapshot, what);
    if (ferror(file))
        snprintf(what, sizeof what, "%s", strerror(errno));
    fclose(file);
    if (!failed)
        return OUTCOME_ACCEPTED;
    snprintf(message, 512, "%s: %s", path, what);
    free(snapshot->stars);
    snapshot->stars = NULL;
    return OUTCOME_INPUT;
}

enum outcome snapshot_write(const char *path, const struct snapshot *snapshot, char *message) {
    const struct snapshot_format *format = snapshot_format(path, message);
    char new[4096], what[WHAT_BYTES] = "";
    FILE *file;
    int failed;

    if (!format)
        return OUTCOME_RESULTS;
    snprintf(new, sizeof new, "%s.new-%d", path, (int)getpid());
    file = fopen(new, "we");
    failed = !file || format->write(file, new, snapshot, what) || fflush(file) || ferror(file) ||
             fsync(fileno(file)) || rename(new, path);
    if (failed)
        snprintf(message, 512, "%s cannot be written: %s", path, *what ? what : strerror(errno));
    if (file)
        fclose(file);
    if (file && failed)
        unlink(new);
    return failed ? OUTCOME_RESULTS : OUTCOME_ACCEPTED;
}
