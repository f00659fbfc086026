/* Times of step 15's kernel for figures 2 and 3 and table 2 of Miki (2012), and C_acc, its cycles
 * for adding up: lines for common/report/pictures/model.sh. Flags choose the kernel, as in the
 * step's manifest:
 *
 *   nvcc -O3 -arch=sm_90 -ftz=true -Icommon/include -Icommon/kit -DONE_BODY -DLANES=4 -DEXCHANGE \
 *       -o measure solutions/15_threads_per_body/measure.cu
 *   ./measure            n_i = n_j = 256 to 1048576
 *   ./measure 262144     the same to 262144
 *   ./measure 524288 256 n_i and n_j
 *   ./measure carveout   n = 16384 with 0, 25, 50, 75 and 100% of L1 as shared memory
 *
 * With -DROOT=eight_products the root is eight multiplications, as in the table's last row. */
#ifdef ROOT
__device__ static inline float eight_products(float x) {
    float y = x;

#pragma unroll
    for (int k = 0; k < 7; k++)
        y *= x;
    return y * x;
}
#define rsqrtf ROOT
#endif
#ifndef THREADS
#define THREADS 256
#endif

#include "variants/papers.cu"

#include <stdio.h>
#include <string.h>

#ifdef ONE_BODY
enum { SHARERS = LANES * ROWS };
#else
enum { SHARERS = LANES };
#endif

#if defined(EXCHANGE)
#define SUM "exchange"
#elif LANES > 1
#define SUM "shuffle"
#else
#define SUM "block"
#endif
#if defined(SOFTENING_LAST)
#define KERNEL SUM "_softening_last"
#elif defined(ROOT)
#define KERNEL SUM "_eight_products"
#else
#define KERNEL SUM
#endif

enum { VALUES = COMPONENTS, ROUNDS = 64 };

/* One warp adds up ROUNDS times and reads the sums each time; `cycles` is the time of it all. */
__global__ void time_add_up(float *values, long long *cycles) {
    __shared__ float sums[THREADS / LANES][QUADS * VALUES];
    float own[VALUES] = {values[threadIdx.x], 1, 2, 3};
    int lane = threadIdx.x % LANES, worker = threadIdx.x / LANES;
    long long begin = clock64();

    for (int round = 0; round < ROUNDS; round++) {
        add_up<VALUES>(own, lane, sums[worker]);
        own[0] += sums[worker][lane % VALUES]; /* the next one waits for this one */
    }
    if (threadIdx.x == 0)
        *cycles = clock64() - begin;
    values[threadIdx.x] = own[0];
}

static double adding_up(void) {
    float *values;
    long long *cycles, result;

    CUDA_CHECK(cudaMalloc(&values, 32 * sizeof *values));
    CUDA_CHECK(cudaMalloc(&cycles, sizeof *cycles));
    CUDA_CHECK(cudaMemset(values, 0, 32 * sizeof *values));
    for (int k = 0; k < 3; k++) { /* the first run brings the instructions to the caches */
        time_add_up<<<1, 32>>>(values, cycles);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(&result, cycles, sizeof result, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(values));
    CUDA_CHECK(cudaFree(cycles));
    return (double)result / ROUNDS;
}

static int by_time(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* Seconds for the forces of n_j bodies on n_i, once, by the device's clock: the median of nine
 * times, each for as many repeats as take some 5 ms. */
static double seconds_of(int n_i, int n_j) {
    int n = n_i > n_j ? n_i : n_j, repeats = 1;
    struct parameters parameters = {n, 0.01f, 1e-4f};
    struct body *bodies = (struct body *)malloc(n * sizeof *bodies);
    float *masses = (float *)malloc(n * sizeof *masses), times[9] = {};
    cudaEvent_t begin, end;

    for (int i = 0; i < n; i++) {
        float *numbers = &bodies[i].x;

        for (int k = 0; k < 6; k++)
            numbers[k] = 2 * (float)rand() / (float)RAND_MAX - 1;
        masses[i] = 0.1f + (float)rand() / (float)RAND_MAX;
    }
    struct simulation *simulation =
        simulation_create_with_masses(&parameters, bodies, masses, bodies);

    simulation_run(simulation, 1);
    simulation->job.n = n_i;
    simulation->job.sources = n_j;
    choose(&simulation->job);
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    for (int k = -2; k < 9; k++) {
        float milliseconds;

        CUDA_CHECK(cudaEventRecord(begin));
        simulation_forces(simulation, repeats);
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        if (k == -2 && milliseconds < 5)
            repeats = (int)(5 / (milliseconds > 0.002f ? milliseconds : 0.002f)) + 1;
        if (k >= 0)
            times[k] = milliseconds / (float)repeats;
    }
    qsort(times, 9, sizeof *times, by_time);
    simulation->job.n = n;
    simulation_destroy(simulation);
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    free(bodies);
    free(masses);
    return times[4] * 1e-3;
}

static void print_times(int n_i, int n_j) {
    printf("%d\t%d\t%d\t%.6g\t%s\n", n_i, n_j, SHARERS, seconds_of(n_i, n_j), KERNEL);
    fflush(stdout);
}

int main(int argc, char **argv) {
    cudaDeviceProp device;
    int blocks, kilohertz;

    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernels[0][1], THREADS, 0));
    printf("# N_SM %d\n# B_SM %d\n# T_tot %d\n# clock %g\n", device.multiProcessorCount, blocks,
           THREADS, kilohertz * 1e3);
#if defined(EXCHANGE) && !defined(ROOT)
    printf("# C_acc %d:%.1f\n", LANES, adding_up());
#else
    (void)adding_up;
#endif
    if (argc == 3) {
        print_times(atoi(argv[1]), atoi(argv[2]));
    } else if (argc == 2 && !strcmp(argv[1], "carveout")) {
        for (int share = 0; share <= 100; share += 25) {
            for (auto &kernel : kernels)
                CUDA_CHECK(cudaFuncSetAttribute(
                    kernel[1], cudaFuncAttributePreferredSharedMemoryCarveout, share));
            printf("carve-out %d%%: ", share);
            print_times(16384, 16384);
        }
    } else {
        for (int n = 256, last = argc == 2 ? atoi(argv[1]) : 1048576; n <= last; n *= 2)
            print_times(n, n);
    }
    return 0;
}
