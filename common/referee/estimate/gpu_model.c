#include "gpu_model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *member(struct gpu_model *gpu, const char *name) {
#define FIND(parameter)                                                                            \
    if (!strcmp(name, #parameter))                                                                 \
        return &gpu->parameter;
    GPU_PARAMETERS(FIND)
#undef FIND
    return NULL;
}

/* Reads the lines of gpus/NAME over what is known already. */
static int read_file(struct gpu_model *gpu, const char *name, int depth, char message[256]) {
    char path[128], line[512];
    FILE *file;
    int number = 0, status = 0;

    snprintf(path, sizeof path, "common/referee/estimate/gpus/%.30s", name);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789") != strlen(name) ||
        !(file = fopen(path, "r")))
        return 1;
    while (!status && fgets(line, sizeof line, file)) {
        char key[64], value[128], *to = NULL;
        double *at;

        number++;
        line[strcspn(line, "#\n")] = 0;
        if (!line[strspn(line, " \t")])
            continue;
        status = sscanf(line, " %63[a-z0-9_] = %127[^\n]", key, value) == 2 ? 0 : 2;
        while (!status && *value && isspace((unsigned char)value[strlen(value) - 1]))
            value[strlen(value) - 1] = 0;
        if (status)
            ;
        else if (!strcmp(key, "like"))
            status = depth || read_file(gpu, value, depth + 1, message) ? 2 : 0;
        else if (!strcmp(key, "title"))
            snprintf(gpu->title, sizeof gpu->title, "%.60s", value);
        else if (!strcmp(key, "architecture"))
            snprintf(gpu->architecture, sizeof gpu->architecture, "%.7s", value);
        else if (!strcmp(key, "validated"))
            gpu->validated = !strcmp(value, "yes");
        else if (!(at = member(gpu, key)) || (*at = strtod(value, &to), *to))
            status = 2;
        if (status && !*message)
            snprintf(message, 256, "%s:%d: `name = number` with a known name is needed", path,
                     number);
    }
    fclose(file);
    return status;
}

int gpu_model_read(struct gpu_model *gpu, const char *name, char message[256]) {
    int status;

    memset(gpu, 0, sizeof *gpu);
    *message = 0;
#define UNSET(parameter) gpu->parameter = -1;
    GPU_PARAMETERS(UNSET)
#undef UNSET
    if ((status = read_file(gpu, name, 0, message)))
        return status;
    snprintf(gpu->name, sizeof gpu->name, "%s", name);
#define CHECK(parameter)                                                                           \
    if (gpu->parameter < 0) {                                                                      \
        snprintf(message, 256, "gpus/%s lacks %s", name, #parameter);                              \
        return 2;                                                                                  \
    }
    GPU_PARAMETERS(CHECK)
#undef CHECK
    return 0;
}
