/* The fake of fakes/nvml.c in the place of the driver's library. */
#ifndef FAKE_GPU_H
#define FAKE_GPU_H

#include "testing.h"

/* Starts the test anew with the fake in its path of libraries, which the loader reads at the start
 * only; with `gpus` of them. Called in the repository's root. */
static inline void play_gpus(char **words, const char *gpus) {
    char *path = realpath("build/tests/fakes", NULL);
    const char *now = getenv("LD_LIBRARY_PATH");

    if (!path) {
        perror("build/tests/fakes");
        exit(1);
    }
    if (now && !strcmp(path, now)) {
        free(path);
        return;
    }
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("FAKE_GPUS", gpus, 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
    execv("/proc/self/exe", words);
    perror("execv");
    exit(1);
}

#endif
