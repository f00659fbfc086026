/* build/sandbox PURPOSE FOLDER -- PROGRAM [ARGUMENT]...: runs a program that nobody trusts.
 *
 *   build      a compiler and make: writes in FOLDER, sees what a build of a step needs
 *   run        a step's program: writes nothing, sees FOLDER, may start no process
 *   sanitized  the same with a sanitizer, which starts its symbolizer
 *   inspect    a tool that reads a program in FOLDER, as addr2line does: writes nothing
 *
 * build/sandbox probe: prints the highest level that this machine allows, and if it is not 2, why.
 * Exits with 0 for levels 1 and 2, else with 125.
 *
 * It is called in the course's root. FOLDER is an absolute path without symbolic links; as root it
 * belongs, for build, to SANDBOX_USER, who must also be able to read the course.
 *
 * Level 2 is bubblewrap: no network, own processes, own user, a read-only system, and nothing of
 * the course but what PURPOSE needs. Level 1, for containers that forbid user namespaces, is a user
 * of its own and Landlock; names and sizes of other files can be seen there where their permissions
 * allow it, what is in them cannot. At both: system calls are filtered (calls.c, and for `run`
 * referee/base/filter.h), no privileges, limits (limits.c), Landlock (at level 2 where the kernel
 * has it). What can be seen is one list for both, visible.c. Programs inherit file descriptors 1 to
 * 7, an empty stdin, and of the environment only what is named here.
 *
 * The environment says the rest, since the referee puts this program before others and knows
 * nothing of sandboxes:
 *   SANDBOX_LEVEL   1 or 2
 *   SANDBOX_USER    as root: the uid and gid to become, different for what runs at once
 *   SANDBOX_GPU     1: the GPU's device files are there (not for inspect)
 *   SANDBOX_CGROUP  a cgroup's folder, to move into; with v1 those of memory and pids, with ':'
 *                   between them
 * Passed on: SOURCE, which a build sees with `flags` beside it and by no other path; SHOWN; and
 * what environment.c lists of OMP_*, CPUCUDA_*, *SAN_OPTIONS, ARCHER_OPTIONS and CUDA_*. Set: PATH,
 * HOME=/nonexistent, LANG=C, for build TMPDIR=FOLDER, and CUDA_CACHE_DISABLE=1.
 *
 * The process that is called becomes bwrap at level 2, whose grandchild is the program, and the
 * program itself at level 1. The exit status is the program's; 128 + n for signal n at level 2, and
 * that signal at level 1; 127 if PROGRAM cannot be started; 125 if there is no sandbox. The last
 * two with one line that begins "sandbox: ".
 *
 * At level 1 a process that build or sanitized started may go on when the first one has ended or
 * was killed: who called ends what SANDBOX_USER still has. What is in FOLDER after a build may be
 * anything, links and pipes too: who reads it takes regular files alone. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <sys/types.h>

enum purpose { PURPOSE_BUILD, PURPOSE_RUN, PURPOSE_SANITIZED, PURPOSE_INSPECT, PURPOSES };

struct sandbox {
    enum purpose purpose;
    const char *course, *folder; /* absolute */
    const char *source;          /* of build; NULL: none */
    int gpu;
    uid_t user;             /* its own; 0: it has none, since who called is not root */
    char *const *arguments; /* of the program, then NULL */
};

extern const char *const purpose_words[PURPOSES];

/* Says "sandbox: ..." in one line and ends with 125. */
__attribute__((format(printf, 1, 2))) _Noreturn void no_sandbox(const char *format, ...);

/* Lets a user who may not read the course see a copy of what the sandbox shows of it. Needs root,
 * and to mount something if there is such a user. */
void reach_course(const struct sandbox *sandbox);

/* Replaces the environment. Of the old one only what is listed stays. */
void environment_clean(const struct sandbox *sandbox);

/* Becomes bwrap, which starts this program again as `sandbox inside ...`. */
_Noreturn void bubblewrap_exec(const struct sandbox *sandbox);

/* Confines this process and all it starts by Landlock. Returns 0, or -1 if the kernel has none. */
int landlock_confine(const struct sandbox *sandbox);

/* Moves into the cgroups that `folders` names, joined by ':'. */
void limits_join(const char *folders);

/* Limits this process and all it starts. */
void limits_set(const struct sandbox *sandbox);

/* Refuses system calls to this process and all it starts, for good. */
void calls_refuse(const struct sandbox *sandbox);

/* What can be seen: one list for bubblewrap and for Landlock. */
enum sight {
    LISTED, /* what names are there; in bubblewrap those that are seen */
    SEEN,
    WRITTEN,
    DEVICE
};

struct visible {
    char *path; /* absolute */
    enum sight sight;
};

enum { MOST_VISIBLE = 256 };

/* Lists what is there and may be read, folders before what is in them; how many. Ends the program
 * if FOLDER or a part of the course may not be read. */
int visible_list(const struct sandbox *sandbox, struct visible list[MOST_VISIBLE]);

/* Whether `path` is `folder` or below it. */
int is_below(const char *path, const char *folder);

#endif
