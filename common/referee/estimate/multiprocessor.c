#include "multiprocessor.h"

#include <math.h>
#include <stdlib.h>

#include "unrolled.h"

enum { BARRIERS = 6, NO_BARRIER = 7, MOST_WARPS = 64, MOST_SCHEDULERS = 4 };

/* What waits for shared memory and L1 keeps no more from being issued until so many cycles of it
 * are left. */
enum { QUEUE = 32 };

/* The last executions of a load whose sectors another warp asks for too: when they are there. */
enum { KEPT = 64 };
struct filled {
    double at[KEPT];
    unsigned which[KEPT]; /* the execution, from 1 */
};

/* Groups of copies to shared memory that a warp may wait for. */
enum { GROUPS = 8 };

struct resident {
    const struct unrolled *path;
    int at, block;
    double ready;
    double barriers[BARRIERS];
    double copied, groups[GROUPS]; /* when the last copy is there; when each group is */
    int group, of;                 /* how many there were, and the barrier that counts them */
    int waiting;                   /* at the block's barrier */
    unsigned *times; /* how often each load was executed, if warps share what it loads */
};

struct multiprocessor {
    const struct kernel *kernel;
    const struct gpu_model *gpu;
    double now;
    double cycles[PIPES];                /* that an instruction keeps one busy */
    double pipe[MOST_SCHEDULERS][PIPES]; /* when each is free */
    double busy[MOST_SCHEDULERS][PIPES];
    double shared, l1, l2, dram; /* when each can take the next */
    double l2_misses, load_cost, store_cost, read_cost, write_cost; /* of a sector, in cycles */
    double *missing; /* per instruction: a fraction of a miss that is still to come */
    double issued[MOST_SCHEDULERS];
    struct filled **filled; /* per instruction, or NULL: its warps share nothing */
};

static double later(double a, double b) {
    return a > b ? a : b;
}

/* When the result of an instruction of variable latency is there. */
static double result_at(struct multiprocessor *sm, struct resident *warp, int index, double start) {
    const struct instruction *i = &sm->kernel->code[index];
    const struct gpu_model *gpu = sm->gpu;
    double requests = i->issued > 0 ? i->issued : 1;

    if (i->pipe == PIPE_XU)
        return start + gpu->xu_latency;
    if (i->pipe == PIPE_TENSOR)
        return start + gpu->tensor_latency;
    if (i->pipe == PIPE_MATCH)
        return start + gpu->match_cycles * i->wavefronts / requests + gpu->special_latency;
    if (i->memory == MEMORY_CONSTANT || i->pipe == PIPE_UNIFORM)
        return start + gpu->constant_latency;
    if (i->memory == MEMORY_SHARED || i->operation == SASS_SHFL) {
        double wavefronts = i->memory == MEMORY_SHARED ? i->wavefronts / requests : 1;

        sm->shared = later(sm->shared, start) + wavefronts;
        return sm->shared + gpu->shared_latency - 1;
    }
    if (i->memory == MEMORY_GLOBAL) {
        double sectors = i->sectors / requests, missed = (i->sectors - i->hits) / requests;
        double latency = gpu->l1_latency, end;
        double *missing = &sm->missing[2 * (size_t)index];
        struct filled *filled = sm->filled[index];
        int loads = i->access == ACCESS_LOADS;
        unsigned time = 0;

        if (!loads)
            missed = sectors;
        sm->l1 = later(sm->l1, start) + later(1, sectors / gpu->l1_sectors);
        end = sm->l1;
        if (filled) {
            /* Warps go through a loop together: the first one to come asks for all. */
            time = ++warp->times[index];
            if (filled->which[time % KEPT] == time)
                return later(end + latency, filled->at[time % KEPT]);
            missed *= i->sectors / (i->sectors - i->shared);
        }
        missing[0] += missed;
        if (missing[0] >= 0.999) {
            double whole = later(missed, 1);

            missing[0] -= whole;
            sm->l2 = later(sm->l2, start) + whole * (loads ? sm->load_cost : sm->store_cost);
            end = later(end, sm->l2);
            latency = i->contended                 ? gpu->contended_latency
                      : i->access == ACCESS_ATOMIC ? gpu->atomic_latency
                                                   : gpu->l2_latency;
            missing[1] += whole * sm->l2_misses;
            if (missing[1] >= 0.999) {
                double from_dram = later(whole * sm->l2_misses, 1);

                missing[1] -= from_dram;
                sm->dram =
                    later(sm->dram, start) + from_dram * (loads ? sm->read_cost : sm->write_cost);
                end = later(end, sm->dram);
                latency = gpu->dram_latency;
            }
        }
        if (filled) {
            filled->which[time % KEPT] = time;
            filled->at[time % KEPT] = end + latency;
        }
        return end + latency;
    }
    return start + gpu->special_latency;
}

