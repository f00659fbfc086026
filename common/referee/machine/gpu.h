/* The machine's NVIDIA GPUs, as the driver's management library (NVML) tells of them. The library
 * is looked for when it is first asked; without it there is no GPU, which is no error. */
#ifndef GPU_H
#define GPU_H

#include <sys/types.h>

struct gpu {
    char name[96], driver[32], uuid[96];
    double memory_mib;
    unsigned most_sm_mhz, most_memory_mhz; /* MHz; 0: not known */
};

/* What GPU number `index` is, counted by PCI address from 0. Returns 0 if there is none. */
int gpu_describe(int index, struct gpu *gpu);

/* The number of the GPU that programs get: the first that CUDA_VISIBLE_DEVICES names, else 0; -1 if
 * there is none. CUDA counts alike under CUDA_DEVICE_ORDER=PCI_BUS_ID. */
int gpu_of_programs(void);

/* What it is doing now. */
struct gpu_reading {
    int others;    /* processes that compute on it, beside ours */
    double sm_mhz; /* the clock of its multiprocessors, MHz; 0: not known */
    double energy; /* J since the driver was loaded; negative: not known */
};

/* Reads the GPU that programs get; `ours` are `count` processes that may use it. Without a GPU
 * nothing is known. */
void gpu_read(const pid_t *ours, int count, struct gpu_reading *reading);

#endif
