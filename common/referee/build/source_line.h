/* Which line of the source an instruction of a program comes from, by addr2line of the binutils. */
#ifndef SOURCE_LINE_H
#define SOURCE_LINE_H

#include <stddef.h>
#include <stdint.h>

struct source_place {
    char path[512]; /* empty: not known */
    int line;
};

/* The place of the instruction at `offset` into the program. Of code that was inlined from
 * cpucuda's or the system's headers it is the line that called it. NULL, or why it is not known. */
const char *source_place(const char *program, unsigned long offset, struct source_place *place);

/* The same as text, "nbody.cu:47"; otherwise the reason in brackets. Returns 0 if it is known. */
int source_line(const char *program, unsigned long offset, char *text, size_t size);

/* What stands there, without the space around it; empty if it cannot be read. */
void source_text(const struct source_place *place, char *text, size_t size);

/* Puts the line in the place of every "{+0x12ab}" in a message, a source below the working folder
 * by its path from there: "steps/NN_name/nbody.cu:47"; and in the place of every "{=0x12ab}" the
 * arrays outside shared memory that the line names, "`bodies.x`", or the whole line if it names
 * none; and of "{^0x12ab,0x34cd}", calls, innermost first, " (called in nbody.cu:47)" if the first
 * line is the kit's, otherwise nothing. `size` is the room it has. */
void source_lines_in(const char *program, char *message, size_t size);

/* " at steps/NN_name/nbody.c:79": the first of `count` offsets, up to one that is 0, whose line
 * is known and in no file of the course's own; empty if there is none. */
void source_of_calls(const char *program, const uint64_t *offsets, int count, char *text,
                     size_t size);

#endif
