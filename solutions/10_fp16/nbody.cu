/* Step 10: half precision, in three ways:
 *   SEED       bodies, differences and the change of velocity in half; r^2, root and sums in float
 *   PURE_HALF  everything in half, without a conversion
 *   HALF2      two bodies j at a time, their differences in half; bodies and all else in float */
#include <cuda_fp16.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "nbody.h"

static const int unroll = UNROLL; /* the preprocessor expands no macro in a #pragma */

#ifdef HALF2
typedef float number;
#else
/* part 1, 1 line: What a coordinate is stored as. */
typedef __half number;
/* until solved:
typedef float number;
*/
/* end of part 1 */
#endif
#ifdef PURE_HALF
typedef __half sum;
#else
typedef float sum;
#endif

#define NUMBER number /* of bodies.h */
#include "bodies.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct bodies host, device;
};

/* F += r / (r^2 + softening)^(3/2). In half the softening, 1e-9, is zero, and a body's own term
 * would be zero times infinity. */
__device__ static void add_force(sum dx, sum dy, sum dz, sum softening, sum *fx, sum *fy, sum *fz) {
    sum distance_squared = dx * dx + dy * dy + dz * dz + softening;
#ifdef PURE_HALF
    /* part 2, 3 lines: The root in half; and no force of a body on itself. */
    if (__heq(distance_squared, 0))
        return;
    sum inverse_distance = hrsqrt(distance_squared);
    /* until solved:
    sum inverse_distance = 0;
    (void)&distance_squared;
    */
    /* end of part 2 */
#else
    sum inverse_distance = rsqrtf(distance_squared);
#endif
    sum inverse_cube = inverse_distance * inverse_distance * inverse_distance;

    *fx += dx * inverse_cube;
    *fy += dy * inverse_cube;
    *fz += dz * inverse_cube;
}

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. One
 * thread per body. A tile has as many bodies as a block has threads. */
__global__ void update_velocities(struct bodies bodies, struct parameters parameters) {
    __shared__ __half2 tile_x[THREADS / 2], tile_y[THREADS / 2], tile_z[THREADS / 2];
    __half *halves_x = (__half *)tile_x, *halves_y = (__half *)tile_y, *halves_z = (__half *)tile_z;
    int n = parameters.n;
    sum dt = parameters.dt, softening = parameters.softening;
    sum fx = 0, fy = 0, fz = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? i : n - 1; /* all threads meet at the barriers */
    __half x = bodies.x[own], y = bodies.y[own], z = bodies.z[own];

    for (int start = 0; start < n; start += THREADS) {
        int length = n - start < THREADS ? n - start : THREADS;
        int slot = threadIdx.x, from = start + slot;

        if (from < n) {
            halves_x[slot] = bodies.x[from];
            halves_y[slot] = bodies.y[from];
            halves_z[slot] = bodies.z[from];
        } else if (from == n) { /* beside the last of an odd number: too far to pull */
            halves_x[slot] = halves_y[slot] = halves_z[slot] = 30000;
        }
        __syncthreads();
#ifdef HALF2
        __half2 x2 = __half2half2(x), y2 = __half2half2(y), z2 = __half2half2(z);
#pragma unroll unroll
        for (int j = 0; j < (length + 1) / 2; j++) {
            /* part 3, 3 lines: The differences of two bodies j at once, in half; then floats. */
            float2 dx = __half22float2(__hsub2(tile_x[j], x2));
            float2 dy = __half22float2(__hsub2(tile_y[j], y2));
            float2 dz = __half22float2(__hsub2(tile_z[j], z2));
            /* until solved:
            float2 dx = {0, 0}, dy = {0, 0}, dz = {0, 0};
            (void)&x2, (void)&y2, (void)&z2;
            */
            /* end of part 3 */

            add_force(dx.x, dy.x, dz.x, softening, &fx, &fy, &fz);
            add_force(dx.y, dy.y, dz.y, softening, &fx, &fy, &fz);
        }
#else
#pragma unroll unroll
        for (int j = 0; j < length; j++) {
            /* part 4, 3 lines: The differences, in half. */
            sum dx = __hsub(halves_x[j], x);
            sum dy = __hsub(halves_y[j], y);
            sum dz = __hsub(halves_z[j], z);
            /* until solved:
            sum dx = 0, dy = 0, dz = 0;
            (void)&x, (void)&y, (void)&z;
            */
            /* end of part 4 */

            add_force(dx, dy, dz, softening, &fx, &fy, &fz);
        }
#endif
        __syncthreads();
    }
    if (i >= n)
        return;
    /* part 5, 3 lines: The change of velocity, rounded to what is stored. */
    bodies.vx[own] += (number)(dt * fx);
    bodies.vy[own] += (number)(dt * fy);
    bodies.vz[own] += (number)(dt * fz);
    /* until solved:
    (void)&dt;
    */
    /* end of part 5 */
}

/* x += dt v for every body; only now, since all forces need the old positions. */
__global__ void update_positions(struct bodies bodies, struct parameters parameters) {
    number dt = parameters.dt;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= parameters.n)
        return;
    bodies.x[i] += dt * bodies.vx[i];
    bodies.y[i] += dt * bodies.vy[i];
    bodies.z[i] += dt * bodies.vz[i];
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t n = parameters->n, bytes = n * 6 * sizeof(number);
    number *host = (number *)malloc(bytes), *device;

    if (!simulation || !host) {
        free(simulation);
        free(host);
        return NULL;
    }
    CUDA_CHECK(cudaMalloc(&device, bytes));
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    simulation->host = arrays(host, n);
    simulation->device = arrays(device, n);
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct bodies host = simulation->host, device = simulation->device;
    size_t bytes = parameters.n * 6 * sizeof(number);
    int blocks = (parameters.n + THREADS - 1) / THREADS;

    transpose(host.x, &simulation->in->x, parameters.n, 6);
    CUDA_CHECK(cudaMemcpy(device.x, host.x, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        update_velocities<<<blocks, THREADS>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
        update_positions<<<blocks, THREADS>>>(device, parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host.x, device.x, bytes, cudaMemcpyDeviceToHost));
    transpose(&simulation->out->x, host.x, 6, parameters.n);
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->device.x));
    free(simulation->host.x);
    free(simulation);
}
