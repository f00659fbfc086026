#include "what_if.h"

#include <stdlib.h>
#include <string.h>

static void find_all_in_l1(struct kernel *kernel, struct gpu_model *gpu) {
    int k;

    (void)gpu;
    for (k = 0; k < kernel->code_count; k++)
        if (kernel->code[k].access == ACCESS_LOADS)
            kernel->code[k].hits = kernel->code[k].sectors;
    kernel->loaded = 0;
}

static void free_shared_memory(struct kernel *kernel, struct gpu_model *gpu) {
    int k;

    gpu->shared_latency = 1;
    for (k = 0; k < kernel->code_count; k++)
        if (kernel->code[k].memory == MEMORY_SHARED)
            kernel->code[k].wavefronts = 0;
}

static void quick_roots(struct kernel *kernel, struct gpu_model *gpu) {
    (void)kernel;
    gpu->xu_cycles = gpu->xu_latency = 1;
}

static void quick_integers(struct kernel *kernel, struct gpu_model *gpu) {
    (void)kernel;
    gpu->alu_cycles = gpu->uniform_cycles = 1;
}

static void quick_memory(struct kernel *kernel, struct gpu_model *gpu) {
    (void)kernel;
    gpu->dram_gbps *= 2;
    gpu->written_gbps *= 2;
}

static void twice_the_blocks(struct kernel *kernel, struct gpu_model *gpu) {
    (void)gpu;
    kernel->registers /= 2;
    kernel->static_bytes /= 2;
    kernel->dynamic_bytes /= 2;
}

static const struct {
    const char *words;
    void (*make)(struct kernel *kernel, struct gpu_model *gpu);
} changes[CHANGES] = {
    {"loads that find everything in L1", find_all_in_l1},
    {"shared memory that takes no time", free_shared_memory},
    {"roots and conversions that take no time", quick_roots},
    {"integer instructions at twice the rate", quick_integers},
    {"DRAM with twice the bandwidth", quick_memory},
    {"half the registers and shared memory per block", twice_the_blocks},
};

static int by_time_left(const void *a, const void *b) {
    double one = ((const struct what_if *)a)->left, other = ((const struct what_if *)b)->left;

    return (one > other) - (one < other);
}

void what_if(const struct kernel *kernel, const struct gpu_model *gpu,
             struct what_if found[CHANGES]) {
    double seconds = kernel_estimate(kernel, gpu, LITTLE_ROOM).seconds;
    size_t bytes = (size_t)kernel->code_count * sizeof *kernel->code;
    struct instruction *code = malloc(bytes);
    int k;

    if (!code)
        abort();
    for (k = 0; k < CHANGES; k++) {
        struct kernel changed = *kernel;
        struct gpu_model other = *gpu;

        changed.code = memcpy(code, kernel->code, bytes);
        changes[k].make(&changed, &other);
        found[k].change = changes[k].words;
        found[k].left = kernel_estimate(&changed, &other, LITTLE_ROOM).seconds / seconds;
    }
    free(code);
    qsort(found, CHANGES, sizeof *found, by_time_left);
}
