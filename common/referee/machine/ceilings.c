#include "ceilings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "referee/base/options.h"

/* The copies of so many bytes. */
#define COPY(name)                                                                                 \
    { "copy_" name, "B/s" }
#define COPIES(bytes)                                                                              \
    COPY("in_pageable_" #bytes), COPY("in_pinned_" #bytes), COPY("out_pageable_" #bytes),          \
        COPY("out_pinned_" #bytes)

static const struct {
    const char *resource, *unit;
} known[] = {
    {"fma", "lanes/s"},
    {"rsqrt", "lanes/s"},
    {"copy", "B/s"},
    {"gpu_issue", "lanes/s"},
    {"gpu_fma", "lanes/s"},
    {"gpu_mufu", "lanes/s"},
    {"gpu_lds", "lanes/s"},
    {"gpu_copy_in_pageable", "B/s"},
    {"gpu_copy_in_pinned", "B/s"},
    {"gpu_copy_out_pageable", "B/s"},
    {"gpu_copy_out_pinned", "B/s"},
    {"gpu_memory", "B/s"},
    {"gpu_tensor", "multiply-adds/s"},
    {"l2_bytes", "B"},
    COPIES(4096),
    COPIES(8192),
    COPIES(16384),
    COPIES(32768),
    COPIES(65536),
    COPIES(131072),
    COPIES(262144),
    COPIES(524288),
    COPIES(1048576),
    COPIES(2097152),
    COPIES(4194304),
    COPIES(8388608),
    COPIES(16777216),
    COPIES(33554432),
    COPIES(67108864),
};

enum { KNOWN = sizeof known / sizeof *known };

/* Where a resource stands in the table; KNOWN if it does not. */
static int find_known(const char *resource) {
    int i = 0;

    while (i < KNOWN && strcmp(known[i].resource, resource))
        i++;
    return i;
}

int ceiling_is_known(const char *resource) {
    return find_known(resource) < KNOWN;
}

void ceiling_name(const struct ceiling *ceiling, char name[CEILING_NAME]) {
    if (ceiling->threads)
        snprintf(name, CEILING_NAME, "ceiling_%s_%d", ceiling->resource, ceiling->threads);
    else
        snprintf(name, CEILING_NAME, "%s%s",
                 strncmp(ceiling->resource, "gpu_", 4) ? "" : "ceiling_", ceiling->resource);
}

int ceiling_of(const char *name, const char *value, struct ceiling *ceiling) {
    char resource[32], own[CEILING_NAME];
    int i;

    memset(ceiling, 0, sizeof *ceiling);
    if (sscanf(name, "ceiling_%31[a-z]_%d", resource, &ceiling->threads) != 2)
        snprintf(resource, sizeof resource, "%s", name + (strncmp(name, "ceiling_", 8) ? 0 : 8));
    if ((i = find_known(resource)) == KNOWN)
        return 0;
    ceiling->resource = known[i].resource;
    ceiling->unit = known[i].unit;
    ceiling->value = atof(value);
    ceiling_name(ceiling, own);
    return !strcmp(own, name);
}

/* Takes one line apart. Returns 0 if it is not as it should be. A CPU's value may be 0, if the
 * system gave no thread or no memory; where it has one core, that is also all. */
static int read_line(const char *line, const struct ceiling *ceilings, int count,
                     struct ceiling *ceiling) {
    char resource[32], number[32], unit[24], *number_end, *line_end;
    int i, cpu, length = 0;

    if (sscanf(line, "%31s %31s %23s %n", resource, number, unit, &length) != 3 || !length)
        return 0;
    i = find_known(resource);
    cpu = i < CPU_RESOURCES;
    ceiling->value = strtod(number, &number_end);
    ceiling->threads = (int)strtol(line + length, &line_end, 10);
    if (i == KNOWN || strcmp(known[i].unit, unit) || *number_end || *line_end ||
        !isfinite(ceiling->value) || ceiling->value < 0 || (!cpu && ceiling->value == 0) ||
        (ceiling->threads > 0) != cpu)
        return 0;
    ceiling->resource = known[i].resource;
    ceiling->unit = known[i].unit;
    for (i = 0; i < count; i++)
        if (ceilings[i].resource == ceiling->resource && ceilings[i].threads == ceiling->threads &&
            ceiling->threads != 1)
            return 0;
    return 1;
}

enum outcome ceilings_read(FILE *output, const char *program, int most, struct ceiling *ceilings,
                           int *count) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    char line[256];

    *count = 0;
    while (fgets(line, sizeof line, output)) {
        struct ceiling ceiling;

        line[strcspn(line, "\n")] = 0;
        if (outcome) /* the rest is read, so that the program is not ended by SIGPIPE */
            continue;
        if (*count < most && read_line(line, ceilings, *count, &ceiling))
            ceilings[(*count)++] = ceiling;
        else
            outcome = complain(OUTCOME_INTERNAL,
                               "%s printed \"%s\"; a line is a resource, a number, a unit and, of "
                               "a CPU, how many threads, each once",
                               program, line);
    }
    return outcome;
}

/* Runs the program, which measures `whole` ceilings. */
static enum outcome run(const char *program, int whole, struct ceiling *ceilings, int *count) {
    char command[64];
    enum outcome outcome;
    FILE *output;
    int status;

    snprintf(command, sizeof command, "timeout 60 %s", program);
    if (!(output = popen(command, "r")))
        return complain(OUTCOME_INTERNAL, "%s cannot be started", program);
    outcome = ceilings_read(output, program, whole, ceilings, count);
    status = pclose(output);
    if (!outcome && (status || *count != whole))
        outcome = complain(OUTCOME_INTERNAL,
                           "%s measured %d of %d limits of this machine and ended with status %d; "
                           "run it to see why",
                           program, *count, whole, status);
    return outcome;
}

enum outcome ceilings_cpu(struct ceiling ceilings[CPU_CEILINGS]) {
    int count;

    return run("build/ceilings_cpu", CPU_CEILINGS, ceilings, &count);
}

enum outcome ceilings_gpu(struct ceiling ceilings[GPU_CEILINGS], int *count) {
    *count = 0;
    if (gpu_of_programs() < 0 || access("build/ceilings_gpu", X_OK))
        return OUTCOME_ACCEPTED;
    return run("build/ceilings_gpu", GPU_CEILINGS, ceilings, count);
}