/* Halves are computed by the FMA pipe. */
static enum sass_pipe pipe_of(const struct instruction *i) {
    return i->pipe == PIPE_HALF ? PIPE_FMA : i->pipe;
}

/* Whether the warp can issue now; if not, `next` becomes the time at which it may. */
static int can_issue(struct multiprocessor *sm, struct resident *warp, int scheduler,
                     double *next) {
    const struct instruction *i;
    double at = warp->ready;
    int k;

    if (warp->waiting || warp->at >= warp->path->count)
        return 0;
    i = &sm->kernel->code[warp->path->code[warp->at]];
    for (k = 0; k < BARRIERS; k++)
        if (i->waits >> k & 1)
            at = later(at, warp->barriers[k]);
    if (i->pipe != PIPE_CONTROL)
        at = later(at, sm->pipe[scheduler][pipe_of(i)]);
    if (i->pipe == PIPE_LSU)
        at = later(at, later(sm->shared, sm->l1) - QUEUE);
    if (at <= sm->now)
        return 1;
    if (at < *next)
        *next = at;
    return 0;
}

static void issue(struct multiprocessor *sm, struct resident *warp, int scheduler) {
    int index = warp->path->code[warp->at++];
    const struct instruction *i = &sm->kernel->code[index];
    double cycles = sm->cycles[i->pipe] + i->conflict, *pipes = sm->pipe[scheduler];
    double stall = i->stall > 1 ? i->stall : 1;

    if (i->pipe == PIPE_MATCH)
        cycles *= i->wavefronts / (i->issued > 0 ? i->issued : 1);
    sm->issued[scheduler]++;
    if (i->pipe != PIPE_CONTROL)
        pipes[pipe_of(i)] = sm->now + cycles;
    sm->busy[scheduler][pipe_of(i)] += cycles;
    if (i->conflict) /* the scheduler's read of registers waits */
        pipes[PIPE_FMA] = later(pipes[PIPE_FMA], sm->now + cycles);
    warp->ready = sm->now + stall;
    if (i->operation == SASS_BRA || i->operation == SASS_CALL || i->operation == SASS_RET ||
        i->operation == SASS_BSYNC)
        warp->ready += sm->gpu->branch_latency;
    if (i->operation == SASS_LDGDEPBAR) {
        warp->groups[warp->group++ % GROUPS] = warp->copied;
        warp->of = i->sets;
    } else if (i->operation == SASS_DEPBAR && i->of == warp->of && i->prior < GROUPS &&
               i->prior < warp->group) {
        warp->ready = later(warp->ready, warp->groups[(warp->group - 1 - i->prior) % GROUPS]);
    } else if (i->sets != NO_BARRIER || i->frees != NO_BARRIER || i->memory) {
        double there = result_at(sm, warp, index, sm->now);

        if (i->operation == SASS_LDGSTS)
            warp->copied = later(warp->copied, there);
        if (i->sets < BARRIERS)
            warp->barriers[i->sets] = later(warp->barriers[i->sets], there);
        if (i->frees < BARRIERS) /* its operands were read */
            warp->barriers[i->frees] =
                later(warp->barriers[i->frees],
                      later(sm->now + 10, i->memory == MEMORY_GLOBAL ? sm->l1 : sm->shared));
    }
    if (i->operation == SASS_BAR)
        warp->waiting = 1;
}

/* Blocks whose warps have all come to the barrier go on. */
static void release(struct multiprocessor *sm, struct resident *warps, int count, int block) {
    int k;

    for (k = 0; k < count; k++)
        if (warps[k].block == block && !warps[k].waiting && warps[k].at < warps[k].path->count)
            return;
    for (k = 0; k < count; k++)
        if (warps[k].block == block && warps[k].waiting) {
            warps[k].waiting = 0;
            warps[k].ready = later(warps[k].ready, sm->now + sm->gpu->barrier_latency);
        }
}

static double play(struct multiprocessor *sm, struct resident *warps, int count) {
    int schedulers = (int)sm->gpu->schedulers, left = count, k, s;
    int last[MOST_SCHEDULERS] = {0};

    while (left) {
        double next = INFINITY;
        int any = 0;

        for (s = 0; s < schedulers; s++) {
            int turn, own = (count - s + schedulers - 1) / schedulers;

            /* The warp that issued last, else the youngest that can: Huerta et al. 2025. */
            for (turn = 0; turn < own; turn++) {
                int behind = own - turn - (own - turn <= last[s]);
                int which = turn ? behind : last[s];
                struct resident *warp = &warps[s + which * schedulers];

                if (!can_issue(sm, warp, s, &next))
                    continue;
                issue(sm, warp, s);
                last[s] = which;
                any = 1;
                if (warp->at >= warp->path->count)
                    left--;
                if (warp->waiting || warp->at >= warp->path->count)
                    release(sm, warps, count, warp->block);
                break;
            }
        }
        if (any)
            sm->now++;
        else if (next < INFINITY)
            sm->now = ceil(next);
        else
            break; /* a path that was cut at a barrier */
    }
    for (k = 0; k < count; k++)
        sm->now = later(sm->now, warps[k].ready);
    return sm->now;
}

