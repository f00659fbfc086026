/* Folders of submissions to collect: archives made on the spot, and what collect() finds in them as
 * text. For tests that start in the repository's root. */
#ifndef SUBMISSIONS_H
#define SUBMISSIONS_H

#include <errno.h>
#include <locale.h>
#include <time.h>
#include <archive.h>
#include <archive_entry.h>

#include "catalogue_of_steps.h"
#include "collect.h"
#include "files.h"

static char found[1 << 20];
static int submissions;

/* The path of a name in the folder. Good until the call after next. */
static inline const char *in_place(const char *name) {
    static char paths[2][1024];
    static int turn;

    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

/* Writes a file in the folder, and the folders that lead to it. */
static inline void put(const char *name, const char *text) {
    write_deep(in_place(name), text, strlen(text));
}

/* An archive in the making, in memory. */
struct made {
    struct archive *archive;
    char *bytes;
    size_t used;
};

enum { ROOM = 32 << 20 };
static const time_t noon = 1795262400; /* 2026-11-21T12:00:00Z */

static inline void begin(struct made *made, int format, int filter) {
    made->archive = archive_write_new();
    made->bytes = malloc(ROOM);
    if (archive_write_set_format(made->archive, format) ||
        archive_write_add_filter(made->archive, filter) ||
        archive_write_set_bytes_in_last_block(made->archive, 1) ||
        archive_write_open_memory(made->archive, made->bytes, ROOM, &made->used))
        abort();
}

/* Adds an entry of a type (AE_IFREG ...); `link` is where a link leads, else NULL. */
static inline void add_any(struct made *made, const char *name, int type, const char *link,
                           const char *bytes, size_t size) {
    struct archive_entry *entry = archive_entry_new();

    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, (unsigned)type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, noon, 0);
    archive_entry_set_size(entry, (int64_t)size);
    if (link && type == AE_IFLNK)
        archive_entry_set_symlink(entry, link);
    else if (link)
        archive_entry_set_hardlink(entry, link);
    if (archive_write_header(made->archive, entry) < ARCHIVE_WARN) {
        fprintf(stderr, "%s: %s\n", name, archive_error_string(made->archive));
        abort();
    }
    if (size && archive_write_data(made->archive, bytes, size) < 0)
        abort();
    archive_entry_free(entry);
}

static inline void add_text(struct made *made, const char *name, const char *text) {
    add_any(made, name, AE_IFREG, NULL, text, strlen(text));
}

static inline void finish(struct made *made) {
    if (archive_write_close(made->archive))
        abort();
    archive_write_free(made->archive);
}

/* Ends the archive and puts it into the folder. */
static inline void finish_in(struct made *made, const char *name) {
    finish(made);
    write_deep(in_place(name), made->bytes, made->used);
    free(made->bytes);
}

/* Ends the archive and adds it to another one. */
static inline void finish_into(struct made *made, struct made *outer, const char *name) {
    finish(made);
    add_any(outer, name, AE_IFREG, NULL, made->bytes, made->used);
    free(made->bytes);
}

static inline void begin_zip(struct made *made) {
    begin(made, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE);
}

/* A zip with a writer's option, and a password if it needs one. */
static inline void begin_zip_with(struct made *made, const char *option) {
    made->archive = archive_write_new();
    made->bytes = malloc(ROOM);
    if (archive_write_set_format(made->archive, ARCHIVE_FORMAT_ZIP) ||
        archive_write_set_options(made->archive, option) ||
        archive_write_set_passphrase(made->archive, "secret") ||
        archive_write_set_bytes_in_last_block(made->archive, 1) ||
        archive_write_open_memory(made->archive, made->bytes, ROOM, &made->used))
        abort();
}

/* Takes times since 1970 out of a zip: what is left is what a clock showed, as in most zips. */
static inline void keep_clocks(struct made *made) {
    size_t i;

    for (i = 0; i + 4 < made->used; i++)
        if (!memcmp(made->bytes + i, "UT\x5", 4) || !memcmp(made->bytes + i, "UT\x9", 4) ||
            !memcmp(made->bytes + i, "UT\xd", 4))
            made->bytes[i] = made->bytes[i + 1] = 'x';
}

