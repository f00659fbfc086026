#include "print.h"

#include <stdio.h>

const char *readable_seconds(double seconds, char buffer[32]) {
    if (seconds < 1e-3)
        snprintf(buffer, 32, "%.3g us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(buffer, 32, "%.3g ms", 1e3 * seconds);
    else
        snprintf(buffer, 32, "%.3g s", seconds);
    return buffer;
}

/* Bytes of the character that begins at `text`; 0 if it is no UTF-8. */
static int utf8_length(const char *text) {
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = (unsigned char)*text;
    int length = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0, i;
    unsigned long code = c & (0x7fu >> (length > 1 ? length : 0));

    for (i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
                                                                                        : length;
}

void print_json_string(const char *text) {
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        int length;

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else if (!(length = utf8_length(text)))
            putchar('?'); /* from a compiler or a step, which may print anything */
        else {
            printf("%.*s", length, text);
            text += length - 1;
        }
    }
    putchar('"');
}
