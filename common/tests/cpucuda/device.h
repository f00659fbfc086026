/* The device side of cpucuda, without the runtime. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdint.h>
#include <stdio.h>

#include "cpucuda/engine.h"

#include "cpucuda/atomics.h"
#include "cpucuda/math.h"
#include "cpucuda/warp.h"

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

#endif