static inline void begin_tar_gz(struct made *made) {
    begin(made, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP);
}

/* What `make submit STUDENT=id` packs, of 05 alone. */
static inline void pack(struct made *made, const char *id, const char *source) {
    char path[256];

    begin_tar_gz(made);
    snprintf(path, sizeof path, "%s/05_tiling/nbody.cu", id);
    add_text(made, path, source);
    snprintf(path, sizeof path, "%s/manifest.tsv", id);
    add_text(made, path, "step\tfile\tbytes\tsha256\tstate\n");
}

static int write_down(const struct submission *submission, void *context) {
    char *at = found + strlen(found);
    size_t room = sizeof found - strlen(found);
    FILE *out = fmemopen(at, room, "w");
    int i;

    (void)context;
    submissions++;
    fprintf(out, "@%s (%s) [%s] %s\n", submission->student, submission->name,
            *submission->clock ? submission->clock : submission->submitted_utc, submission->origin);
    for (i = 0; i < submission->source_count; i++) {
        const struct source *source = &submission->sources[i];

        fprintf(out, "+%s %s \"%.20s\"%s%s%s\n", source->step->name, source->origin, source->text,
                source->flags ? " {" : "", source->flags ? source->flags : "",
                source->flags ? "}" : "");
        if (strlen(source->text) != source->bytes)
            fprintf(out, "broken\n");
    }
    if (submission->answers)
        fprintf(out, "+answers %s\n", submission->answers);
    if (submission->predictions)
        fprintf(out, "+predictions %s\n", submission->predictions);
    for (i = 0; i < submission->refusal_count && i < MOST_REFUSALS; i++)
        fprintf(out, "!%s: %s\n", submission->refusals[i].path, submission->refusals[i].reason);
    if (submission->refusal_count > MOST_REFUSALS)
        fprintf(out, "! and %d more\n", submission->refusal_count - MOST_REFUSALS);
    fprintf(out, "=%s\n", submission->sha256);
    fclose(out);
    return 0;
}

/* The course's steps, and one of another problem. */
static const struct catalogue *course(void) {
    if (!catalogue.count) {
        if (read_catalogue(NULL))
            abort();
        add_other_step();
    }
    return &catalogue;
}

/* Collects the folder; what is found stands in `found`. A lone source is of the step of that
 * number; NULL: of none. */
static inline enum outcome gather_only(const char *step) {
    *found = 0;
    submissions = 0;
    return collect(folder, course(), step ? catalogue_find(course(), step) : NULL, write_down,
                   NULL);
}

static inline void gather(void) {
    enum outcome outcome = gather_only(NULL);

    if (outcome)
        fail_msg("ended with %d", outcome);
}

static inline void assert_found(const char *part) {
    if (!strstr(found, part))
        fail_msg("\"%s\" is not in:\n%s", part, found);
}

static inline void assert_not_found(const char *part) {
    if (strstr(found, part))
        fail_msg("\"%s\" is in:\n%s", part, found);
}

/* Begins a tar.gz of anna's, with one good source. */
static inline void begin_anna(struct made *made) {
    begin(made, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_GZIP);
    add_text(made, "anna/05_tiling/nbody.cu", "five");
}

/* Collects it. The good source is taken, and nothing else but what `more` says. */
static inline void gather_anna(struct made *made, const char *more) {
    static const char good[] = "+05_tiling anna/05_tiling/nbody.cu \"five\"\n";
    char *at;

    finish_in(made, "anna.tar.gz");
    gather();
    assert_int_equal(submissions, 1);
    assert_found(good);
    if (!more)
        for (at = found; (at = strstr(at, "\n+")); at++)
            if (strncmp(at + 1, good, strlen(good)))
                fail_msg("more was taken:\n%s", found);
    if (more)
        assert_found(more);
}

#endif
