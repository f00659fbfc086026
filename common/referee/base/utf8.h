#ifndef UTF8_H
#define UTF8_H

#include <stdint.h>

/* Moves behind the next character of a text and gives its code; -1, and one byte further, if that
 * is no UTF-8. */
int32_t utf8_next(const char **text);

#endif
