/* What the programs device_*.cu share. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong;

/* Tells the first few values that are not what was computed independently. */
#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition) && __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED) < 5) {                 \
            fprintf(stderr, "%s:%d: not %s: ", __FILE__, __LINE__, #condition);                    \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
        }                                                                                          \
    } while (0)

/* Ends with 2 if a launch failed. */
static void wait_for_kernels() {
    if (cudaDeviceSynchronize())
        exit(2);
}

#endif
