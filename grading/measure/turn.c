#define _GNU_SOURCE
#include "turn.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_stop.h"
#include "referee/machine/gpu.h"
#include "referee/base/options.h"

/* Below the users that systemd makes for services (61184 and up), above those of people. */
enum { FIRST_USER = 61000, MOST_USERS = 128 };

/* Opens a lock's file. A system may refuse O_CREAT on another user's file in a folder for all
 * (fs.protected_regular), so it is opened first, and reading is enough to lock it. */
static int open_lock(const char *name) {
    const char *folder = access("/run/lock", W_OK) ? "/tmp" : "/run/lock";
    char path[PATH_BYTES];
    int tries, file = -1;

    snprintf(path, sizeof path, "%s/course-grading-%s", folder, name);
    for (tries = 0; tries < 3 && file < 0; tries++)
        if ((file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) < 0)
            file = open(path, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0)
        complain(OUTCOME_INTERNAL, "%s cannot be opened: %s", path, strerror(errno));
    return file;
}

/* The UUID of the GPU that programs get: the same in every container and under every number. */
static void gpu_name(char name[96]) {
    struct gpu gpu;

    snprintf(name, 96, "%s", gpu_describe(gpu_of_programs(), &gpu) ? gpu.uuid : "gpu");
}

int turn_take(enum task_kind kind, int gpu) {
    char name[96] = "cpu";
    int file;

    if (gpu)
        gpu_name(name);
    else if (kind == TASK_CHECK)
        return -1;
    if ((file = open_lock(name)) < 0)
        return -2;
    while (!engine_stop && flock(file, (kind == TASK_SPEED ? LOCK_EX : LOCK_SH) | LOCK_NB))
        usleep(100000);
    if (!engine_stop)
        return file;
    close(file);
    return -2;
}

int turn_user(uid_t *user) {
    int slot, file;

    for (slot = 0; slot < MOST_USERS; slot++) {
        char name[32];

        *user = (uid_t)(FIRST_USER + slot);
        snprintf(name, sizeof name, "user-%d", (int)*user);
        if (getpwuid(*user))
            continue;
        if ((file = open_lock(name)) < 0)
            return -1;
        if (!flock(file, LOCK_EX | LOCK_NB)) {
            turn_kill_user(*user);
            return file;
        }
        close(file);
    }
    complain(OUTCOME_INTERNAL, "all %d users from %d on are in use by graders on this machine",
             MOST_USERS, FIRST_USER);
    return -1;
}

/* kill(-1) reaches all that a user may signal, at once: no fork gets between. */
void turn_kill_user(uid_t user) {
    pid_t child = fork();

    if (child == 0) {
        if (!setresgid(user, user, user) && !setresuid(user, user, user))
            kill(-1, SIGKILL);
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}
