/* What test_cpucuda_engine.c has the engine do: engine NAME. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 1000 };

static int *numbers(int count) {
    int *memory;

    if (cudaMalloc((void **)&memory, count * sizeof(int)) ||
        cudaMemset(memory, 0, count * sizeof(int)))
        exit(2);
    return memory;
}

static void print(const int *memory, int count) {
    int *copy = (int *)malloc(count * sizeof(int));

    if (cudaMemcpy(copy, memory, count * sizeof(int), cudaMemcpyDeviceToHost))
        exit(2);
    for (int i = 0; i < count; i++)
        printf("%d%c", copy[i], i + 1 < count ? ' ' : '\n');
    free(copy);
}

/* In which order did the threads of all blocks start? */
__global__ void tickets(int *next, int *order) {
    order[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void indices(int *out) {
    dim3 g = gridDim, b = blockDim;
    int block = blockIdx.x + g.x * (blockIdx.y + g.y * blockIdx.z);
    int thread = threadIdx.x + b.x * (threadIdx.y + b.y * threadIdx.z);

    atomicAdd(&out[block * b.x * b.y * b.z + thread], 1);
}

/* Every thread must see what all others did before the barrier. */
__global__ void sums(int *out) {
    __shared__ int part[1024];
    int t = threadIdx.x;

    part[t] = t;
    for (int width = blockDim.x / 2; width; width /= 2) {
        __syncthreads();
        if (t < width)
            part[t] += part[t + width];
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = part[0] + __syncthreads_count(t % 3 == 0);
}

__global__ void unwritten(int *out) {
    __shared__ float fixed[3];
    extern __shared__ float dynamic[];

    for (int i = 0; i < 3; i++)
        out[i] = fixed[i] != fixed[i] && dynamic[i] != dynamic[i];
}

/* Block 0 is waited for by all others, which may be all that a worker has. */
__global__ void spin(volatile int *flag, int *count) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *flag = 1;
    while (!*flag)
        ;
    atomicAdd(count, 1);
}

__global__ void spin_for(volatile int *flag, int *count) {
    if (threadIdx.x == blockDim.x - 1)
        *flag = 1;
    for (;;) {
        if (*flag)
            break;
    }
    do
        atomicAdd(count, 1);
    while (!*flag);
}

/* Uses its caller's room, too: no compiler makes a loop of it. */
__device__ int depth(int n, volatile char *above) {
    volatile char room[1024];

    room[0] = 1;
    return n ? depth(n - 1, room) + above[0] : 0;
}
__global__ void deep(int *out, int n) {
    volatile char one = 1;

    out[0] = depth(n, &one);
}

__global__ void meet(int *out) {
    int lane = threadIdx.x % 32;

    if (lane < 16)
        out[threadIdx.x] = __shfl_xor_sync(0x0000ffff, lane, 1);
    else
        out[threadIdx.x] = __shfl_down_sync(0xffff0000, lane, 2, 16);
}

__global__ void mask_without_self() {
    __syncwarp(threadIdx.x < 16 ? 0x0000ffff : 0x0000fffe);
}
__global__ void masks_differ() {
    __syncwarp(threadIdx.x % 2 ? 0xffffffff : 0x55555557);
}
__global__ void lane_elsewhere() {
    if (threadIdx.x == 3)
        __syncthreads();
    else
        __syncwarp();
}
__global__ void two_barriers() {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
}
__global__ void returns_early(unsigned n) {
    if (threadIdx.x >= n)
        return;
    __syncthreads();
}
__global__ void in_branch(unsigned n) {
    if (threadIdx.x < n)
        __syncthreads();
}
__global__ void too_much(int *out) {
    __shared__ int a[6000];
    __shared__ int b[6400];

    a[0] = b[0] = 1;
    out[0] = a[0] + b[0];
}
__global__ void nested() {
    mask_without_self<<<1, 1>>>();
}

/* A block waits for its neighbour as a whole: round the loop its lanes vote, or all its threads
 * come to a barrier. */
__global__ void spin_voting(volatile int *flags) {
    while (__any_sync(0xffffffff, blockIdx.x && !flags[blockIdx.x - 1]))
        ;
    flags[blockIdx.x] = 1;
}
__global__ void spin_at_barriers(volatile int *flags) {
    __shared__ bool ready;

    do {
        __syncthreads();
        if (threadIdx.x == 0)
            ready = !blockIdx.x || flags[blockIdx.x - 1];
        __syncthreads();
    } while (!ready);
    flags[blockIdx.x] = 1;
}

/* The same, of blocks that number themselves. Counts those that found their neighbour's flag at
 * once, as if no block were ever overtaken. */
__global__ void spin_numbered(volatile int *flags, unsigned *taken, int *at_once) {
    int number = 0, turns = 0;

    if (threadIdx.x == 0)
        number = (int)atomicInc(taken, gridDim.x - 1);
    number = __shfl_sync(0xffffffff, number, 0);
    __syncthreads();
    while (number > 0 && !flags[number - 1])
        turns++;
    if (threadIdx.x == 0)
        atomicAdd(at_once, turns == 0);
    __syncthreads();
    flags[number] = 1;
}

__global__ void spin_for_nobody(volatile int *flag) {
    while (!*flag)
        ;
}

/* No block ends before all have come. */
__global__ void crowd(int *came) {
    if (threadIdx.x == 0)
        for (atomicAdd(came, 1); atomicAdd(came, 0) < (int)gridDim.x;)
            ;
    __syncthreads();
}

__device__ void increment(int *number) {
    ++*number;
}
__global__ void locals(int *out) {
    int far[10000], near = 0; /* pages apart */

    far[0] = 0;
    increment(&far[0]);
    increment(&near);
    out[blockIdx.x * blockDim.x + threadIdx.x] = far[0] * near;
}

__global__ void together(int *out) {
    __shared__ char fixed[30000];
    extern __shared__ char dynamic[];
    fixed[0] = dynamic[0] = 1;
    out[0] = fixed[0] + dynamic[0];
}

/* Its third launch does not end: it waits for nobody, or goes round without waiting. */
__global__ void third_waits(int *flag, int launch) {
    while (launch == 3 && !*(volatile int *)flag)
        ;
}

__global__ void third_goes_on(int *out, int launch) {
    for (int i = 0; i < 2; i += launch < 3)
        out[i] = out[2] + 1;
}

/* Who asks for the number of multiprocessors may rely on all blocks being there at once. */
static void ask_for_room() {
    int multiprocessors;

    if (cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0))
        exit(2);
}

/* Every block waits until the engine has offered the CPU so often. */
__global__ void wait_for_offers(volatile int *offers, int most) {
    while (*offers < most)
        ;
}

/* The engine's offers of the CPU, which other programs take for a millisecond, and its sleeps. */
static int offers, sleeps;

extern "C" int sched_yield() noexcept {
    struct timespec taken = {0, 1000000};

    __atomic_fetch_add(&offers, 1, __ATOMIC_RELAXED);
    return nanosleep(&taken, NULL);
}

extern "C" int usleep(useconds_t microseconds) {
    struct timespec asked = {0, (long)microseconds * 1000};

    __atomic_fetch_add(&sleeps, 1, __ATOMIC_RELAXED);
    return nanosleep(&asked, NULL);
}

__global__ void two_calls(int *out) {
    int lane = threadIdx.x;

    if (lane < 16)
        out[lane] = __shfl_xor_sync(0xffffffff, lane, 16);
    else
        out[lane] = __shfl_xor_sync(0xffffffff, -lane, 16);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int *memory = numbers(COUNT * 8), *counter = numbers(4);

    if (!strcmp(what, "tickets")) {
        tickets<<<5, 40>>>(counter, memory);
        print(memory, 200);
    } else if (!strcmp(what, "indices")) {
        indices<<<dim3(2, 3, 4), dim3(4, 3, 5)>>>(memory);
        print(memory, 24 * 60 + 1);
    } else if (!strcmp(what, "sums")) {
        sums<<<3, 1024>>>(memory);
        print(memory, 3 * 1024);
    } else if (!strcmp(what, "full")) {
        returns_early<<<16, 1024>>>(1024);
    } else if (!strcmp(what, "unwritten")) {
        for (int i = 0; i < 2; i++)
            unwritten<<<1, 1, 12>>>(memory);
        print(memory, 3);
    } else if (!strcmp(what, "spin")) {
        ask_for_room();
        spin<<<100, 64>>>(counter, counter + 1);
        spin_for<<<1, 1024>>>(counter + 2, counter + 3);
        print(counter, 4);
    } else if (!strcmp(what, "spin together")) {
        ask_for_room();
        spin_voting<<<40, 32>>>(memory);
        spin_at_barriers<<<40, 64>>>(memory + 40);
        print(memory, 80);
    } else if (!strcmp(what, "few wait") || !strcmp(what, "many wait")) {
        ask_for_room();
        for (int launches = 0; launches < 8 && *what == 'f'; launches++) {
            cudaMemset(memory, 0, 8 * sizeof *memory);
            spin_at_barriers<<<8, 64>>>(memory);
        }
        if (*what == 'm')
            wait_for_offers<<<40, 1>>>(&offers, 3);
        cudaDeviceSynchronize();
        printf("%d %d\n", offers, sleeps);
    } else if (!strcmp(what, "crowd")) {
        ask_for_room();
        crowd<<<132, 256>>>(counter);
        print(counter, 1);
    } else if (!strcmp(what, "chain by index")) {
        for (int launches = 0; launches < 20; launches++) {
            cudaMemset(memory, 0, 100 * sizeof *memory);
            spin_voting<<<100, 32>>>(memory);
        }
    } else if (!strcmp(what, "chain by number")) {
        for (int launches = 0; launches < 20; launches++) {
            cudaMemset(memory, 0, 100 * sizeof *memory);
            spin_numbered<<<100, 32>>>(memory, (unsigned *)counter, memory + 100);
        }
        print(memory + 100, 1);
    } else if (!strcmp(what, "wait for nobody")) {
        spin_for_nobody<<<1, 32>>>(memory);
    } else if (!strcmp(what, "third waits") || !strcmp(what, "third goes on")) {
        cudaMemset(memory, 0, 3 * sizeof *memory);
        for (int launch = 1; launch <= 5; launch++) {
            returns_early<<<1, 32>>>(32);
            if (what[6] == 'w')
                third_waits<<<2, 32>>>(memory, launch);
            else
                third_goes_on<<<2, 1>>>(memory, launch);
        }
    } else if (!strcmp(what, "host goes on")) {
        returns_early<<<1, 32>>>(32);
        cudaDeviceSynchronize();
        for (volatile int i = 0;; i = i + 1)
            ;
    } else if (!strcmp(what, "launches go on")) {
        for (;;) {
            third_waits<<<1, 1>>>(memory, 1);
            cudaDeviceSynchronize();
        }
    } else if (!strcmp(what, "deep")) {
        deep<<<1, 1>>>(memory, 20);
        print(memory, 1);
    } else if (!strcmp(what, "too deep")) {
        deep<<<1, 1>>>(memory, 1000);
    } else if (!strcmp(what, "locals")) {
        locals<<<3, 40>>>(memory);
        print(memory, 3 * 40);
    } else if (!strcmp(what, "meet")) {
        meet<<<1, 64>>>(memory);
        print(memory, 64);
    } else if (!strcmp(what, "mask without self")) {
        mask_without_self<<<1, 32>>>();
    } else if (!strcmp(what, "masks differ")) {
        masks_differ<<<1, 32>>>();
    } else if (!strcmp(what, "two calls")) {
        two_calls<<<1, 32>>>(memory);
    } else if (!strcmp(what, "lane elsewhere")) {
        lane_elsewhere<<<1, 32>>>();
    } else if (!strcmp(what, "two barriers")) {
        two_barriers<<<1, 32>>>();
    } else if (!strcmp(what, "returns early")) {
        returns_early<<<1, 32>>>(30);
    } else if (!strcmp(what, "in branch")) {
        in_branch<<<1, 32>>>(30);
    } else if (!strcmp(what, "too much")) {
        too_much<<<1, 1>>>(memory);
    } else if (!strcmp(what, "together")) {
        together<<<1, 1, 19152>>>(memory);
        print(memory, 1);
        cudaFuncSetAttribute(together, cudaFuncAttributeMaxDynamicSharedMemorySize, 40000);
        together<<<1, 1, 40000>>>(memory);
        print(memory, 1);
    } else if (!strcmp(what, "too much together")) {
        together<<<1, 1, 19153>>>(memory);
    } else if (!strcmp(what, "too many blocks")) {
        tickets<<<dim3(65535, 65535, 65535), 1>>>(counter, memory);
    } else if (!strcmp(what, "nested")) {
        nested<<<1, 1>>>();
    } else if (!strcmp(what, "unconfigured")) {
        (mask_without_self)(); /* which cuda_to_cpp takes for no call */
    } else {
        fprintf(stderr, "engine: there is no %s\n", what);
        return 1;
    }
    return cudaDeviceSynchronize();
}
