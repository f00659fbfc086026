#include "ceilings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "referee/base/options.h"

#define PROGRAM "build/ceilings_gpu"

/* The copies of so many bytes. */
#define COPY(name)                                                                                 \
    { "copy_" name, "B/s" }
#define COPIES(bytes)                                                                              \
    COPY("in_pageable_" #bytes), COPY("in_pinned_" #bytes), COPY("out_pageable_" #bytes),          \
        COPY("out_pinned_" #bytes)

static const struct {
    const char *resource, *unit;
} known[GPU_CEILINGS] = {
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

int ceiling_is_known(const char *resource) {
    int i;

    for (i = 0; i < GPU_CEILINGS; i++)
        if (!strcmp(known[i].resource, resource))
            return 1;
    return !strcmp(resource, "fma") || !strcmp(resource, "rsqrt") || !strcmp(resource, "copy");
}

/* Takes one line apart. Returns 0 if it is not as it should be. */
static int read_line(const char *line, const struct ceiling *ceilings, int count,
                     struct ceiling *ceiling) {
    char resource[32], number[32], unit[24], rest, *end;
    int i;

    if (sscanf(line, "%31s %31s %23s %c", resource, number, unit, &rest) != 3)
        return 0;
    ceiling->value = strtod(number, &end);
    if (*end || !isfinite(ceiling->value) || !(ceiling->value > 0))
        return 0;
    for (i = 0; i < count; i++)
        if (!strcmp(ceilings[i].resource, resource))
            return 0;
    for (i = 0; i < GPU_CEILINGS; i++)
        if (!strcmp(known[i].resource, resource) && !strcmp(known[i].unit, unit)) {
            ceiling->resource = known[i].resource;
            ceiling->unit = known[i].unit;
            ceiling->threads = 0;
            return 1;
        }
    return 0;
}

enum outcome ceilings_gpu_read(FILE *output, struct ceiling ceilings[GPU_CEILINGS], int *count) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    char line[256];

    *count = 0;
    while (fgets(line, sizeof line, output)) {
        struct ceiling ceiling;

        line[strcspn(line, "\n")] = 0;
        if (outcome) /* the rest is read, so that the program is not ended by SIGPIPE */
            continue;
        if (read_line(line, ceilings, *count, &ceiling))
            ceilings[(*count)++] = ceiling;
        else
            outcome =
                complain(OUTCOME_INTERNAL,
                         PROGRAM " printed \"%s\"; a line is a resource, a number and a unit, "
                                 "each resource once",
                         line);
    }
    return outcome;
}

enum outcome ceilings_gpu(struct ceiling ceilings[GPU_CEILINGS], int *count) {
    enum outcome outcome;
    FILE *output;
    int status;

    *count = 0;
    if (gpu_of_programs() < 0 || access(PROGRAM, X_OK))
        return OUTCOME_ACCEPTED;
    if (!(output = popen("timeout 60 " PROGRAM, "r")))
        return complain(OUTCOME_INTERNAL, PROGRAM " cannot be started");
    outcome = ceilings_gpu_read(output, ceilings, count);
    status = pclose(output);
    if (!outcome && (status || *count != GPU_CEILINGS))
        outcome = complain(OUTCOME_INTERNAL,
                           PROGRAM " measured %d of %d limits of the GPU and ended with status %d; "
                                   "run it to see why",
                           *count, GPU_CEILINGS, status);
    return outcome;
}
