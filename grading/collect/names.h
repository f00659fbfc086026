/* Names that come from outside: of people, files and entries of archives. All are UTF-8 or are made
 * so; none is trusted. */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>

#define METADATA "submission_metadata.yml" /* of a Gradescope export */

enum { STUDENT_BYTES = 64, NAME_BYTES = 128 };
enum { MOST_PATH = 4096, LARGEST_TEXT = 256 << 10, LARGEST_ARCHIVE = 64 << 20 };

/* The name as UTF-8, to be freed. Old zip programs write CP437 or Latin-1 and do not say which:
 * only CP437 has letters at 0x80 to 0x9f. */
char *name_to_utf8(const char *raw);

/* Copies `text` without control characters, directions of writing and broken UTF-8: each becomes
 * '?'. What is too long is cut between characters. */
void name_printable(char *out, size_t size, const char *text);

/* An id of the characters A-Z a-z 0-9 _ . -, that begins with none of the last two, from any name;
 * at most 60 of them. A name that is not such an id gets six hex digits of its SHA-256 at the end,
 * so that two names never share an id. `id` has STUDENT_BYTES. */
void name_id(char *id, const char *name);

/* Whether a path may be one of a submission's: relative, without `..`, without control characters.
 * Returns what is wrong with it, for a student, or NULL. */
const char *name_wrong_path(const char *path);

const char *name_base(const char *path);
int name_ends(const char *name, const char *ending); /* in either case */
int name_is_archive(const char *name);
int name_is_document(const char *name);

/* The length of an archive's name without its ending, submission-anna of submission-anna.tar.gz.1;
 * `number` gets the 1, 0 if there is none. */
size_t name_stem(const char *name, unsigned long *number);

/* Whether the path leads through what operating systems and the course leave behind. */
int name_is_litter(const char *path);

/* How many bytes of such a file are of interest; 0: none. Litter is another question. */
size_t name_wanted(const char *path);

#endif
