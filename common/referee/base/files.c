#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_rest(FILE *file, size_t *size) {
    size_t room = 0, got = 0;
    char *text = NULL;

    do {
        /* cppcheck-suppress memleakOnRealloc */
        if (!(text = realloc(text, (room += 65536) + 1)))
            abort();
        got += fread(text + got, 1, room - got, file);
    } while (got == room);
    if (ferror(file)) {
        free(text);
        return NULL;
    }
    text[got] = 0;
    if (size)
        *size = got;
    return text;
}

char *file_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "re");
    char *text = file ? file_rest(file, size) : NULL;

    if (file)
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

static int write_all(int file, const char *bytes, size_t size) {
    while (size) {
        ssize_t written = write(file, bytes, size);

        if (written < 0)
            return -1;
        bytes += written;
        size -= (size_t)written;
    }
    return fsync(file);
}

int file_put(const char *path, const void *bytes, size_t size, mode_t mode) {
    struct stat old;
    char new[4096];
    int file, wrong;

    snprintf(new, sizeof new, "%s.new", path);
    if ((file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)) < 0)
        return -1;
    wrong = (!stat(path, &old) && fchmod(file, old.st_mode & 0777)) || write_all(file, bytes, size);
    if (close(file) || wrong || rename(new, path)) {
        wrong = errno;
        unlink(new);
        errno = wrong;
        return -1;
    }
    return 0;
}

int file_copy(const char *from, const char *to, mode_t mode) {
    size_t size;
    char *bytes = file_bytes(from, &size);
    int failed = bytes ? file_put(to, bytes, size, mode) : -1;

    free(bytes);
    return failed;
}
