/* How the programs of a step are built: a run of make, whose table of programs is read. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "problems/text.h"
#include "programs_parts.h"
#include "referee/base/wrapper.h"

/* As a shell or a sandbox tells that a program's time was up. */
enum { ENDED_BY_ALARM = 128 + SIGALRM };

/* Whether its source is a stranger's, whose compiler needs a sandbox too. */
static int is_strange(const struct programs *programs) {
    return wrapper_in_use() && !programs->solution;
}

/* Runs make with `arguments`. Its `folder` is where it writes; NULL: it needs no sandbox. The
 * source's names go by its environment: make and the shell would read some of their letters. The
 * variables of an outer make must not reach it. */
static int run_make(char *const arguments[], const char *folder, const char *source,
                    const char *shown) {
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        setenv("SOURCE", source, 1);
        setenv("SHOWN", shown, 1);
        unsetenv("MAKEFLAGS");
        unsetenv("MAKEOVERRIDES");
        unsetenv("MAKELEVEL");
        unsetenv("MFLAGS");
        signal(SIGPIPE, SIG_DFL); /* the referee ignores it, and a shell would inherit that */
        if (folder)
            wrapper_exec("build", folder, arguments);
        else
            execvp("make", arguments);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status) + 128;
}

int is_wanted(const struct programs *programs, const char *variant) {
    return !programs->variant || !strcmp(programs->variant, variant);
}

FILE *open_built(const struct programs *programs, const char *path) {
    struct open_how how = {.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
                           .resolve = RESOLVE_NO_SYMLINKS};
    struct stat status;
    int fd;

    if (!is_strange(programs)) /* nor needs Linux 5.6 */
        return fopen(path, "r");
    fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1)
        return fdopen(fd, "r");
    close(fd);
    errno = EPERM;
    return NULL;
}

static void read_text(const struct programs *programs, struct program *program) {
    char path[600];
    FILE *file;

    snprintf(path, sizeof path, "%s.text", program->path);
    if (strcmp(program->build, "plain") || !(file = open_built(programs, path)))
        return;
    if (!fgets(program->text, sizeof program->text, file) || strstr(program->text, " 0\n"))
        *program->text = 0; /* the preprocessor failed */
    fclose(file);
}

/* Adds the programs that the table lists. `source` is theirs; empty: the step's. */
static enum outcome read_rows(struct programs *programs, const char *path, const char *source) {
    FILE *file = open_built(programs, path);
    char line[1024], threads[8];

    if (!file)
        return complain(OUTCOME_INTERNAL, "%s: %s", path, strerror(errno));
    while (programs->count < MOST_PROGRAMS && fgets(line, sizeof line, file)) {
        struct program *program = &programs->list[programs->count];

        if (sscanf(line, "%39[^\t]\t%15[^\t]\t%9[^\t]\t%7[^\t]\t%63[^\t]\t%159[^\t]\t%511[^\n]",
                   program->variant, program->build, program->backend, threads, program->compiler,
                   program->flags, program->path) != 7) {
            fclose(file);
            return complain(OUTCOME_INTERNAL, "%s: seven fields per line are needed: %s", path,
                            line);
        }
        snprintf(program->source, sizeof program->source, "%s", source);
        if (is_strange(programs) && strcmp(program->path, "-") &&
            (strncmp(program->path, path, strlen(path) - strlen("players.tsv")) ||
             strstr(program->path, "/../"))) {
            fclose(file);
            return complain(OUTCOME_COMPILE, "%s names a program elsewhere: %s", path,
                            program->path);
        }
        program->all_threads = !strcmp(threads, "all");
        read_text(programs, program);
        programs->count++;
    }
    if (programs->count == MOST_PROGRAMS && fgets(line, sizeof line, file)) {
        fclose(file);
        return complain(OUTCOME_INTERNAL, "%s: more than %d programs", path, MOST_PROGRAMS);
    }
    fclose(file);
    return OUTCOME_ACCEPTED;
}

/* Where the programs of a source go, PATH_MAX bytes. Each FILE has a folder of its own, so that
 * checks of several may run at once; in a sandbox that is beside the file. */
