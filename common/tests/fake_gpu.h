/* The fake of fakes/nvml.c in the place of the driver's library. */
#ifndef FAKE_GPU_H
#define FAKE_GPU_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FAKE_LIBRARIES "build/tests/fakes"

/* Starts the test anew with the fake in its path of libraries, which the loader reads at the start
 * only; with `gpus` of them. */
static inline void play_gpus(char **words, const char *gpus) {
    const char *path = getenv("LD_LIBRARY_PATH");

    if (path && !strcmp(path, FAKE_LIBRARIES))
        return;
    setenv("LD_LIBRARY_PATH", FAKE_LIBRARIES, 1);
    setenv("FAKE_GPUS", gpus, 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
    execv("/proc/self/exe", words);
    perror("execv");
    exit(1);
}

#endif
