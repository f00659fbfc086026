#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox.h"

/* Nothing that loads a library or names a file to write. */
static const char *const passed_on[] = {
    "SOURCE",          "SHOWN",           "OMP_NUM_THREADS",      "OMP_DYNAMIC",
    "OMP_WAIT_POLICY", "OMP_PROC_BIND",   "OMP_PLACES",           "OMP_STACKSIZE",
    "CPUCUDA_SEED",    "CPUCUDA_WORKERS", "ASAN_OPTIONS",         "UBSAN_OPTIONS",
    "TSAN_OPTIONS",    "ARCHER_OPTIONS",  "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
    "SANDBOX_USER",    "SANDBOX_GPU", /* asked again inside bubblewrap */
};

enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

void environment_clean(const struct sandbox *sandbox) {
    static char *kept[PASSED_ON + 8];
    int i, count = 0;

    kept[count++] = "PATH=/usr/local/cuda/bin:/usr/local/bin:/usr/bin:/bin";
    kept[count++] = "HOME=/nonexistent";
    kept[count++] = "LANG=C";
    kept[count++] = "CUDA_CACHE_DISABLE=1";
    if (sandbox->purpose == PURPOSE_BUILD &&
        asprintf(&kept[count++], "TMPDIR=%s", sandbox->folder) < 0)
        no_sandbox("no memory for the environment");
    for (i = 0; i < PASSED_ON; i++) {
        const char *value = getenv(passed_on[i]);

        if (value && asprintf(&kept[count++], "%s=%s", passed_on[i], value) < 0)
            no_sandbox("no memory for the environment");
    }
    environ = kept;
}
