/* Patterns of flags and counters, right or with one fault, chosen by PATTERN. */
#include "device.h"

enum { BLOCKS = 4, THREADS = 32 };

static unsigned done;
static float parts[BLOCKS], total;
static volatile int flags[BLOCKS], value;
static int lock, guarded;

/* The last block adds up what all wrote. */
__global__ void last_block(int fault) {
    __shared__ int last;

    if (threadIdx.x == 0) {
        if (fault == 2)
            __threadfence();
        parts[blockIdx.x] = blockIdx.x;
        if (fault == 0)
            __threadfence();
        last = atomicAdd(&done, 1u) == gridDim.x - 1;
        if (fault == 3)
            __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += parts[i];
        total = sum;
        done = 0;
    }
}

/* All threads write; thread 0 counts. */
__global__ void all_write(int fault, int *data) {
    __shared__ int last, counted;

    if (threadIdx.x == 0)
        counted = 0;
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (!fault)
        __threadfence();
    __syncthreads();
    atomicAdd(&counted, 1);
    if (threadIdx.x == 0)
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        atomicAdd(&guarded, data[threadIdx.x]);
        if (threadIdx.x == 0)
            counted = 7;
    }
}

/* A block waits for the one before it. */
__global__ void look_back(int fault) {
    if (threadIdx.x)
        return;
    float before = 0;
    if (blockIdx.x > 0) {
        while (flags[blockIdx.x - 1] == 0)
            ;
        if (fault != 2)
            __threadfence();
        before = parts[blockIdx.x - 1];
    }
    parts[blockIdx.x] = before + 1;
    if (fault != 1)
        __threadfence();
    flags[blockIdx.x] = 1;
}

/* A lane reads for the block. */
__global__ void look_back_block(int fault) {
    __shared__ float before;

    if (threadIdx.x == 0) {
        before = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0)
                ;
            __threadfence();
        }
    }
    if (fault == 0)
        __syncthreads();
    if (blockIdx.x > 0 && threadIdx.x == 5)
        before = parts[blockIdx.x - 1];
    __syncthreads();
    if (threadIdx.x == 9)
        parts[blockIdx.x] = before + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        flags[blockIdx.x] = 1;
}

__global__ void spin_lock(int fault) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        guarded++;
        if (!fault)
            __threadfence();
        atomicExch(&lock, 0);
    }
}

/* Shared memory that a plain store starts, after the block's first fence. */
__global__ void after_fence(int *data) {
    __shared__ int count;

    __threadfence();
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        data[blockIdx.x] = count;
}

/* Block 1 passes on what block 0 fenced, with a fence of its own or without. */
__global__ void passes_on(int fault) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        parts[0] = 5;
        __threadfence();
        atomicExch(&lock, 1);
    } else if (blockIdx.x == 1) {
        while (atomicAdd(&lock, 0) == 0)
            ;
        if (!fault)
            __threadfence();
        flags[0] = 1;
    } else if (blockIdx.x == 2) {
        while (flags[0] == 0)
            ;
        __threadfence();
        total = parts[0];
    }
}

/* A value and the flag that tells of it, both volatile, so that neither is a race: without a fence,
 * with one for the block alone, or in the wrong order. */
__global__ void tells(int fault) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        if (fault == 3) {
            flags[0] = 1;
            __threadfence();
        }
        value = 5;
        if (fault == 0)
            __threadfence();
        if (fault == 2)
            __threadfence_block();
        flags[0] = 1;
    } else if (blockIdx.x == 1) {
        while (flags[0] == 0)
            ;
        __threadfence();
        total = value;
    }
}

/* The same of a value that its thread adds to and a counter that says so. */
__global__ void counts(int fault) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        atomicAdd((int *)&value, 5);
        if (!fault)
            __threadfence();
        atomicAdd((int *)&flags[0], 1);
    } else if (blockIdx.x == 1) {
        while (atomicAdd((int *)&flags[0], 0) == 0)
            ;
        __threadfence();
        total = value;
    }
}

int main(int, char **argv) {
    int pattern = atoi(argv[1]), fault = atoi(argv[2]);
    int *data = (int *)calloc(BLOCKS * THREADS, sizeof *data), multiprocessors;

    /* Blocks wait for others by blockIdx, as they may where it was asked that all have room. */
    if (cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0) ||
        multiprocessors < BLOCKS)
        return 2;
    for (int round = 0; round < 2; round++) {
        total = guarded = value = 0;
        for (int i = 0; i < BLOCKS; i++)
            flags[i] = 0;
        switch (pattern) {
        case 0:
            last_block<<<BLOCKS, THREADS>>>(fault);
            wait_for_kernels();
            EXPECT(total == 6, "%g", total);
            break;
        case 1:
            all_write<<<BLOCKS, THREADS>>>(fault, data);
            wait_for_kernels();
            EXPECT(guarded == THREADS, "%d", guarded);
            break;
        case 2:
            look_back<<<BLOCKS, THREADS>>>(fault);
            wait_for_kernels();
            EXPECT(parts[BLOCKS - 1] == BLOCKS, "%g", parts[BLOCKS - 1]);
            break;
        case 3:
            look_back_block<<<BLOCKS, THREADS>>>(fault);
            wait_for_kernels();
            EXPECT(parts[BLOCKS - 1] == BLOCKS, "%g", parts[BLOCKS - 1]);
            break;
        case 4:
            spin_lock<<<BLOCKS, THREADS>>>(fault);
            wait_for_kernels();
            EXPECT(guarded == BLOCKS, "%d", guarded);
            break;
        case 5:
            after_fence<<<BLOCKS, THREADS>>>(data);
            wait_for_kernels();
            for (int i = 0; i < BLOCKS; i++)
                EXPECT(data[i] == THREADS, "%d", data[i]);
            break;
        case 6:
            lock = 0;
            passes_on<<<BLOCKS, THREADS>>>(fault);
            wait_for_kernels();
            EXPECT(total == 5, "%g", total);
            break;
        case 7:
            tells<<<BLOCKS, THREADS>>>(fault);
            wait_for_kernels();
            EXPECT(total == 5, "%g", total);
            break;
        case 8:
            counts<<<BLOCKS, THREADS>>>(fault);
            wait_for_kernels();
            EXPECT(total == 5, "%g", total);
        }
    }
    return wrong != 0;
}
