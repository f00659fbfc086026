/* From an offset into a program to a line of its source. */
#ifndef SOURCE_LINE_H
#define SOURCE_LINE_H

#include <stddef.h>

/* Replaces every "{+0x12ab}" in `message` (`size` bytes), an offset into the program, by file and
 * line. */
void source_lines_in(const char *program, char *message, size_t size);

#endif
