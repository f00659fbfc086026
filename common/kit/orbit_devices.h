/* Orbits on one device or several: their memory, what they tell each other, and the functions of
 * the contract. DEVICES is the largest number of devices; 0: all there are. Each has all bodies and
 * the whole tree. It moves the bodies of its own tiles that are due, and after a block step sends
 * them to all others. */
#ifndef ORBIT_DEVICES_H
#define ORBIT_DEVICES_H

#include "orbiters.h"

/* The file's own: all bodies moved to the end of so many intervals. Returns 0, or 1 if time does
 * not go on. */
static int move(struct orbits *orbits, int intervals);

static inline size_t list_bytes(int n) {
    return (size_t)divide_up(n, TILE) * TILE * sizeof(int);
}

/* Returns 0; or -1 if the tree cannot be made. */
static int device_create(struct device *device, const struct orbits_parameters *parameters) {
    struct tree_parameters of_tree = {parameters->n, parameters->leaf};
    struct tree none = {};
    size_t n = parameters->n ? parameters->n : 1;
    double tick = parameters->interval / INTERVAL;
    struct flight *flight = &device->flight;
    struct errand *errand = &device->errand;
    int number, multiprocessors;

    if (!(device->tree = octree_create(&of_tree, NULL, &none)))
        return -1;
    struct job *job = &device->tree->job;

    CUDA_CHECK(cudaGetDevice(&number));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, number));
    device->blocks = min(WALK_BLOCKS * multiprocessors, divide_up((int)n, THREADS));
    flight->n = parameters->n;
    flight->tick = (float)tick;
    flight->push = (float)(2 * parameters->eta * parameters->softening / (tick * tick));
    flight->places = job->sorted;
    flight->centres = job->centres;
    CUDA_CHECK(cudaMalloc(&flight->stars, n * sizeof *flight->stars));
    CUDA_CHECK(cudaMalloc(&flight->reach, 2 * n * sizeof *flight->reach));
    CUDA_CHECK(cudaMalloc(&flight->list, list_bytes((int)n)));
    CUDA_CHECK(cudaMalloc(&flight->block, sizeof *flight->block));
    CUDA_CHECK(cudaMalloc(&flight->orbiters, n * sizeof *flight->orbiters));
    CUDA_CHECK(cudaMalloc(&flight->numbers, n * sizeof *flight->numbers));
    CUDA_CHECK(cudaMalloc(&device->other.orbiters, n * sizeof *flight->orbiters));
    CUDA_CHECK(cudaMalloc(&device->other.numbers, n * sizeof *flight->numbers));
    errand->n = parameters->n;
    errand->bodies = job->sorted;
    errand->centres = job->centres;
    errand->links = job->links;
    errand->softening_squared = (float)(parameters->softening * parameters->softening);
    errand->angle = (float)parameters->angle;
    errand->accuracy = (float)parameters->accuracy;
    errand->next = &flight->block->next;
    CUDA_CHECK(cudaMalloc(&errand->sizes, 2 * n * sizeof *errand->sizes));
    CUDA_CHECK(cudaMalloc(&errand->waiting, (size_t)device->blocks * (THREADS / WARP) *
                                                MOST_WAITING * sizeof *errand->waiting));
    return 0;
}

static void device_destroy(struct device *device) {
    struct flight flight = device->flight;

    octree_destroy(device->tree);
    CUDA_CHECK(cudaFree(flight.stars));
    CUDA_CHECK(cudaFree(flight.reach));
    CUDA_CHECK(cudaFree(flight.list));
    CUDA_CHECK(cudaFree(flight.block));
    CUDA_CHECK(cudaFree(flight.orbiters));
    CUDA_CHECK(cudaFree(flight.numbers));
    CUDA_CHECK(cudaFree(device->other.orbiters));
    CUDA_CHECK(cudaFree(device->other.numbers));
    CUDA_CHECK(cudaFree(device->errand.sizes));
    CUDA_CHECK(cudaFree(device->errand.waiting));
    CUDA_CHECK(cudaFree(device->changes));
    CUDA_CHECK(cudaFree(device->told));
}

/* An orbiter after its step, and its number in the order of the tree. */
struct __align__(16) change {
    struct orbiter orbiter;
    int i;
};

/* How many changes each device has. */
struct changed {
    int of[MOST_RANKS];
};

/* Gives the tiles to the devices, and makes room for changes, unless there is only one device. */
static void changes_create(struct orbits *orbits) {
    int devices = orbits->exchange->ranks, n = orbits->devices[0].flight.n;
    size_t most = (size_t)divide_up(divide_up(n, TILE), devices) * TILE * sizeof(struct change);

    for (int d = 0; d < devices; d++) {
        struct device *device = use(orbits, d);

        device->flight.device = d;
        device->flight.devices = devices;
        if (devices > 1) {
            CUDA_CHECK(cudaMalloc(&device->changes, most));
            CUDA_CHECK(cudaMalloc(&device->told, devices * most));
        }
    }
}

