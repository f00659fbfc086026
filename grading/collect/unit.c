#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "unit.h"

/* Whose the files are that are being sorted, as far as it is known. */
struct whose {
    struct mark mark;     /* MARK_NONE: nobody's by a platform's word */
    const char *metadata; /* for Gradescope */
    const char *fallback; /* a folder's or an archive's name */
    int is_folder;        /* the fallback is a folder's name */
    int in_export;        /* the container holds a class's work */
    int from_export;
    int64_t time; /* the platform's for the file (unpack.h) */
    const char *origin;
};

static struct unit *unit_named(struct units *units, const char *key) {
    struct unit *unit;
    int i;

    for (i = units->count - 1; i >= 0; i--)
        if (!strcmp(units->units[i].key, key))
            return &units->units[i];
    units->units = realloc(units->units, (size_t)(units->count + 1) * sizeof *units->units);
    if (!units->units)
        abort();
    unit = &units->units[units->count++];
    memset(unit, 0, sizeof *unit);
    unit->key = strdup(key);
    return unit;
}

static void add_file(struct unit *unit, const char *path, const struct piece *piece) {
    if ((unit->count & (unit->count - 1)) == 0 &&
        !(unit->files = realloc(unit->files,
                                (unit->count ? 2 * (size_t)unit->count : 1) * sizeof *unit->files)))
        abort();
    unit->files[unit->count++] = (struct file){path, piece};
}

/* Whether the name has the id in it as a word of its own: bob in submission-bob.tar.gz. */
static int names_id(const char *name, const char *id) {
    const char *at = name;
    size_t length = strlen(id);

    for (; (at = strstr(at, id)); at++)
        if ((at == name || strchr("-_ .", at[-1])) && strchr("-_ .(", at[length]))
            return 1;
    return 0;
}

/* The id in an archive that `make submit` packed, which has ID/manifest.tsv. */
static void find_inside(const struct container *container, struct unit *unit) {
    int i;

    for (i = 0; i < container->count; i++) {
        const char *path = container->pieces[i].path, *slash = strchr(path, '/');

        if (slash && slash > path && !strcmp(slash, "/manifest.tsv") && !*unit->inside) {
            char *id = strndup(path, (size_t)(slash - path));

            name_id(unit->inside, id);
            free(id);
        }
    }
}

/* The last file of a unit says when it was handed in. */
static void take_time(struct unit *unit, int64_t time) {
    if (llabs(time) > llabs(unit->time))
        unit->time = time;
}

static void set_owner(struct unit *unit, const struct container *container,
                      const struct whose *whose) {
    struct submission *submission = &unit->submission;
    const char *origin = whose->origin ? whose->origin : container->path;
    unsigned long number;
    char *stem, *own;

    name_printable(submission->origin, sizeof submission->origin, origin);
    unit->from_export = whose->from_export;
    take_time(unit, whose->time);
    name_stem(name_base(origin), &number);
    unit->attempt = whose->mark.attempt   ? whose->mark.attempt
                    : whose->mark.version ? (unsigned)whose->mark.version
                    : number              ? number
                                          : ~0ULL; /* make submit gives the older ones numbers */
    if (whose->mark.kind != MARK_NONE) {
        snprintf(submission->student, sizeof submission->student, "%s", whose->mark.id);
        snprintf(submission->name, sizeof submission->name, "%s", whose->mark.name);
        snprintf(unit->authority, sizeof unit->authority, "%d %s", whose->mark.kind,
                 whose->mark.name);
        unit->rank = RANK_PLATFORM;
        unit->platform = whose->mark.kind;
        return;
    }
    stem = strndup(whose->fallback, whose->is_folder ? strlen(whose->fallback)
                                                     : name_stem(whose->fallback, &number));
    own = !whose->is_folder && !strncmp(stem, "submission-", 11) ? stem + 11 : stem;
    name_id(submission->student, own);
    if (strcmp(submission->student, own) && !*unit->inside)
        name_printable(submission->name, sizeof submission->name, own);
    free(stem);
    unit->rank = whose->is_folder ? RANK_FOLDER : RANK_NAME;
    if (*unit->inside) {
        if (whose->is_folder ? strcmp(submission->student, unit->inside) != 0
                             : !names_id(whose->fallback, unit->inside))
            unit->rank = RANK_ARCHIVE;
        strcpy(submission->student, unit->inside);
    }
    if (unit->rank == RANK_ARCHIVE) /* several of one file or folder are one student's attempts */
        name_printable(unit->authority, sizeof unit->authority, whose->fallback);
}

