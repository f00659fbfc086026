/* Texts that are put together. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

/* Appends to a text that has `size` bytes of room in all; what does not fit is left out. */
__attribute__((format(printf, 3, 4))) void text_add(char *text, size_t size, const char *format,
                                                    ...);

#endif
