/* Gadget's HDF5 files: a group Header with attributes and one PartType per kind of body. A module
 * of its own, build/lib/gadget.so, where libhdf5 is. The layout is that of GADGET-4's manual,
 * chapter "Snapshot file format". */
#include <hdf5.h>

#include "problems/galaxy/snapshot.h"

enum { TYPES = 6, ROW = sizeof(struct star) / sizeof(double) };

static const int type_of[COMPONENTS] = {[HALO] = 1, [STELLAR_HALO] = 4, [BULGE] = 3, [DISK] = 2};
static const double unit = SOLAR_MASSES / 1e10; /* of our masses, in the file's */

/* The header's numbers of each type. */
struct header {
    long long counts[TYPES];
    double masses[TYPES]; /* of every body; 0: each has its own */
};

/* libhdf5 says nothing itself, and does not write at the end what it could not write before, where
 * version 1.10.8 crashes. */
static void start(void) {
    H5dont_atexit();
    H5Eset_auto(H5E_DEFAULT, NULL, NULL);
}

/* Up to `most` numbers; what the file does not have stays as it is. Returns 0 when done, as all do.
 */
static int read_attribute(hid_t group, const char *name, int most, hid_t type, void *values,
                          char *what) {
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT), space = H5Aget_space(attribute);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    int failed = count < 1 || count > most || H5Aread(attribute, type, values) < 0;

    H5Sclose(space);
    H5Aclose(attribute);
    return failed ? snprintf(what, WHAT_BYTES,
                             "there should be a group Header with an attribute %s, 1 to %d numbers",
                             name, most)
                  : 0;
}

static int read_header(hid_t group, struct header *header, char *what) {
    long long all = 0, files = 1;

    if (read_attribute(group, "NumPart_ThisFile", TYPES, H5T_NATIVE_LLONG, header->counts, what) ||
        read_attribute(group, "MassTable", TYPES, H5T_NATIVE_DOUBLE, header->masses, what) ||
        read_attribute(group, "NumFilesPerSnapshot", 1, H5T_NATIVE_LLONG, &files, what))
        return -1;
    if (files != 1)
        return snprintf(what, WHAT_BYTES,
                        "the header says that the bodies are in %lld files; they should be in one",
                        files);
    for (int t = 0; t < TYPES; t++) {
        long long n = header->counts[t];

        if (n < 0 || n > LARGEST_SNAPSHOT || (all += n) > LARGEST_SNAPSHOT ||
            (n && (t == 0 || t == 5)))
            return snprintf(what, WHAT_BYTES,
                            "the header says %lld bodies of type %d; there should be 0 to 2^28 "
                            "together, and only of types 1 to 4: halo, disk, bulge, stars",
                            n, t);
    }
    return 0;
}

/* Of the bodies in memory, rows of doubles: some columns of one component. */
static hid_t columns(const struct snapshot *snapshot, int component, int column, int count) {
    const int *first = &snapshot->first[component];
    const hsize_t all[] = {(hsize_t)snapshot->first[COMPONENTS], ROW};
    const hsize_t from[] = {(hsize_t)first[0], (hsize_t)column};
    const hsize_t sizes[] = {(hsize_t)(first[1] - first[0]), (hsize_t)count};
    hid_t space = H5Screate_simple(2, all, NULL);

    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, sizes, NULL);
    return space;
}

static int read_columns(hid_t file, struct snapshot *snapshot, int component, const char *name,
                        int column, int count, char *what) {
    const int n = snapshot->first[component + 1] - snapshot->first[component];
    char path[64];
    hsize_t sizes[2] = {0, 1};
    hid_t set, space, memory = columns(snapshot, component, column, count);
    int failed;

    snprintf(path, sizeof path, "PartType%d/%s", type_of[component], name);
    set = H5Dopen(file, path, H5P_DEFAULT);
    space = H5Dget_space(set);
    failed = H5Sget_simple_extent_ndims(space) > 2 ||
             H5Sget_simple_extent_dims(space, sizes, NULL) < 1 || sizes[0] != (hsize_t)n ||
             H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, snapshot->stars) < 0;
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    return failed ? snprintf(what, WHAT_BYTES,
                             "by the header there should be a dataset %s of %d rows of %d numbers; "
                             "there is %s",
                             path, n, count, set < 0 ? "none" : "another one, or it is damaged")
                  : 0;
}

static int read_component(hid_t file, struct snapshot *snapshot, int component, double mass,
                          char *what) {
    if (read_columns(file, snapshot, component, "Coordinates", 1, 3, what) ||
        read_columns(file, snapshot, component, "Velocities", 4, 3, what) ||
        (mass == 0 && read_columns(file, snapshot, component, "Masses", 0, 1, what)))
        return -1;
    for (int i = snapshot->first[component]; i < snapshot->first[component + 1]; i++)
        snapshot->stars[i].mass = (mass == 0 ? snapshot->stars[i].mass : mass) / unit;
    return 0;
}

