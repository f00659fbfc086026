/* Step 22's scan with tiles brought by Hopper's bulk copies (TMA), for docs/concepts/hopper.md. On
 * a GPU of compute capability 9.0:
 *
 *     nvcc -O3 -arch=sm_90 -Icommon/include -Icommon/kit -o build/bulk_copies \
 *         solutions/22_scan/bulk_copies.cu
 *     build/bulk_copies             2^24, 2^27 and 2^28 elements
 *     build/bulk_copies 1048576     so many elements: a multiple of 8192
 *
 * It prints a line `form,elements,microseconds,lowest,highest,gb_per_s` for each form and length:
 * the median, the lowest and the highest time of a pass, and the rate at 8 bytes per element.
 *
 *     plain        the step's kernel: a block per tile
 *     persistent   persistent blocks take tickets in a loop and load a tile when they need it
 *     bulk_1       as persistent, but a bulk copy brings the block's next tile to shared memory
 *                  while the block looks back and stores; 4 blocks per multiprocessor
 *     bulk_2       as bulk_1, with two copies in flight; 3 blocks per multiprocessor */
#define THREADS 256
#define VECTOR  4
#define VECTORS 8
#define APART   16
#define CHAINED 0
#include "scan.cu"

#include <cuda/ptx>

#include <algorithm>
#include <vector>

using namespace cuda::ptx; /* a function for each instruction of Hopper's copies */

/* The first thread of warp 1 takes tickets and starts copies, since warp 0 looks back. */
enum { TIMES = 11, FETCHER = WARP, BYTES = TILE * sizeof(int) };

/* Scans `all` whole tiles in place. A block takes tickets for its tiles and BUFFERS more; the last
 * of all tickets sets the counter back to 0. Its tickets rise, so the lowest tile that is not done
 * waits for no other. */
template <int BUFFERS, bool BULK>
static __global__ void __launch_bounds__(THREADS, BUFFERS == 1 ? 4 : 3)
    scan_by_persistent_blocks(int *x, int all, struct tiles tiles) {
    extern __shared__ __align__(128) int buffers[];
    __shared__ uint64_t arrived[BUFFERS]; /* barriers, each of which counts a buffer's bytes */
    __shared__ int tickets[BUFFERS];
    auto fetch = [&](int b) {
        int tile = (int)atomicInc(tiles.tickets, all + BUFFERS * gridDim.x - 1);

        tickets[b] = tile;
        if (!BULK || tile >= all)
            return;
        mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, &arrived[b], BYTES);
        cp_async_bulk(space_cluster, space_global, buffers + b * TILE, x + (size_t)tile * TILE,
                      BYTES, &arrived[b]);
    };

    if (threadIdx.x == FETCHER) {
        for (int b = 0; b < BUFFERS; b++)
            mbarrier_init(&arrived[b], 1);
        fence_proxy_async(space_shared); /* copies see the barriers */
        for (int b = 0; b < BUFFERS; b++)
            fetch(b);
    }
    __syncthreads();
    for (int turn = 0;; turn++) {
        int b = turn % BUFFERS, tile = tickets[b], own[VECTORS][VECTOR], before[VECTORS];

        if (tile >= all)
            return;
        if (BULK) {
            while (!mbarrier_try_wait_parity(&arrived[b], turn / BUFFERS % 2))
                ;
#pragma unroll
            for (int k = 0; k < VECTORS; k++)
                load(buffers + b * TILE + place_of(0, k), own[k]);
        } else {
            load_tile(x, all * TILE, tile, 0, own);
        }
        aggregate_vectors<sum>(own, before);
        int aggregate = scan_aggregates<sum>(before); /* after its barrier the buffer is free */

        if (threadIdx.x == FETCHER)
            fetch(b);
        int exclusive_prefix = find_exclusive_prefix<sum>(tiles, tile, aggregate);
#pragma unroll
        for (int k = 0; k < VECTORS; k++) {
            own[k][0] = sum::of(sum::of(exclusive_prefix, before[k]), own[k][0]);
            for (int j = 1; j < VECTOR; j++)
                own[k][j] = sum::of(own[k][j - 1], own[k][j]);
        }
        store_tile(x, all * TILE, tile, own);
    }
}