/* Plays with loops cut; `length` becomes a block's instructions. */
static double play_cut(struct multiprocessor *sm, int blocks, struct cut cut, double *length) {
    const struct kernel *kernel = sm->kernel;
    int per = kernel->path_count, count = per * blocks, k;
    struct unrolled *paths = calloc((size_t)per, sizeof *paths);
    struct resident *warps = calloc((size_t)count, sizeof *warps);
    double cycles;

    sm->missing = calloc((size_t)kernel->code_count * 2, sizeof *sm->missing);
    sm->filled = calloc((size_t)kernel->code_count, sizeof(struct filled *));
    if (!paths || !warps || !sm->missing || !sm->filled)
        abort();
    for (k = 0; k < kernel->code_count; k++)
        if (kernel->code[k].shared > 0.25 * kernel->code[k].sectors)
            sm->filled[k] = calloc(1, sizeof(struct filled));
    *length = 0;
    for (k = 0; k < per; k++)
        *length += unroll(&paths[k], &kernel->paths[k], cut);
    for (k = 0; k < count; k++) {
        warps[k].path = &paths[k % per];
        warps[k].block = k / per;
        warps[k].times = calloc((size_t)kernel->code_count, sizeof(unsigned));
    }
    cycles = play(sm, warps, count);
    for (k = 0; k < per; k++)
        free(paths[k].code);
    for (k = 0; k < count; k++)
        free(warps[k].times);
    for (k = 0; k < kernel->code_count; k++)
        free(sm->filled[k]);
    free(sm->filled);
    free(paths);
    free(warps);
    free(sm->missing);
    return cycles;
}

static double length_of(const struct kernel *kernel, double inner, double outer) {
    double sum = 0;
    int k;

    for (k = 0; k < kernel->path_count; k++)
        sum += unroll(NULL, &kernel->paths[k], (struct cut){inner, outer});
    return sum;
}

/* How loops are cut so that all blocks together have about `room` instructions: first the outer
 * ones, to four at least. */
static struct cut choose_cut(const struct kernel *kernel, int blocks, double room) {
    double one = length_of(kernel, INFINITY, 1), each = length_of(kernel, INFINITY, 2) - one;
    double inner = 4;

    room /= blocks;
    if (length_of(kernel, INFINITY, INFINITY) <= room)
        return (struct cut){INFINITY, INFINITY};
    if (each > 0 && one + 3 * each <= 2 * room)
        return (struct cut){INFINITY, floor(fmax(4, 1 + (room - one) / each))};
    while (inner < 1 << 20 && length_of(kernel, 2 * inner, 4) <= room)
        inner *= 2;
    return (struct cut){inner, 4};
}

struct played multiprocessor_play(const struct kernel *kernel, const struct gpu_model *gpu,
                                  int blocks, double l2_misses, double sharers, double room) {
    struct played played = {0};
    struct cut cut = choose_cut(kernel, blocks, room), half;
    double whole = length_of(kernel, INFINITY, INFINITY), length, shorter, first;
    struct multiprocessor sm,
        start = {
            .kernel = kernel,
            .gpu = gpu,
            .cycles = {gpu->fma_cycles, gpu->heavy_cycles, gpu->alu_cycles, gpu->half_cycles,
                       gpu->double_cycles, gpu->xu_cycles, gpu->lsu_cycles, gpu->uniform_cycles,
                       gpu->tensor_cycles, gpu->match_cycles, 1},
            .l2_misses = l2_misses,
            .load_cost = fmax(sharers / gpu->l2_sectors, 1 / gpu->loaded_sectors),
            .store_cost = fmax(sharers / gpu->l2_sectors, 1 / gpu->stored_sectors),
            .read_cost = 32 * sharers * gpu->clock_mhz * 1e6 / (gpu->dram_gbps * 1e9),
            .write_cost = 32 * sharers * gpu->clock_mhz * 1e6 / (gpu->written_gbps * 1e9),
        };
    int k, s;

    sm = start;
    played.cycles = play_cut(&sm, blocks, cut, &length);
    for (s = 0; s < (int)gpu->schedulers; s++) {
        for (k = 0; k < PIPES; k++)
            played.busy[k] = fmax(played.busy[k], sm.busy[s][k] / played.cycles);
        played.issuing += sm.issued[s] / played.cycles / gpu->schedulers;
    }
    if (whole > length) {
        half.inner = isinf(cut.inner) ? cut.inner : cut.inner / 2;
        half.outer = isinf(cut.outer) ? cut.outer : floor(cut.outer / 2);
        sm = start;
        first = play_cut(&sm, blocks, half, &shorter);
        if (length > shorter)
            played.cycles += (played.cycles - first) / (length - shorter) * (whole - length);
    }
    return played;
}