static int read_bodies(FILE *stream, const char *path, struct snapshot *snapshot, char *what) {
    struct header header = {{0}, {0}};
    int counts[COMPONENTS], failed;
    hid_t file, group;

    (void)stream;
    start();
    if ((file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)) < 0)
        return snprintf(
            what, WHAT_BYTES,
            H5Fis_hdf5(path) > 0
                ? "the HDF5 file is cut off or damaged; it should be copied anew"
                : "this is no HDF5 file, which should begin with the bytes 89 48 44 46");
    group = H5Gopen(file, "Header", H5P_DEFAULT);
    failed = read_header(group, &header, what);
    for (int c = 0; c < COMPONENTS; c++)
        counts[c] = (int)header.counts[type_of[c]];
    failed = failed || snapshot_new(snapshot, counts, what);
    for (int c = 0; c < COMPONENTS && !failed; c++)
        if (counts[c])
            failed = read_component(file, snapshot, c, header.masses[type_of[c]], what);
    H5Gclose(group);
    H5Fclose(file);
    return failed;
}

/* An array of so many numbers, or one number. */
static int write_attribute(hid_t group, const char *name, int count, hid_t type,
                           const void *values) {
    const hsize_t size = (hsize_t)count;
    hid_t space = count > 1 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int failed = H5Awrite(attribute, type, values) < 0;

    H5Aclose(attribute);
    H5Sclose(space);
    return failed;
}

/* What Gadget reads, and that there is no cosmology, as other tools ask for it. */
static int write_header(hid_t group, const int counts[TYPES]) {
    static const char *const zeros[] = {"Time", "Redshift", "BoxSize", "Omega0", "OmegaLambda"};
    static const char *const flags[] = {"Flag_Sfr",        "Flag_Cooling", "Flag_Feedback",
                                        "Flag_StellarAge", "Flag_Metals",  "Flag_Entropy_ICs"};
    const int none[TYPES] = {0}, yes = 1;
    const double zero[TYPES] = {0}, one = 1;
    int failed = write_attribute(group, "NumPart_ThisFile", TYPES, H5T_NATIVE_INT, counts) ||
                 write_attribute(group, "NumPart_Total", TYPES, H5T_NATIVE_UINT, counts) ||
                 write_attribute(group, "NumPart_Total_HighWord", TYPES, H5T_NATIVE_UINT, none) ||
                 write_attribute(group, "MassTable", TYPES, H5T_NATIVE_DOUBLE, zero) ||
                 write_attribute(group, "NumFilesPerSnapshot", 1, H5T_NATIVE_INT, &yes) ||
                 write_attribute(group, "Flag_DoublePrecision", 1, H5T_NATIVE_INT, &yes) ||
                 write_attribute(group, "HubbleParam", 1, H5T_NATIVE_DOUBLE, &one);

    for (size_t k = 0; k < sizeof zeros / sizeof *zeros; k++)
        failed |= write_attribute(group, zeros[k], 1, H5T_NATIVE_DOUBLE, zero);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        failed |= write_attribute(group, flags[k], 1, H5T_NATIVE_INT, none);
    return failed;
}

/* A dataset of n rows from a part of the memory; H5S_ALL: from all of it. */
static int write_set(hid_t group, const char *name, int n, int width, hid_t type, hid_t memory,
                     const void *from) {
    const hsize_t sizes[] = {(hsize_t)n, (hsize_t)width};
    hid_t space = H5Screate_simple(width > 1 ? 2 : 1, sizes, NULL);
    hid_t set = H5Dcreate(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int failed = H5Dwrite(set, type, memory, H5S_ALL, H5P_DEFAULT, from) < 0;

    if (memory != H5S_ALL)
        H5Sclose(memory);
    H5Sclose(space);
    return H5Dclose(set) < 0 || failed;
}

static int write_component(hid_t file, const struct snapshot *snapshot, int component) {
    const int first = snapshot->first[component], n = snapshot->first[component + 1] - first;
    double *masses = malloc((size_t)n * sizeof *masses + 1);
    unsigned *numbers = malloc((size_t)n * sizeof *numbers + 1);
    char name[16];
    hid_t group;
    int failed = !masses || !numbers;

    for (int i = 0; !failed && i < n; i++) {
        masses[i] = snapshot->stars[first + i].mass * unit;
        numbers[i] = (unsigned)(first + i + 1);
    }
    snprintf(name, sizeof name, "PartType%d", type_of[component]);
    group = H5Gcreate(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    failed = failed ||
             write_set(group, "Coordinates", n, 3, H5T_NATIVE_DOUBLE,
                       columns(snapshot, component, 1, 3), snapshot->stars) ||
             write_set(group, "Velocities", n, 3, H5T_NATIVE_DOUBLE,
                       columns(snapshot, component, 4, 3), snapshot->stars) ||
             write_set(group, "Masses", n, 1, H5T_NATIVE_DOUBLE, H5S_ALL, masses) ||
             write_set(group, "ParticleIDs", n, 1, H5T_NATIVE_UINT, H5S_ALL, numbers);
    H5Gclose(group);
    free(numbers);
    free(masses);
    return failed;
}

static int write_bodies(FILE *stream, const char *path, const struct snapshot *snapshot,
                        char *what) {
    int counts[TYPES] = {0}, failed;
    hid_t file, group;

    (void)stream, (void)what;
    start();
    for (int c = 0; c < COMPONENTS; c++)
        counts[type_of[c]] = snapshot->first[c + 1] - snapshot->first[c];
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    group = H5Gcreate(file, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    failed = write_header(group, counts);
    H5Gclose(group);
    for (int c = 0; c < COMPONENTS; c++)
        failed |= counts[type_of[c]] && write_component(file, snapshot, c);
    return H5Fclose(file) < 0 || failed;
}

extern const struct snapshot_format gadget_format;
const struct snapshot_format gadget_format = {read_bodies, write_bodies};
