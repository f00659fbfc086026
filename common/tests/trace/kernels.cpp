/* kernels NAME: runs one kernel and writes its counters to stdout, as they are. Kernels look as the
 * rewriter makes them. */
#include "cpucuda/engine.h"

#include "counters.h"
#include "cpucuda/inlined.h"
#include "engine_for_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <vector>

namespace cpucuda {
extern struct counters counters;
}

#define KERNEL        cpucuda::kernel([=]() mutable -> void
#define barrier() cpucuda::block_barrier(0, "__syncthreads", __FILE__, __LINE__)
#define SHARED(T, name)                                                                            \
    struct tag_##name {};                                                                          \
    auto &name = cpucuda::shared<T, tag_##name>(CPUCUDA_HERE(name))

struct body {
    float x, y, z, vx, vy, vz;
};
struct padded_behind {
    float x, y, z, unused;
};
struct padded_before {
    float unused, x, y, z;
};

static inline int index() {
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

static void six_floats(const body *bodies, float *out) {
    KERNEL {
        out[index()] = bodies[index()].vx;
    });
}
static void whole_body(const body *bodies, body *out) {
    KERNEL {
        out[index()] = bodies[index()];
    });
}
static void one_array(const float *in, float *out) {
    KERNEL {
        out[index()] = in[index()]; // copies one array
    });
}
static void three_floats(const float3 *in, float *out) {
    KERNEL {
        const float3 p = in[index()];
        out[index()] = p.x + p.y + p.z;
    });
}
static void four_floats(const float4 *in, float *out) {
    KERNEL {
        const float4 p = in[index()];
        out[index()] = p.x + p.y + p.z + p.w;
    });
}
static void shifted(const float *in, float *out) {
    KERNEL {
        out[index()] = in[index() + 1];
    });
}
static void two_loads(const float *in, float *out) {
    KERNEL {
        out[index()] = in[index()] + in[index() + 1]; // loads twice
    });
}
static void calls(float *out) {
    KERNEL {
        add_one(&out[index()]); // calls a header
    });
}
#define FIVE(stores)            stores stores stores stores stores
#define FIVE_TIMES_FIVE(stores) FIVE(stores) FIVE(stores) FIVE(stores) FIVE(stores) FIVE(stores)
/* 75 stores by one thread, and then one by all. */
static void many_lines(volatile float *out) {
    KERNEL {
        if (threadIdx.x == 0) {
            FIVE_TIMES_FIVE(out[1] = 1; out[2] = 2;)
            FIVE_TIMES_FIVE(out[3] = 3;)
        }
        out[index()] = 4;
    });
}
static void adds(float *out) {
    KERNEL {
        out[index()] += 1;
    });
}

/* Every thread goes over all elements. */
static void broadcast(const float *in, int n, float *out) {
    KERNEL {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += in[j];
        out[index()] = sum;
    });
}
static void partial_warp(const float *in, int n, float *out) {
    KERNEL {
        if (index() >= n)
            return;
        out[index()] = in[index()];
    });
}
/* Lane l goes round l + 1 times. */
static void divergent(const float *in, float *out) {
    KERNEL {
        float sum = 0;
        for (int j = 0; j <= index(); j++)
            sum += in[j * 32 + index()];
        out[index()] = sum;
    });
}
/* Lanes go different ways: their strides differ. */
static void fan(const float *in, int n, float *out) {
    KERNEL {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += in[j * index()];
        out[index()] = sum;
    });
}
/* No two accesses of a thread lie as the two before. */
static void scattered(const int *in, int n, float *out) {
    KERNEL {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += (float)in[(j * j + index()) % 64];
        out[index()] = sum;
    });
}

