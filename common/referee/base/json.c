#include "json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

static void print_string(const char *text) {
    putchar('"');
    while (*text) {
        const char *character = text;
        int32_t code = utf8_next(&text);

        if (code == '"' || code == '\\')
            printf("\\%c", (int)code);
        else if (code >= 0 && code < 0x20)
            printf("\\u%04x", (unsigned)code);
        else if (code < 0)
            putchar('?'); /* from a compiler or a step, which may print anything */
        else
            printf("%.*s", (int)(text - character), character);
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
