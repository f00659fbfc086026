#define _GNU_SOURCE
#include "terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST_WIDTH = 40 };

/* Columns of the terminal; 0: stdout is none, or does not say. */
static int terminal_width(void) {
    struct winsize size;

    return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

void print_wrapped(int indent, const char *text) {
    int width = terminal_width(), room = width - indent;

    while (width >= LEAST_WIDTH && (int)strlen(text) > room) {
        int length = room;

        while (length && text[length] != ' ')
            length--;
        if (!length) /* a word as long as the line */
            length = (int)strcspn(text, " ");
        printf("%*s%.*s\n", indent, "", length, text);
        text += length + strspn(text + length, " ");
        if (!*text)
            return;
    }
    printf("%*s%s\n", indent, "", text);
}

void print_verdict(FILE *line, const char *word) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    int color = !strcmp(word, "accepted") ? 32 : isupper((unsigned char)*word) ? 31 : 0;

    if (!color || !isatty(STDOUT_FILENO) || (no_color && *no_color) || !term ||
        !strcmp(term, "dumb"))
        fprintf(line, "%s", word);
    else
        fprintf(line, "\033[%dm%s\033[0m", color, word);
}
