/* Included before a step, lets CUDA's occupancy calculator choose the threads per block that fill a
 * multiprocessor best: flags `-DTHREADS=by_occupancy -include occupancy.h`. */
#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include "cuda_check.h"
#include "nbody.h"

#define by_occupancy threads_by_occupancy()

__global__ void update_velocities(struct body *bodies, struct parameters parameters);

static int threads_by_occupancy(void) {
    int blocks, threads;

    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, update_velocities, 0, 0));
    return threads;
}

#endif
