/* What the parts of the engine know of each other. Compiled without sanitizers, linked to every
 * build of a step; functions of the sanitizers' runtimes are weak. */
#ifndef CPUCUDA_INTERNAL_H
#define CPUCUDA_INTERNAL_H

#include <cstdlib>
#include <memory>
#include <vector>

#include "cpucuda/engine.h"

#include "protocol/counters.h"
#include "sanitizers.h"

namespace cpucuda {

struct launch {
    place kernel;
    dim3 grid, block;
    size_t dynamic_bytes;
    cudaStream_t stream;
    bool cooperative;                    /* blocks may wait for each other: all are resident */
    void (*run)(const void *closure);    /* runs one CUDA thread; its address is the kernel's key */
    std::shared_ptr<const void> closure; /* holds the arguments */
    std::vector<char> arguments;         /* in the build `sass`, as a GPU gets them */
};

/* Limits of the device that is played, those of compute capability 9.0. */
enum {
    WARP = 32,
    MOST_THREADS = 1024,            /* a block */
    MOST_STATIC_SHARED = 48 * 1024, /* bytes per block, and of dynamic unless allowed more */
    MOST_SHARED = 227 * 1024,       /* bytes per block, once a kernel's attribute asks */
    MOST_GRID_YZ = 65535,
    MOST_RESIDENT_BLOCKS = 32,
    SHARED_A_MULTIPROCESSOR = 228 * 1024 /* bytes */
};

/* As many as a laptop's GPU has: programs that fill the device are quick, and a grid that does not
 * fit shows at a small n. A smaller device still is played for ThreadSanitizer: all threads that
 * its programs may have wait for each other cost it some ten mappings each, and the system allows a
 * process 65530. A program of which few blocks are executed, for an estimate, is told of as many as
 * the GPU in question has. */
unsigned multiprocessors();
inline unsigned most_resident_threads() { /* a multiprocessor */
    return have_tsan() ? 1024 : 2048;
}

/* What every float of memory is until somebody writes it: a signalling NaN, as in problem.h. */
enum : uint32_t { POISON = 0xffa0deadu, POISON_DEVICE = 0xffa0deaeu, POISON_SHARED = 0xffa0deafu };

/* launch.cpp: runs all threads of a launch to their ends; device memory is open meanwhile. Its
 * limits were checked by over_limit(). Returns the bytes of a block's shared arrays. */
size_t run_launch(const launch &launch);

/* grid_group.cpp: a cooperative launch begins; a block of it has ended. */
struct block;
void grid_begins(const launch &launch);
void grid_block_ends(const block &block);

/* endings.cpp: what is said of a program that is asked to end. A launch of the kernel begins; it
 * ends. While one runs: it is to say why it does not end; its number among those of its kernel. */
void launch_begins(const char *kernel);
void launch_ends();
bool end_is_asked();
uint64_t number_of_launch();
uint64_t launches_so_far(); /* of this process */
void forget_launches(); /* a turn of the player begins, and those of a kernel are counted anew */

/* launch.cpp: NULL, or why the launch is over a limit, in words; `dynamic_limit` from the kernel's
 * attribute. */
const char *over_limit(const launch &launch, size_t dynamic_limit);

/* order.cpp: the seed of every shuffled order; the same sequence of calls gives the same numbers.
 */
uint64_t seed(); /* CPUCUDA_SEED, else from the clock; told by every failure */
int workers();   /* 1 with CPUCUDA_SEED, unless CPUCUDA_WORKERS; else the CPUs there are */

/* splitmix64, Steele, Lea and Flood 2014. */
inline uint64_t random_of(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* stream_order.cpp: what ThreadSanitizer takes for a thread, one of the launch that runs. */
void *thread_context(const char *name);
void worker_starts(); /* its thread variables, threadIdx among them, are there */

/* runtime.cpp: takes a launch into its stream's queue, or keeps its error. */
void enqueue_launch(const launch &launch);

/* memory.cpp. Memory of a device can only be touched while it is open; calls nest, and the
 * outermost says whose is opened. */
enum { ALL_DEVICES = -1 };
void open_device_memory(int device = ALL_DEVICES);
void close_device_memory();

enum memory_kind { DEVICE, PINNED, REGISTERED, MANAGED, MEMORY_KINDS };
struct allocation {
    char *start;
    size_t bytes;
    memory_kind kind;
    place where; /* of the call that made it */
    bool freed;  /* kept for messages */
    int device;  /* whose memory it is; 0 for the host's */
};
/* The allocation that `address` lies in, or behind (in its guard); NULL if none. */
const allocation *find_allocation(const void *address);

/* shared.cpp: the variable of the running block's shared memory that `address` lies in or behind.
 */
struct shared_place {
    place where;
    size_t bytes, offset; /* offset of the address in it */
    bool dynamic;
};
bool find_shared(const void *address, shared_place *found);

/* shared.cpp: has that part of the running block's shared memory be as if nobody had written it. */
void shared_unwritten(void *start, size_t bytes);

/* faults.cpp: of the instruction in front of `caller`, for "{+0x12ab}" in messages. */
unsigned long program_offset(const void *caller);

/* faults.cpp: "{^0x12ab,0x34cd}", where the code that runs was called, innermost first, or nothing;
 * the referee names a line of the learner's if the first is the kit's. At least CALLS_TEXT bytes.
 */
enum { CALLS = 12, CALLS_TEXT = CALLS * 20 + 4 };
void list_calls(char *text);

/* Whether the address is of what the engine keeps of the running thread, and inlined headers read.
 */
bool is_engine_memory(const void *address);

/* Whether the address lies just below the running thread's stack: it used all of it. */
bool is_stack_overflow(const void *address);
enum { STACK_KIB = 64 }; /* a thread's local memory; four times that with sanitizers */

/* The block and thread that run here, as "thread (5,0,0) of block (2,0,0) of kernel"; empty on the
 * host. At least 160 bytes. */
void describe_thread(char *text, size_t size);

/* trace.cpp, in the trace build alone (weak elsewhere): called by the engine as threads run. */
void trace_meets(const void *start)
    __attribute__((weak)); /* all threads of the block whose shared memory starts there passed a
                              barrier, or all have ended: requests are complete */
void trace_shared_starts(void *start, size_t bytes)
    __attribute__((weak)); /* a block's, unwritten */
void trace_shared_unwritten(void *start, size_t bytes) __attribute__((weak)); /* a part of it */

/* tensor.cpp: a product of matrices by a warp. The address of each lane's product_fragments. */
void multiply_fragments(const uint64_t lanes[32]);

/* sass_launch.cpp, in the build `sass` alone (weak elsewhere): executes the launch by its machine
 * code, if the environment names that; otherwise false. */
bool run_by_sass(const launch &launch) __attribute__((weak));

extern struct counters counters; /* of this run; runtime and trace add to it */

} // namespace cpucuda

#endif
