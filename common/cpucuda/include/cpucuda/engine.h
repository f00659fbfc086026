/* What the stand-in headers call of the engine that runs CUDA threads on a CPU. A step never
 * includes it by name. */
#ifndef CPUCUDA_ENGINE_H
#define CPUCUDA_ENGINE_H

/* No header of the C++ library: it would take half the time that a step's compilation takes. */
#include <stddef.h>
#include <stdint.h>

#include "types.h"

#define __global__
#define __device__
#define __host__
#ifdef CPUCUDA_TRACE
#define __constant__ __attribute__((section("cpucuda_constant"))) /* told apart by its place */
#else
#define __constant__
#endif
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
#define __grid_constant__

#define CPUCUDA_HERE(...)                                                                          \
    cpucuda::place {                                                                               \
        __FILE__, __LINE__, #__VA_ARGS__                                                           \
    }

/* The last parameters of a function whose caller is to be named in messages. */
#define CPUCUDA_CALLER const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* Of the CUDA thread that runs; set by the engine before it does. */
extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;
static const int warpSize = 32;

typedef struct cpucuda_stream *cudaStream_t;

namespace cpucuda {

/* A place in the source: of a call, a variable, a return. */
struct place {
    const char *file;
    int line;
    const char *name;
};

/* Ends the process with one line, "cpucuda: WORD: text"; `word` is an outcome's of outcome.h. The
 * referee replaces "{+0x12ab}", an offset into the program, by file and line. */
__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *word, const char *format,
                                                          ...);

/* Says such a line, and goes on. */
__attribute__((format(printf, 2, 3))) void remark(const char *word, const char *format, ...);

/* Launches. configure() keeps the shape for the kernel's call that follows on this host thread;
 * `run` runs one CUDA thread, `closure` holds the arguments, and `release` frees it. */
void configure(place kernel, dim3 grid, dim3 block, size_t dynamic_bytes = 0,
               cudaStream_t stream = nullptr, bool cooperative = false);
void launch_configured(void (*run)(const void *), const void *closure,
                       void (*release)(const void *));

/* The key of a kernel, `run` of its launches, while a function pointer is all that is known: the
 * kernel is called without a configuration and tells. */
extern __thread const void **asked_key;

/* Of functions in these headers that touch the engine's own memory: the trace would take it for a
 * host pointer of the kernel's. */
#define CPUCUDA_UNTRACED __attribute__((no_sanitize("thread")))

template <class F> CPUCUDA_UNTRACED void run_thread(const void *closure) {
    F body = *static_cast<const F *>(closure); /* a thread may change its parameters */
    body();
}

template <class F> void release(const void *closure) {
    delete static_cast<const F *>(closure);
}

template <class F> void kernel(const F &body) {
    if (asked_key)
        *asked_key = (const void *)run_thread<F>;
    else
        launch_configured(run_thread<F>, new F(body), release<F>);
}

/* A kernel's arguments, one after the other, for its machine code: in the build `sass` alone. */
void keep_argument(const void *value, size_t bytes, size_t alignment);
inline void keep_arguments() {
}
template <class T, class... Rest> void keep_arguments(const T &first, const Rest &...rest) {
    keep_argument(&first, sizeof first, alignof(T));
    keep_arguments(rest...);
}
#ifdef CPUCUDA_SASS
#define CPUCUDA_ARGUMENTS(...) cpucuda::asked_key ? (void)0 : cpucuda::keep_arguments(__VA_ARGS__)
#else
#define CPUCUDA_ARGUMENTS(...) (void)0
#endif

/* Shared memory of the block that runs. A static variable is known by `key`. */
void *shared_variable(const void *key, size_t bytes, size_t alignment, place where);
void *dynamic_shared_memory(place where);

template <class T, class Tag> T &shared(place where) {
    static const char key = 0;
    const size_t alignment = alignof(Tag) > alignof(T) ? alignof(Tag) : alignof(T);
    return *static_cast<T *>(shared_variable(&key, sizeof(T), alignment, where));
}
template <class T> T &dynamic_shared(place where) {
    return *static_cast<T *>(dynamic_shared_memory(where));
}

/* The barrier of the block. Returns how many threads came with a predicate that is not zero. */
int block_barrier(int predicate, const char *name, const char *file, int line);

/* The barrier of all blocks of a cooperative launch. */
void grid_barrier(const char *file, int line);
bool grid_is_cooperative();

/* Where the lanes of a warp meet: waits until all lanes in `mask`, the caller's among them, have
 * come to the same operation with the same mask. Returns the 32 values they brought, by lane; valid
 * until the caller's next operation. A lane that does not come, since it has ended, brings 0.
 * `together`, if it is given, is called once with these values while all lanes still wait, so they
 * may be addresses in the lanes' stacks; nothing is returned then. Memory is not ordered: CUDA's
 * programming guide says so of votes, matches, reductions and shuffles. */
typedef void together_function(const uint64_t values[32]);
const uint64_t *warp_meet(unsigned mask, uint64_t value, const char *operation, const char *file,
                          int line, together_function *together = nullptr);

/* warp_meet() without values, which orders memory: what the lanes did before is seen by all of them
 * after. */
void warp_sync(unsigned mask, const char *operation, const char *file, int line);

/* The lanes that took part in the caller's last meeting: those of its mask that had not ended. */
unsigned warp_met();

/* Of the CUDA thread that runs: its index in the block, lane = index % 32. On the host: -1. */
int thread_index();

/* Whether a CUDA thread runs here, and not host code. */
inline bool on_device() {
    return thread_index() >= 0;
}

/* A thread that goes round a loop which may wait for another thread: the rewriter puts a call into
 * the condition of every `while` and of every `for` without a third part. */
extern __thread int turns_left;
void turns_over(const char *file, int line);
constexpr inline CPUCUDA_UNTRACED void turn(CPUCUDA_CALLER) {
    if (!__builtin_is_constant_evaluated() && --turns_left < 0)
        turns_over(file, line);
}

/* What was done on this worker: roots, by rsqrtf() and by any other function; matrix products of
 * warps; threads that came to a barrier of their block. The workers count for themselves and add up
 * when a launch has ended, since they take a root for each pair of bodies. */
struct work_counts {
    uint64_t rsqrtf, other_roots, tensor_products, barriers;
};
extern __thread work_counts done_here;

/* A thread returns early from its kernel: the rewriter writes `return cpucuda::leaves(...)`. */
void leaves(place where);

/* Nanoseconds of a clock that only goes forward, different in every thread's every call. */
int64_t clock_now();

} // namespace cpucuda

#endif
