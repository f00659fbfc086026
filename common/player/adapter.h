/* What the adapters of problems have in common: the object that a step creates, and what becomes of
 * it. OBJECT(simulation, forces) is for a contract with `struct simulation`, simulation_run(),
 * simulation_destroy() and simulation_forces(), which a step may lack. OBJECT_BY() is for one whose
 * simulation_create() has other parameters: it also takes a function that makes the object. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include "protocol/player.h"

#define OBJECT(name, computation) OBJECT_BY(name, computation, name##_create)

#define OBJECT_BY(name, computation, create)                                                       \
    static struct name *object;                                                                    \
                                                                                                   \
    void name##_##computation(struct name *, int) __attribute__((weak));                           \
                                                                                                   \
    int step_create(const void *parameters, const void *in, void *out) {                           \
        object = create(parameters, in, out);                                                      \
        return object ? 0 : 1;                                                                     \
    }                                                                                              \
    int step_run(int iterations) {                                                                 \
        return name##_run(object, iterations);                                                     \
    }                                                                                              \
    void step_destroy(void) {                                                                      \
        name##_destroy(object);                                                                    \
        object = 0;                                                                                \
    }                                                                                              \
    void step_enqueue(int repeats) {                                                               \
        if (name##_##computation)                                                                  \
            name##_##computation(object, repeats);                                                 \
    }

#endif
