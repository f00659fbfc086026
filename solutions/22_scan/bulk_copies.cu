/* Step 22's scan with tiles brought by Hopper's bulk copies (TMA), for docs/concepts/hopper.md. On
 * a GPU of compute capability 9.0:
 *
 *     mkdir -p build
 *     nvcc -O3 -arch=sm_90 -Icommon/include -Icommon/kit -o build/bulk_copies \
 *         solutions/22_scan/bulk_copies.cu
 *     build/bulk_copies             2^24 and 2^28 elements
 *     build/bulk_copies 1048576     so many elements, in whole tiles of 8192; at least one tile
 *
 * It prints a line `form,elements,microseconds,lowest,highest,gb_per_s` for each form and length:
 * the median, the lowest and the highest time of a pass, and the rate at 8 bytes per element.
 *
 *     plain          the step's kernel: a block per tile
 *     late_ticket    persistent blocks take the next ticket when a tile is stored
 *     early_ticket   they take it before they look back, but load the next tile after the store
 *     bulk           as early_ticket, and a bulk copy brings the next tile to shared memory while
 *                    the block looks back and stores */
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
enum way { LATE, EARLY, BULK };

/* Scans `all` whole tiles in place. A block takes tickets for its tiles and one more; the last of
 * all tickets sets the counter back to 0. Its tickets rise, so the lowest tile that is not done
 * waits for no other. */
template <way WAY>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    scan_by_persistent_blocks(int *x, int all, struct tiles tiles) {
    extern __shared__ __align__(128) int buffer[];
    __shared__ uint64_t arrived; /* a barrier that counts the buffer's bytes */
    __shared__ int ticket;
    auto fetch = [&]() {
        ticket = (int)atomicInc(tiles.tickets, all + gridDim.x - 1);
        if (WAY != BULK || ticket >= all)
            return;
        mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, &arrived, BYTES);
        cp_async_bulk(space_cluster, space_global, buffer, x + (size_t)ticket * TILE, BYTES,
                      &arrived);
    };

    if (threadIdx.x == FETCHER) {
        mbarrier_init(&arrived, 1);
        fence_proxy_async(space_shared); /* copies see the barrier */
        fetch();
    }
    __syncthreads();
    for (int iteration = 0;; iteration++) {
        int tile = ticket, own[VECTORS][VECTOR], before[VECTORS];

        if (tile >= all)
            return;
        if (WAY == BULK) {
            while (!mbarrier_try_wait_parity(&arrived, iteration % 2))
                ;
#pragma unroll
            for (int k = 0; k < VECTORS; k++)
                load(buffer + place_of(0, k), own[k]);
        } else {
            load_tile(x, all * TILE, tile, 0, own);
        }
        aggregate_vectors<sum>(own, before);
        int aggregate = scan_aggregates<sum>(before); /* after its barrier the buffer is free */

        if (WAY != LATE && threadIdx.x == FETCHER)
            fetch();
        int exclusive_prefix = find_exclusive_prefix<sum>(tiles, tile, aggregate);
#pragma unroll
        for (int k = 0; k < VECTORS; k++) {
            own[k][0] = sum::of(sum::of(exclusive_prefix, before[k]), own[k][0]);
            for (int j = 1; j < VECTOR; j++)
                own[k][j] = sum::of(own[k][j - 1], own[k][j]);
        }
        store_tile(x, all * TILE, tile, own);
        if (WAY == LATE) {
            if (threadIdx.x == FETCHER)
                fetch();
            __syncthreads();
        }
    }
}

/* As scan_passes() of the step. */
template <way WAY> static void persistent_passes(struct scan *scan, int passes) {
    auto *kernel = scan_by_persistent_blocks<WAY>;
    int bytes = WAY == BULK ? BYTES : 0, all = tiles_of(scan->parameters.n);
    int multiprocessors, blocks;
    struct tiles tiles;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    if (WAY == BULK)
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
             {"late_ticket", persistent_passes<LATE>},
             {"early_ticket", persistent_passes<EARLY>},
             {"bulk", persistent_passes<BULK>}};
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
    int passes = std::min(64, std::max(4, (1 << 30) / n));
    cudaEvent_t marks[2];

    if (!scan)
        exit(1);
    for (int &element : in)
        element = rand();
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
        std::vector<float> &t = times[f];

        std::sort(t.begin(), t.end());
        printf("%s,%d,%.2f,%.2f,%.2f,%.0f\n", forms[f].name, n, t[TIMES / 2], t.front(), t.back(),
               8e-3 * n / t[TIMES / 2]);
    }
    scan_destroy(scan);
}

int main(int argc, char **argv) {
    if (argc > 1 && atoi(argv[1]) < TILE) {
        fprintf(stderr, "usage: bulk_copies [ELEMENTS], %d or more\n", TILE);
        return 3;
    }
    printf("form,elements,microseconds,lowest,highest,gb_per_s\n");
    if (argc > 1)
        measure(atoi(argv[1]) / TILE * TILE);
    else
        for (int power : {24, 28})
            measure(1 << power);
    return 0;
}
