/* What is put before whatever runs or reads a stranger's code: a sandbox, named by --sandbox. The
 * referee knows nothing of it but this: `SANDBOX PURPOSE FOLDER -- PROGRAM ARGUMENTS` runs the
 * program, with file descriptors 0 to 7 as they are, perhaps below processes of its own. */
#ifndef WRAPPER_H
#define WRAPPER_H

#include <stdio.h>
#include <sys/types.h>

/* From now on; NULL: nothing is put before anything. The string is kept. */
void wrapper_use(const char *sandbox);

int wrapper_in_use(void);

/* Becomes the program `arguments`, which PATH is searched for, in the sandbox if one is in use.
 * `purpose` is build, run, sanitized or inspect; `folder` is the one that holds what is built.
 * Returns only if that fails. */
void wrapper_exec(const char *purpose, const char *folder, char *const arguments[]);

/* The same of a program that was built: its folder is the one above its variant's. */
void wrapper_exec_on(const char *purpose, const char *program, char *const arguments[]);

/* What the tool `arguments` prints that inspects a program that was built; the caller waits for
 * `child`, whose status is 127 if there is no such tool. NULL if there is no process to be had. */
FILE *wrapper_read(const char *program, char *const arguments[], pid_t *child);

#endif
