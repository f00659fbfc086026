#include "json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

static void print_string(const char *text) {
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

static void print_value(const char *value, va_list *values) {
    char last = value[strlen(value) - 1];
    double number;

    if (*value != '%') {
        printf("%s", value);
    } else if (last == 's') {
        print_string(va_arg(*values, const char *));
    } else if (last == 'c') {
        printf(va_arg(*values, int) ? "true" : "false");
    } else if (last == 'd') {
        printf("%d", va_arg(*values, int));
    } else if (last == 'u') {
        printf("%lu", va_arg(*values, unsigned long));
    } else {
        number = va_arg(*values, double);
        printf(isfinite(number) ? value : "null", number);
    }
}

void print_json(const char *format, ...) {
    static int depth, filled; /* open brackets; whether the last one holds a value */
    char token[64], *value;
    va_list values;
    int length;

    va_start(values, format);
    for (; sscanf(format, "%63s%n", token, &length) == 1; format += length) {
        int closes = *token == '}' || *token == ']';

        if (filled && !closes)
            putchar(',');
        if (depth && *token == '{')
            printf("\n%*s", 2 * depth, "");
        else if (filled && !closes)
            putchar(' ');
        if ((value = strchr(token, '='))) {
            *value++ = 0;
            print_string(strcmp(token, "%s") ? token : va_arg(values, const char *));
            printf(": ");
        }
        print_value(value ? value : token, &values);
        filled = !strchr("{[", value ? *value : *token);
        depth += !filled - closes;
        if (!depth) {
            putchar('\n');
            filled = 0;
        }
    }
    va_end(values);
}
