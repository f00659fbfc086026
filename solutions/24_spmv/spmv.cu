/* Step 24: y = A x for a sparse matrix whose rows may be of any lengths. Ends of rows and nonzeros
 * are merged into one list, and every block gets an equal piece of it (Merrill and Garland
 * 2016). */
#include "products.h"

enum { TILE = THREADS * ITEMS_PER_THREAD }; /* items of the merged list */
enum { LONG = 32 }; /* products per lane; the whole warp takes rows that have more */

/* How many of the first `items` items of the merged list are ends. The list has the ends of rows
 * and nonzeros 0, 1, 2 ...; an end e comes before nonzero e. */
__device__ int ends_among(const int *ends, int rows, int nonzeros, int items) {
    int low = max(0, items - nonzeros), high = min(items, rows);

    /* part 1, 8 lines: Binary search: row r ends among the items if ends[r] <= items - r - 1. */
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

__device__ float sum_by_warp(bool asks, const float *from, int begin, int end);

/* A block computes the rows that end in its tile, and its part of the row that goes on in the
 * next. */
__global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    sum_tiles(struct csr_matrix a, const int *__restrict__ tile_rows, const float *__restrict__ x,
              float *__restrict__ y, float *carries) {
    union item {
        int end; /* of a row: the number of a nonzero, counted from the tile's first */
        float product;
    };
    __shared__ union item items[TILE + 1]; /* ends, that of the open row too, and products */
    int t = threadIdx.x, first_row = tile_rows[blockIdx.x], first = blockIdx.x * TILE - first_row;
    int rows = tile_rows[blockIdx.x + 1] - first_row;
    int count = min(TILE, a.rows + a.nonzeros - (int)blockIdx.x * TILE), nonzeros = count - rows;
    float *products = &items[rows + 1].product;

    if (t == 0)
        items[rows].end = nonzeros;
    /* part 2, 19 lines: Load the tile's items; all loads of a thread come before the first use. */
    const int *ends = a.row_starts + first_row + 1, *columns = a.columns + first - rows;
    const float *values = a.values + first - rows;
    int loaded[ITEMS_PER_THREAD]; /* an end, or a column */
    float value[ITEMS_PER_THREAD];
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++) {
        int at = min(t + i * THREADS, count - 1);

        loaded[i] = __ldcs(at < rows ? ends + at : columns + at);
        value[i] = at < rows ? 0 : __ldcs(values + at);
    }
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; i++)
        value[i] *= x[t + i * THREADS < rows ? 0 : loaded[i]];
#pragma unroll
    for (int i = 0, at = t; i < ITEMS_PER_THREAD; i++, at += THREADS)
        if (at < rows)
            items[at].end = loaded[i] - first;
        else if (at < count)
            products[at - rows] = value[i];
    /* until solved:
    (void)&first, (void)&x;
    */
    /* end of part 2 */
    __syncthreads();

    int group = 1; /* lanes per row: as many as the block has for all rows, at most a warp */
    while (group < WARP && 2 * group * (rows + 1) <= THREADS)
        group *= 2;
    for (int next = 0; next <= rows; next += THREADS / group) { /* rows, and the one that goes on */
        int row = next + t / group, lane = t % group, is_there = row <= rows;
        int begin = is_there && row > 0 ? items[row - 1].end : 0;
        int end = is_there ? items[row].end : 0;
        bool is_long = end - begin > LONG * group;
        float sum = 0;

        /* part 3, 3 lines: The lanes of a group add up their row, unless it is long. */
        for (int k = begin + lane; k < end && !is_long; k += group)
            sum += products[k];
        sum = sum_of_lanes(sum, group);
        /* end of part 3 */
        sum += sum_by_warp(is_long && lane == 0, products, begin, end);
        /* part 4, 4 lines: A complete row's sum goes to y, the open row's sum to the carries. */
        if (lane == 0 && row < rows)
            y[first_row + row] = sum;
        else if (lane == 0 && row == rows)
            carries[blockIdx.x] = sum;
        /* until solved:
        (void)&carries, (void)&first_row, (void)y;
        */
        /* end of part 4 */
    }
}

/* For each lane that asks, the sum of from[begin] to from[end - 1], by the whole warp; else 0. */
__device__ float sum_by_warp(bool asks, const float *from, int begin, int end) {
    int lane = threadIdx.x % WARP;
    float sum = 0;

    /* part 5, 9 lines: For each asking lane, all lanes add every 32nd of its elements. */
    for (unsigned left = __ballot_sync(ALL, asks); left; left &= left - 1) {
        int asking = __ffs(left) - 1, last = __shfl_sync(ALL, end, asking);
        float part = 0;

        for (int k = __shfl_sync(ALL, begin, asking) + lane; k < last; k += WARP)
            part += from[k];
        part = sum_of_lanes(part, WARP);
        sum = lane == asking ? part : sum;
    }
    /* until solved:
    (void)asks, (void)from, (void)begin, (void)end, (void)&lane;
    */
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

    /* part 6, 1 line: If more tiles hold the row, the whole warp adds up their carries. */
    sum += sum_by_warp(tile + 1 < last, carries, tile + 1, last);
    /* until solved:
    (void)&last;
    */
    /* end of part 6 */
    if (leads)
        y[row] += sum;
}

static void prepare(struct product *product) {
    find_tiles<<<divide_up(product->tiles + 1, THREADS), THREADS>>>(product->matrix, product->tiles,
                                                                    product->tile_rows);
    CUDA_CHECK(cudaGetLastError());
}

static void multiply(const struct product *product, const float *x, float *y) {
    struct csr_matrix a = product->matrix;
    int tiles = product->tiles;

    sum_tiles<<<tiles, THREADS>>>(a, product->tile_rows, x, y, product->carries);
    add_carries<<<divide_up(tiles, THREADS), THREADS>>>(a, product->tile_rows, product->carries,
                                                        tiles, y);
    CUDA_CHECK(cudaGetLastError());
}

/* product_run, product_passes and product_destroy are those of products.h. */
struct product *product_create(const struct csr_matrix *matrix, const float *x, float *y) {
    return create_product(matrix, x, y, TILE);
}
