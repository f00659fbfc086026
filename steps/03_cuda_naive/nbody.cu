/* Step 03: one thread per body computes the forces on the GPU; the host moves the positions. */
#include "cuda_check.h"
#include "nbody.h"

struct simulation {
    struct parameters parameters;
    const struct body *in;
    struct body *out;
    struct body *device; /* memory for n bodies */
};

/* 1 / r^3, given r^2. */
__device__ static float inverse_cube(float distance_squared) {
    float inverse_distance = 1.0f / sqrtf(distance_squared);

    return inverse_distance * inverse_distance * inverse_distance;
}

/* v += dt F for every body, F = sum of r_ij / (r_ij^2 + softening)^(3/2) over all bodies. A body's
 * own term is zero, so it needs no test. One thread per body. */
__global__ void update_velocities(struct body *bodies, struct parameters parameters) {
    int n = parameters.n;
    float dt = parameters.dt, softening = parameters.softening;
    float fx = 0, fy = 0, fz = 0;
    /* part 1, 3 lines: The thread's own body; threads beyond the last body end here. */
    /* until solved */
    int i = 0;
    /* end of until solved */
    /* end of part 1 */
    float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;

    for (int j = 0; j < n; j++) {
        float dx = bodies[j].x - x;
        float dy = bodies[j].y - y;
        float dz = bodies[j].z - z;
        float scale = inverse_cube(dx * dx + dy * dy + dz * dz + softening);

        fx += dx * scale;
        fy += dy * scale;
        fz += dz * scale;
    }
    bodies[i].vx += dt * fx;
    bodies[i].vy += dt * fy;
    bodies[i].vz += dt * fz;
}

/* x += dt v for every body; only now, since all forces need the old positions. */
static void update_positions(struct body *bodies, struct parameters parameters) {
    float dt = parameters.dt;

    for (int i = 0; i < parameters.n; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

struct simulation *simulation_create(const struct parameters *parameters, const struct body *in,
                                     struct body *out) {
    struct simulation *simulation = (struct simulation *)malloc(sizeof *simulation);
    size_t bytes = parameters->n * sizeof *in;

    if (!simulation)
        return NULL;
    simulation->parameters = *parameters;
    simulation->in = in;
    simulation->out = out;
    /* part 2, 1 line: Memory on the GPU for n bodies. */
    /* until solved */
    simulation->device = NULL;
    (void)&bytes;
    /* end of until solved */
    /* end of part 2 */
    return simulation;
}

int simulation_run(struct simulation *simulation, int iterations) {
    struct parameters parameters = simulation->parameters;
    struct body *host = simulation->out, *device = simulation->device;
    size_t bytes = parameters.n * sizeof(struct body);
    int threads = THREADS, blocks = (parameters.n + threads - 1) / threads;

    memcpy(host, simulation->in, bytes);
    for (int iteration = 0; iteration < iterations; iteration++) {
        /* part 3, 4 lines: Copy to the GPU; launch, and check the launch; copy back. */
        /* until solved */
        (void)&device, (void)&blocks;
        /* end of until solved */
        /* end of part 3 */
        update_positions(host, parameters);
    }
    return 0;
}

void simulation_destroy(struct simulation *simulation) {
    /* part 4, 1 line: What part 2 allocated is freed. */
    /* end of part 4 */
    free(simulation);
}
