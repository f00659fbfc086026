#include "executed.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/base/options.h"

enum { REFUSED = 67, CRASHED = -1, ENDLESS = -2 }; /* the first is cpucuda's own status */
enum { LIMIT = 60 }; /* seconds of a run; the longest input is made in a tenth of that */

/* Runs the program; what it says on stderr goes to `counts`.why. Returns its status, CRASHED or
 * ENDLESS. */
static int run(const struct executable *of, const char *counts, int n, int iterations, int blocks) {
    char size[16], turns[16], most[16], multiprocessors[16], why[640];
    int status;
    pid_t pid;

    snprintf(size, sizeof size, "%d", n);
    snprintf(turns, sizeof turns, "%d", iterations);
    snprintf(most, sizeof most, "%d", blocks);
    snprintf(multiprocessors, sizeof multiprocessors, "%d", of->multiprocessors);
    snprintf(why, sizeof why, "%s.why", counts);
    fflush(stdout);
    if ((pid = fork()) == 0) {
        if (of->cubin)
            setenv("CPUCUDA_SASS", of->cubin, 1);
        if (blocks >= 0) {
            setenv("CPUCUDA_SASS_OUT", counts, 1);
            setenv("CPUCUDA_SASS_BLOCKS", most, 1);
            setenv("CPUCUDA_MULTIPROCESSORS", multiprocessors, 1);
        }
        if (!freopen("/dev/null", "w", stdout) || !freopen(why, "w", stderr))
            _exit(126);
        alarm(LIMIT);
        execl(of->sass, of->sass, size, turns, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return CRASHED;
    return WIFEXITED(status)             ? WEXITSTATUS(status)
           : WTERMSIG(status) == SIGALRM ? ENDLESS
                                         : CRASHED;
}

/* Says why there are no counts; of cpucuda's refusal, `cpucuda: word: sentence (CPUCUDA_SEED=...)`.
 */
static enum outcome say_refusal(const struct executable *of, const char *counts, int ended) {
    char why[640], line[512] = "", *at, *end;
    FILE *file;

    if (ended == ENDLESS)
        return complain(OUTCOME_MACHINE_CODE, "%s: it does not end within %d s by its machine code",
                        of->title, LIMIT);
    snprintf(why, sizeof why, "%s.why", counts);
    if ((file = fopen(why, "r"))) {
        if (!fgets(line, sizeof line, file))
            *line = 0;
        fclose(file);
    }
    if ((end = strstr(line, " (CPUCUDA_SEED")))
        *end = 0;
    line[strcspn(line, "\n")] = 0;
    at = strstr(line, "machine-code: ");
    return complain(OUTCOME_MACHINE_CODE, "%s: %s", of->title,
                    at      ? at + strlen("machine-code: ")
                    : *line ? line
                            : "it crashed while its machine code was executed");
}

/* Two builds may be of the same second. */
static int is_newer(const char *path, const char *than) {
    struct stat one, other;

    return !stat(path, &one) && !stat(than, &other) &&
           (one.st_mtim.tv_sec != other.st_mtim.tv_sec
                ? one.st_mtim.tv_sec > other.st_mtim.tv_sec
                : one.st_mtim.tv_nsec > other.st_mtim.tv_nsec);
}

enum outcome executed_agrees(const struct executable *of, int n) {
    struct executable plain = {of->sass, NULL, of->title, of->multiprocessors};
    char path[600];
    int by_code, by_source;
    FILE *file;

    snprintf(path, sizeof path, "%s.agrees", of->sass);
    if (is_newer(path, of->sass) && is_newer(path, of->cubin))
        return OUTCOME_ACCEPTED;
    by_code = run(of, path, n, 2, -1);
    if (by_code == REFUSED || by_code < 0)
        return say_refusal(of, path, by_code);
    if (by_code != (by_source = run(&plain, path, n, 2, -1)))
        return complain(OUTCOME_MACHINE_CODE,
                        "%s: at n = %d its machine code ends with %d and its source with %d, so an "
                        "instruction is executed wrongly here, and there is no estimate",
                        of->title, n, by_code, by_source);
    if ((file = fopen(path, "w")))
        fclose(file);
    return OUTCOME_ACCEPTED;
}

enum outcome executed_count(const struct executable *of, int n, int iterations, int blocks,
                            struct machine_code *code) {
    char path[600];
    int ended = 0;

    snprintf(path, sizeof path, "%s.%d.%d.%d.%d.counts", of->sass, n, iterations, blocks,
             of->multiprocessors);
    if (!is_newer(path, of->sass) || !is_newer(path, of->cubin)) {
        unlink(path);
        ended = run(of, path, n, iterations, blocks);
    }
    if (ended == REFUSED || ended < 0)
        return say_refusal(of, path, ended);
    if (machine_code_read(code, path))
        return complain(OUTCOME_OWN_ERROR, "%s, n = %d: it ended with %d before a kernel ran",
                        of->title, n, ended);
    return OUTCOME_ACCEPTED;
}
