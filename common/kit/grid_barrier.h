/* A barrier of all blocks of a grid, which have to run at the same time, or it never ends. */
#ifndef GRID_BARRIER_H
#define GRID_BARRIER_H

/* Waits until all blocks have come. The first fence passes on what the block wrote, the second
 * drops what L1 holds: one thread's are enough, since the block's barriers are around them. */
__device__ static inline void grid_barrier(unsigned *arrived, unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        for (atomicAdd(arrived, 1); (int)(*(volatile unsigned *)arrived - goal) < 0;)
            ;
        __threadfence();
    }
    __syncthreads();
}

#endif
