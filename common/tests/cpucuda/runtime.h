/* What the programs runtime_*.cu share. The comment at the end of a line, there and here, holds the
 * names by which the test knows that line; one that faults has its case's. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "protocol/counters.h"
#include "protocol/player.h"

extern "C" {
void cpucuda_hide(void *start, size_t bytes, int is_const);
void device_turn_begins(void);
void device_turn_ends(int turn, int status, struct counters *out);
const char *cpucuda_last_failure(void);
}
namespace cpucuda {
bool describe_address(const void *address, char *text, size_t size);
} // namespace cpucuda

/* Ends with 1: the case went wrong in a way that the runtime did not name. */
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define RIGHT(call) NEED((call) == cudaSuccess)

enum { N = 3000, BYTES = N * sizeof(float) };

static float host[N], *device, *pinned;
static volatile float sink;
static struct counters counts;

static void alloc() {
    RIGHT(cudaMalloc(&device, BYTES));     /* device */
    RIGHT(cudaMallocHost(&pinned, BYTES)); /* pinned */
    for (int i = 0; i < N; i++)
        host[i] = pinned[i] = (float)i;
}

static void release() {
    RIGHT(cudaFree(device));
    RIGHT(cudaFreeHost(pinned));
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

struct test_case {
    const char *name;
    void (*run)();
};
#define CASE(name)                                                                                 \
    { #name, name }

template <size_t n>
static int run_case(const struct test_case (&cases)[n], int count, char **arguments) {
    for (const test_case &each : cases)
        if (count == 2 && !strcmp(each.name, arguments[1])) {
            each.run();
            return 0;
        }
    fprintf(stderr, "usage: %s NAME\n", arguments[0]);
    return 3;
}

#endif
