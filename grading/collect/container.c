#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container.h"
#include "owner.h"

enum { DEEPEST = 16, MOST_KEPT = 8 << 20, MOST_EXPORT_KEPT = 512 << 20 };

static char *join(const char *folder, const char *name) {
    char *path;

    if (asprintf(&path, *folder ? "%s/%s" : "%s%s", folder, name) < 0)
        abort();
    return path;
}

static struct container *new_container(const char *path, int is_archive, enum level level) {
    struct container *container = calloc(1, sizeof *container);

    if (!container)
        abort();
    container->path = strdup(path);
    container->is_archive = is_archive;
    container->level = level;
    return container;
}

static struct container *read_archive(int archive, const char *path, enum level level);

/* What an archive in the container may hold. One that a platform's export or a folder holds is what
 * a student packed, in which there may be another one. */
static enum level level_inside(const struct container *outer, const char *name) {
    return !outer->is_archive || (outer->level == LEVEL_ANY && owner_is_export(name)) ? LEVEL_WORK
                                                                                      : LEVEL_INNER;
}

/* Reads an archive that lies in memory, through a file that is nowhere on a disk. */
static struct container *read_inner(const struct container *outer, const char *name,
                                    const char *text, size_t bytes) {
    int memory = memfd_create("archive", MFD_CLOEXEC);
    char *path = join(outer->path, name);
    struct container *inner = NULL;

    if (memory >= 0 && write(memory, text, bytes) == (ssize_t)bytes &&
        lseek(memory, 0, SEEK_SET) == 0)
        inner = read_archive(memory, path, level_inside(outer, name));
    if (memory >= 0)
        close(memory);
    free(path);
    return inner;
}

static struct piece *append(struct container *container, char *path, char *text, size_t bytes,
                            int64_t time, enum why why) {
    size_t count = (size_t)container->count;
    struct piece *piece;

    if ((count & (count - 1)) == 0 &&
        !(container->pieces =
              realloc(container->pieces, (count ? 2 * count : 1) * sizeof *container->pieces)))
        abort();
    container->is_export |= container->level == LEVEL_ANY && owner_is_export(path);
    container->kept += bytes;
    if (container->kept > (container->is_export ? MOST_EXPORT_KEPT : MOST_KEPT)) {
        why = WHY_KEPT;
        bytes = 0;
    }
    if (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* a mark of UTF-8, which compilers skip */
        memmove(text, text + 3, bytes -= 3), text[bytes] = 0;
    if (!bytes) {
        free(text);
        text = calloc(1, 1);
    }
    piece = &container->pieces[container->count++];
    *piece = (struct piece){path, text, bytes, time, why, NULL};
    return piece;
}

/* A file_found: an archive among them is opened. */
static void add_piece(void *context, char *path, char *text, size_t bytes, int64_t time,
                      enum why why) {
    struct container *container = context, *inner;
    struct piece *piece;

    if (why != WHY_NONE || !name_is_archive(name_base(path)) || name_wrong_path(path)) {
        append(container, path, text, bytes, time, why);
        return;
    }
    inner = read_inner(container, path, text, bytes);
    free(text);
    piece = append(container, path, NULL, 0, time, inner ? WHY_NONE : WHY_DIED);
    piece->inner = inner;
}

static struct container *read_archive(int archive, const char *path, enum level level) {
    struct container *container = new_container(path, 1, level);

    container->why = unpack_apart(archive, level, add_piece, container);
    return container;
}

/* Opens a regular file below `folder`, and nothing else that has its name. */
static int open_regular(int folder, const char *name) {
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat status;

    if (file >= 0 && (fstat(file, &status) || !S_ISREG(status.st_mode))) {
        close(file);
        file = -1;
    }
    return file;
}

/* Reads a file of a folder into the container, called `path` there. */
static void read_regular(struct container *container, int folder, const char *name,
                         const char *path) {
    size_t wanted = name_wanted(path), got = 0;
    int file = open_regular(folder, name);
    char *text = malloc(wanted + 2);
    enum why why = file < 0 ? WHY_SPECIAL : WHY_NONE;
    ssize_t bytes;

    if (!text)
        abort();
    if (file >= 0 && name_is_archive(name_base(path))) {
        char *whole = join(container->path, path);
        append(container, strdup(path), text, 0, 0, WHY_NONE)->inner =
            read_archive(file, whole, level_inside(container, path));
        free(whole);
        close(file);
        return;
    }
    while (file >= 0 && wanted && got <= wanted &&
           (bytes = read(file, text + got, wanted + 1 - got)) > 0)
        got += (size_t)bytes;
    if (got > wanted) {
        why = WHY_LARGE;
        got = 0;
    }
    text[got] = 0;
    if (file >= 0)
        close(file);
    append(container, strdup(path), text, got, 0, why);
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Walks through a folder that is open; closes it. `path` is below the container. */
static void walk(struct container *container, int folder, const char *path, int depth) {
    char **names = NULL;
    struct dirent *entry;
    DIR *directory = fdopendir(folder);
    size_t count = 0, i;

    if (!directory) {
        close(folder);
        return;
    }
    while ((entry = readdir(directory)) && count <= MOST_EXPORT_ENTRIES) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        /* cppcheck-suppress memleakOnRealloc */
        if (!(names = realloc(names, (count + 1) * sizeof *names)))
            abort();
        names[count++] = strdup(entry->d_name);
    }
    if (count)
        qsort(names, count, sizeof *names, by_name);
    for (i = 0; i < count; i++) {
        char *below = join(path, names[i]);
        struct stat status;

        if (container->why == WHY_NONE && !name_is_litter(names[i]) &&
            !fstatat(dirfd(directory), names[i], &status, AT_SYMLINK_NOFOLLOW)) {
            if (++container->entries > (container->is_export ? MOST_EXPORT_ENTRIES : MOST_ENTRIES))
                container->why = WHY_ENTRIES;
            else if (S_ISLNK(status.st_mode))
                append(container, strdup(below), NULL, 0, 0, WHY_LINK);
            else if (S_ISREG(status.st_mode))
                read_regular(container, dirfd(directory), names[i], below);
            else if (!S_ISDIR(status.st_mode))
                append(container, strdup(below), NULL, 0, 0, WHY_SPECIAL);
            else if (depth < DEEPEST)
                walk(container,
                     openat(dirfd(directory), names[i],
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                     below, depth + 1);
            else
                append(container, strdup(below), NULL, 0, 0, WHY_PATH);
        }
        free(below);
        free(names[i]);
    }
    free(names);
    closedir(directory);
}

struct container *container_read(int folder, const char *name, enum level level) {
    int below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), file;
    struct container *container;

    if (below >= 0) {
        container = new_container(name, 0, level);
        walk(container, below, "", 0);
        return container;
    }
    file = open_regular(folder, name);
    if (file >= 0 && name_is_archive(name)) {
        container = read_archive(file, name, level);
    } else {
        container = new_container(name, 0, LEVEL_WORK);
        container->is_file = 1;
        if (file >= 0)
            read_regular(container, folder, name, name);
        else
            append(container, strdup(name), NULL, 0, 0, WHY_LINK);
    }
    if (file >= 0)
        close(file);
    return container;
}

void container_free(struct container *container) {
    int i;

    for (i = 0; i < container->count; i++) {
        free(container->pieces[i].path);
        free(container->pieces[i].text);
        if (container->pieces[i].inner)
            container_free(container->pieces[i].inner);
    }
    free(container->pieces);
    free(container->path);
    free(container);
}
