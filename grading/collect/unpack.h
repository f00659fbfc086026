/* Reads archives. The bytes are hostile and libarchive parses them, so that it does so in a child
 * process without privileges; a crash costs that one archive. */
#ifndef UNPACK_H
#define UNPACK_H

#include <stddef.h>
#include <stdint.h>

/* Why a file was not read, or not the whole archive. */
enum why {
    WHY_NONE,
    /* a file */
    WHY_LINK,
    WHY_SPECIAL, /* device, FIFO, socket */
    WHY_PATH,    /* too long or none at all */
    WHY_ENCRYPTED,
    WHY_LARGE,
    WHY_BROKEN,
    WHY_NESTED,
    WHY_KEPT, /* too much of interest */
    /* an archive */
    WHY_DAMAGED,
    WHY_FORM, /* of a kind that is not taken */
    WHY_ENTRIES,
    WHY_BYTES,
    WHY_TIME,
    WHY_DIED,
    WHYS
};

/* Of an archive or a folder: entries, and bytes unpacked. An export of a class may have more. */
enum { MOST_ENTRIES = 2000, MOST_EXPORT_ENTRIES = 200000 };
#define MOST_BYTES        ((uint64_t)64 << 20)
#define MOST_EXPORT_BYTES ((uint64_t)4 << 30)

/* What the child writes for a file: this, the path, the bytes. The last one has no path, and says
 * in `why` how the archive ended. */
struct record {
    uint32_t why, path_bytes;
    uint64_t bytes;
    int64_t time; /* the entry's */
};

/* An entry's time is in seconds since 1970; 0: none. Below 0 it is what a clock showed of which
 * nobody knows the time zone, as if that were UTC, and negated: most zips have no other time. */

/* What an archive may hold: a class's export, a student's work with an archive in it, or only
 * files. */
enum level { LEVEL_ANY, LEVEL_WORK, LEVEL_INNER };

/* The child: reads the archive in file descriptor 0, writes records to 1 and ends. Needs nothing
 * else, no file and no environment. */
_Noreturn void unpack_archive(enum level level);

/* A file that was found, with its bytes (to be freed; a 0 follows) or why there are none. */
typedef void file_found(void *context, char *path, char *text, size_t bytes, int64_t time,
                        enum why why);

/* Has a child read the archive open as `archive`; gives each file of interest (name_wanted()) and
 * what was wrong with others. Returns how the archive ended. */
enum why unpack_apart(int archive, enum level level, file_found *found, void *context);

/* Says `why` in words for a student. */
const char *why_sentence(enum why why);

#endif
