/* Bodies of a galaxy in files that other people's tools write and read. The suffix says which
 * format:
 *
 *     .tipsy   written in the standard form, big-endian, read in either order; floats; dark bodies
 *              are the halo's, stars the others, and are read as the disk's
 *     .txt     a line per body, mass x y z vx vy vz, to all digits; lines that begin with # are
 *              comments, of which those that name a component say what the next bodies are
 *     .hdf5    Gadget's; doubles; PartType1 is the halo, 2 the disk, 3 the bulge, 4 the stellar
 * halo
 *
 * Lengths are in kpc and velocities in km/s; masses are such that G = 1, in HDF5 they are in 1e10
 * solar masses. No factor of a cosmology is applied. */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <stdio.h>
#include <stdlib.h>

#include "galaxy.h"
#include "problems/outcome.h"

enum { LARGEST_SNAPSHOT = 1 << 28, WHAT_BYTES = 400 };

struct snapshot {
    struct star *stars;        /* for free() */
    int first[COMPONENTS + 1]; /* body of a component; of COMPONENTS: how many there are */
};

/* Of one format. Both return 0; else another number, and `what` (WHAT_BYTES) says what is wrong and
 * what would be right, or errno why nothing can be written. */
struct snapshot_format {
    int (*read)(FILE *file, const char *path, struct snapshot *snapshot, char *what);
    int (*write)(FILE *file, const char *path, const struct snapshot *snapshot, char *what);
};
extern const struct snapshot_format tipsy_format, text_format;

/* The format of a path. NULL: there is none for its suffix, or no library; of this and the next two
 * `message` (512 bytes) is one line that says why. */
const struct snapshot_format *snapshot_format(const char *path, char *message);

/* Reads a file, all of it or nothing: one body or more, finite, with masses that are not negative.
 * Else OUTCOME_INPUT. */
enum outcome snapshot_read(const char *path, struct snapshot *snapshot, char *message);

/* Writes a file under another name beside it and then renames it: a file of that name is always
 * whole, the former or the new one. Else OUTCOME_RESULTS. */
enum outcome snapshot_write(const char *path, const struct snapshot *snapshot, char *message);

/* Room for that many bodies of each component. Returns 0, or says that memory is short. */
static inline int snapshot_new(struct snapshot *snapshot, const int counts[COMPONENTS],
                               char *what) {
    for (int c = 0; c < COMPONENTS; c++)
        snapshot->first[c + 1] = snapshot->first[c] + counts[c];
    snapshot->stars =
        (struct star *)malloc((size_t)snapshot->first[COMPONENTS] * sizeof *snapshot->stars + 1);
    return snapshot->stars ? 0 : snprintf(what, WHAT_BYTES, "memory is short");
}

#endif
