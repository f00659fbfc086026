/* Reading /proc and /sys. `root` is the folder that stands for `/`: "" for the system's own; tests
 * bring folders with known contents. */
#ifndef MACHINE_FILES_H
#define MACHINE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Reads at most size - 1 bytes of root/path, ends them with NUL. False, and an empty text, if the
 * file cannot be read. */
bool file_read(char *text, size_t size, const char *root, const char *path);

/* The same for a path with one or two numbers in it; `format` holds one or two %d. */
bool file_read_numbered(char *text, size_t size, const char *root, const char *format, int first,
                        int second);

/* Copies what follows `key`, blanks and a colon up to the line's end; as in /proc/cpuinfo. */
bool file_field(char *value, size_t size, const char *text, const char *key);

/* Makes a text fit for a field of the record: commas, quotes and control characters become blanks,
 * runs of blanks one, none at the ends. */
void field_clean(char *text);

/* The next number after `previous` of an ascending list such as "0-3,8"; -1 begins and ends. */
int list_next(const char *list, int previous);

/* CPU time of all CPUs since boot, s, of root/proc/stat: all but idle and waiting for input and
 * output. Negative if it cannot be read. */
double busy_seconds(const char *root);

/* CPU time of a process, all its threads and the children it waited for, s. 0 without it. */
double process_seconds(const char *root, pid_t process);

#endif
