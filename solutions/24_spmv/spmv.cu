/* Step 24: y = A x for a sparse matrix whose rows may be of any lengths. Ends of rows and nonzeros
 * are one list, merged, of which every thread gets an equal piece (Merrill and Garland 2016). */
#include <limits.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "spmv.h"

#ifndef KERNEL
#define KERNEL MERGE
#endif
#define MERGE        0
#define THREAD_A_ROW 1
#define CACHED       2
#define WARP_A_ROW   3

#ifndef ITEMS
#define ITEMS 8 /* of the merged list, a thread */
#endif

enum { WARP = 32, WARPS = THREADS / WARP, TILE = THREADS * ITEMS };

/* Blocks that registers shall leave room for on a multiprocessor, which has 1024 threads, or more;
 * longer pieces take more registers. */
#if ITEMS > 8 || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
#define BLOCKS (1024 / THREADS)
#else
#define BLOCKS (1536 / THREADS)
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

/* The sum over a warp's lanes; each of them has it. */
__device__ float sum_of_warp(float mine) {
    for (int half = WARP / 2; half > 0; half /= 2)
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
    sum = sum_of_warp(sum);
    if (lane == 0)
        y[row] = sum;
}

/* Of the merged list of ends of rows and nonzeros 0, 1, 2 ..., in which an end e stands before
 * nonzero e: how many of the first `items` are ends. */
