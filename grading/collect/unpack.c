#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "owner.h"
#include "unpack.h"

/* What is read of an archive so far. */
struct progress {
    int entries, headers, export;
    enum level level;
    uint64_t bytes;
};

static void send_all(const void *from, size_t bytes) {
    const char *at = from;

    while (bytes) {
        ssize_t sent = write(STDOUT_FILENO, at, bytes);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            _exit(1);
        at += sent;
        bytes -= (size_t)sent;
    }
}

static void send_record(enum why why, const char *path, const char *text, size_t bytes,
                        int64_t time) {
    struct record record = {why, (uint32_t)strlen(path), bytes, time};

    send_all(&record, sizeof record);
    send_all(path, record.path_bytes);
    send_all(text, bytes);
}

_Noreturn static void end(enum why why) {
    send_record(why, "", "", 0, 0);
    _exit(0);
}

static struct archive *open_archive(void) {
    struct archive *archive = archive_read_new();

    /* Only these: no programs that unpack, and no formats that nobody hands in. */
    archive_read_support_format_tar(archive);
    archive_read_support_format_zip(archive);
    archive_read_support_format_7zip(archive);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    if (archive_read_open_fd(archive, STDIN_FILENO, 65536) == ARCHIVE_OK)
        return archive;
    archive_read_free(archive);
    return NULL;
}

/* Has the C library, and so libarchive, take clocks for those of a zone. */
static void take_clocks_for(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
}

/* When entries of a zip were written, for one whose clocks are half a day behind: what changes is a
 * clock's time, and no time since 1970. */
static int64_t *shifted;
static int shifted_count;

static void read_shifted(void) {
    struct archive *archive;
    struct archive_entry *entry;

    take_clocks_for("AAA12");
    archive = open_archive();
    while (archive && shifted_count < MOST_EXPORT_ENTRIES &&
           archive_read_next_header(archive, &entry) == ARCHIVE_OK &&
           (archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP) {
        if (!shifted && !(shifted = calloc(MOST_EXPORT_ENTRIES, sizeof *shifted)))
            end(WHY_BYTES);
        shifted[shifted_count++] = archive_entry_mtime(entry);
    }
    archive_read_free(archive);
    take_clocks_for("UTC0");
    if (lseek(STDIN_FILENO, 0, SEEK_SET))
        end(WHY_DIED);
}

/* The time of an entry, the `number`th header (unpack.h). Programs that write no time write the
 * first day that a zip's clock knows. */
static int64_t time_of(struct archive_entry *entry, int number) {
    enum { SECOND_DAY = 315619200 }; /* of 1980 */
    int64_t time = archive_entry_mtime_is_set(entry) ? archive_entry_mtime(entry) : 0;

    if (number >= shifted_count || shifted[number] == time)
        return time > 0 ? time : 0;
    return time < SECOND_DAY ? 0 : -time;
}

/* Reads an entry's bytes whether they are wanted or not: all count as unpacked. */
static enum why read_bytes(struct archive *archive, struct progress *progress, char *text,
                           size_t wanted, size_t *got) {
    char spare[65536];
    enum why why = WHY_NONE;

    for (*got = 0;;) {
        int keep = *got < wanted;
        size_t room = keep && wanted - *got < sizeof spare ? wanted - *got : sizeof spare;
        /* cppcheck-suppress [nullPointerArithmetic, legacyUninitvar] */
        ssize_t bytes = archive_read_data(archive, keep ? text + *got : spare, room);

        if (bytes == 0)
            return why;
        if (bytes < 0)
            return WHY_BROKEN;
        progress->bytes += (uint64_t)bytes;
        if (progress->bytes > (progress->export ? MOST_EXPORT_BYTES : MOST_BYTES))
            end(WHY_BYTES);
        if (keep)
            *got += (size_t)bytes;
        else if (wanted)
            why = WHY_LARGE;
    }
}

static void read_entry(struct archive *archive, struct archive_entry *entry,
                       struct progress *progress) {
    int64_t time = time_of(entry, progress->headers++);
    const char *raw = archive_entry_pathname(entry);
    size_t wanted = 0, got = 0;
    enum why why = WHY_NONE;
    char *path, *text, *at;

    if (!raw || !*raw || strlen(raw) > MOST_PATH) {
        send_record(WHY_PATH, "(a path of more than 4096 characters, or none)", "", 0, 0);
        return;
    }
    path = strdup(raw);
    for (at = path; (at = strchr(at, '\\'));) /* of old zip programs on Windows */
        *at = '/';
    while (!strncmp(path, "./", 2))
        memmove(path, path + 2, strlen(path) - 1);
    progress->export |= progress->level == LEVEL_ANY && owner_is_export(path);
    if (++progress->entries > (progress->export ? MOST_EXPORT_ENTRIES : MOST_ENTRIES))
        end(WHY_ENTRIES);
    if (archive_entry_filetype(entry) == AE_IFDIR || name_is_litter(path)) {
        if (archive_entry_filetype(entry) != AE_IFDIR)
            read_bytes(archive, progress, NULL, 0, &got);
        free(path);
        return;
    }
    if (archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry))
        why = WHY_LINK;
    else if (archive_entry_filetype(entry) != AE_IFREG)
        why = WHY_SPECIAL;
    else if (archive_entry_is_encrypted(entry))
        why = WHY_ENCRYPTED;
    else if (name_is_archive(name_base(path)) && progress->level == LEVEL_INNER)
        why = WHY_NESTED;
    else
        wanted = name_wanted(path);
    text = malloc(wanted + 1);
    if (!text)
        end(WHY_BYTES);
    if (why == WHY_NONE)
        why = read_bytes(archive, progress, text, wanted, &got);
    /* Of what is of no interest the path is told, for what to say of it. */
    send_record(why, path, text, why == WHY_NONE ? got : 0, time);
    free(text);
    free(path);
}

_Noreturn void unpack_archive(enum level level) {
    struct progress progress = {.level = level};
    struct archive *archive;
    struct archive_entry *entry;
    int result;

    if (level == LEVEL_ANY)
        read_shifted();
    archive = open_archive();
    if (!archive)
        end(WHY_FORM);
    while ((result = archive_read_next_header(archive, &entry)) == ARCHIVE_OK ||
           result == ARCHIVE_WARN)
        read_entry(archive, entry, &progress);
    if (result != ARCHIVE_EOF && archive_read_has_encrypted_entries(archive) == 1)
        end(WHY_ENCRYPTED);
    if (result != ARCHIVE_EOF)
        end(progress.entries == 0 && archive_format(archive) == 0 ? WHY_FORM : WHY_DAMAGED);
    end(WHY_NONE);
}
