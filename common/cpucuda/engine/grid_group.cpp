/* The barrier of all blocks of a grid whose launch is cooperative. */
#include "block.h"

#include <mutex>
#include <stdio.h>

#include "fences.h"
#include "sanitizers.h"

namespace cpucuda {

static const char name[] = "grid_group::sync";

/* Of the launch that runs. */
static unsigned long long blocks, arrived;
static unsigned times; /* all have come so often */

/* The first block that has ended, and where one of its threads left the kernel by a return. */
static std::mutex mutex;
static bool is_gone;
static uint3 gone;
static place left_by;

void grid_begins(const launch &launch) {
    blocks = (unsigned long long)launch.grid.x * launch.grid.y * launch.grid.z;
    arrived = 0;
    is_gone = false;
}

void grid_block_ends(const block &block) {
    if (!block.job->cooperative)
        return;
    std::lock_guard<std::mutex> held(mutex);

    if (is_gone)
        return;
    gone = block.index;
    left_by = block.threads[0].left;
    __atomic_store_n(&is_gone, true, __ATOMIC_RELEASE);
}

/* A block has ended that did not come to the barrier where another one waits. */
__attribute__((noreturn)) static void explain(place where) {
    char waits[40], ended[40];

    text_of(current->block->index, waits);
    std::lock_guard<std::mutex> held(mutex);

    text_of(gone, ended);
    if (left_by.file)
        fail("barrier",
             "%s: block %s left the kernel by the return in %s:%d, while block %s waits at %s in "
             "%s:%d; a block without work must still come to every barrier of the grid",
             current->block->job->kernel.name, ended, left_by.file, left_by.line, waits, where.name,
             where.file, where.line);
    fail("barrier",
         "%s: block %s came to the kernel's end without %s in %s:%d, where block %s waits; a "
         "barrier of the grid must not stand in a branch or loop that only some blocks enter",
         current->block->job->kernel.name, ended, where.name, where.file, where.line, waits);
}

/* One thread of the block waits for the other blocks, and its own block for that thread. */
static void wait_for_blocks(place where) {
    static char order;
    unsigned before = __atomic_load_n(&times, __ATOMIC_ACQUIRE);

    if (have_tsan())
        __tsan_release(&order);
    if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == blocks) {
        __atomic_store_n(&arrived, 0, __ATOMIC_RELAXED);
        __atomic_add_fetch(&times, 1, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(&times, __ATOMIC_ACQUIRE) == before) {
        /* One that came here and ended later has let this one go on. */
        if (__atomic_load_n(&is_gone, __ATOMIC_ACQUIRE) &&
            __atomic_load_n(&times, __ATOMIC_ACQUIRE) == before)
            explain(where);
        take_turns(where);
    }
    if (have_tsan())
        __tsan_acquire(&order);
}

void grid_barrier(const char *file, int line) {
    place where = {file, line, name};

    if (current && !current->block->job->cooperative)
        fail("barrier",
             "%s:%d: %s in %s, whose launch is not cooperative; cudaLaunchCooperativeKernel "
             "launches kernels whose blocks wait for each other",
             file, line, name, current->block->job->kernel.name);
    if (current)
        order_around_fence(false);
    block_barrier(0, name, file, line);
    if (current->rank == 0)
        wait_for_blocks(where);
    block_barrier(0, name, file, line);
}

bool grid_is_cooperative() {
    return current && current->block->job->cooperative;
}

} // namespace cpucuda
