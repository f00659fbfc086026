/* A course that the sandbox's user may not read: below a private folder, or cloned with a umask of
 * 077. The user then sees a copy of what the sandbox shows of it, in memory, at the same place.
 * What is in FOLDER is no copy: a build writes there, and whoever watches a program knows it by its
 * file. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox.h"

/* nftw() gives no context. */
static struct {
    uid_t user;
    const char *course;
} now;

/* The user is in no group. */
static int may(const struct stat *status, mode_t needed) {
    if (status->st_uid == now.user)
        needed <<= 6;
    return (status->st_mode & needed) == needed;
}

/* The length of the first folder on the path that the user may not enter; 0: none. */
static size_t closed_folder(const char *path) {
    char folder[PATH_MAX];
    struct stat status;
    const char *slash;

    for (slash = path; (slash = strchr(slash + 1, '/'));) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (stat(folder, &status) == 0 && !may(&status, S_IXOTH))
            return (size_t)(slash - path);
    }
    return 0;
}

static int is_closed(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)path;
    (void)kind;
    (void)where;
    return !may(status, S_ISDIR(status->st_mode)    ? S_IROTH | S_IXOTH
                        : status->st_mode & S_IXUSR ? S_IROTH | S_IXOTH
                                                    : S_IROTH);
}

/* Makes the folders that lead to a path. */
static void make_way(const char *path) {
    char folder[PATH_MAX], *slash;

    snprintf(folder, sizeof folder, "%s", path);
    for (slash = folder; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = 0;
        if (mkdir(folder, 0755) && errno != EEXIST)
            no_sandbox("%s: %s", folder, strerror(errno));
    }
}

/* A file of the course, which is the working directory, to its place; make looks at its time. */
static int copy(const char *path, const struct stat *status, int kind, struct FTW *where) {
    char place[PATH_MAX];
    int from, to, wrong;

    (void)where;
    snprintf(place, sizeof place, "%s/%s", now.course, path);
    if (kind == FTW_D)
        return mkdir(place, 0755) && errno != EEXIST;
    if (kind != FTW_F)
        return 0;
    from = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    to = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
              status->st_mode & S_IXUSR ? 0755 : 0644);
    wrong = from < 0 || to < 0;
    while (!wrong && (wrong = (int)sendfile(to, from, NULL, INT_MAX)) > 0)
        wrong = 0;
    wrong = wrong || futimens(to, (const struct timespec[]){status->st_atim, status->st_mtim});
    close(from);
    close(to);
    return wrong;
}

void reach_course(const struct sandbox *sandbox) {
    static struct visible list[MOST_VISIBLE];
    static char self[PATH_MAX], place[PATH_MAX];
    const char *parts[MOST_VISIBLE + 1];
    int count = visible_list(sandbox, list), part_count = 0, closed = 0, i;
    size_t top = 0, length = strlen(sandbox->course);

    now.user = sandbox->user;
    now.course = sandbox->course;
    if (!realpath("/proc/self/exe", self))
        no_sandbox("/proc/self/exe: %s", strerror(errno));
    for (i = -1; i < count; i++) {
        const char *path = i < 0 ? self : list[i].path;

        if (!is_below(path, sandbox->course))
            continue;
        parts[part_count++] = path + length + 1;
        if (!top)
            top = closed_folder(path);
        if (!closed && !top)
            closed = nftw(path, is_closed, 16, FTW_PHYS);
    }
    if (!top && !closed)
        return;
    snprintf(place, sizeof place, "%.*s", (int)(top && top < length ? top : length),
             sandbox->course);
    umask(022);
    if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("course", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"))
        no_sandbox("user %u may not read all of %s, and this machine allows no mount of a copy "
                   "(%s); `chmod -R go+rX %s` and `chmod go+x` of the folders above it would do",
                   (unsigned)sandbox->user, sandbox->course, strerror(errno), sandbox->course);
    /* The working directory is still the course below the copy. */
    for (i = 0; i < part_count; i++) {
        snprintf(place, sizeof place, "%s/%s", sandbox->course, parts[i]);
        make_way(place);
        if (is_below(place, sandbox->folder) ? (mkdir(place, 0755) && errno != EEXIST) ||
                                                   mount(parts[i], place, NULL, MS_BIND, NULL)
                                             : nftw(parts[i], copy, 16, FTW_PHYS))
            no_sandbox("%s cannot be shown: %s", parts[i], strerror(errno));
    }
    if (chdir(sandbox->course))
        no_sandbox("%s: %s", sandbox->course, strerror(errno));
}
