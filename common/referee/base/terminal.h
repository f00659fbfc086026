/* What a person at a terminal sees of stdout; in a file or a pipe it is the plain text. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>

/* Prints text behind `indent` spaces, and a line's end: lines of a terminal's width, broken between
 * words; of anything else one line. */
void print_wrapped(int indent, const char *text);

/* Prints a verdict's word into a line for stdout: `accepted` green and what is in capitals red, on
 * a terminal without NO_COLOR (no-color.org). */
void print_verdict(FILE *line, const char *word);

#endif
