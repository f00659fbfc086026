/* A block and its threads, as the worker that runs them sees them. */
#ifndef CPUCUDA_BLOCK_H
#define CPUCUDA_BLOCK_H

#include <list>
#include <vector>

#include "cpucuda/pipeline.h"

#include "fences.h"
#include "fiber.h"
#include "internal.h"

namespace cpucuda {

/* A shared variable of a block. */
struct shared_entry {
    const void *key; /* NULL: the dynamic memory */
    char *start;
    size_t bytes;
    place where;
};

/* A block's shared memory: static variables from the start, dynamic memory up to a guard page. */
struct shared_memory {
    char *start = nullptr;
    size_t used = 0; /* bytes of static variables, with what lies between them */
    size_t static_bytes = 0;
    std::vector<shared_entry> entries;

    void begin(size_t dynamic_bytes);
    void end();
};

enum state {
    READY,
    TURNS, /* went round a loop for a while and let others run */
    BARRIER,
    MEETING, /* waits for lanes of its warp */
    ENDED
};

struct block;

struct alignas(64) cuda_thread {
    /* What a switch to it touches, together in a line of the cache. */
    struct block *block;
    fiber *stack; /* NULL before its start and after its end */
    void *tsan;
    uint3 index;
    unsigned rank; /* x + y Dx + z Dx Dy */
    enum state state;
    unsigned mask, met; /* of a meeting */
    bool orders;        /* memory, in that meeting */
    int predicate;
    /* Of a meeting: what it brings, and what it finds. */
    uint64_t value;
    const uint64_t *values;
    together_function *together;    /* NULL: each lane does for itself what is to be done */
    place where;                    /* it waits at a barrier or meeting, or goes round a loop */
    place left;                     /* of its last `return`; file is NULL if there was none */
    std::vector<async_copy> copies; /* begun and not yet made, in order */
    size_t committed;               /* groups of copies */
};

/* What happened while every thread of a block ran until it waits. */
struct round {
    bool ended;  /* a thread came to the kernel's end */
    bool turned; /* one went round a loop for a while: it may wait for another block */
    bool met;    /* all passed a barrier */
};

/* What lanes brought to a meeting. It stays until each of those that were there meets again. */
struct meeting {
    unsigned readers; /* lanes, a bit each */
    uint64_t values[WARP];
};

/* Of 32 lanes, a bit each. */
struct warp {
    unsigned live, waiting; /* not at the kernel's end; at a meeting */
    bool is_watched;        /* by ThreadSanitizer */
    std::list<meeting> meetings;

    uint64_t *values_for(unsigned met);
};

struct block {
    const launch *job;
    uint3 index;
    unsigned count, live, at_barrier;
    int predicates; /* threads that came to the last barrier with a predicate that is not zero */
    uint64_t random;
    std::vector<cuda_thread> threads;
    std::vector<warp> warps;
    std::vector<unsigned> ready; /* ranks, the next one last */
    std::vector<unsigned> turns; /* ranks of those that let others run */
    shared_memory shared;
    bool met_barrier;
    std::unique_ptr<struct fences> fenced; /* for ThreadSanitizer */
    void *unwatched;                       /* its thread for all lanes that it does not watch */

    void begin(const launch *job, uint64_t index, uint64_t random);
    /* Runs every thread that is ready until it waits. */
    round advance();
    void end();
    /* A thread of it goes round a loop, and somebody asked why the launch does not end: the
     * kernel's launch of that number in this turn. `begun` of the `blocks` of the grid have begun.
     * Returns if no thread goes round a loop. */
    void explain_turns(uint64_t number, size_t begun, size_t blocks);

  private:
    void shuffle(std::vector<unsigned> &ranks);
    void watch();
    void fetch_next(size_t count) const;
    void take(cuda_thread &thread);
    void release_barrier();
    void try_meeting(const cuda_thread &thread);
    void explain_barrier() __attribute__((noreturn));
    void explain_wait() __attribute__((noreturn));
};

/* Whether lanes that wait for others wait in the same call. One call may order memory for another
 * one in a branch of its own, but values only come from lanes that execute the same instruction. */
bool meets(const cuda_thread &one, const cuda_thread &other);

/* Of a thread that waits. */
void list_calls_of(cuda_thread &thread, char *text);

/* "(1,2,3)", in at least 40 bytes; returns `text`. */
const char *text_of(uint3 index, char *text);

/* The running thread, which waits for another block, lets others run for a round. */
void take_turns(place where);

/* The number of the running block in its grid. */
uint64_t block_number();

/* Whether the address is of the running thread's stack. */
bool is_own_stack(const void *address);

/* The thread that runs on this worker; NULL for host code. */
extern __thread cuda_thread *current;

/* `current`, for a call that only kernels may make; else the end. */
cuda_thread *thread_that_calls(place call);

} // namespace cpucuda

#endif
