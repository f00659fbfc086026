/* Step 17: several GPUs, each with a share of the bodies. Positions travel while forces are summed
 * from those that are there. */
#include "ranks.h"

/* Body k of a range, k < range.count. */
__device__ static float4 body_of(const float4 *positions, int n, struct range range, int k) {
    /* part 1, 3 lines: Body k of the range; after body n - 1 comes body 0. */
    /* until solved */
    (void)n, (void)&range;
    return positions[k];
    /* end of until solved */
    /* end of part 1 */
}

/* What the bodies of a range add to the force on each own body, per unit of its mass: the sum of
 * m_j r_ij / (r_ij^2 + softening)^(3/2), with one part of the range for each blockIdx.y. It is step
 * 14's kernel: THREADS * BODIES own bodies per block, BODIES per thread. */
template <int HAS_MASSES>
__global__ void sum_forces(const float4 *positions, int n, struct range own, struct grid grid,
                           float softening, float3 *forces) {
    __shared__ float4 tile[THREADS];
    float x[BODIES], y[BODIES], z[BODIES];
    float fx[BODIES] = {}, fy[BODIES] = {}, fz[BODIES] = {};
    int first = blockIdx.x * THREADS * BODIES + threadIdx.x;
    int from = blockIdx.y * grid.part, to = min(from + grid.part, grid.others.count);
    float4 next = {};

    for (int b = 0; b < BODIES; b++) {
        /* All threads meet at the barriers. Single loads: see step 14. */
        int i = min(first + b * THREADS, own.count - 1);
        const float *position = &positions[own.first + i].x;

        x[b] = position[0], y[b] = position[1], z[b] = position[2];
    }
    if (from + (int)threadIdx.x < to)
        next = body_of(positions, n, grid.others, from + threadIdx.x);
    for (int start = from; start < to; start += THREADS) {
        int length = min(to - start, THREADS);
        float tx[BODIES] = {}, ty[BODIES] = {}, tz[BODIES] = {}; /* of this tile */

        __syncthreads();
        tile[threadIdx.x] = next;
        __syncthreads();
        if (start + THREADS + (int)threadIdx.x < to) /* arrives while this tile is summed */
            next = body_of(positions, n, grid.others, start + THREADS + threadIdx.x);
#pragma unroll 8
        for (int j = 0; j < length; j++) {
            float4 other = tile[j];

#pragma unroll
            for (int b = 0; b < BODIES; b++) {
                float dx = other.x - x[b];
                float dy = other.y - y[b];
                float dz = other.z - z[b];
                float inverse = rsqrtf(softening + dx * dx + dy * dy + dz * dz);
                float scale = (HAS_MASSES ? other.w * inverse : inverse) * (inverse * inverse);

                tx[b] += dx * scale;
                ty[b] += dy * scale;
                tz[b] += dz * scale;
            }
        }
        for (int b = 0; b < BODIES; b++) {
            fx[b] += tx[b];
            fy[b] += ty[b];
            fz[b] += tz[b];
        }
    }
    for (int b = 0; b < BODIES; b++) {
        int i = first + b * THREADS;

        if (i < own.count)
            forces[(size_t)(grid.row + blockIdx.y) * own.count + i] =
                make_float3(fx[b], fy[b], fz[b]);
    }
}

/* v += dt F and x += dt v for every own body, F the sum over the rows in their order. The old
 * positions stay: other ranks may still be fetching them. */
__global__ void move(const float4 *positions, float4 *next, float3 *velocities,
                     const float3 *forces, struct range own, int rows, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= own.count)
        return;
    float3 force = {0, 0, 0}, velocity = velocities[i];
    float4 position = positions[own.first + i];

    for (int row = 0; row < rows; row++) {
        float3 more = forces[(size_t)row * own.count + i];

        force.x += more.x;
        force.y += more.y;
        force.z += more.z;
    }
    velocity.x += dt * force.x;
    velocity.y += dt * force.y;
    velocity.z += dt * force.z;
    position.x += dt * velocity.x;
    position.y += dt * velocity.y;
    position.z += dt * velocity.z;
    velocities[i] = velocity;
    next[own.first + i] = position;
}

/* The bodies that a rank moves. */
static struct range share_of(int n, int share, int rank) {
    struct range own = {0, n};

    /* part 2, 4 lines: The rank's `share` bodies; the last ranks get what is left, or none. */
    /* until solved */
    (void)share, (void)rank;
    /* end of until solved */
    /* end of part 2 */
    return own;
}

typedef void forces_kernel(const float4 *, int, struct range, struct grid, float, float3 *);

/* Every device sums the forces on its own bodies from the near bodies, or from the far ones. */
static void add_forces(struct simulation *simulation, int distance, int now) {
    const struct exchange *exchange = simulation->exchange;
    const struct parameters *parameters = &simulation->parameters;
    forces_kernel *kernel = simulation->masses ? sum_forces<1> : sum_forces<0>;

    for (int rank = exchange->first; rank < exchange->last; rank++) {
        const struct device *device = &simulation->devices[rank];
        struct grid grid = device->grids[distance];
        dim3 blocks(divide_up(device->own.count, THREADS * BODIES), grid.parts);

        if (!grid.parts)
            continue;
        exchange_use(exchange, rank);
        kernel<<<blocks, THREADS>>>(simulation->positions[now][rank], parameters->n, device->own,
                                    grid, parameters->softening, device->forces);
        CUDA_CHECK(cudaGetLastError());
    }
}

/* Every device moves its own bodies, from where they are now to where they are next. */
static void move_own(struct simulation *simulation, int now) {
    const struct exchange *exchange = simulation->exchange;

    for (int rank = exchange->first; rank < exchange->last; rank++) {
        const struct device *device = &simulation->devices[rank];

        if (!device->own.count)
            continue;
        exchange_use(exchange, rank);
        move<<<divide_up(device->own.count, THREADS), THREADS>>>(
            simulation->positions[now][rank], simulation->positions[!now][rank], device->velocities,
            device->forces, device->own, rows_of(device), simulation->parameters.dt);
        CUDA_CHECK(cudaGetLastError());
    }
}

/* ranks.h creates, loads, stores and destroys the simulation. */
int simulation_run(struct simulation *simulation, int iterations) {
    struct exchange *exchange = simulation->exchange;
    int share = simulation->share, now = 0;

    load(simulation);
    exchange_start(exchange, simulation->positions[now], share);
    for (int iteration = 0; iteration < iterations; iteration++, now = !now) {
        if (!OVERLAP)
            exchange_wait(exchange);
        /* part 3, 4 lines: Forces from the positions already here, then from those that arrive. */
        /* until solved */
        (void)add_forces;
        exchange_wait(exchange);
        /* end of until solved */
        /* end of part 3 */
        /* part 4, 3 lines: Move the own bodies; copy their new positions if still needed. */
        /* until solved */
        (void)move_own;
        /* end of until solved */
        /* end of part 4 */
    }
    store(simulation, now);
    return 0;
}