/* Collects the orbiters of this device that were due. */
static __global__ void note_changes(struct flight flight, struct change *changes) {
    int places = flight.block->places, threads = gridDim.x * THREADS;

    for (int k = blockIdx.x * THREADS + threadIdx.x; k < places; k += threads) {
        int i = flight.list[k];

        if (i >= 0 && is_own(&flight, i))
            changes[atomicAdd(&flight.block->changed, 1)] = {flight.orbiters[i], i};
    }
}

/* Takes over the changes of all other devices, which are in pieces of `share`. */
static __global__ void take_changes(struct flight flight, const struct change *told, int share,
                                    struct changed changed) {
    int all = share * flight.devices, threads = gridDim.x * THREADS;

    for (int k = blockIdx.x * THREADS + threadIdx.x; k < all; k += threads)
        if (k / share != flight.device && k % share < changed.of[k / share])
            flight.orbiters[told[k].i] = told[k].orbiter;
}

/* Sends the changes of each device to all others, in pieces of `share`, the most that one has. */
static void tell_changes(struct orbits *orbits, const struct changed *changed, int share) {
    int devices = orbits->exchange->ranks;
    float4 *pieces[MOST_RANKS];

    for (int d = 0; d < devices; d++) {
        struct device *device = use(orbits, d);

        pieces[d] = (float4 *)device->told;
        CUDA_CHECK(cudaMemcpyAsync(device->told + d * (size_t)share, device->changes,
                                   changed->of[d] * sizeof *device->changes,
                                   cudaMemcpyDeviceToDevice));
    }
    exchange_start(orbits->exchange, pieces, share * sizeof(struct change) / sizeof(float4));
    exchange_wait(orbits->exchange);
    for (int d = 0; d < devices; d++) {
        struct device *device = use(orbits, d);

        take_changes<<<device->blocks, THREADS>>>(device->flight, device->told, share, *changed);
        CUDA_CHECK(cudaGetLastError());
    }
}

/* Waits for the block step of all devices, and returns what they found out together, without
 * `places` and `next`. */
static struct block end_block_step(struct orbits *orbits) {
    int devices = orbits->exchange->ranks, share = 0;
    struct block all = {};
    struct changed changed = {};

    for (int d = 0; d < devices && devices > 1; d++) {
        struct device *device = use(orbits, d);

        note_changes<<<device->blocks, THREADS>>>(device->flight, device->changes);
        CUDA_CHECK(cudaGetLastError());
    }
    for (int d = 0; d < devices; d++) {
        struct block own;

        CUDA_CHECK(
            cudaMemcpy(&own, use(orbits, d)->flight.block, sizeof own, cudaMemcpyDeviceToHost));
        all.due = own.due;
        all.left = max(all.left, own.left);
        all.stuck |= own.stuck;
        changed.of[d] = own.changed;
        share = max(share, own.changed);
    }
    if (share > 0)
        tell_changes(orbits, &changed, share);
    return all;
}

struct orbits *orbits_create(const struct orbits_parameters *parameters, const struct star *in,
                             struct star *out) {
    struct orbits *orbits = (struct orbits *)calloc(1, sizeof *orbits);

    if (!orbits || !(orbits->exchange = exchange_create(DEVICES)))
        return NULL;
    orbits->in = in;
    orbits->out = out;
    orbits->tuner = {4, 1.5, INFINITY};
    for (int d = 0; d < orbits->exchange->ranks; d++)
        if (device_create(use(orbits, d), parameters))
            return NULL;
    changes_create(orbits);
    return orbits;
}

int orbits_run(struct orbits *orbits, int intervals) {
    int n = orbits->devices[0].flight.n, blocks = divide_up(n, THREADS);
    size_t bytes = n * sizeof *orbits->in;

    if (n == 0)
        return 0;
    for (int d = 0; d < orbits->exchange->ranks; d++) {
        struct device *device = use(orbits, d);
        struct flight flight = device->flight;

        CUDA_CHECK(cudaMemcpy(flight.stars, orbits->in, bytes, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(flight.list, 0, list_bytes(n))); /* for an unwritten part 2 */
        enter<<<blocks, THREADS>>>(flight);
        device->errand.is_first = 1;
    }
    orbits->block_steps = orbits->trees = orbits->steps = 0;
    if (move(orbits, intervals)) {
        fprintf(stderr, "time does not go on: a body's step fell below an interval's 2^-24, or a "
                        "body that was due is in no group and its step never ended\n");
        return 1;
    }
    struct flight flight = use(orbits, 0)->flight;

    leave<<<blocks, THREADS>>>(flight);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(orbits->out, flight.stars, bytes, cudaMemcpyDeviceToHost));
    for (int d = 1; d < orbits->exchange->ranks; d++) { /* which may still be fetching changes */
        use(orbits, d);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    return 0;
}

void orbits_destroy(struct orbits *orbits) {
    for (int d = 0; d < orbits->exchange->ranks; d++)
        device_destroy(use(orbits, d));
    exchange_destroy(orbits->exchange);
    free(orbits);
}

#endif
