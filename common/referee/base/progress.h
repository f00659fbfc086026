/* Progress of long work: a line that is written over on a terminal, nothing in a pipe. */
#ifndef PROGRESS_H
#define PROGRESS_H

/* Shows how far the work is (0 to 1), the time it may still take, and what is being done. */
__attribute__((format(printf, 2, 3))) void progress_show(double done, const char *format, ...);

/* Clears the line. */
void progress_end(void);

#endif
