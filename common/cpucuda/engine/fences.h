/* What orders data around flags and counters: __threadfence(), atomic operations, volatile
 * accesses. fences.cpp has the rule. */
#ifndef CPUCUDA_FENCES_H
#define CPUCUDA_FENCES_H

#include "internal.h"

namespace cpucuda {

enum { SEEN = 3 };

/* What ThreadSanitizer does not know of a block's threads; zero when the block starts. */
struct fences {
    bool fenced; /* by any of its threads */
    struct {
        volatile void *seen[SEEN]; /* read as volatile since its last fence, newest first */
    } threads[MOST_THREADS];
};

/* Of the block that runs; the engine sets it as it sets blockIdx. NULL on the host and in builds
 * without ThreadSanitizer. */
extern __thread struct fences *fences;

} // namespace cpucuda

#endif
