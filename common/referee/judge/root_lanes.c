#include "root_lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "referee/base/wrapper.h"

/* Whether `name` is `root`, perhaps with bits of its estimate: vrsqrt14ps is a vrsqrt of ps. */
static int is_root(const char *name, const char *type) {
    static const char *const roots[] = {"sqrt", "rsqrt", "vsqrt", "vrsqrt"};
    char *end;

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        size_t length = strlen(roots[i]);

        if (strncmp(name, roots[i], length))
            continue;
        strtol(name + length, &end, 10);
        if (!strcmp(end, type))
            return 1;
    }
    return 0;
}

int root_lanes_of(const char *line) {
    char name[24], operands[128];

    if (sscanf(line, " %*[0-9a-f]: %23s %127[^\n]", name, operands) != 2)
        return 0;
    if (is_root(name, "ss"))
        return 1;
    if (is_root(name, "ps"))
        return strstr(operands, "%zmm") ? 16 : strstr(operands, "%ymm") ? 8 : 4;
    if (!strcmp(name, "fsqrt") || !strcmp(name, "frsqrte"))
        return strstr(operands, ".4s") || *operands == 'z' ? 4 : strstr(operands, ".2s") ? 2 : 1;
    return 0;
}

int root_lanes(const char *program) {
    char *const arguments[] = {"objdump", "-d", "--no-show-raw-insn", (char *)program, NULL};
    char line[256];
    pid_t child;
    FILE *output = wrapper_read(program, arguments, &child);
    int most = 0, lanes;

    if (!output)
        return 0;
    while (fgets(line, sizeof line, output))
        if ((lanes = root_lanes_of(line)) > most)
            most = lanes;
    fclose(output);
    waitpid(child, NULL, 0);
    return most;
}