/* A column of a tile of 32 rows. */
template <int ROW> static void column(float *out) {
    KERNEL {
        typedef float tile_type[32 * ROW];
        SHARED(tile_type, tile);
        for (int row = 0; row < 32; row++)
            tile[row * ROW + threadIdx.x] = 1;
        barrier();
        out[index()] = tile[threadIdx.x * ROW + 5];
    });
}
template <class T> static void wide(float *out) {
    KERNEL {
        typedef T tile_type[64];
        SHARED(tile_type, tile);
        tile[2 * threadIdx.x] = T();
        tile[threadIdx.x] = T();
        barrier();
        const T seen = tile[3];
        memcpy(&out[index()], &seen, sizeof(float));
    });
}
/* A tile that is filled and read again and again. */
static void tiles(const float *in, int n, float *out) {
    KERNEL {
        typedef float tile_type[64];
        SHARED(tile_type, tile);
        float sum = 0;
        for (int first = 0; first < n; first += 64) {
            tile[threadIdx.x] = in[first + threadIdx.x];
            barrier();
            for (int j = 0; j < 64; j++)
                sum += tile[j];
            barrier();
        }
        out[index()] = sum;
    });
}
static void atomics(unsigned *out) {
    KERNEL {
        __atomic_fetch_add(out, 1u, __ATOMIC_RELAXED);
        unsigned expected = 1000;
        __atomic_compare_exchange_n(out + 1, &expected, 7u, false, 0, 0);
        __atomic_fetch_or(out + 2, 1u << threadIdx.x % 32, __ATOMIC_RELAXED);
        unsigned seen = __atomic_load_n(out + 3, __ATOMIC_RELAXED);
        __atomic_compare_exchange_n(out + 3, &seen, seen + 2, false, 0, 0);
        __atomic_store_n(out + 4, 9u, __ATOMIC_RELAXED);
        __atomic_exchange_n(out + 5, 8u, __ATOMIC_RELAXED);
        __atomic_fetch_sub(out + 6, 1u, __ATOMIC_RELAXED);
    });
}
alignas(32) float factors[64]; /* not static: it would be a constant */
static void program_variable(float *out) {
    KERNEL {
        out[index()] = factors[threadIdx.x];
    });
}
static void set_and_copied(body *out) {
    KERNEL {
        typedef body tile_type[32];
        SHARED(tile_type, tile);
        memset(&tile[threadIdx.x], 1, sizeof(body));
        barrier();
        memcpy(&out[index()], &tile[31 - threadIdx.x], sizeof(body));
    });
}
static void unwritten(float *out, int written) {
    KERNEL {
        typedef float tile_type[64];
        SHARED(tile_type, tile); // a part is written
        if ((int)threadIdx.x < written)
            tile[threadIdx.x] = 1;
        barrier();
        out[index()] = tile[63 - threadIdx.x]; // reads too much
    });
}
static void neighbours(float *out) {
    KERNEL {
        SHARED(float, first);
        SHARED(float, second);
        SHARED(float, third);
        first = third = 1;
        barrier();
        out[index()] = second; // nobody wrote it
    });
}
static void set_at_once(unsigned *out) {
    KERNEL {
        typedef unsigned tile_type[32];
        SHARED(tile_type, tile);
        if (threadIdx.x == 0)
            memset(tile, 1, sizeof tile);
        barrier();
        __atomic_fetch_add(out, tile[31 - threadIdx.x], __ATOMIC_RELAXED);
    });
}
/* One instruction of shared and global memory. */
static void either(const float *in, float *out) {
    KERNEL {
        typedef float tile_type[32];
        SHARED(tile_type, tile);
        tile[threadIdx.x % 32] = 1;
        barrier();
        const float *from = threadIdx.x < 32 ? tile : in;
        out[index()] = from[threadIdx.x % 32];
    });
}
template <class T> static void padding(T *out) {
    KERNEL {
        typedef T tile_type[32];
        SHARED(tile_type, tile);
        tile[threadIdx.x].x = 1;
        tile[threadIdx.x].y = 2;
        tile[threadIdx.x].z = 3;
        barrier();
        T p = tile[31 - threadIdx.x];
        p.x += 1;
        out[index()] = p;
    });
}
/* n bodies a block's threads go over: to see how fast the trace is. */
static void speed(const float4 *in, int n, float4 *out) {
    KERNEL {
        float4 sum(0, 0, 0, 0);
        for (int j = 0; j < n; j++) {
            sum.x += in[j].x;
            sum.y += in[j].y;
            sum.z += in[j].z;
            sum.w += in[j].w * in[n - 1 - j].x * in[(j + 7) % n].y;
        }
        out[index()] = sum;
    });
}

#define RUN(name, kernel, grid, block, ...)                                                        \
    if (!strcmp(argv[1], name))                                                                    \
    (cpucuda::configure(CPUCUDA_HERE(kernel), grid, block), kernel(__VA_ARGS__))

