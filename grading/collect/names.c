#define _GNU_SOURCE
#include <ctype.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/sha2.h>

#include "names.h"
#include "referee/base/utf8.h"

static int is_control(int32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Characters without a width, and those that turn the direction of writing. */
static int is_unseen(int32_t code) {
    return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

char *name_to_utf8(const char *raw) {
    const char *at = raw;
    size_t left = strlen(raw), room = 3 * left;
    char *in = (char *)(uintptr_t)raw, *text, *out;
    int broken = 0, oem = 0;
    iconv_t conversion;

    while (*at)
        broken |= utf8_next(&at) < 0;
    if (!broken)
        return strdup(raw);
    for (at = raw; *at; at++)
        oem |= (unsigned char)*at >= 0x80 && (unsigned char)*at < 0xa0;
    text = out = calloc(1, room + 1);
    conversion = iconv_open("UTF-8", oem ? "CP437" : "ISO-8859-1");
    if (text && conversion != (iconv_t)-1)
        iconv(conversion, &in, &left, &out, &room);
    if (conversion != (iconv_t)-1)
        iconv_close(conversion);
    return text;
}

void name_printable(char *out, size_t size, const char *text) {
    size_t used = 0;

    while (*text) {
        const char *from = text;
        int32_t code = utf8_next(&text);
        int bad = code < 0 || is_control(code) || is_unseen(code);
        size_t bytes = bad ? 1 : (size_t)(text - from);

        if (used + bytes >= size)
            break;
        memcpy(out + used, bad ? "?" : from, bytes);
        used += bytes;
    }
    out[used] = 0;
}

/* The letters U+00C0 to U+00FF, as they are written without marks. */
static const char *const plain_letters[] = {
    "A", "A", "A", "A", "Ae", "A", "Ae", "C", "E", "E", "E", "E", "I",  "I", "I",  "I",
    "D", "N", "O", "O", "O",  "O", "Oe", "_", "O", "U", "U", "U", "Ue", "Y", "Th", "ss",
    "a", "a", "a", "a", "ae", "a", "ae", "c", "e", "e", "e", "e", "i",  "i", "i",  "i",
    "d", "n", "o", "o", "o",  "o", "oe", "_", "o", "u", "u", "u", "ue", "y", "th", "y"};

void name_id(char *id, const char *name) {
    enum { LONGEST = 60, DIGITS = 7 };
    const char *at = name;
    size_t used = 0;

    while (*at && used < LONGEST - DIGITS - 2) {
        int32_t code = utf8_next(&at);
        char letter[2] = {(char)code, 0};
        const char *plain = "_";

        if (code > 0 && code < 0x80 && (isalnum(code) || strchr("_.-", code)))
            plain = letter;
        else if (code >= 0xc0 && code <= 0xff)
            plain = plain_letters[code - 0xc0];
        else if (code == 0x308 && used && strchr("aouAOU", id[used - 1]))
            plain = "e"; /* a Mac writes the two dots after the letter */
        else if (code >= 0x300 && code < 0x370)
            plain = "";
        if (!used && (*plain == '.' || *plain == '-'))
            plain = "_";
        memcpy(id + used, plain, strlen(plain));
        used += strlen(plain);
    }
    id[used] = 0;
    if (!used || strcmp(id, name)) {
        struct sha256_ctx context;
        uint8_t digest[3];

        sha256_init(&context);
        sha256_update(&context, strlen(name), (const uint8_t *)name);
        sha256_digest(&context, sizeof digest, digest);
        sprintf(id + used, "%s%02x%02x%02x", used ? "-" : "", digest[0], digest[1], digest[2]);
    }
}

const char *name_wrong_path(const char *path) {
    const char *at;

    if (!*path)
        return "has no name";
    if (*path == '/' || (isalpha((unsigned char)*path) && path[1] == ':'))
        return "has an absolute path; pack it with a path that begins in your folder";
    for (at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
            return "has a path with `..` in it; pack it from the folder that holds it";
    }
    for (at = path; *at;)
        if (is_control(utf8_next(&at)))
            return "has a control character in its name; rename it";
    return NULL;
}

const char *name_base(const char *path) {
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

int name_ends(const char *name, const char *ending) {
    size_t length = strlen(name), wanted = strlen(ending);

    return length > wanted && !strcasecmp(name + length - wanted, ending);
}

/* rar and gz are not opened; they are here so that a student is told. */
static const char *const archives[] = {".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tar.bz2",
                                       ".tbz2",   ".tar", ".zip",    ".7z",  ".rar",     ".gz"};
static const char *const documents[] = {".pdf", ".docx", ".doc", ".odt", ".rtf", ".ipynb"};

size_t name_stem(const char *name, unsigned long *number) {
    size_t length = strlen(name), i;
    char *copy = strdup(name), *dot = strrchr(copy, '.');

    *number = 0;
    if (dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1) && strlen(dot) < 8) {
        *number = strtoul(dot + 1, NULL, 10);
        *dot = 0;
    }
    for (i = 0; i < sizeof archives / sizeof *archives; i++)
        if (name_ends(copy, archives[i])) {
            length = strlen(copy) - strlen(archives[i]);
            break;
        }
    free(copy);
    return length;
}

int name_is_archive(const char *name) {
    unsigned long number;

    return name_stem(name, &number) < strlen(name);
}

int name_is_document(const char *name) {
    size_t i;

    for (i = 0; i < sizeof documents / sizeof *documents; i++)
        if (name_ends(name, documents[i]))
            return 1;
    return 0;
}

int name_is_litter(const char *path) {
    static const char *const litter[] = {"__MACOSX", "build", "results", "Thumbs.db",
                                         "desktop.ini"};
    size_t length, i;

    for (; *path; path += length, path += *path == '/') {
        length = strcspn(path, "/");
        if (*path == '.' && !(length == 2 && path[1] == '.') && length > 1)
            return 1;
        for (i = 0; i < sizeof litter / sizeof *litter; i++)
            if (length == strlen(litter[i]) && !strncasecmp(path, litter[i], length))
                return 1;
    }
    return 0;
}

size_t name_wanted(const char *path) {
    static const char *const texts[] = {"flags", "answers.tsv", "predictions.tsv", "manifest.tsv"};
    const char *base = name_base(path);
    size_t i;

    for (i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(base, texts[i]))
            return LARGEST_TEXT;
    if (!strcmp(base, METADATA))
        return 16 << 20;
    if (name_ends(base, ".c") || name_ends(base, ".cu"))
        return LARGEST_TEXT;
    return name_is_archive(base) ? LARGEST_ARCHIVE : 0;
}
