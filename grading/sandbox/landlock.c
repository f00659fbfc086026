/* Landlock: the kernel's own list of what a process may open, for one without privileges. Its
 * numbers stand here, since the C library has no functions and older headers lack the newer ones;
 * see the kernel's userspace-api/landlock. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 }; /* system calls */
enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    MAKE_CHAR = 1 << 6,
    MAKE_SOCK = 1 << 9,
    MAKE_BLOCK = 1 << 11,
    TRUNCATE = 1 << 14,
    IOCTL_DEV = 1 << 15,
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
    READING = EXECUTE | READ_FILE | READ_DIR,
    /* never to a folder */
    RARE = MAKE_CHAR | MAKE_SOCK | MAKE_BLOCK | IOCTL_DEV
};

/* Both as the kernel has them. */
struct ruleset {
    uint64_t files, network, scoped;
};
struct path_beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

/* Files of the kernel that the C library, OpenMP and sanitizers read; of processes their own alone.
 * CUDA's come after. */
static const char *const kernel_files[] = {"/proc/self",   "/proc/cpuinfo", "/proc/meminfo",
                                           "/proc/stat",   "/proc/sys/vm",  "/dev/zero",
                                           "/dev/urandom", "/dev/random"};
static const char *const gpu_files[] = {"/proc/driver", "/proc/devices", "/proc/modules"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What the kernel's version knows. The more it does not know, the less can be refused by it. */
static struct ruleset all_of(long version, size_t *bytes) {
    struct ruleset all = {.files = 0x1fff};

    if (version >= 2)
        all.files |= 1 << 13; /* renames from folder to folder; version 1 refuses all */
    if (version >= 3)
        all.files |= TRUNCATE;
    if (version >= 4)
        all.network = 3; /* TCP: bind, connect */
    if (version >= 5)
        all.files |= IOCTL_DEV;
    if (version >= 6)
        all.scoped = 3; /* abstract sockets and signals of others */
    *bytes = version < 4 ? 8 : version < 6 ? 16 : 24;
    return all;
}

/* Allows `rights`, as far as the kernel knows them, below a path if that is there. */
static void allow(int ruleset, const char *path, uint64_t rights) {
    struct path_beneath rule = {.folder = open(path, O_PATH | O_CLOEXEC)};
    struct stat status;

    if (rule.folder < 0)
        return;
    rule.allowed = rights;
    if (fstat(rule.folder, &status) == 0 && !S_ISDIR(status.st_mode))
        rule.allowed &= OF_FILES;
    if (syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0))
        no_sandbox("Landlock refused a rule for %s: %s", path, strerror(errno));
    close(rule.folder);
}

int landlock_confine(const struct sandbox *sandbox) {
    static struct visible list[MOST_VISIBLE];
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    struct ruleset all;
    int i, ruleset, count;
    size_t bytes;

    if (version < 1)
        return -1;
    all = all_of(version, &bytes);
    ruleset = (int)syscall(CREATE_RULESET, &all, bytes, 0);
    if (ruleset < 0)
        no_sandbox("Landlock: %s", strerror(errno));
    count = visible_list(sandbox, list);
    for (i = 0; i < count; i++) {
        uint64_t rights[] = {[LISTED] = READ_DIR,
                             [SEEN] = READING,
                             [WRITTEN] = all.files & ~(uint64_t)RARE,
                             [DEVICE] = READ_FILE | WRITE_FILE | READ_DIR | IOCTL_DEV};

        allow(ruleset, list[i].path, rights[list[i].sight] & all.files);
    }
    for (i = 0; i < (int)COUNT(kernel_files); i++)
        allow(ruleset, kernel_files[i], READ_FILE | READ_DIR);
    if (sandbox->gpu) /* CUDA's driver names its threads */
        allow(ruleset, "/proc/self", (READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE) & all.files);
    for (i = 0; sandbox->gpu && i < (int)COUNT(gpu_files); i++)
        allow(ruleset, gpu_files[i], READ_FILE | READ_DIR);
    allow(ruleset, "/dev/null", (READ_FILE | WRITE_FILE | TRUNCATE) & all.files);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(RESTRICT_SELF, ruleset, 0))
        no_sandbox("Landlock: %s", strerror(errno));
    close(ruleset);
    return 0;
}
