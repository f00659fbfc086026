#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "names.h"
#include "unpack.h"

/* Of a child that reads an archive. Unpacking 64 MiB takes a second; an export of a class some. */
enum {
    MOST_CPU_SECONDS = 10,
    MOST_EXPORT_CPU_SECONDS = 120,
    MOST_SILENT_SECONDS = 30,
    MOST_MEMORY = 1 << 30,
    NOBODY = 65534
};

static void limit(int resource, rlim_t most) {
    struct rlimit limits = {most, resource == RLIMIT_CPU ? most + 1 : most}; /* SIGXCPU first */

    if (setrlimit(resource, &limits))
        _exit(1);
}

/* Becomes a process that can read one file, write to one pipe and compute. */
_Noreturn static void become_reader(int archive, int stream, enum level level, pid_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
        _exit(1);
    /* libarchive gives names in the locale's characters; before files can no longer be opened. */
    if (!setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "C.utf8"))
        _exit(1);
    setenv("TZ", "UTC0", 1); /* files of time zones cannot be opened either */
    tzset();
    if (dup2(archive, STDIN_FILENO) < 0 || dup2(stream, STDOUT_FILENO) < 0 ||
        close_range(STDOUT_FILENO + 1, ~0U, 0))
        _exit(1);
    limit(RLIMIT_CPU, level == LEVEL_ANY ? MOST_EXPORT_CPU_SECONDS : MOST_CPU_SECONDS);
    limit(RLIMIT_DATA, MOST_MEMORY);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 0);
    limit(RLIMIT_CORE, 0);
    if (geteuid() == 0 && (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
                           setresuid(NOBODY, NOBODY, NOBODY)))
        _exit(1);
    limit(RLIMIT_NPROC, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0))
        _exit(1);
    unpack_archive(level);
}

/* Reads just so many bytes; 0 if they do not come. */
static int receive(int stream, void *to, size_t bytes, enum why *why) {
    char *at = to;

    while (bytes) {
        struct pollfd ready = {stream, POLLIN, 0};
        ssize_t got;

        if (poll(&ready, 1, MOST_SILENT_SECONDS * 1000) == 0) {
            *why = WHY_TIME;
            return 0;
        }
        got = read(stream, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            *why = WHY_DIED;
            return 0;
        }
        at += got;
        bytes -= (size_t)got;
    }
    return 1;
}

/* Takes the child's records. The child may have been taken over: nothing in them is believed. */
static enum why receive_files(int stream, enum level level, file_found *found, void *context) {
    struct record record;
    enum why why = WHY_DIED;
    uint64_t total = 0;
    int files = 0;

    while (receive(stream, &record, sizeof record, &why)) {
        char *raw, *path, *text;

        if (record.why >= WHYS || record.path_bytes > MOST_PATH || record.bytes > LARGEST_ARCHIVE ||
            (total += record.bytes) > (level == LEVEL_ANY ? MOST_EXPORT_BYTES : MOST_BYTES) ||
            ++files > MOST_EXPORT_ENTRIES + 1)
            return WHY_DIED;
        if (!record.path_bytes)
            return record.bytes ? WHY_DIED : (enum why)record.why;
        path = calloc(1, record.path_bytes + 1);
        text = calloc(1, record.bytes + 1);
        if (!path || !text || !receive(stream, path, record.path_bytes, &why) ||
            !receive(stream, text, record.bytes, &why) || record.bytes > name_wanted(path)) {
            free(path);
            free(text);
            return why;
        }
        raw = path;
        path = name_to_utf8(raw);
        free(raw);
        found(context, path, text, record.bytes, record.time, (enum why)record.why);
    }
    return why;
}

enum why unpack_apart(int archive, enum level level, file_found *found, void *context) {
    pid_t parent = getpid(), child;
    int ends[2], status;
    enum why why;

    if (pipe2(ends, O_CLOEXEC) || (child = fork()) < 0)
        return WHY_DIED;
    if (child == 0)
        become_reader(archive, ends[1], level, parent);
    close(ends[1]);
    why = receive_files(ends[0], level, found, context);
    close(ends[0]);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (why == WHY_DIED && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        why = WHY_TIME;
    return why;
}

const char *why_sentence(enum why why) {
    switch (why) {
    case WHY_NONE:
        return "";
    case WHY_LINK:
        return "is a link; hand in the file itself";
    case WHY_SPECIAL:
        return "is a device, a pipe or a socket; only plain files are taken";
    case WHY_PATH:
        return "is no path that can be taken: it is too long, or leads through more than 16 "
               "folders";
    case WHY_ENCRYPTED:
        return "is encrypted; pack it without a password";
    case WHY_LARGE:
        return "is too large: a source may have 256 KiB, an archive inside another one 64 MiB";
    case WHY_BROKEN:
        return "is damaged or shorter or longer than the archive says; pack it again";
    case WHY_NESTED:
        return "is an archive in an archive in an archive; pack the files themselves";
    case WHY_KEPT:
        return "is beyond the 8 MiB of sources that a submission may have";
    case WHY_DAMAGED:
        return "is damaged or cut off, and what follows is lost; upload it again";
    case WHY_FORM:
        return "is no archive of a kind that is taken: zip, tar, tar.gz, tar.bz2, tar.xz, tar.zst, "
               "7z";
    case WHY_ENTRIES:
        return "has more than 2000 entries, and the rest is not taken; pack only your sources";
    case WHY_BYTES:
        return "unpacks to more than 64 MiB, and the rest is not taken; pack only your sources";
    case WHY_TIME:
        return "takes too long to unpack, and the rest is not taken; pack it again";
    case WHY_DIED:
    case WHYS:
        break;
    }
    return "cannot be read: its reader crashed, and the rest is not taken; pack it again";
}
