/* build/sandbox PURPOSE FOLDER -- PROGRAM [ARGUMENT]...: runs a program that nobody trusts.
 *
 *   build      a compiler and make: writes in FOLDER, sees what a build of a step needs
 *   run        a step's program: writes nothing, sees FOLDER, may start no process
 *   sanitized  the same with a sanitizer, which starts its symbolizer
 *   inspect    a tool that reads a program in FOLDER, as addr2line does: writes nothing
 *
 * build/sandbox probe: prints the highest level that this machine allows, and if it is not 2, why.
 *
 * Level 2 is bubblewrap: no network, own processes, own user, a read-only system, and nothing of the
 * course but what PURPOSE needs. Level 1, for containers that forbid user namespaces, is a user of
 * its own and Landlock. At both: system calls are filtered (referee/filter.h and more), no privileges,
 * limits. Programs inherit file descriptors 0 to 7, and of the environment only what is named here.
 *
 * The environment says the rest, since the referee puts this program before others and knows nothing
 * of sandboxes:
 *   SANDBOX_LEVEL   1 or 2
 *   SANDBOX_USER    as root: the uid and gid to become, different for what runs at once
 *   SANDBOX_GPU     1: the GPU's device files are there (run and sanitized)
 *   SANDBOX_CGROUP  a cgroup's folder, to move into; a name of v1 memory and pids, joined by ':'
 * Passed on: PATH (a fixed one), HOME=/nonexistent, LANG=C, TMPDIR, SOURCE, SHOWN, OMP_*, CPUCUDA_*,
 * *SAN_OPTIONS, ARCHER_OPTIONS, CUDA_*.
 *
 * The exit status is the program's; 128 + n for signal n at level 2, and that signal at level 1; 125 if
 * there is no sandbox, with one line that begins "sandbox: ". */
#ifndef SANDBOX_H
#define SANDBOX_H

#endif
