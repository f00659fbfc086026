/* Step 24: y = A x for a sparse matrix whose rows may be of any lengths. Ends of rows and nonzeros
 * are one list, merged, of which every block gets an equal piece (Merrill and Garland 2016). */
#include <stdlib.h>

#include "cuda_check.h"
#include "spmv.h"

#ifndef KERNEL
#define KERNEL TILES
#endif
#define TILES        0
#define THREAD_A_ROW 1
#define CACHED       2
#define WARP_A_ROW   3

#ifndef ITEMS
#define ITEMS 7 /* of the merged list, a thread */
#endif

enum { WARP = 32, WARPS = THREADS / WARP, TILE = THREADS * ITEMS };
enum { LONG = 32 }; /* nonzeros a lane; the whole warp takes rows that have more */

/* Threads that registers shall leave room for on a multiprocessor, which has 2048, 1024 or 1536. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900)
#define RESIDENT 1792
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define RESIDENT 1024
#else
#define RESIDENT 1536
#endif

static const unsigned ALL = 0xffffffff;

struct product {
    struct csr_matrix host, matrix; /* where it comes from; on the device */
    const float *x;
    float *y;
    float *vectors[2]; /* pass p goes from [p % 2] to the other one */
    int pass;
    int tiles;      /* of TILE items each, of rows + nonzeros in all */
    int *tile_rows; /* tiles + 1: rows that end before the tile */
    float *carries; /* a tile: its part of the row that goes on in the next one */
};

__global__ void thread_a_row(struct csr_matrix a, const float *x, float *y) {
    int row = blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;

    if (row >= a.rows)
        return;
    for (int k = a.row_starts[row]; k < a.row_starts[row + 1]; k++)
        sum += a.values[k] * x[a.columns[k]];
    y[row] = sum;
}

/* The same, with the part of x that belongs to the block's rows in shared memory. */
__global__ void thread_a_row_cached(struct csr_matrix a, const float *x, float *y) {
    __shared__ float cache[THREADS];
    int begin = blockIdx.x * THREADS, row = begin + threadIdx.x;
    float sum = 0;

    if (row < a.rows)
        cache[threadIdx.x] = x[row];
#ifdef NEIGHBOUR /* a row's end is the start of the next thread's */
    __shared__ int starts[THREADS + 1];

    if (row <= a.rows)
        starts[threadIdx.x] = a.row_starts[row];
    if (threadIdx.x == THREADS - 1 && row < a.rows)
        starts[THREADS] = a.row_starts[row + 1];
#endif
    __syncthreads();
    if (row >= a.rows)
        return;
#ifdef NEIGHBOUR
    int k = starts[threadIdx.x], end = starts[threadIdx.x + 1];
#else
    int k = a.row_starts[row], end = a.row_starts[row + 1];
#endif
    for (; k < end; k++) {
        int column = a.columns[k];
        bool is_cached = column >= begin && column < begin + THREADS;

        sum += a.values[k] * (is_cached ? cache[column - begin] : x[column]);
    }
    y[row] = sum;
}

/* The sum over a group of lanes, a power of two; each of them has it. */
__device__ float sum_of_lanes(float mine, int lanes) {
    for (int half = lanes / 2; half > 0; half /= 2)
        mine += __shfl_xor_sync(ALL, mine, half);
    return mine;
}

