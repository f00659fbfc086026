/* The rate of products on Hopper's tensor cores by mma.sync, as in step 16, and by wgmma, for
 * docs/concepts/hopper.md. On a GPU of compute capability 9.0:
 *
 *     mkdir -p build
 *     nvcc -O3 -gencode arch=compute_90a,code=sm_90a -Icommon/kit -o build/wgmma \
 *         solutions/16_tensor_cores/wgmma.cu
 *     build/wgmma       256 rounds of 16 products
 *     build/wgmma 1     so many rounds
 *
 * It prints a line `form,a_from,columns,rate,lowest,highest` for each instruction, for A in
 * registers or in shared memory, and for 8 or 32 columns: the median, the lowest and the highest
 * number of multiply-adds per cycle and multiprocessor, with 8 warps on each. A product has 64
 * rows, by mma.sync 16. The inner dimension is 16, A and B are halves, and sums are floats. B of
 * wgmma lies in shared memory without swizzle. All products have the same A and B. */
#include "cuda_check.h"
#include "mma.h"

#include <stdint.h>

#include <algorithm>
#include <vector>

enum { TIMES = 11, PRODUCTS = 16, ROWS = 64, INNER = 16, WIDEST = 64, WARPS = 8 };
enum source { NO_WGMMA, REGISTERS, SHARED };

/* Accumulators as operands. */
#define D4(k)  "+f"(d[k]), "+f"(d[k + 1]), "+f"(d[k + 2]), "+f"(d[k + 3])
#define D16(k) D4(k), D4(k + 4), D4(k + 8), D4(k + 12)

/* D += A B, asynchronously. `p` is true: the product is added to D. The ones keep the signs of A
 * and B; the zeros say that elements along the inner dimension are next to each other. */
#define PRODUCT(columns, accumulators, values, a0, a1, a2, a3, b0)                                 \
    template <> struct product<columns> {                                                          \
        static __device__ void add(float *d, const unsigned *a, uint64_t b) {                      \
            asm volatile("{.reg .pred p; setp.eq.u32 p, 0, 0;\n"                                   \
                         "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16 "           \
                         "{" accumulators "}, {" a0 ", " a1 ", " a2 ", " a3 "}, " b0               \
                         ", p, 1, 1, 0;}"                                                          \
                         : values                                                                  \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));                    \
        }                                                                                          \
        static __device__ void add(float *d, uint64_t a, uint64_t b) {                             \
            asm volatile("{.reg .pred p; setp.eq.u32 p, 0, 0;\n"                                   \
                         "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16 "           \
                         "{" accumulators "}, " a0 ", " a1 ", p, 1, 1, 0, 0;}"                     \
                         : values                                                                  \
                         : "l"(a), "l"(b));                                                        \
        }                                                                                          \
    };

template <int COLUMNS> struct product;
PRODUCT(8, "%0, %1, %2, %3", D4(0), "%4", "%5", "%6", "%7", "%8")
PRODUCT(32, "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15", D16(0), "%16",
        "%17", "%18", "%19", "%20")

/* Where element k of row r lies: 8 rows of 8 halves are a core matrix, 128 consecutive bytes; the
 * two of the same rows are next to each other. */
__host__ __device__ static int place(int r, int k) {
    return r / 8 * 128 + k / 8 * 64 + r % 8 * 8 + k % 8;
}

/* A matrix in shared memory for wgmma: its address, the bytes to the core matrix of the next 8 k,
 * the bytes to that of the next 8 rows, each in units of 16 bytes; no swizzle. */
__device__ static uint64_t descriptor(const __half *matrix) {
    uint64_t address = __cvta_generic_to_shared(matrix);

    return (address & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

/* The compiler moves no access to these values past this place. */
template <int VALUES> __device__ static void settle(float *d) {
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        asm volatile("" : "+f"(d[k])::"memory");
}

/* Each group of four warps adds up rounds * PRODUCTS times A, ROWS x INNER, times B, INNER x
 * COLUMNS. A comes as rows and B as columns. `sums`: D of each group of each block. */
template <int COLUMNS, source A_FROM>
static __global__ void __launch_bounds__(32 * WARPS)
    multiply(const __half *a, const __half *b, int rounds, float *sums, long long *cycles) {
    __shared__ __align__(128) __half shared_a[ROWS * INNER], shared_b[COLUMNS * INNER];
    int lane = threadIdx.x % 32, third = lane % 4, row = threadIdx.x / 32 % 4 * 16 + lane / 4;
    float d[COLUMNS / 2] = {};
    unsigned own[4], columns[COLUMNS / 8][2];

    for (int e = threadIdx.x; e < ROWS * INNER; e += blockDim.x)
        shared_a[place(e / INNER, e % INNER)] = a[e];
    for (int e = threadIdx.x; e < COLUMNS * INNER; e += blockDim.x)
        shared_b[place(e / INNER, e % INNER)] = b[e];
    for (int k = 0; k < 4; k++) /* as mma.h and wgmma have it */
        own[k] = *(const unsigned *)&a[(row + k % 2 * 8) * INNER + k / 2 * 8 + 2 * third];
    for (int c = 0; c < COLUMNS / 8; c++)
        for (int k = 0; k < 2; k++)
            columns[c][k] = *(const unsigned *)&b[(8 * c + lane / 4) * INNER + k * 8 + 2 * third];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* wgmma sees A and B */
    __syncthreads();
    long long begin = clock64();

    settle<COLUMNS / 2>(d);
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        if (A_FROM != NO_WGMMA)
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int p = 0; p < PRODUCTS; p++) {
            if constexpr (A_FROM == NO_WGMMA)
                for (int c = 0; c < COLUMNS / 8; c++)
                    multiply_tile(d + 4 * c, own, columns[c], d + 4 * c);
            else if constexpr (A_FROM == REGISTERS)
                product<COLUMNS>::add(d, own, descriptor(shared_b));
            else
                product<COLUMNS>::add(d, descriptor(shared_a), descriptor(shared_b));
        }
        if (A_FROM != NO_WGMMA) /* the products of one round may be in flight */
            asm volatile("wgmma.commit_group.sync.aligned;\n"
                         "wgmma.wait_group.sync.aligned 1;" ::
                             : "memory");
    }
    if (A_FROM != NO_WGMMA)
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    settle<COLUMNS / 2>(d);
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - begin;
    sums += (blockIdx.x * (blockDim.x / 128) + threadIdx.x / 128) * ROWS * COLUMNS;
    for (int k = 0; k < COLUMNS / 2; k++)
        sums[(row + k / 2 % 2 * 8) * COLUMNS + k / 4 * 8 + 2 * third + k % 2] = d[k];
}

