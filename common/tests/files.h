/* Temporary folders, whole files and what is printed. For tests. */
#ifndef FILES_H
#define FILES_H

#include "testing.h"

#include <fcntl.h>

/* Makes a folder below TMPDIR or /tmp; `path` has 64 bytes. Returns 0, as a CMocka fixture does. */
static inline int make_folder(char *path) {
    const char *below = getenv("TMPDIR");

    if (snprintf(path, 64, "%s/nbody-test.XXXXXX", below ? below : "/tmp") >= 64)
        return -1;
    return mkdtemp(path) ? 0 : -1;
}

static inline int remove_folder(const char *path) {
    char command[192];

    snprintf(command, sizeof command, "chmod -R u+rwx '%s' && rm -rf '%s'", path, path);
    return system(command);
}

/* The folder of a test, or of a group of tests, made and removed by what CMocka calls. */
static char folder[64] __attribute__((unused));

static inline int begin_folder(void **state) {
    (void)state;
    return make_folder(folder);
}

static inline int end_folder(void **state) {
    (void)state;
    return remove_folder(folder);
}

/* The file's bytes and a 0 after them, to be freed; NULL if it cannot be read. */
static inline char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, got = 0;

    if (!file)
        return NULL;
    do {
        text = realloc(text, (room += 65536) + 1);
        got += fread(text + got, 1, room - got, file);
    } while (got == room);
    fclose(file);
    text[got] = 0;
    if (size)
        *size = got;
    return text;
}

static inline void write_bytes(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
        perror(path);
        abort();
    }
}

static inline void write_file(const char *path, const char *text) {
    write_bytes(path, text, strlen(text));
}

/* Writes a file, and the folders that lead to it. */
static inline void write_deep(const char *path, const char *bytes, size_t size) {
    char *copy = strdup(path), *slash = copy;

    while ((slash = strchr(slash + 1, '/'))) {
        *slash = 0;
        mkdir(copy, 0777);
        *slash = '/';
    }
    free(copy);
    write_bytes(path, bytes, size);
}

/* Writes a manifest for each line of a table into `root`/steps: step, part, problem, source,
 * builds_on, expected, tolerance, title, with tabs between; what is left out at the end of a line
 * is as most have it, and - is nothing. A step has one variant, `plain`. */
static inline void write_manifests(const char *root, const char *table) {
    static const char *const names[] = {"part",     "problem",   "source", "builds_on",
                                        "expected", "tolerance", "title"};
    static const char *const usual[] = {"I", "nbody", "nbody.c", "-", "accepted", "2e-3", "A step"};

    while (*table) {
        size_t length = strcspn(table, "\t\n"), i;
        char path[256], text[1024] = "variants = plain\nvariant_plain =\n";

        snprintf(path, sizeof path, "mkdir -p '%s/steps/%.*s'", root, (int)length, table);
        if (system(path))
            abort();
        snprintf(path, sizeof path, "%s/steps/%.*s/manifest", root, (int)length, table);
        for (table += length, i = 0; i < sizeof names / sizeof *names; i++) {
            const char *value = *table == '\t' ? ++table : usual[i];

            length = strcspn(value, "\t\n");
            if (strncmp(value, "-", length))
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s = %.*s\n", names[i],
                         (int)length, value);
            table += value == usual[i] ? 0 : length;
        }
        write_file(path, text);
        table += *table == '\n';
    }
}

/* The number of lines; -1 if the last one does not end. */
static inline int count_lines(const char *text) {
    size_t length = strlen(text);
    int count = 0;

    if (length && text[length - 1] != '\n')
        return -1;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* stderr goes to a pipe until caught_stderr(). Returns what that wants. */
struct kept_stderr {
    int before, pipe;
};

static inline struct kept_stderr catch_stderr(void) {
    struct kept_stderr kept = {dup(STDERR_FILENO), -1};
    int ends[2];

    fflush(stderr);
    if (kept.before < 0 || pipe(ends) || dup2(ends[1], STDERR_FILENO) < 0)
        abort();
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    kept.pipe = ends[0];
    return kept;
}

/* Gives stderr back; `text` gets what was printed meanwhile. */
static inline void caught_stderr(struct kept_stderr kept, char *text, size_t size) {
    ssize_t got = read(kept.pipe, text, size - 1);

    text[got > 0 ? got : 0] = 0;
    dup2(kept.before, STDERR_FILENO);
    close(kept.before);
    close(kept.pipe);
}

static char complaint[2048] __attribute__((unused));

/* The call ends with that outcome and one line on stderr, `complaint`, which has these words. */
#define ASSERT_COMPLAINS(call, outcome, words)                                                     \
    do {                                                                                           \
        struct kept_stderr kept_ = catch_stderr();                                                 \
        int got_ = (int)(call);                                                                    \
                                                                                                   \
        caught_stderr(kept_, complaint, sizeof complaint);                                         \
        if (got_ != (int)(outcome) || count_lines(complaint) != 1 || !strstr(complaint, words))    \
            fail_msg("ended with %d, not %d, and not with one line with \"%s\": %s", got_,         \
                     (int)(outcome), words, complaint);                                            \
    } while (0)

/* stdout goes to a file until caught_stdout(). Returns what that wants. */
static inline int catch_stdout(void) {
    int before = dup(STDOUT_FILENO), file = open("printed", O_RDWR | O_CREAT | O_TRUNC, 0666);

    fflush(stdout);
    if (before < 0 || dup2(file, STDOUT_FILENO) < 0)
        abort();
    close(file);
    return before;
}

/* Gives stdout back. Returns what was printed meanwhile, to be freed. */
static inline char *caught_stdout(int before) {
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    return read_file("printed", NULL);
}

#endif