static void choose_folder(const struct programs *programs, const char *real, char *folder) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    char here[PATH_MAX - 128];
    const char *at;

    if (!getcwd(here, sizeof here))
        *here = 0;
    for (at = real; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    if (programs->solution || !strncmp(programs->source, "steps/", 6))
        snprintf(folder, PATH_MAX, "%s/build/%s/%s", here,
                 programs->solution ? "solutions" : "steps", programs->step->name);
    else if (wrapper_in_use())
        snprintf(folder, PATH_MAX, "%.*s/build", (int)(strrchr(real, '/') - real), real);
    else
        snprintf(folder, PATH_MAX, "%s/build/file/%s-%016llx", here, programs->step->name,
                 (unsigned long long)hash);
}

/* Makes the folder of a build, and waits until no other command builds there: two at once must not
 * build into each other's programs. Strangers' builds have folders of their own. */
static enum outcome lock_folder(const struct programs *programs, const char *folder, int *lock) {
    char path[PATH_MAX];

    *lock = -1;
    if (is_strange(programs))
        return OUTCOME_ACCEPTED;
    snprintf(path, sizeof path, "%s/", folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock >= 0 && !flock(*lock, LOCK_EX))
        return OUTCOME_ACCEPTED;
    if (*lock >= 0)
        close(*lock);
    return complain(OUTCOME_INTERNAL, "%s: %s", folder, strerror(errno));
}

static void unlock_folder(int lock) {
    if (lock >= 0)
        close(lock);
}

/* Builds a file into `folder` and reads what was built. `source` is empty, or names it if it is not
 * the step's. `variants`: their names; NULL: all of them. */
