/* Texts that are put together. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

/* Appends to a text that has `size` bytes of room in all; what does not fit is left out. */
__attribute__((format(printf, 3, 4))) void text_add(char *text, size_t size, const char *format,
                                                    ...);

/* Puts into the singular what stands there of one: "1 of 1 bodies hold" becomes "1 of 1 body
 * holds", "1 of 5 bodies were" becomes "1 of 5 bodies was". Messages are written in the plural, and
 * this is done once before they are shown. `size` is the room that the text has. */
void text_agree(char *text, size_t size);

#endif
