#define _GNU_SOURCE
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cgroup.h"
#include "referee/base/files.h"
#include "referee/base/options.h"

static const char pattern[] = "/tmp/course-grading.XXXXXX";

enum { LEAST_FREE_MIB = 64 };

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)kind;
    (void)where;
    if (S_ISDIR(status->st_mode))
        rmdir(path);
    else
        unlink(path);
    return 0;
}

/* What was built may be closed to its own user. */
static int open_up(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)kind;
    (void)where;
    if (S_ISDIR(status->st_mode) && (status->st_mode & 0700) != 0700)
        chmod(path, 0700);
    return 0;
}

void folder_delete(const char *path) {
    nftw(path, open_up, 16, FTW_PHYS);
    nftw(path, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

/* For the sandbox's user to read, whatever the umask. */
static enum outcome copy(const char *from, const char *to) {
    if (!file_copy(from, to, 0600) && !chmod(to, 0644))
        return OUTCOME_ACCEPTED;
    return complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_INTERNAL, "%s to %s: %s", from, to,
                    strerror(errno));
}

/* A folder is held from its first moment: what holds none is left over from a killed grader, and
 * another grader may remove it before it is held. */
static int make_held(struct folder *folder) {
    struct stat status;
    int tries;

    for (tries = 0; tries < 100; tries++) {
        strcpy(folder->path, pattern);
        if (!mkdtemp(folder->path))
            return 0;
        folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder->lock >= 0 && !flock(folder->lock, LOCK_EX | LOCK_NB) &&
            !fstat(folder->lock, &status) && status.st_nlink > 0)
            return 1;
        if (folder->lock >= 0)
            close(folder->lock);
    }
    return 0;
}

enum outcome folder_make(struct folder *folder, const char *source, uid_t user) {
    const char *name = strrchr(source, '/') ? strrchr(source, '/') + 1 : source;
    char from[512], to[FOLDER_BYTES + 40];
    enum outcome outcome;

    if (!make_held(folder))
        return complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_INTERNAL,
                        "no folder can be made in /tmp: %s", strerror(errno));
    snprintf(folder->source, sizeof folder->source, "%s/%.39s", folder->path, name);
    snprintf(to, sizeof to, "%s/build", folder->path);
    outcome = copy(source, folder->source);
    if (!outcome &&
        (chmod(folder->path, 0711) || mkdir(to, 0755) || (geteuid() == 0 && chown(to, user, user))))
        outcome = complain(errno == ENOSPC ? OUTCOME_FULL : OUTCOME_INTERNAL,
                           "%s cannot be made: %s", to, strerror(errno));
    snprintf(from, sizeof from, "%.*sflags", (int)(name - source), source);
    snprintf(to, sizeof to, "%s/flags", folder->path);
    if (!outcome && !access(from, F_OK))
        outcome = copy(from, to);
    if (outcome)
        folder_remove(folder);
    return outcome;
}

void folder_remove(struct folder *folder) {
    folder_delete(folder->path);
    close(folder->lock);
}

const char *folder_name(const struct folder *folder) {
    return strrchr(folder->path, '/') + 1;
}

void folder_remove_left(void) {
    glob_t found;
    size_t i;

    if (glob("/tmp/course-grading.??????", 0, NULL, &found))
        return;
    for (i = 0; i < found.gl_pathc; i++) {
        struct folder left;
        struct stat status;

        left.lock = open(found.gl_pathv[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (left.lock < 0)
            continue;
        if (!fstat(left.lock, &status) && status.st_uid == geteuid() &&
            !flock(left.lock, LOCK_EX | LOCK_NB)) {
            snprintf(left.path, sizeof left.path, "%s", found.gl_pathv[i]);
            cgroup_remove_left(folder_name(&left));
            folder_delete(left.path);
        }
        close(left.lock);
    }
    globfree(&found);
}

int folder_disk_full(void) {
    struct statvfs status;

    return !statvfs("/tmp", &status) &&
           (unsigned long long)status.f_bavail * status.f_frsize < LEAST_FREE_MIB * 1048576ULL;
}