__global__ void warp_a_row(struct csr_matrix a, const float *x, float *y) {
    int row = (blockIdx.x * THREADS + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    float sum = 0;

    if (row >= a.rows)
        return;
    for (int k = a.row_starts[row] + lane; k < a.row_starts[row + 1]; k += WARP)
        sum += a.values[k] * x[a.columns[k]];
    sum = sum_of_lanes(sum, WARP);
    if (lane == 0)
        y[row] = sum;
}

/* Of the merged list of ends of rows and nonzeros 0, 1, 2 ..., in which an end e stands before
 * nonzero e: how many of the first `items` are ends. */
__device__ int ends_among(const int *ends, int rows, int nonzeros, int items) {
    int low = max(0, items - nonzeros), high = min(items, rows);

    /* part 1, 8 lines: By halves: row r ends among them if the nonzeros left over reach its end. */
    /* until solved */
    (void)&ends, (void)&high;
    /* end of until solved */
    /* end of part 1 */
    return low;
}

/* Where the tiles begin, which depends on the matrix alone. */
__global__ void find_tiles(struct csr_matrix a, int tiles, int *tile_rows) {
    int tile = blockIdx.x * THREADS + threadIdx.x;

    if (tile <= tiles)
        tile_rows[tile] = ends_among(a.row_starts + 1, a.rows, a.nonzeros,
                                     tile < tiles ? tile * TILE : a.rows + a.nonzeros);
}

__device__ float sum_by_warp(bool asks, const float *from, int begin, int end);

/* A block computes the rows that end in its tile, and its part of the one that goes on. */
__global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    sum_tiles(struct csr_matrix a, const int *__restrict__ tile_rows, const float *__restrict__ x,
              float *__restrict__ y, float *carries) {
    union item {
        int end; /* of a row, a nonzero of the tile */
        float product;
    };
    __shared__ union item items[TILE + 1]; /* ends, that of the open row too, and products */
    int t = threadIdx.x, first_row = tile_rows[blockIdx.x], first = blockIdx.x * TILE - first_row;
    int rows = tile_rows[blockIdx.x + 1] - first_row;
    int count = min(TILE, a.rows + a.nonzeros - (int)blockIdx.x * TILE), nonzeros = count - rows;
    float *products = &items[rows + 1].product;

    if (t == 0)
        items[rows].end = nonzeros;
    /* part 2, 19 lines: The tile's items, all loads of a thread under way before one is used. */
    /* until solved */
    (void)&first, (void)&x;
    /* end of until solved */
    /* end of part 2 */
    __syncthreads();

    int group = 1; /* lanes a row: as many as there are for all rows, and a warp at most */
    while (group < WARP && 2 * group * (rows + 1) <= THREADS)
        group *= 2;
    for (int next = 0; next <= rows; next += THREADS / group) { /* rows, and the one that goes on */
        int row = next + t / group, lane = t % group, is_there = row <= rows;
        int begin = is_there && row > 0 ? items[row - 1].end : 0;
        int end = is_there ? items[row].end : 0;
        bool is_long = end - begin > LONG * group;
        float sum = 0;

        /* part 3, 3 lines: The lanes of a group add up their row, unless it is long. */
        /* end of part 3 */
        sum += sum_by_warp(is_long && lane == 0, products, begin, end);
        /* part 4, 4 lines: A row's sum to y, and that of the one that goes on to the carries. */
        /* until solved */
        (void)&carries, (void)&first_row, (void)y;
        /* end of until solved */
        /* end of part 4 */
    }
}

/* For each lane that asks, the sum of from[begin] to from[end - 1], by the whole warp; else 0. */
__device__ float sum_by_warp(bool asks, const float *from, int begin, int end) {
    int lane = threadIdx.x % WARP;
    float sum = 0;

    /* part 5, 9 lines: One lane that asks after the other: all take every 32nd of its elements. */
    /* until solved */
    (void)asks, (void)from, (void)begin, (void)end, (void)&lane;
    /* end of until solved */
    /* end of part 5 */
    return sum;
}

/* Adds up the carries of each row that goes on from one tile to the next. */
__global__ void add_carries(struct csr_matrix a, const int *tile_rows, const float *carries,
                            int tiles, float *y) {
    int tile = blockIdx.x * THREADS + threadIdx.x,
        row = tile < tiles ? tile_rows[tile + 1] : a.rows;
    bool leads = row < a.rows && (tile == 0 || tile_rows[tile] < row); /* the first to have it */
    int last = leads ? (a.row_starts[row + 1] + row) / TILE : 0;       /* where it ends */
    float sum = leads ? carries[tile] : 0;

    /* part 6, 1 line: Where more tiles have the row, the whole warp adds up theirs. */
    /* until solved */
    (void)&last;
    /* end of until solved */
    /* end of part 6 */
    if (leads)
        y[row] += sum;
}

static int divide_up(int a, int b) {
    return a / b + (a % b > 0);
}

template <typename T> static T *allocate(size_t count) {
    T *memory;

    CUDA_CHECK(cudaMalloc(&memory, max(count, (size_t)1) * sizeof(T)));
    return memory;
}

template <typename T> static void copy_in(const T *to, const T *from, size_t count) {
    CUDA_CHECK(cudaMemcpy((void *)to, from, count * sizeof(T), cudaMemcpyHostToDevice));
}

struct product *product_create(const struct csr_matrix *matrix, const float *x, float *y) {
    struct product *product = (struct product *)calloc(1, sizeof *product);
    size_t rows = matrix->rows, nonzeros = matrix->nonzeros;

    if (!product)
        return NULL;
    product->host = product->matrix = *matrix;
    product->x = x;
    product->y = y;
    product->matrix.row_starts = allocate<int>(rows + 1);
    product->matrix.columns = allocate<int>(nonzeros);
    product->matrix.values = allocate<float>(nonzeros);
    product->vectors[0] = allocate<float>(rows);
    product->vectors[1] = allocate<float>(rows);
    product->tiles = divide_up(matrix->rows + matrix->nonzeros, TILE);
    product->tile_rows = allocate<int>(product->tiles + 1);
    product->carries = allocate<float>(product->tiles);
    return product;
}

static void multiply(const struct product *product, const float *x, float *y) {
    struct csr_matrix a = product->matrix;
    int blocks = divide_up(a.rows, THREADS), tiles = product->tiles;

    if (KERNEL == THREAD_A_ROW)
        thread_a_row<<<blocks, THREADS>>>(a, x, y);
    else if (KERNEL == CACHED)
        thread_a_row_cached<<<blocks, THREADS>>>(a, x, y);
    else if (KERNEL == WARP_A_ROW)
        warp_a_row<<<divide_up(a.rows, WARPS), THREADS>>>(a, x, y);
    else {
        sum_tiles<<<tiles, THREADS>>>(a, product->tile_rows, x, y, product->carries);
        add_carries<<<divide_up(tiles, THREADS), THREADS>>>(a, product->tile_rows, product->carries,
                                                            tiles, y);
    }
    CUDA_CHECK(cudaGetLastError());
}

void product_passes(struct product *product, int passes) {
    for (; passes > 0; passes--, product->pass++)
        multiply(product, product->vectors[product->pass % 2],
                 product->vectors[(product->pass + 1) % 2]);
}

int product_run(struct product *product, int passes) {
    const struct csr_matrix *from = &product->host, *to = &product->matrix;

    if (from->rows == 0)
        return 0;
    copy_in(to->row_starts, from->row_starts, from->rows + 1);
    copy_in(to->columns, from->columns, from->nonzeros);
    copy_in(to->values, from->values, from->nonzeros);
    copy_in(product->vectors[0], product->x, from->rows);
    if (KERNEL == TILES) {
        find_tiles<<<divide_up(product->tiles + 1, THREADS), THREADS>>>(*to, product->tiles,
                                                                        product->tile_rows);
        CUDA_CHECK(cudaGetLastError());
    }
    product->pass = 0;
    product_passes(product, passes);
    CUDA_CHECK(cudaMemcpy(product->y, product->vectors[passes % 2], from->rows * sizeof(float),
                          cudaMemcpyDeviceToHost));
    return 0;
}

void product_destroy(struct product *product) {
    CUDA_CHECK(cudaFree((void *)product->matrix.row_starts));
    CUDA_CHECK(cudaFree((void *)product->matrix.columns));
    CUDA_CHECK(cudaFree((void *)product->matrix.values));
    CUDA_CHECK(cudaFree(product->vectors[0]));
    CUDA_CHECK(cudaFree(product->vectors[1]));
    CUDA_CHECK(cudaFree(product->tile_rows));
    CUDA_CHECK(cudaFree(product->carries));
    free(product);
}
