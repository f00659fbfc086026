/* Bodies as text: mass x y z vx vy vz. Comments may say how many bodies there are and of which
 * component the next ones are, as in the files that are written here. */
#define _GNU_SOURCE
#include <string.h>

#include "snapshot.h"

static const char *const names[COMPONENTS] = {"halo", "stellar halo", "bulge", "disk"};

/* What is read of a file, line by line. */
struct reading {
    struct snapshot *snapshot;
    int component, room;
    int is_announced, announced; /* bodies, by a comment */
};

/* These two return NULL, or what is wrong with a line. */
static const char *read_comment(struct reading *reading, const char *text) {
    int *first = reading->snapshot->first, n, end = 0;

    for (int c = 0; c < COMPONENTS; c++)
        if (!strcmp(text, names[c]) && c < reading->component)
            return "halo, stellar halo, bulge and disk should come in this order";
        else if (!strcmp(text, names[c]))
            while (reading->component < c)
                first[++reading->component] = first[COMPONENTS];
    if (sscanf(text, "%d bodies:%n", &n, &end) == 1 && end)
        reading->is_announced = 1, reading->announced = n;
    return NULL;
}

static const char *read_body(struct reading *reading, const char *text) {
    struct snapshot *snapshot = reading->snapshot;
    int *n = &snapshot->first[COMPONENTS];
    double values[sizeof(struct star) / sizeof(double)];
    char *end;

    for (size_t k = 0; k < sizeof values / sizeof *values; k++, text = end) {
        values[k] = strtod(text, &end);
        if (end == text)
            return "a line should be seven numbers, mass x y z vx vy vz";
    }
    if (text[strspn(text, " \t\r\n")])
        return "a line should end after seven numbers, mass x y z vx vy vz";
    if (*n == reading->room) {
        int room = 2 * *n + 1024;
        struct star *more = room <= 2 * LARGEST_SNAPSHOT
                                ? realloc(snapshot->stars, (size_t)room * sizeof *more)
                                : NULL;

        if (!more)
            return "there is no memory for more bodies, or there are more than 2^28";
        snapshot->stars = more;
        reading->room = room;
    }
    memcpy(&snapshot->stars[(*n)++], values, sizeof values);
    return NULL;
}

static int read_bodies(FILE *file, const char *path, struct snapshot *snapshot, char *what) {
    struct reading reading = {snapshot};
    const char *wrong = NULL;
    char *text = NULL;
    size_t room = 0;
    int line = 0;

    (void)path;
    while (!wrong && getline(&text, &room, file) >= 0) {
        char *from = text + strspn(text, " \t\r\n"), *end = from + strcspn(from, "\r\n");

        line++;
        if (*from && !*end)
            wrong = "the line is cut off; it should end with a newline";
        else if (*from == '#')
            *end = 0, wrong = read_comment(&reading, from + 1 + strspn(from + 1, " \t"));
        else if (*from)
            wrong = read_body(&reading, from);
    }
    free(text);
    while (reading.component < DISK)
        snapshot->first[++reading.component] = snapshot->first[COMPONENTS];
    if (wrong)
        return snprintf(what, WHAT_BYTES, "line %d: %s", line, wrong);
    if (reading.is_announced && reading.announced != snapshot->first[COMPONENTS])
        return snprintf(what, WHAT_BYTES, "a comment says that there are %d bodies; there are %d",
                        reading.announced, snapshot->first[COMPONENTS]);
    return ferror(file);
}

static int write_bodies(FILE *file, const char *path, const struct snapshot *snapshot, char *what) {
    (void)path, (void)what;
    fprintf(file, "# %d bodies: mass x y z vx vy vz, in %.8g solar masses, kpc and km/s\n",
            snapshot->first[COMPONENTS], SOLAR_MASSES);
    for (int c = 0; c < COMPONENTS; c++) {
        fprintf(file, "# %s\n", names[c]);
        for (int i = snapshot->first[c]; i < snapshot->first[c + 1]; i++) {
            const struct star *s = &snapshot->stars[i];

            fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", s->mass, s->x[0], s->x[1],
                    s->x[2], s->v[0], s->v[1], s->v[2]);
        }
    }
    return 0;
}

const struct snapshot_format text_format = {read_bodies, write_bodies};
