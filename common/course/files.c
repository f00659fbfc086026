#include "files.h"

#include <stdlib.h>
#include <string.h>

char *file_rest(FILE *file, size_t *size) {
    size_t room = 0, got;
    char *text = NULL;

    *size = 0;
    do {
        if (room - *size < 4096) {
            char *more = realloc(text, room += 65536);

            if (!more)
                abort();
            text = more;
        }
        got = fread(text + *size, 1, room - *size, file);
        *size += got;
    } while (got);
    return text;
}

char *file_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "r");
    char *text;

    if (!file)
        return NULL;
    text = file_rest(file, size);
    if (ferror(file)) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

int file_holds(const char *path, const char *bytes, size_t size) {
    size_t own_size = 0;
    char *own = file_bytes(path, &own_size);
    int same = bytes && own ? size == own_size && !memcmp(bytes, own, size) : bytes == own;

    free(own);
    return same;
}

int file_put(const char *path, const char *bytes, size_t size) {
    char new[560];
    FILE *file;
    int bad;

    snprintf(new, sizeof new, "%s.new", path);
    if (!(file = fopen(new, "w")))
        return -1;
    bad = fwrite(bytes, 1, size, file) != size;
    return fclose(file) || bad || rename(new, path) ? -1 : 0;
}
