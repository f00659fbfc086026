/* The end of a step whose forces are also timed kernel-only: simulation_forces() of the contract.
 * It comes after the step's `struct simulation`, and calls these functions of the step: */
#ifndef KERNEL_ONLY_H
#define KERNEL_ONLY_H

__global__ void update_velocities(struct bodies bodies, struct parameters parameters);
static int threads_for(int n); /* threads per block */

void simulation_forces(struct simulation *simulation, int repeats) {
    int n = simulation->parameters.n;
    int threads = threads_for(n), blocks = (n + threads - 1) / threads;

    for (int repeat = 0; repeat < repeats; repeat++)
        update_velocities<<<blocks, threads>>>(arrays(simulation->device, n),
                                               simulation->parameters);
    CUDA_CHECK(cudaGetLastError());
}

#endif
