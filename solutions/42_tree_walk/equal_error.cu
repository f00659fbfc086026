/* Seconds for the forces on all bodies, by the device's clock, and the errors of a sample. The
 * forces are those of a tree, over its accuracy, or of all pairs, in Plummer spheres of equal
 * masses. equal_error.sh compiles it with the source and flags of a variant of step 42, 14 or 16:
 *
 *     equal_error NAME N ...
 *
 * For each N it prints a line `NAME,N,accuracy,median,p99,seconds`; for a tree, a line for each
 * accuracy 2^-1, 2^-2, ... until 99% of the errors are below ENOUGH, or to FINEST; for all pairs,
 * one with accuracy 0. Errors are relative to the acceleration, which is summed in double. Building
 * the tree with its sort is part of its time; step 16's sort is before what is timed. */
#include SOURCE

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <vector>

extern "C" {
#include "problems/stars/systems.h"
}

static const float softening = 1.0f / 256;
#define ENOUGH 1e-5
#define FINEST (1.0 / (1 << 21)) /* where rounding is most of the error of many bodies */

enum { SAMPLE = 4096, BLOCK = 128, TIMES = 5 };

static std::vector<float4> make_bodies(int n) {
    std::vector<struct star> stars(n);
    std::vector<float4> bodies(n);

    stars_plummer(stars.data(), n, 1);
    for (int i = 0; i < n; i++) {
        const double *x = stars[i].x;

        bodies[i] = {(float)x[0], (float)x[1], (float)x[2], 1.0f / (float)n};
    }
    return bodies;
}

/* A block sums up what body step * blockIdx.x feels. */
static __global__ void sum_sample(const float4 *bodies, int n, int step, double *right) {
    __shared__ double sums[3][BLOCK];
    float4 own = bodies[(size_t)step * blockIdx.x];
    double sum[3] = {};

    for (int j = threadIdx.x; j < n; j += BLOCK) {
        double r[] = {(double)bodies[j].x - own.x, (double)bodies[j].y - own.y,
                      (double)bodies[j].z - own.z};
        double s2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + (double)softening * softening;

        for (int k = 0; k < 3; k++)
            sum[k] += bodies[j].w / (s2 * sqrt(s2)) * r[k];
    }
    for (int k = 0; k < 3; k++)
        sums[k][threadIdx.x] = sum[k];
    __syncthreads();
    if (threadIdx.x < 3)
        for (int t = 0; t < BLOCK; t++)
            right[3 * blockIdx.x + threadIdx.x] += sums[threadIdx.x][t];
}

/* Prints median and 99th percentile of the errors, and returns the latter. `bodies` are in the
 * device's memory. */
template <class Force> static double say_errors(const float4 *bodies, int n, const Force *forces) {
    int step = (n + SAMPLE - 1) / SAMPLE, count = (n + step - 1) / step;
    std::vector<double> right(3 * (size_t)count), errors(count);
    double *on_device;

    CUDA_CHECK(cudaMalloc(&on_device, right.size() * sizeof right[0]));
    CUDA_CHECK(cudaMemset(on_device, 0, right.size() * sizeof right[0]));
    sum_sample<<<count, BLOCK>>>(bodies, n, step, on_device);
    CUDA_CHECK(cudaMemcpy(right.data(), on_device, right.size() * sizeof right[0],
                          cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(on_device));
    for (int i = 0; i < count; i++) {
        const double *a = &right[3 * (size_t)i];
        Force f = forces[(size_t)step * i];

        errors[i] = sqrt((pow(f.x - a[0], 2) + pow(f.y - a[1], 2) + pow(f.z - a[2], 2)) /
                         (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
    }
    std::sort(errors.begin(), errors.end());
    double p99 = errors[(size_t)(count * 0.99)];

    printf("%.3g,%.3g,", errors[count / 2], p99);
    return p99;
}

/* The median of the seconds that `pass` takes. */
template <class Pass> static void say_seconds(Pass pass) {
    std::vector<float> milliseconds(TIMES);
    cudaEvent_t marks[2];

    for (cudaEvent_t &mark : marks)
        CUDA_CHECK(cudaEventCreate(&mark));
    pass();
    for (float &time : milliseconds) {
        CUDA_CHECK(cudaEventRecord(marks[0]));
        pass();
        CUDA_CHECK(cudaEventRecord(marks[1]));
        CUDA_CHECK(cudaEventSynchronize(marks[1]));
        CUDA_CHECK(cudaEventElapsedTime(&time, marks[0], marks[1]));
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    printf("%.4g\n", 1e-3 * milliseconds[TIMES / 2]);
    fflush(stdout);
}

#ifdef WALK_H
static void measure_all(const char *name, int n) {
    std::vector<float4> bodies = make_bodies(n);
    std::vector<struct walk_force> forces(n);
    struct walk_parameters parameters = {n, 16, softening, 0.7, 1};
    struct walk *walk =
        walk_create(&parameters, (const struct tree_body *)bodies.data(), forces.data());

    if (!walk)
        exit(1);
    for (double p99 = 1, accuracy = 0.5; p99 > ENOUGH && accuracy >= FINEST; accuracy /= 2) {
        walk->errand.accuracy = (float)accuracy;
        walk_run(walk, 2);
        printf("%s,%d,%.4g,", name, n, accuracy);
        p99 = say_errors((const float4 *)walk->tree->job.bodies, n, forces.data());
        say_seconds([=] { walk_passes(walk, 1); });
    }
    walk_destroy(walk);
}
#else
/* A step of time so small that no body moves, and the velocities are the forces. */
static void measure_all(const char *name, int n) {
    const float dt = (float)ldexp(1, -40);
    std::vector<float4> bodies = make_bodies(n), forces(n);
    std::vector<struct body> in(n), out(n);
    std::vector<float> masses(n, 1.0f / (float)n);
    struct parameters parameters = {n, dt, softening * softening};
    struct simulation *simulation =
        simulation_create_with_masses(&parameters, in.data(), masses.data(), out.data());
    float4 *on_device;

    for (int i = 0; i < n; i++)
        in[i] = {bodies[i].x, bodies[i].y, bodies[i].z, 0, 0, 0};
    if (!simulation || simulation_run(simulation, 1))
        exit(1);
    for (int i = 0; i < n; i++)
        forces[i] = {out[i].vx / dt, out[i].vy / dt, out[i].vz / dt, 0};
    CUDA_CHECK(cudaMalloc(&on_device, n * sizeof *on_device));
    CUDA_CHECK(cudaMemcpy(on_device, bodies.data(), n * sizeof *on_device, cudaMemcpyHostToDevice));
    printf("%s,%d,0,", name, n);
    say_errors(on_device, n, forces.data());
    say_seconds([=] { simulation_forces(simulation, 1); });
    CUDA_CHECK(cudaFree(on_device));
    simulation_destroy(simulation);
}
#endif

int main(int count, char **arguments) {
    for (int k = 2; k < count; k++)
        measure_all(arguments[1], atoi(arguments[k]));
    return count > 2 ? 0 : 3;
}