struct form {
    const char *name, *a_from;
    int columns;
    void (*kernel)(const __half *, const __half *, int, float *, long long *);
    std::vector<double> rates;
};
static form forms[] = {
    {"mma_sync", "registers", 64, multiply<64, NO_WGMMA>, {}}, /* 8 products of 8 columns */
    {"wgmma", "registers", 8, multiply<8, REGISTERS>, {}},
    {"wgmma", "shared", 8, multiply<8, SHARED>, {}},
    {"wgmma", "registers", 32, multiply<32, REGISTERS>, {}},
    {"wgmma", "shared", 32, multiply<32, SHARED>, {}},
};

/* Every sum is an integer below 2^24, so it has to be exact. */
static void check(const form &form, const std::vector<int> &a, const std::vector<int> &b,
                  int products, const std::vector<float> &sums) {
    for (size_t e = 0; e < sums.size(); e++) {
        int r = (int)(e / form.columns % ROWS), c = (int)(e % form.columns), expected = 0;

        for (int k = 0; k < INNER; k++)
            expected += a[r * INNER + k] * b[c * INNER + k];
        if (sums[e] == (float)(products * expected))
            continue;
        fprintf(stderr, "%s, %d columns, A from %s: row %d, column %d is %g, not %d\n", form.name,
                form.columns, form.a_from, r, c, sums[e], products * expected);
        exit(1);
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 256, products = rounds * PRODUCTS, blocks;
    std::vector<int> integers[2] = {std::vector<int>(ROWS * INNER),
                                    std::vector<int>(WIDEST * INNER)};
    __half *halves[2];
    long long *cycles;
    float *sums;

    if (rounds < 1) {
        fprintf(stderr, "usage: wgmma [ROUNDS], 1 or more\n");
        return 3;
    }
    for (int m = 0; m < 2; m++) {
        std::vector<__half> values;

        for (int &integer : integers[m]) {
            integer = rand() % 5 - 2;
            values.push_back(__float2half((float)integer));
        }
        CUDA_CHECK(cudaMalloc(&halves[m], values.size() * sizeof values[0]));
        CUDA_CHECK(cudaMemcpy(halves[m], values.data(), values.size() * sizeof values[0],
                              cudaMemcpyHostToDevice));
    }
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaMalloc(&cycles, blocks * sizeof *cycles));
    CUDA_CHECK(cudaMalloc(&sums, (size_t)blocks * (WARPS / 4) * ROWS * WIDEST * sizeof *sums));
    for (int time = 0; time < TIMES; time++)
        for (form &form : forms) {
            size_t of_block = (size_t)(WARPS / 4) * ROWS * form.columns;
            std::vector<long long> found(blocks);
            std::vector<float> results(blocks * of_block);
            double all = 0;

            CUDA_CHECK(cudaMemset(sums, 0xff, results.size() * sizeof *sums)); /* not a number */
            form.kernel<<<blocks, 32 * WARPS>>>(halves[0], halves[1], rounds, sums, cycles);
            CUDA_CHECK(cudaGetLastError());
            CUDA_CHECK(
                cudaMemcpy(found.data(), cycles, blocks * sizeof *cycles, cudaMemcpyDeviceToHost));
            CUDA_CHECK(cudaMemcpy(results.data(), sums, results.size() * sizeof *sums,
                                  cudaMemcpyDeviceToHost));
            check(form, integers[0], integers[1], products, results);
            for (long long taken : found)
                all += (double)taken / blocks;
            form.rates.push_back((double)products * of_block * INNER / all);
        }
    printf("form,a_from,columns,rate,lowest,highest\n");
    for (form &form : forms) {
        std::sort(form.rates.begin(), form.rates.end());
        printf("%s,%s,%d,%.0f,%.0f,%.0f\n", form.name, form.a_from,
               form.columns == 64 ? 8 : form.columns, form.rates[TIMES / 2], form.rates.front(),
               form.rates.back());
    }
    return 0;
}