template <class T> static T *device(size_t count) {
    return static_cast<T *>(cpucuda::device_memory(count * sizeof(T)));
}

int main(int argc, char **argv) {
    float *out = device<float>(65536);
    unsigned *words = device<unsigned>(256);

    if (argc != 2)
        return 1;
    RUN("six-floats", six_floats, 2, 64, device<body>(128), out);
    RUN("whole-body", whole_body, 1, 32, device<body>(32), device<body>(32));
    RUN("one-array", one_array, 2, 64, device<float>(128), out);
    RUN("three-floats", three_floats, 2, 64, device<float3>(128), out);
    RUN("four-floats", four_floats, 2, 64, device<float4>(128), out);
    RUN("shifted", shifted, 2, 64, device<float>(129), out);
    RUN("two-loads", two_loads, 2, 64, device<float>(129), out);
    RUN("calls", calls, 1, 32, out);
    RUN("many-lines", many_lines, 1, 32, out);
    RUN("adds", adds, 2, 64, out);
    RUN("broadcast", broadcast, 2, 64, device<float>(100), 100, out);
    RUN("partial-warp", partial_warp, 1, 64, device<float>(41), 41, out);
    RUN("short-block", one_array, 1, 40, device<float>(40), out);
    RUN("divergent", divergent, 1, 32, device<float>(1024), out);
    RUN("fan", fan, 1, 32, device<float>(32 * 100), 100, out);
    RUN("scattered", scattered, 2, 32, device<int>(64), 100, out);
    RUN("column", column<32>, 1, 32, out);
    RUN("padded-column", column<33>, 1, 32, out);
    RUN("wide-8", wide<double>, 1, 32, out);
    RUN("wide-16", wide<float4>, 1, 32, out);
    RUN("tiles", tiles, 2, 64, device<float>(256), 256, out);
    RUN("atomics", atomics, 2, 64, words);
    RUN("program-variable", program_variable, 1, 64, out);
    RUN("set-and-copied", set_and_copied, 1, 32, reinterpret_cast<body *>(words));
    RUN("host-pointer", one_array, 1, 32, static_cast<float *>(malloc(4096)), out);
    float stack[64];
    RUN("host-stack", one_array, 1, 32, stack, out);
    RUN("unwritten", unwritten, 1, 64, out, 40);
    RUN("written", unwritten, 2, 64, out, 64);
    RUN("written-once", unwritten, 1, 64, out, 64);
    RUN("written-once", unwritten, 1, 64, out, 40);
    RUN("padding", padding<padded_behind>, 1, 32, device<padded_behind>(32));
    RUN("padding-before", padding<padded_before>, 1, 32, device<padded_before>(32));
    RUN("neighbours", neighbours, 1, 32, out);
    RUN("set-at-once", set_at_once, 1, 32, words);
    RUN("either", either, 1, 64, device<float>(32), out);
    for (int i = 0; i < 5; i++)
        RUN("floods", scattered, 1, 1024, device<int>(64), 10000, out);
    RUN("flood", scattered, 1, 1024, device<int>(64), 40000, out);
    RUN("speed", speed, 32, 128, device<float4>(4096), 4096, device<float4>(4096));
    if (!strcmp(argv[1], "workers")) {
        const float *in = device<float>(128);
        std::vector<std::thread> workers;

        for (int worker = 0; worker < 4; worker++)
            workers.emplace_back([=] {
                for (int i = 0; i < 100; i++)
                    cpucuda::configure(CPUCUDA_HERE(one_array), 2, 64), one_array(in, out);
            });
        for (std::thread &worker : workers)
            worker.join();
    }
    if (!strcmp(argv[1], "wavefronts"))
        return cpucuda::print_wavefronts();
    if (!strncmp(argv[1], "set-", 4))
        fprintf(stderr, "%x\n", words[0]);
    if (!strcmp(argv[1], "atomics"))
        fprintf(stderr, "%u %u %x %u %u %u %d\n", words[0], words[1], words[2], words[3], words[4],
                words[5], (int)words[6]);
    fwrite(&cpucuda::counters, sizeof cpucuda::counters, 1, stdout);
    return 0;
}