/* As scan_passes() of the step. */
template <int BUFFERS, bool BULK> static void persistent_passes(struct scan *scan, int passes) {
    auto *kernel = scan_by_persistent_blocks<BUFFERS, BULK>;
    int bytes = BULK ? BUFFERS * BYTES : 0, all = tiles_of(scan->parameters.n);
    int multiprocessors, blocks;
    struct tiles tiles;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    if (BULK)
        CUDA_CHECK(
            cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, bytes));
    tiles.statuses = (volatile tile_status *)scan->scratch;
    tiles.tickets = (unsigned *)(tiles.statuses + (size_t)all * APART);
    for (int pass = 0; pass < passes; pass++) {
        tiles.pass = ++scan->made;
        kernel<<<blocks * multiprocessors, THREADS, bytes>>>(scan->elements, all, tiles);
        CUDA_CHECK(cudaGetLastError());
    }
}

static const struct form {
    const char *name;
    void (*make_passes)(struct scan *, int);
} forms[] = {{"plain", scan_passes},
             {"persistent", persistent_passes<1, false>},
             {"bulk_1", persistent_passes<1, true>},
             {"bulk_2", persistent_passes<2, true>}};
enum { FORMS = sizeof forms / sizeof *forms };

/* Two passes, so that the second finds tickets and statuses of the first. */
static void check(const struct form &form, struct scan *scan) {
    size_t bytes = scan->parameters.n * sizeof(int);
    unsigned once = 0, twice = 0;

    CUDA_CHECK(cudaMemcpy(scan->elements, scan->in, bytes, cudaMemcpyHostToDevice));
    form.make_passes(scan, 2);
    CUDA_CHECK(cudaMemcpy(scan->out, scan->elements, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < scan->parameters.n; i++) {
        once += scan->in[i];
        twice += once;
        if ((unsigned)scan->out[i] == twice)
            continue;
        fprintf(stderr, "%s, %d elements: element %d is %u, not %u\n", form.name,
                scan->parameters.n, i, scan->out[i], twice);
        exit(1);
    }
}

static void measure(int n) {
    std::vector<int> in(n), out(n);
    std::vector<float> times[FORMS];
    struct scan_parameters parameters = {n, 0, 0};
    struct scan *scan = scan_create(&parameters, in.data(), out.data());
    int passes = std::max(4, (1 << 30) / n < 64 ? (1 << 30) / n : 64);
    cudaEvent_t marks[2];
    unsigned state = 1;

    if (!scan)
        exit(1);
    for (int &element : in)
        element = (int)((state = state * 1664525 + 1013904223) >> 8);
    for (const struct form &form : forms)
        check(form, scan);
    for (cudaEvent_t &mark : marks)
        CUDA_CHECK(cudaEventCreate(&mark));
    for (int round = 0; round < TIMES; round++)
        for (int f = 0; f < FORMS; f++) {
            float milliseconds;

            CUDA_CHECK(cudaEventRecord(marks[0]));
            forms[f].make_passes(scan, passes);
            CUDA_CHECK(cudaEventRecord(marks[1]));
            CUDA_CHECK(cudaEventSynchronize(marks[1]));
            CUDA_CHECK(cudaEventElapsedTime(&milliseconds, marks[0], marks[1]));
            times[f].push_back(milliseconds * 1000 / (float)passes);
        }
    for (int f = 0; f < FORMS; f++) {
        std::sort(times[f].begin(), times[f].end());
        printf("%s,%d,%.2f,%.2f,%.2f,%.0f\n", forms[f].name, n, times[f][TIMES / 2],
               times[f].front(), times[f].back(), 8e-3 * n / times[f][TIMES / 2]);
    }
    fflush(stdout);
    scan_destroy(scan);
}

int main(int argc, char **argv) {
    int n = argc == 2 ? atoi(argv[1]) : 0;

    if (argc > 2 || (argc == 2 && (n <= 0 || n % TILE))) {
        fprintf(stderr, "usage: bulk_copies [elements, a multiple of %d]\n", (int)TILE);
        return 2;
    }
    printf("form,elements,microseconds,lowest,highest,gb_per_s\n");
    if (n)
        measure(n);
    for (int power : {24, 27, 28})
        if (!n)
            measure(1 << power);
    return 0;
}
