/* What the rewritten sample needs of cpucuda: launches run at once, one thread after the other. */
#include <cstdio>
#include <map>
#include <vector>
#define CPUCUDA_ARGUMENTS(...) (void)0
#define __global__
#define __device__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define CPUCUDA_HERE(...)                                                                          \
    cpucuda::place {                                                                               \
        __FILE__, __LINE__, #__VA_ARGS__                                                           \
    }
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {
    }
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;
namespace cpucuda {
struct place {
    const char *file;
    int line;
    const char *name;
};
struct shape {
    dim3 grid, block;
};
static std::vector<shape> pending;
static std::map<const void *, char *> arena;
alignas(64) static char bytes[65536], dynamic[4096];
static size_t used;
static void configure(place p, dim3 grid, dim3 block, size_t = 0, void * = nullptr) {
    std::printf("%s:%d %s\n", p.file, p.line, p.name);
    pending.push_back({grid, block});
}
template <class F> void kernel(F f) {
    gridDim = pending.back().grid, blockDim = pending.back().block;
    pending.pop_back();
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        arena.clear(), used = 0;
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) {
            F copy = f;
            copy();
        }
    }
}
template <class T, class Tag> T &shared(place) {
    static char key;
    size_t align = alignof(Tag) > alignof(T) ? alignof(Tag) : alignof(T);
    if (!arena.count(&key)) {
        used = (used + align - 1) / align * align + 1; /* so that only alignment aligns */
        used = (used + align - 1) / align * align;
        arena[&key] = bytes + used;
        used += sizeof(T);
    }
    return *(T *)arena[&key];
}
template <class T> T &dynamic_shared(place) {
    return *(T *)dynamic;
}
static int turns;
constexpr void turn() {
    if (!__builtin_is_constant_evaluated())
        turns++;
}
static void leaves(place p) {
    std::printf("%s:%d leaves\n", p.file, p.line);
}
} // namespace cpucuda
extern "C" const int cpucuda_unrolled[];
