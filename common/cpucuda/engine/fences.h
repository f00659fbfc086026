/* What orders data around flags and counters: __threadfence(), atomic operations, volatile
 * accesses. fences.cpp has the rule for ThreadSanitizer, stores.cpp what other threads see. */
#ifndef CPUCUDA_FENCES_H
#define CPUCUDA_FENCES_H

#include "internal.h"

namespace cpucuda {

enum { SEEN = 3 };

struct store;
struct cuda_thread;

/* Stores of a block's threads that not all threads see yet, in the order in which they were made.
 */
struct stores {
    store *first, *last;
    unsigned count;
    uint16_t own[MOST_THREADS]; /* of each thread: those that its block does not see */
};

/* What ThreadSanitizer does not know of a block's threads; zero when the block starts. */
struct fences {
    bool fenced; /* by any of its threads */
    struct stores stores;
    struct {
        volatile void *seen[SEEN]; /* read as volatile since its last fence, newest first */
    } threads[MOST_THREADS];
};

/* Of the block that runs; the engine sets it as it sets blockIdx. NULL on the host and in builds
 * without ThreadSanitizer. */
extern __thread struct fences *fences;

/* What __threadfence() does, or that for the block, but for letting others run. */
void order_around_fence(bool for_block);

/* block.cpp: the running thread, if any, lets others run before it goes on, or not. */
void let_others_run(place where);

/* The running thread is about to store, by an atomic operation or as volatile, or to load as
 * volatile; `from` is where the call returns to. */
void store_starts(volatile void *address, size_t bytes, bool is_atomic, const void *from);
void load_starts(volatile void *address, size_t bytes, const void *from);

/* Its turn begins or has ended: memory gets what it sees, or what all see. */
void swap_stores(struct stores *stores, unsigned rank);

/* The running thread called __threadfence(), or that for its block; the threads met at a barrier or
 * in their warp; their block or the launch has ended. */
void stores_fenced(bool for_block);
void stores_met(struct stores *stores, const cuda_thread *const *threads, size_t count);
void stores_of_ended_block(struct stores *stores);
void show_all_stores();

} // namespace cpucuda

#endif