/* Gives the unit to the people that Gradescope's metadata name; a group gets one each. */
static void set_people(struct units *units, struct unit *unit, const char *metadata) {
    struct hand_in hand_in;
    struct unit first;
    int i;

    if (!metadata || !owner_gradescope(metadata, unit->submission.student, &hand_in)) {
        name_id(unit->submission.student, unit->submission.origin);
        refuse_file(
            &unit->submission, unit->submission.origin,
            "submission_metadata.yml does not say whose this is; it belongs beside the folder");
        return;
    }
    first = *unit;
    for (i = 0; i < hand_in.people; i++) {
        char *key;

        if (i > 0) {
            if (asprintf(&key, "%s\n%d", first.key, i) < 0)
                abort();
            unit = unit_named(units, key);
            free(unit->key);
            *unit = first;
            unit->key = key;
            unit->files = malloc((size_t)(first.count + 1) * sizeof *unit->files);
            if (!unit->files)
                abort();
            memcpy(unit->files, first.files, (size_t)first.count * sizeof *unit->files);
        }
        strcpy(unit->submission.student, hand_in.ids[i]);
        strcpy(unit->submission.name, hand_in.names[i]);
        strcpy(unit->submission.submitted_utc, hand_in.submitted_utc);
        snprintf(unit->authority, sizeof unit->authority, "%d %s", MARK_GRADESCOPE,
                 hand_in.names[i]);
    }
}

/* The unit that is the container: an archive, or a folder. */
static struct unit *whole_unit(struct units *units, const struct container *container,
                               const struct whose *whose) {
    struct unit *unit = unit_named(units, container->path);

    if (!*unit->submission.student) {
        if (container->is_archive)
            find_inside(container, unit);
        set_owner(unit, container, whose);
    }
    return unit;
}

static void sort_files(struct units *units, const struct container *container,
                       const struct whose *whose);

/* The unit of a loose file that a platform's name says whose it is. */
static struct unit *loose_unit(struct units *units, const struct container *container,
                               const struct whose *whose) {
    struct unit *unit;
    char *key;

    if (asprintf(&key, "%s\n%d %s %d", container->is_file ? "" : container->path, whose->mark.kind,
                 whose->mark.id, whose->mark.version) < 0)
        abort();
    unit = unit_named(units, key);
    free(key);
    if (!*unit->submission.student)
        set_owner(unit, container, whose);
    else
        take_time(unit, whose->time);
    return unit;
}

/* The folder, or the file itself, whose name says whose it is. */
static char *loose_origin(const struct container *container, const struct piece *piece,
                          const char *rest) {
    size_t length = rest[-1] == '/' ? (size_t)(rest - 1 - piece->path) : strlen(piece->path);
    char *origin;

    if (asprintf(&origin, "%s/%.*s", container->path, (int)length, piece->path) < 0)
        abort();
    return origin;
}

static void sort_piece(struct units *units, const struct container *container,
                       const struct piece *piece, const struct whose *whose) {
    struct whose own = *whose;
    const char *path = piece->path;
    char *origin = NULL;

    if (whose->in_export && owner_mark(piece->path, &own.mark) != MARK_NONE) {
        own.from_export = 1;
        own.time = own.mark.kind == MARK_GRADESCOPE ? 0 : piece->time;
        path = own.mark.rest;
        own.origin = origin = loose_origin(container, piece, path);
    }
    if (piece->inner) {
        own.origin = NULL;
        sort_files(units, piece->inner, &own);
    } else if (strcmp(name_base(path), METADATA)) {
        /* At the top of an export lie the platform's own files too. */
        if (origin)
            add_file(loose_unit(units, container, &own), path, piece);
        else if (!whose->in_export)
            add_file(whole_unit(units, container, &own), path, piece);
    }
    free(origin);
}

