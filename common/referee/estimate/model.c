#include "model.h"

#include <math.h>

#include "occupancy.h"
#include "unrolled.h"

int resident_blocks(const struct kernel *kernel, const char *architecture) {
    const char *limit;
    double share = occupancy_of(architecture, kernel->threads, kernel->registers,
                                (int)(kernel->static_bytes + kernel->dynamic_bytes), &limit);
    int warps = (kernel->threads + 31) / 32;

    return (int)(share * occupancy_warps(architecture) / warps + 0.5);
}

double copy_estimate(const struct gpu_model *gpu, double bytes, int pinned) {
    return 1e-6 * (pinned ? gpu->copy_pinned_us : gpu->copy_pageable_us) +
           bytes / (1e9 * (pinned ? gpu->copy_pinned_gbps : gpu->copy_pageable_gbps));
}

/* Sectors that leave L1, atomic operations and wavefronts of shared memory, of a launch. */
struct traffic {
    double l2, atomics, shared, slots;
};

static struct traffic traffic_of(const struct kernel *kernel) {
    struct traffic sum = {0};
    int k;

    for (k = 0; k < kernel->code_count; k++) {
        const struct instruction *i = &kernel->code[k];

        sum.slots += i->issued;
        if (i->memory == MEMORY_SHARED)
            sum.shared += i->wavefronts;
        if (i->memory == MEMORY_GLOBAL)
            sum.l2 += i->access != ACCESS_LOADS ? i->sectors : i->sectors - i->hits;
        if (i->memory == MEMORY_GLOBAL && i->access == ACCESS_ATOMIC)
            sum.atomics += i->sectors;
    }
    return sum;
}

/* The share of sectors first touched that DRAM has to give: all if they do not fit L2, none if
 * the run before left them there. */
static double dram_part(const struct kernel *kernel, const struct gpu_model *gpu) {
    double bytes = 32 * (kernel->loaded + kernel->stored), share = bytes / gpu->l2_bytes;

    return share < 0.5 ? 0 : share > 1 ? 1 : 2 * (share - 0.5);
}

/* From what share of the time on a resource is said to bound a kernel. */
static const char *limit_of(const struct kernel_time *time) {
    static const char *const pipes[PIPE_CONTROL] = {"the FMA pipe",
                                                    "products of integers",
                                                    "the ALU pipe",
                                                    "the pipe of halves",
                                                    "the pipe of doubles",
                                                    "the XU pipe",
                                                    "loads, stores and shuffles",
                                                    "the uniform datapath",
                                                    "the tensor pipe",
                                                    "comparison of lanes"};
    double most = fmax(time->start_share, fmax(time->dram_share, time->l2_share));
    int k;

    if (most > 0.7)
        return most == time->start_share  ? "the starts of blocks"
               : most == time->dram_share ? "DRAM"
                                          : "L2";
    if (time->played.issuing > 0.75)
        return "issue";
    if (time->shared_share > 0.75)
        return "shared memory";
    for (k = 0; k < PIPE_CONTROL; k++)
        if (time->played.busy[k] > 0.75)
            return pipes[k];
    return "latency";
}

struct kernel_time kernel_estimate(const struct kernel *kernel, const struct gpu_model *gpu,
                                   double room) {
    struct kernel_time time = {.kernel = kernel};
    struct traffic traffic = traffic_of(kernel);
    double part = dram_part(kernel, gpu), read = part * kernel->loaded;
    double written = part * (kernel->stored + kernel->rewritten);
    double used = fmin(kernel->blocks, gpu->multiprocessors);
    double each = ceil(kernel->blocks / gpu->multiprocessors), cycles, rest;
    double l2_misses = traffic.l2 > 0 ? fmin(1, (read + written) / traffic.l2) : 0;
    double shared, l2, dram, starts;
    double played = 0, mean; /* what a block issues: the played one; the mean, in units of that */
    int w;

    time.slots = traffic.slots;
    time.resident = resident_blocks(kernel, gpu->architecture);
    if (!time.resident)
        return time;
    time.waves = kernel->blocks / (gpu->multiprocessors * time.resident);
    if (each > 3 * time.resident) /* many rounds: multiprocessors that are done take what is left */
        each = kernel->blocks / gpu->multiprocessors;
    time.played =
        multiprocessor_play(kernel, gpu, (int)fmin(each, time.resident), l2_misses, used, room);
    for (w = 0; w < kernel->path_count; w++)
        played += unroll(NULL, &kernel->paths[w], (struct cut){INFINITY, INFINITY});
    mean = played > 0 ? time.slots / kernel->blocks / played : 1;
    cycles = time.played.cycles;
    if (each > time.resident) {
        rest = fmod(each, time.resident);
        cycles *= floor(each / time.resident);
        if (each > 3 * time.resident)
            cycles = time.played.cycles * each / time.resident;
        else if (rest > 0)
            cycles += multiprocessor_play(kernel, gpu, (int)rest, l2_misses, used, room).cycles;
        /* Meanwhile other blocks use what is free. */
        cycles +=
            gpu->block_cycles / mean * (ceil(each / time.resident) - 1) * (1 - time.played.issuing);
    }
    cycles *= mean;
    l2 = traffic.l2 / gpu->l2_sectors;
    dram = 32 * gpu->clock_mhz * 1e-3 * (read / gpu->dram_gbps + written / gpu->written_gbps);
    shared = traffic.shared / gpu->multiprocessors;
    cycles = fmax(cycles, fmax(l2, dram));
    cycles = fmax(cycles, traffic.atomics / gpu->atomics);
    starts = kernel->blocks * gpu->dispatch_cycles;
    cycles = fmax(cycles, starts);
    time.start_share = starts / cycles;
    time.l2_share = l2 / cycles;
    time.dram_share = dram / cycles;
    time.shared_share = shared / cycles;
    time.seconds = cycles / (1e6 * gpu->clock_mhz) + 1e-6 * gpu->kernel_us;
    time.limit = limit_of(&time);
    return time;
}