__device__ int ends_among(const int *ends, int rows, int nonzeros, int items) {
    int low = max(0, items - nonzeros), high = min(items, rows);

    /* part 1, 8 lines: By halves: row r ends among them if the nonzeros left over reach its end. */
    while (low < high) {
        int middle = (low + high) / 2;

        if (ends[middle] < items - middle)
            low = middle + 1;
        else
            high = middle;
    }
    /* until solved:
    (void)&ends, (void)&high;
    */
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

/* A thread's sum `open` of the row in which its piece ends, and whether a row ended in it,
 * `closed`. Afterwards `open` counts from where that row begins in the tile. Returns the part of
 * the row in which the thread's piece begins that lies before it. */
__device__ float carry_over(float *open, int *closed) {
    __shared__ float open_of[WARPS];
    __shared__ int closed_of[WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    float before = 0;

    /* part 2, 9 lines: In the warp: what lanes before hold of the row, as far as none closed it. */
    for (int distance = 1; distance < WARP; distance *= 2) {
        float theirs = __shfl_up_sync(ALL, *open, distance);
        int was_closed = __shfl_up_sync(ALL, *closed, distance);

        if (lane >= distance && !*closed) {
            *open += theirs;
            *closed = was_closed;
        }
    }
    /* end of part 2 */
    /* part 3, 7 lines: The same for warps: the last lane of each through shared memory. */
    if (lane == WARP - 1) {
        open_of[warp] = *open;
        closed_of[warp] = *closed;
    }
    __syncthreads();
    for (int w = 0; w < warp; w++)
        before = open_of[w] + (closed_of[w] ? 0 : before);
    /* until solved:
    (void)&open_of, (void)&closed_of, (void)&warp;
    */
    /* end of part 3 */
    float mine = __shfl_up_sync(ALL, *open, 1);
    int was_closed = __shfl_up_sync(ALL, *closed, 1);

    *open += *closed ? 0 : before;
    if (lane == 0)
        return before;
    return mine + (was_closed ? 0 : before);
}

/* A block computes the rows that end in its tile, and its part of the one that goes on. */
__global__ void __launch_bounds__(THREADS, BLOCKS)
    merge_tiles(struct csr_matrix a, const int *__restrict__ tile_rows, const float *__restrict__ x,
                float *__restrict__ y, float *carries) {
    union item {
        int end; /* of a row, a nonzero of the tile */
        float product;
    };
    __shared__ union item items[TILE + 1]; /* ends, a last one never reached, and products */
    __shared__ float sums[TILE];
    int t = threadIdx.x, first_row = tile_rows[blockIdx.x], first = blockIdx.x * TILE - first_row;
    int rows = tile_rows[blockIdx.x + 1] - first_row;
    int count = min(TILE, a.rows + a.nonzeros - (int)blockIdx.x * TILE), nonzeros = count - rows;
    union item *products = items + rows + 1;

    if (t == 0)
        items[rows].end = INT_MAX;
    /* part 4, 19 lines: The tile's items, all loads of a thread under way before one is used. */
    const int *ends = a.row_starts + first_row + 1, *columns = a.columns + first - rows;
    const float *values = a.values + first - rows;
    int loaded[ITEMS]; /* an end, or a column */
    float value[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = min(t + i * THREADS, count - 1);

        loaded[i] = __ldcs(at < rows ? ends + at : columns + at);
        value[i] = at < rows ? 0 : __ldcs(values + at);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        value[i] *= x[t + i * THREADS < rows ? 0 : loaded[i]];
#pragma unroll
    for (int i = 0, at = t; i < ITEMS; i++, at += THREADS)
        if (at < rows)
            items[at].end = loaded[i] - first;
        else if (at < count)
            products[at - rows].product = value[i];
    /* until solved:
    (void)&first, (void)&x;
    */
    /* end of part 4 */
    __syncthreads();

    int item = min(t * ITEMS, count), last = min(item + ITEMS, count);
    int begun = ends_among(&items->end, rows, nonzeros, item), row = begun, k = item - row;
    float sum = 0;

    /* part 5, 7 lines: The thread's items: a product is added, an end ends a sum. */
    for (; item < last; item++)
        if (k < items[row].end) {
            sum += products[k++].product;
        } else {
            sums[row++] = sum;
            sum = 0;
        }
    /* until solved:
    (void)&last, (void)&k, (void)&products;
    */
    /* end of part 5 */

    int closed = row > begun;
    float before = carry_over(&sum, &closed);

    /* part 6, 4 lines: The first sum lacks what lies before the thread; the tile's last is open. */
    if (row > begun)
        sums[begun] += before;
    if (t == THREADS - 1)
        carries[blockIdx.x] = sum;
    /* until solved:
    (void)&before, (void)&carries;
    */
    /* end of part 6 */
    __syncthreads();
    for (row = t; row < rows; row += THREADS)
        y[first_row + row] = sums[row];
}

/* Adds up the carries of each row that goes on from one tile to the next, in their order. */
__global__ void add_carries(const int *tile_rows, const float *carries, int tiles, int rows,
                            float *y) {
    int tile = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    int row = tile < tiles ? tile_rows[tile + 1] : rows;
    bool leads = row < rows && (tile == 0 || tile_rows[tile] < row); /* the first to have it */
    bool goes_on = leads && tile + 1 < tiles && tile_rows[tile + 2] == row;
    float sum = leads ? carries[tile] : 0;

    /* part 7, 10 lines: Where more tiles have the same row, the whole warp adds up theirs. */
    for (unsigned left = __ballot_sync(ALL, goes_on); left; left &= left - 1) {
        int leader = __ffs(left) - 1, of_row = __shfl_sync(ALL, row, leader);
        float part = 0;

        for (int next = __shfl_sync(ALL, tile, leader) + 1 + lane;
             next < tiles && tile_rows[next + 1] == of_row; next += WARP)
            part += carries[next];
        part = sum_of_warp(part);
        sum += lane == leader ? part : 0;
    }
    /* until solved:
    (void)&lane, (void)&goes_on;
    */
    /* end of part 7 */
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
        merge_tiles<<<tiles, THREADS>>>(a, product->tile_rows, x, y, product->carries);
        add_carries<<<divide_up(tiles, THREADS), THREADS>>>(product->tile_rows, product->carries,
                                                            tiles, a.rows, y);
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
    if (KERNEL == MERGE) {
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
