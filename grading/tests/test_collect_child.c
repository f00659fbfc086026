/* collect() when the process that reads an archive was taken over by it, crashes or hangs: only
 * that archive is lost. The process here is another one, which does what the archive's first byte
 * says. Run from the repository's root. */
#include "testing.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "submissions.h"
#include "unpack.h"

static void tell(unsigned why, size_t path_bytes, const char *path, uint64_t bytes,
                 const char *text) {
    struct record record = {why, (uint32_t)path_bytes, bytes, 0};
    char all[4096];
    size_t used = sizeof record;

    memcpy(all, &record, used);
    memcpy(all + used, path, strlen(path));
    used += strlen(path);
    memcpy(all + used, text, strlen(text));
    used += strlen(text);
    if (write(STDOUT_FILENO, all, used) != (ssize_t)used)
        _exit(1);
}

/* Tells what the process can do that it should not; a full stop if all is well. */
static void try_everything(void) {
    struct rlimit limits;
    char text[256] = "";

    if (open("/etc/passwd", O_RDONLY) >= 0 || errno != EMFILE)
        strcat(text, "opens ");
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
        strcat(text, "connects ");
    if (getuid() == 0 || geteuid() == 0 || setuid(0) == 0)
        strcat(text, "is root ");
    if (fork() >= 0)
        strcat(text, "forks ");
    if (getrlimit(RLIMIT_CPU, &limits) || limits.rlim_cur > 120)
        strcat(text, "computes ");
    if (malloc((size_t)2 << 30))
        strcat(text, "allocates ");
    if (!prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) || prctl(PR_GET_DUMPABLE))
        strcat(text, "gains ");
    if (fcntl(STDERR_FILENO, F_GETFD) >= 0)
        strcat(text, "prints ");
    if (getuid() == 65534 && kill(getppid(), 0) == 0)
        strcat(text, "kills ");
    strcat(text, ".");
    tell(WHY_NONE, 23, "anna/06_unroll/nbody.cu", strlen(text), text);
}

_Noreturn void unpack_archive(enum level level) {
    static const char path[] = "anna/05_tiling/nbody.cu";
    struct rlimit second = {1, 2};
    char order = 0;

    (void)level;
    if (read(STDIN_FILENO, &order, 1) != 1)
        _exit(1);
    tell(WHY_NONE, strlen(path), path, 4, "five");
    switch (order) {
    case 'g': /* as it should be */
        break;
    case 'c':
        raise(SIGSEGV);
        break;
    case 'h':
        setrlimit(RLIMIT_CPU, &second);
        for (;;)
            ;
    case 'e': /* ends in the middle */
        tell(WHY_NONE, 23, "anna/06_unroll/nbody.cu", 100, "six");
        _exit(0);
    case 'w':
        tell(WHYS, 0, "", 0, "");
        break;
    case 'p':
        tell(WHY_NONE, 0xffffffff, "anna", 0, "");
        break;
    case 'b':
        tell(WHY_NONE, 23, "anna/06_unroll/nbody.cu", ~0ULL, "six");
        break;
    case 'l': /* larger than such a file may be */
        tell(WHY_NONE, 10, "anna/x.txt", 3, "six");
        break;
    case 't':
        try_everything();
        break;
    default:
        break;
    }
    tell(WHY_NONE, 0, "", 0, "");
    _exit(0);
}

static void try_order(const char *order, const char *what) {
    put("anna.zip", order);
    put("ben/05/nbody.cu", "of ben");
    gather();
    assert_int_equal(submissions, 2);
    assert_found("@anna () [] anna.zip\n+05_tiling anna/05_tiling/nbody.cu \"five\"\n");
    assert_found("+05_tiling 05/nbody.cu \"of ben\"\n=");
    if (what)
        assert_found(what);
    else
        assert_not_found("\n!");
}

TEST_IN(begin_folder, end_folder, test_orders) {
    static const char crashed[] = "!anna.zip: cannot be read: its reader crashed, and the rest is";
    static const char *const orders[] = {"c", "e", "w", "p", "b", "l"};
    size_t i;

    try_order("g", NULL);
    for (i = 0; i < sizeof orders / sizeof *orders; i++)
        try_order(orders[i], crashed);
    try_order("h", "!anna.zip: takes too long to unpack, and the rest is not taken");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* What the process could do comes back as a source. */
TEST_IN(begin_folder, end_folder, test_privileges) {
    try_order("t", NULL);
    assert_found("+06_unroll anna/06_unroll/nbody.cu \".\"\n");
}
