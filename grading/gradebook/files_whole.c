#define _GNU_SOURCE
#include "files_whole.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *file_whole(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rbe");
    char *text = NULL;
    size_t room = 0, got = 0;

    if (!file)
        return NULL;
    do {
        /* cppcheck-suppress memleakOnRealloc */
        if (!(text = realloc(text, (room += 65536) + 1)))
            abort();
        got += fread(text + got, 1, room - got, file);
    } while (got == room);
    if (ferror(file)) {
        free(text);
        text = NULL;
    } else {
        text[got] = 0;
    }
    fclose(file);
    if (bytes)
        *bytes = got;
    return text;
}

int file_write(const char *path, const void *bytes, size_t count) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int whole = file >= 0 && write(file, bytes, count) == (ssize_t)count;

    if (file >= 0 && close(file))
        whole = 0;
    return whole;
}
