#define _GNU_SOURCE
#include "compiler.h"

#include <ctype.h>
#include <string.h>

static int holds(const char *line, size_t length, const char *text) {
    return memmem(line, length, text, strlen(text)) != NULL;
}

static int is_linkers(const char *line, size_t length) {
    static const char *const signs[] = {": undefined reference to ", ": multiple definition of ",
                                        ": undefined symbol: ",      ": duplicate symbol: ",
                                        "ld: cannot find ",          "nvlink error"};
    size_t i;

    for (i = 0; i < sizeof signs / sizeof *signs; i++)
        if (holds(line, length, signs[i]))
            return 1;
    return 0;
}

/* `nbody.cu:61:3: error: ...`, `nbody.cu(61): error: ...`, `cc1: fatal error: ...`, `ptxas error :
 * ...`. The place has no space and no quotes, as
 * lines of source have them. */
static int is_compilers(const char *line, size_t length) {
    static const char *const tools[] = {"ptxas error", "ptxas fatal", "nvcc fatal"};
    static const char *const signs[] = {": error", ": fatal error", ": catastrophic error",
                                        ": internal compiler error", ": Error"};
    size_t i, place = strcspn(line, " ");

    for (i = 0; i < sizeof tools / sizeof *tools; i++)
        if (!strncmp(line, tools[i], strlen(tools[i])))
            return 1;
    if (!place || place >= length || line[place - 1] != ':' || memchr(line, '"', place))
        return 0;
    for (i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *behind = line + place - 1 + strlen(signs[i]);

        if (!strncmp(line + place - 1, signs[i], strlen(signs[i])) &&
            (*behind == ':' || !strncmp(behind, " #", 2)))
            return 1;
    }
    return 0;
}

const char *compiler_error(const char *words, size_t *length, int *by_linker) {
    static const char own[] = "error: ", above[] = "; the compiler's words stand above";
    const char *line, *end, *told = NULL;

    *by_linker = 0;
    for (line = words; *line; line = *end ? end + 1 : end) {
        size_t size = (size_t)((end = line + strcspn(line, "\n")) - line);

        if ((*by_linker = !isspace((unsigned char)*line) && is_linkers(line, size)) ||
            is_compilers(line, size)) {
            *length = size;
            return line;
        }
        if (!strncmp(line, own, sizeof own - 1) && !holds(line, size, above)) {
            told = line + sizeof own - 1;
            *length = size - (sizeof own - 1);
        }
    }
    return told;
}
