/* Step 43: bodies move by forces from an octree. Every body has a time step of its own, a power of
 * two, and those that are due at one time walk. The tree is kept over many block steps: its nodes
 * follow their bodies, and grow, until a new tree costs less than the old one wastes. */
#define HILBERT 1
#define MOMENTS 0

#include "orbit_devices.h"

__device__ float4 predict(const struct orbiter *orbiter, ticks time, float tick) {
    struct orbiter own = *orbiter;

    /* part 1, 4 lines: The Taylor series from the orbiter's own time, up to the acceleration. */
    float dt = (float)(time - own.time) * tick;
    own.at.x += dt * (own.v.x + dt / 2 * own.a.x);
    own.at.y += dt * (own.v.y + dt / 2 * own.a.y);
    own.at.z += dt * (own.v.z + dt / 2 * own.a.z);
    /* until solved:
    (void)time, (void)tick;
    */
    /* end of part 1 */
    return own.at;
}

/* Predicts orbiter i, if there is one; returns a bit for each lane of the warp whose orbiter is
 * due, and raises *left to what the interval has left at the end of its step if it is not due. */
__device__ unsigned predict_in_warp(const struct flight *flight, int i, ticks time, ticks *left) {
    bool due = false;

    if (i < flight->n) {
        const struct orbiter *own = &flight->orbiters[i];
        ticks end = own->time + own->step;

        flight->places[i] = predict(own, time, flight->tick);
        due = end == time;
        if (!due)
            *left = max(*left, INTERVAL - end);
    }
    return __ballot_sync(ALL_LANES, due);
}

/* Predicts all orbiters, and makes groups of those that are due. Groups of a tile are of nearly the
 * same size, so neighbours stay together where few are due. */
__global__ void choose(struct flight flight, ticks time) {
    __shared__ int counts[WARP], first, all; /* of warps in all rounds; of the tile */
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, tile = blockIdx.x * TILE;
    unsigned due[TILE_ROUNDS];
    ticks left = 0;

    for (int r = 0; r < TILE_ROUNDS; r++) {
        due[r] = predict_in_warp(&flight, tile + r * THREADS + threadIdx.x, time, &left);
        if (lane == 0)
            counts[r * (THREADS / WARP) + warp] = __popc(due[r]);
    }
    raise_to(&flight.block->left, left);
    __syncthreads();
    if (warp == 0) {
        int sum;

        counts[lane] = before(counts[lane], lane, &sum);
        if (lane == 0) {
            all = sum;
            first = atomicAdd(&flight.block->places, divide_up(sum, GROUP) * GROUP);
            atomicAdd(&flight.block->due, sum);
        }
    }
    __syncthreads();
    if (all == 0)
        return;
    int size = divide_up(all, divide_up(all, GROUP)); /* of a group */

    for (int r = 0; r < TILE_ROUNDS; r++) {
        int i = tile + r * THREADS + threadIdx.x;
        int k = counts[r * (THREADS / WARP) + warp];

        /* part 2, 3 lines: Write each due orbiter into the list, at its place in its group. */
        k += __popc(due[r] & ((1u << lane) - 1));
        if (due[r] >> lane & 1)
            flight.list[first + k / size * GROUP + k % size] = i;
        /* until solved:
        (void)i, (void)k;
        */
        /* end of part 2 */
    }
    __syncthreads();
    fill_up(&flight.list[first], all, size);
}

/* Centres of mass of a generation of nodes, how far their bodies are from there, and from which
 * distances they are accepted. Eight lanes work on a node. */
__device__ void follow(const struct job *job, const struct errand *errand,
                       const struct flight *flight, int depth) {
    struct generation own = job->generations[depth];
    int end = own.begin + own.count, lane = threadIdx.x % CHILDREN;
    int eight = (blockIdx.x * THREADS + threadIdx.x) / CHILDREN;

    for (int first = own.begin; first < end; first += gridDim.x * THREADS / CHILDREN) {
        int i = first + eight;
        int4 links = i < end ? job->links[i] : make_int4(0, 0, 0, 0);
        float4 centre = centre_of(flight, links, lane);
        const float4 *parts = parts_of(flight, links);
        float reach = 0;

        for (int k = lane; k < (links.w ? links.w : links.y); k += CHILDREN) {
            float4 part = parts[k];
            float x = part.x - centre.x, y = part.y - centre.y, z = part.z - centre.z;

            /* part 3, 2 lines: Distance of the body, or of the child's centre plus its reach. */
            float farthest = sqrtf(x * x + y * y + z * z);
            reach = fmaxf(reach, farthest + (links.w ? flight->reach[links.z + k] : 0));
            /* until solved:
            reach = INFINITY, (void)x, (void)y, (void)z;
            */
            /* end of part 3 */
        }
        for (int half = CHILDREN / 2; half; half /= 2)
            reach = fmaxf(reach, __shfl_xor_sync(ALL_LANES, reach, half));
        if (lane == 0 && i < end) {
            flight->centres[i] = centre;
            flight->reach[i] = reach;
            errand->sizes[i] = size_of(errand, centre.w, reach);
        }
    }
}

/* All nodes, from the deepest generation up to the root. */
__global__ void __launch_bounds__(THREADS, BLOCKS)
    follow_all(struct job job, struct errand errand, struct flight flight) {
    unsigned goal = 0;
    int depth = 0;

    while (job.generations[depth].count > 0)
        depth++;
    while (depth-- > 0) {
        follow(&job, &errand, &flight, depth);
        grid_barrier(&flight.block->arrived, goal += gridDim.x);
    }
}

