/* What a compiler said. */
#ifndef COMPILER_H
#define COMPILER_H

#include <stddef.h>

/* The first line of `words` in which a compiler, assembler or linker says that something is wrong,
 * else the referee's own sentence on it; its length. `by_linker` says whether the linker said it.
 * NULL: there is none. */
const char *compiler_error(const char *words, size_t *length, int *by_linker);

#endif
