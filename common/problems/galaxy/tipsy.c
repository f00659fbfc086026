/* Tipsy's binary files: a header of 32 bytes, then records of floats. The layout is that of
 * pkdgrav3's manual, section "File Formats". */
#include <math.h>
#include <string.h>

#include "snapshot.h"

/* Words of the header; the time is a double. */
enum { TIME, BODIES = TIME + 2, DIMENSIONS, GAS, DARK, STARS, PAD, WORDS };

/* Floats of a record: mass, place and velocity, then of a dark body its softening and potential, of
 * a star its metals, time of birth, softening and potential. */
enum { KEPT = 7, OF_DARK = 9, OF_STAR = 11 };

static uint32_t word_at(const unsigned char *bytes, size_t number, int is_big) {
    uint32_t word = 0;

    for (size_t k = 0; k < 4; k++)
        word = word << 8 | bytes[4 * number + (is_big ? k : 3 - k)];
    return word;
}

static int read_header(FILE *file, int words[WORDS], int *is_big, char *what) {
    unsigned char header[4 * WORDS] = {0};
    size_t got = fread(header, 1, sizeof header, file);
    long bytes, expected;

    *is_big = word_at(header, DIMENSIONS, 1) == 3;
    for (size_t k = 0; k < WORDS; k++)
        words[k] = (int)word_at(header, k, *is_big);
    if (got < sizeof header || words[DIMENSIONS] != 3)
        return snprintf(
            what, WHAT_BYTES,
            "this is no tipsy file: there should be a header of 32 bytes, and its bytes "
            "12 to 15 the number 3, the dimensions");
    if (words[GAS] || words[DARK] < 0 || words[STARS] < 0 ||
        (long)words[DARK] + words[STARS] != words[BODIES] || words[BODIES] > LARGEST_SNAPSHOT)
        return snprintf(what, WHAT_BYTES,
                        "the header says %d bodies: %d of gas, %d dark ones and %d stars; there "
                        "should be no gas, no negative number, and at most 2^28 bodies, as many as "
                        "dark ones and stars together",
                        words[BODIES], words[GAS], words[DARK], words[STARS]);
    fseek(file, 0, SEEK_END);
    bytes = ftell(file);
    expected = 4L * (WORDS + (long)OF_DARK * words[DARK] + (long)OF_STAR * words[STARS]);
    if (bytes != expected || fseek(file, sizeof header, SEEK_SET))
        return snprintf(what, WHAT_BYTES,
                        "the file has %ld bytes; the %d dark bodies and %d stars of its header "
                        "should take %ld",
                        bytes, words[DARK], words[STARS], expected);
    return 0;
}

static int read_bodies(FILE *file, const char *path, struct snapshot *snapshot, char *what) {
    int words[WORDS] = {0}, is_big = 0;

    (void)path;
    if (read_header(file, words, &is_big, what) ||
        snapshot_new(snapshot, (const int[COMPONENTS]){[HALO] = words[DARK], [DISK] = words[STARS]},
                     what))
        return -1;
    for (int i = 0; i < words[BODIES]; i++) {
        unsigned char record[4 * OF_STAR] = {0};

        if (!fread(record, i < words[DARK] ? 4 * OF_DARK : 4 * OF_STAR, 1, file))
            return snprintf(what, WHAT_BYTES, "body %d cannot be read", i + 1);
        for (size_t k = 0; k < KEPT; k++) {
            uint32_t word = word_at(record, k, is_big);
            float value;

            memcpy(&value, &word, sizeof value);
            ((double *)&snapshot->stars[i])[k] = value;
        }
    }
    return 0;
}

static void put_word(uint32_t word, FILE *file) {
    for (int shift = 24; shift >= 0; shift -= 8)
        putc((int)(word >> shift & 255), file);
}

static int write_bodies(FILE *file, const char *path, const struct snapshot *snapshot, char *what) {
    const int n = snapshot->first[COMPONENTS], dark = snapshot->first[HALO + 1];
    const int words[WORDS] = {[BODIES] = n, [DIMENSIONS] = 3, [DARK] = dark, [STARS] = n - dark};

    (void)path;
    for (size_t k = 0; k < WORDS; k++)
        put_word((uint32_t)words[k], file);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < (i < dark ? OF_DARK : OF_STAR); k++) {
            float value = k < KEPT ? (float)((const double *)&snapshot->stars[i])[k] : 0;
            uint32_t word;

            if (!isfinite(value))
                return snprintf(what, WHAT_BYTES,
                                "body %d has a number too large for a float; take .txt or .hdf5",
                                i + 1);
            memcpy(&word, &value, sizeof word);
            put_word(word, file);
        }
    return 0;
}

const struct snapshot_format tipsy_format = {read_bodies, write_bodies};