/* Ends an orbiter's step, at whose predicted place it feels a. */
__device__ void end_step(struct orbiter *orbiter, float4 predicted, float3 a, ticks time,
                         const struct flight *flight) {
    struct orbiter own = *orbiter;
    float dt = (float)own.step * flight->tick;

    /* part 4, 6 lines: Runge-Kutta of the second order: the mean of both accelerations. */
    own.v.x += dt / 2 * (own.a.x + a.x);
    own.v.y += dt / 2 * (own.a.y + a.y);
    own.v.z += dt / 2 * (own.a.z + a.z);
    predicted.x += MEAN_PLACE * dt * dt / 4 * (a.x - own.a.x);
    predicted.y += MEAN_PLACE * dt * dt / 4 * (a.y - own.a.y);
    predicted.z += MEAN_PLACE * dt * dt / 4 * (a.z - own.a.z);
    /* until solved:
    (void)dt;
    */
    /* end of part 4 */
    float wanted = sqrtf(flight->push / sqrtf(a.x * a.x + a.y * a.y + a.z * a.z));

    own.at = predicted;
    own.a = a;
    own.step = next_step(own.step ? own.step : INTERVAL, time, wanted);
    own.time = time % INTERVAL;
    *orbiter = own;
}

/* Step 42's walk, for this device's groups of those that are due. */
__global__ void __launch_bounds__(THREADS, WALK_BLOCKS)
    walk_due(struct errand errand, struct flight flight, ticks time) {
    __shared__ float4 lists[THREADS / WARP][LIST];
    int warp = threadIdx.x / WARP, number = blockIdx.x * (THREADS / WARP) + warp;
    int *waiting = errand.waiting + (size_t)number * MOST_WAITING;
    struct group group = {};
    ticks left = 0;

    group.softening_squared = errand.softening_squared;
    group.lane = threadIdx.x % WARP;
    for (;;) {
        int first = next_due(&errand, &flight), own[PER_LANE];

        if (first >= flight.block->places)
            break;
        for (int p = 0; p < PER_LANE; p++) {
            own[p] = flight.list[first + p * WARP + group.lane];
            int i = own[p] < 0 ? ~own[p] : own[p];
            float3 a = flight.orbiters[i].a;

            group.own[p] = errand.bodies[i];
            group.known[p] = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
        }
        group.size = GROUP;
        for (group.begin = 0; group.begin < GROUP;) {
            struct counts counts;

            if (!walk_tree(&errand, &group, waiting, lists[warp], &counts)) {
                group.size /= 2;
                continue;
            }
            for (int p = 0; p < PER_LANE; p++)
                if (walks(&group, p) && own[p] >= 0) {
                    struct orbiter *orbiter = &flight.orbiters[own[p]];

                    end_step(orbiter, group.own[p], group.a[p], time, &flight);
                    left = max(left, INTERVAL - orbiter->time - orbiter->step);
                    if (orbiter->step < SHORTEST)
                        flight.block->stuck = 1;
                }
            group.begin += group.size;
            group.size = group.begin & -group.begin; /* the largest that halving gives here */
        }
    }
    raise_to(&flight.block->left, left);
}

/* Devices work at the same time: a launch only queues. */
static struct block block_step(struct orbits *orbits, ticks time) {
    for (int d = 0; d < orbits->exchange->ranks; d++) {
        struct device *device = use(orbits, d);
        struct flight flight = device->flight;
        int tiles = divide_up(flight.n, TILE);

        CUDA_CHECK(cudaMemsetAsync(flight.block, 0, sizeof *flight.block));
        choose<<<tiles, THREADS>>>(flight, time);
        follow_all<<<device->tree->blocks, THREADS>>>(device->tree->job, device->errand, flight);
        walk_due<<<device->blocks, THREADS>>>(device->errand, flight, time);
        CUDA_CHECK(cudaGetLastError());
        device->errand.is_first = 0;
    }
    struct block block = end_block_step(orbits);

    orbits->block_steps++;
    orbits->steps += block.due;
    return block;
}

/* Sets `kept` for the next interval. A block step of the last interval took `took` seconds on
 * average, with its share of the trees. */
static void tune(struct tuner *tuner, double took) {
    /* part 5, 4 lines: If steps became slower, invert `factor`; change `kept`, from 1 to 64. */
    if (took > tuner->took)
        tuner->factor = 1 / tuner->factor;
    tuner->kept = fmin(fmax(tuner->kept * tuner->factor, 1), 64);
    tuner->took = took;
    /* until solved:
    (void)tuner, (void)took;
    */
    /* end of part 5 */
}

static int move(struct orbits *orbits, int intervals) {
    struct tuner *tuner = &orbits->tuner;
    double begin = seconds();
    int age = 0, steps = 0; /* of the tree, and of the interval */
    ticks time = 0;

    for (int done = 0; done < intervals;) {
        if (age == 0)
            make_trees(orbits, time);
        struct block block = block_step(orbits, time);

        if (block.stuck || (time < INTERVAL && INTERVAL - block.left <= time))
            return 1;
        age = (age + 1) % (KEPT ? KEPT : max(1, (int)(tuner->kept + 0.5)));
        steps++;
        if (time == INTERVAL) {
            done++;
            tune(tuner, (seconds() - begin) / steps);
            begin = seconds();
            steps = 0;
        }
        time = INTERVAL - block.left;
    }
    return 0;
}
