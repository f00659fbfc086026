
/* The rest of every step of the folder right/: test_kernels.c puts it behind each. A step defines
 * update_velocities(), which returns 0 when done; with OWN_HOST the contract's functions, too.
 * Positions and velocities are apart, so that no thread reads what another one writes. */

/* Adds the attraction that `other` has for a body at `position`. */
static __device__ void attract(float3 *force, float4 position, float4 other, float softening) {
    float dx = other.x - position.x, dy = other.y - position.y, dz = other.z - position.z;
    float distance_squared = dx * dx + dy * dy + dz * dz + softening;
    float inverse_distance = 1.0f / sqrtf(distance_squared);
    float inverse_cube = inverse_distance * inverse_distance * inverse_distance;

    force->x += dx * inverse_cube;
    force->y += dy * inverse_cube;
    force->z += dz * inverse_cube;
}

/* v += dt F for one body. */
static __device__ void kick(float4 *velocity, float3 force, float dt) {
    velocity->x += dt * force.x;
    velocity->y += dt * force.y;
    velocity->z += dt * force.z;
}

static __global__ void update_positions(float4 *positions, const float4 *velocities,
                                        struct parameters parameters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= parameters.n)
        return;
    positions[i].x += parameters.dt * velocities[i].x;
    positions[i].y += parameters.dt * velocities[i].y;
    positions[i].z += parameters.dt * velocities[i].z;
}

#ifndef OWN_HOST

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    float4 *host;                   /* n positions, then n velocities */
    float4 *positions, *velocities; /* in device memory */
};

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)calloc(1, sizeof *simulation);
    size_t bytes = (size_t)parameters->n * sizeof(float4);

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    simulation->host = (float4 *)malloc(2 * bytes);
    CUDA_CHECK(cudaMalloc(&simulation->positions, bytes));
    CUDA_CHECK(cudaMalloc(&simulation->velocities, bytes));
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    const struct body *in = simulation->in;
    struct body *out = simulation->out;
    float4 *host = simulation->host;
    int n = parameters.n;
    size_t bytes = n * sizeof(float4);

    for (int i = 0; i < n; i++) {
        host[i] = make_float4(in[i].x, in[i].y, in[i].z, 0);
        host[n + i] = make_float4(in[i].vx, in[i].vy, in[i].vz, 0);
    }
    CUDA_CHECK(cudaMemcpy(simulation->positions, host, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(simulation->velocities, host + n, bytes, cudaMemcpyHostToDevice));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (update_velocities(simulation->positions, simulation->velocities, parameters))
            return 1;
        update_positions<<<(n + 255) / 256, 256>>>(simulation->positions, simulation->velocities,
                                                   parameters);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(host, simulation->positions, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(host + n, simulation->velocities, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        const float4 position = host[i], velocity = host[n + i];

        out[i] = {position.x, position.y, position.z, velocity.x, velocity.y, velocity.z};
    }
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    CUDA_CHECK(cudaFree(simulation->positions));
    CUDA_CHECK(cudaFree(simulation->velocities));
    free(simulation->host);
    free(simulation);
}

#endif