static const char *metadata_of(const struct container *container) {
    int i;

    for (i = 0; i < container->count; i++) {
        const char *path = container->pieces[i].path;
        int end = 0;

        sscanf(path, "assignment_%*[0-9]_export/%n", &end);
        if (!strcmp(path + end, METADATA))
            return container->pieces[i].text;
    }
    return NULL;
}

/* Whether it holds a class's work: everything of interest in it has a platform's name. */
static int holds_class(const struct container *container) {
    struct mark mark;
    int i, marked = 0;

    for (i = 0; i < container->count && container->is_export; i++) {
        const struct piece *piece = &container->pieces[i];

        if (owner_mark(piece->path, &mark) != MARK_NONE)
            marked = 1;
        else if ((piece->bytes || piece->inner) && strcmp(name_base(piece->path), METADATA))
            return 0;
    }
    return marked;
}

static void sort_files(struct units *units, const struct container *container,
                       const struct whose *given) {
    struct whose own = *given, *whose = &own;
    int i, is_around = 0;

    own.in_export = own.mark.kind == MARK_NONE && holds_class(container);
    for (i = 0; i < container->count; i++) {
        sort_piece(units, container, &container->pieces[i], whose);
        is_around |= !own.in_export && container->pieces[i].inner;
    }
    if (is_around)
        whole_unit(units, container, whose)->is_around = 1;
    if (container->why != WHY_NONE || (container->is_archive && !own.in_export)) {
        struct unit *unit = whole_unit(units, container, whose);

        if (container->why != WHY_NONE)
            refuse_file(&unit->submission, container->path, "%s", why_sentence(container->why));
    }
}

/* A file that lies alone in the folder: a platform's name says whose it is, or nothing does. */
static void add_single(struct units *units, const struct container *container,
                       const struct whose *whose) {
    const struct piece *piece = container->pieces;
    struct unit *unit;

    if (whose->mark.kind != MARK_NONE) {
        add_file(loose_unit(units, container, whose), whose->mark.rest, piece);
        return;
    }
    unit = whole_unit(units, container, whose);
    refuse_file(&unit->submission, piece->path, "%s",
                piece->why != WHY_NONE ? why_sentence(piece->why)
                : name_is_document(piece->path)
                    ? why_sentence(WHY_FORM)
                    : "lies in no student's folder, so that nothing tells whose it is");
}

void units_add(struct units *units, struct container *container, const char *name) {
    struct whose whose = {.fallback = name, .metadata = units->metadata};
    int first = units->count, last, i;

    units->containers = realloc(units->containers,
                                (size_t)(units->container_count + 1) * sizeof *units->containers);
    if (!units->containers)
        abort();
    units->containers[units->container_count++] = container;
    whose.is_folder = !container->is_archive && !container->is_file;
    if (whose.is_folder) {
        char *path;

        if (asprintf(&path, "%s/", name) < 0)
            abort();
        owner_mark(path, &whose.mark);
        free(path);
        whose.mark.rest = NULL;
    } else {
        owner_mark(name, &whose.mark);
    }
    if (whose.mark.kind == MARK_GRADESCOPE && !units->metadata)
        whose.mark.kind = MARK_NONE;
    if (container->is_file)
        add_single(units, container, &whose);
    else
        sort_files(units, container, &whose);
    last = units->count;
    for (i = first; i < last; i++) {
        struct unit *unit = &units->units[i];

        if (unit->platform == MARK_GRADESCOPE)
            set_people(units, unit,
                       whose.mark.kind != MARK_NONE ? units->metadata : metadata_of(container));
    }
}

void units_free(struct units *units) {
    int i, k;

    for (i = 0; i < units->count; i++) {
        struct submission *submission = &units->units[i].submission;

        for (k = 0; k < submission->source_count; k++) {
            free(submission->sources[k].text);
            free(submission->sources[k].flags);
        }
        free(submission->answers);
        free(submission->predictions);
        free(units->units[i].key);
        free(units->units[i].files);
    }
    for (i = 0; i < units->container_count; i++)
        container_free(units->containers[i]);
    free(units->units);
    free(units->containers);
    free(units->metadata);
}