static enum outcome build(struct programs *programs, const char *source, const char *folder,
                          const char *real, const char *builds, const char *variants,
                          const char *kind) {
    const struct step *step = programs->step;
    char step_folder[64], out[PATH_MAX + 8], table[PATH_MAX + 16];
    char name[48], builds_word[64], problem[32], variants_word[MOST_VALUE + 16], one[64], arch[32],
        jobs[24];
    char *arguments[16] = {"make", "-s",        jobs,      "--no-print-directory",
                           "-C",   step_folder, "players", name,
                           out,    builds_word, problem,   (char *)kind};
    int count = 12, status;

    snprintf(jobs, sizeof jobs, "-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
    snprintf(step_folder, sizeof step_folder, "steps/%s", step->name);
    snprintf(name, sizeof name, "NAME=%s", *source ? strrchr(source, '/') + 1 : step->source);
    snprintf(out, sizeof out, "OUT=%s", folder);
    snprintf(builds_word, sizeof builds_word, "BUILDS=%s", builds);
    snprintf(problem, sizeof problem, "PROBLEM=%s", step->problem);
    snprintf(variants_word, sizeof variants_word, "VARIANTS=%s", variants ? variants : "");
    snprintf(one, sizeof one, "VARIANT=%s", programs->variant ? programs->variant : "");
    snprintf(arch, sizeof arch, "ARCH=%s", programs->arch ? programs->arch : "");
    if (variants)
        arguments[count++] = variants_word;
    if (programs->variant)
        arguments[count++] = one;
    if (programs->arch)
        arguments[count++] = arch;
    status = run_make(arguments, is_strange(programs) ? folder : NULL, real,
                      *source ? source : programs->source);
    if (status == ENDED_BY_ALARM)
        return complain(OUTCOME_LIMIT, "%s: its build took longer than the sandbox allows",
                        step->name);
    if (status)
        return complain(OUTCOME_INTERNAL, "make could not build %s; what it said stands above",
                        step->name);
    snprintf(table, sizeof table, "%s/players.tsv", folder);
    return read_rows(programs, table, source);
}

/* Adds the programs of a file of the course's, in the step's folder or beside its solution; `kind`
 * tells step.mk what they are. */
static enum outcome build_beside(struct programs *programs, const char *source,
                                 const char *variants, const char *kind, const char *builds) {
    char here[PATH_MAX - 128], folder[PATH_MAX], real[PATH_MAX];
    enum outcome outcome;
    int lock;

    if (!getcwd(here, sizeof here) || !realpath(source, real))
        return complain(OUTCOME_INTERNAL, "%s: %s", source, strerror(errno));
    snprintf(folder, sizeof folder, "%s/build/beside/%s", here, strchr(source, '/') + 1);
    if ((outcome = lock_folder(programs, folder, &lock)))
        return outcome;
    outcome = build(programs, source, folder, real, builds, variants, kind);
    unlock_folder(lock);
    return outcome;
}

/* Adds the variants with a source of their own, or the one that is asked for: those that share a
 * source by one run of make, which compiles them side by side. */
static enum outcome build_variants(struct programs *programs, const char *builds,
                                   const char *variant) {
    char variants[MOST_VALUE], word[64], source[96], shared[96], together[MOST_VALUE] = "";
    const char *at = variants;
    enum outcome outcome = OUTCOME_ACCEPTED;

    manifest_value(programs->step->manifest, "variants", variants);
    while (!outcome && next_word(&at, word)) {
        if (!is_wanted(programs, word) || (variant && strcmp(variant, word)) ||
            !own_source(programs->step, word, source) ||
            !is_source(source)) /* a handout has none of the solution's */
            continue;
        if (*together && strcmp(shared, source)) {
            outcome = build_beside(programs, shared, together, "ABLATE=", builds);
            *together = 0;
        }
        snprintf(shared, sizeof shared, "%s", source);
        text_add(together, sizeof together, "%s%s", *together ? " " : "", word);
    }
    if (!outcome && *together)
        outcome = build_beside(programs, shared, together, "ABLATE=", builds);
    return outcome;
}

static enum outcome build_leave_one_out(struct programs *programs, const char *builds) {
    const char *name = leave_one_out(programs->step);
    int count = programs->count;
    char source[96];
    enum outcome outcome;

    name_beside(programs->step, name, source);
    outcome = build_beside(programs, source, NULL, "ABLATE=1", builds);

    if (!outcome && programs->count == count)
        outcome = complain(OUTCOME_USAGE,
                           "ABLATE=1: steps/%s/manifest has no list `without`, the programs to "
                           "build of solutions/%s/%s",
                           programs->step->name, programs->step->name, name);
    return outcome;
}

/* Adds what a solution is measured beside, on a CPU and on a GPU, if there is any. */
static enum outcome build_peers(struct programs *programs, int gpu) {
    static const char *const names[] = {"peers.c", "peers.cu"};
    enum outcome outcome = OUTCOME_ACCEPTED;
    char source[96];
    int i;

    for (i = 0; i < 1 + gpu && !outcome; i++) {
        name_beside(programs->step, names[i], source);
        if (is_source(source))
            outcome = build_beside(programs, source, NULL, "PEERS=1", i ? "cuda device" : "plain");
    }
    return outcome;
}

enum outcome programs_build(struct programs *programs, const char *builds, const char *variant) {
    char folder[PATH_MAX], real[PATH_MAX], own[96];
    enum outcome outcome;
    int lock;

    variant = programs->only ? programs->only : variant;
    if (!realpath(programs->source, real))
        return complain(OUTCOME_INTERNAL, "%s: %s", programs->source, strerror(errno));
    choose_folder(programs, real, folder);
    if ((outcome = lock_folder(programs, folder, &lock)))
        return outcome;
    programs->count = 0;
    if (!variant || !own_source(programs->step, variant, own))
        outcome = build(programs, "", folder, real, builds, variant, "ABLATE=");
    if (!outcome && (programs->solution || programs->peers))
        outcome = build_variants(programs, builds, variant);
    if (!outcome && programs->ablate && !variant)
        outcome = build_leave_one_out(programs, builds);
    if (!outcome)
        outcome = find_failures(programs, 0);
    unlock_folder(lock);
    return outcome;
}

enum outcome programs_build_timed(struct programs *programs, const char *backend, int gpu,
                                  int device) {
    int cuda =
        gpu && strstr(programs->step->source, ".cu") && (!backend || !strcmp(backend, "cuda"));
    int own;
    enum outcome outcome =
        cuda ? programs_build(programs, device ? "cuda device" : "cuda", NULL) : OUTCOME_ACCEPTED;

    /* Without nvcc there are none, and without the GPU's architecture none that is sure to run. */
    if (!outcome && !(cuda && programs->count && !strcmp(programs->list[0].build, "cuda")))
        outcome = programs_build(programs, "plain", NULL);
    if (outcome || !programs->peers)
        return outcome;
    own = programs->count;
    outcome = build_peers(programs, cuda);
    return outcome ? outcome : find_failures(programs, own);
}
