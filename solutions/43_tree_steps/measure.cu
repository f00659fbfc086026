/* Times and errors of a variant that no row of a record has: seconds per block step and each
 * function's share, the change of the energy, and what becomes of the model of M31 in a billion
 * years.
 *
 *     make -C common ../build/problems.a
 *     nvcc -O3 -std=c++17 -arch=native -ftz=true FLAGS -DSOURCE='"SOURCE"' -Icommon \
 *         -Icommon/include -Icommon/kit -Xcompiler -fopenmp -o measure \
 *         solutions/43_tree_steps/measure.cu build/problems.a
 *     ./measure seconds MODEL N LEAF ACCURACY ETA INTERVALS
 *     ./measure energy MODEL N LEAF ACCURACY ETA INTERVALS
 *     ./measure steps MODEL N LEAF ACCURACY ETA INTERVALS
 *     ./measure shells N LEAF ACCURACY ETA INTERVALS
 *
 * with flags and source of a variant, of the step's manifest. MODEL is m31, with an interval of
 * 1/256 (3.8 million years) and a softening of 1/64 kpc; plummer, with 1/32 and 1/64; or cube, for
 * the largest numbers of bodies, with 1/64 and 1/1024. It prints lines `name value unit`. `steps`
 * is for a profiler: it only moves the bodies, and says how fast the device could be. */
#include SOURCE

#include <string.h>

#include <algorithm>
#include <vector>

extern "C" {
#include "problems/galaxy/galaxy_problem.h"
#include "problems/random.h"
#include "problems/stars/systems.h"
}

static struct galaxy_parameters m31(int n) {
    struct galaxy_parameters p = {
        n, {8.11e11, 8e9, 3.24e10, 3.66e10}, {7.63, 9, 0.61, 5.4}, 2.2, 260, 0.6, 1.8};

    for (int c = 0; c < COMPONENTS; c++)
        p.mass[c] /= SOLAR_MASSES;
    return p;
}

/* Bodies at rest, in a cube of side 1: cheap to make. */
static void make_cube(struct star *stars, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct random random = random_of(1, (uint64_t)i);

        stars[i] = {
            1.0 / n, {random_unit(&random), random_unit(&random), random_unit(&random)}, {}};
    }
}

static struct orbits_parameters make(const char *model, int n, struct star *stars) {
    struct orbits_parameters parameters = {n, 16, 1.0 / 64, 0.7, 0, 0, 1.0 / 32};

    if (!strcmp(model, "m31")) {
        struct galaxy_parameters galaxy = m31(n);

        if (galaxy_make(&galaxy, GALAXY_RIGHT, 1, 1, 1, stars))
            exit(1);
        parameters.interval = 1.0 / 256;
    } else if (!strcmp(model, "cube")) {
        make_cube(stars, n);
        parameters.interval = 1.0 / 64;
        parameters.softening = 1.0 / 1024;
    } else {
        stars_plummer(stars, n, 1);
    }
    return parameters;
}

/* The loop of the step, with the time of each function: the time is that of the slowest device. */
enum { TREE, CHOOSE, FOLLOW, WALK, EXCHANGE, FUNCTIONS };

static void wait_for_all(struct orbits *orbits) {
    for (int d = 0; d < orbits->exchange->ranks; d++) {
        use(orbits, d);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

static void measure_shares(struct orbits *orbits, int intervals) {
    static const char *const names[FUNCTIONS] = {"tree", "choose", "follow", "walk", "exchange"};
    int devices = orbits->exchange->ranks, steps = 0;
    int kept = KEPT ? KEPT : max(1, (int)(orbits->tuner.kept + 0.5));
    cudaEvent_t marks[MOST_RANKS][FUNCTIONS];
    double sums[FUNCTIONS] = {};
    ticks time = 0;

    for (int d = 0; d < devices; d++)
        for (cudaEvent_t &mark : marks[d]) {
            use(orbits, d);
            CUDA_CHECK(cudaEventCreate(&mark));
        }
    for (int done = 0; done < intervals;) {
        for (int d = 0; d < devices; d++) {
            struct device *device = use(orbits, d);
            struct flight *flight = &device->flight;

            CUDA_CHECK(cudaMemset(flight->block, 0, sizeof *flight->block));
            CUDA_CHECK(cudaEventRecord(marks[d][TREE]));
            if (steps % kept == 0)
                make_tree(device, time);
            CUDA_CHECK(cudaEventRecord(marks[d][CHOOSE]));
            choose<<<divide_up(flight->n, TILE), THREADS>>>(*flight, time);
            CUDA_CHECK(cudaEventRecord(marks[d][FOLLOW]));
            follow_all<<<device->tree->blocks, THREADS>>>(device->tree->job, device->errand,
                                                          *flight);
            CUDA_CHECK(cudaEventRecord(marks[d][WALK]));
            walk_due<<<device->blocks, THREADS>>>(device->errand, *flight, time);
            CUDA_CHECK(cudaEventRecord(marks[d][EXCHANGE]));
        }
        wait_for_all(orbits);
        double begin = seconds();
        struct block block = end_block_step(orbits);

        wait_for_all(orbits);
        sums[EXCHANGE] += seconds() - begin;
        for (int f = 0; f < EXCHANGE; f++) {
            float longest = 0, milliseconds;

            for (int d = 0; d < devices; d++) {
                use(orbits, d);
                CUDA_CHECK(cudaEventElapsedTime(&milliseconds, marks[d][f], marks[d][f + 1]));
                longest = std::max(longest, milliseconds);
            }
            sums[f] += 1e-3 * longest;
        }
        steps++;
        done += time == INTERVAL;
        time = INTERVAL - block.left;
    }
    for (int f = 0; f < FUNCTIONS; f++)
        printf("%s_seconds_per_step %.4g s\n", names[f], sums[f] / steps);
}

static void measure_seconds(struct orbits *orbits, int n, int intervals) {
    double begin, first;

    orbits_run(orbits, intervals); /* loads kernels and tunes */
    begin = seconds();
    orbits_run(orbits, 1);
    first = seconds() - begin;
    long long fewer = orbits->block_steps;

    begin = seconds();
    orbits_run(orbits, 1 + intervals);
    printf("seconds_per_step %.4g s\n",
           (seconds() - begin - first) / (double)(orbits->block_steps - fewer));
    printf("block_steps %lld 1\n", orbits->block_steps - fewer);
    printf("steps_per_tree %.3g 1\n", (double)orbits->block_steps / (double)orbits->trees);
    printf("due %.4f of bodies\n", (double)orbits->steps / (double)orbits->block_steps / n);
    measure_shares(orbits, intervals);
}

/* The potential energy of each body and all others, by direct summation. */
static __global__ void sum_potentials(const struct star *stars, int n, double softening_squared,
                                      double *potentials) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    struct star own = stars[min(i, n - 1)];
    double sum = 0;

    for (int j = 0; j < n; j++) {
        double x = stars[j].x[0] - own.x[0], y = stars[j].x[1] - own.x[1];
        double z = stars[j].x[2] - own.x[2];

        sum -= j == i ? 0 : stars[j].mass * rsqrt(x * x + y * y + z * z + softening_squared);
    }
    if (i < n)
        potentials[i] = own.mass * sum;
}

static double energy_of(const std::vector<struct star> &stars, double softening) {
    int n = (int)stars.size();
    std::vector<double> potentials(n);
    struct star *on_device;
    double *sums, energy = 0;

    CUDA_CHECK(cudaMalloc(&on_device, n * sizeof *on_device));
    CUDA_CHECK(cudaMalloc(&sums, n * sizeof *sums));
    CUDA_CHECK(cudaMemcpy(on_device, stars.data(), n * sizeof *on_device, cudaMemcpyHostToDevice));
    sum_potentials<<<divide_up(n, THREADS), THREADS>>>(on_device, n, softening * softening, sums);
    CUDA_CHECK(cudaMemcpy(potentials.data(), sums, n * sizeof *sums, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(on_device));
    CUDA_CHECK(cudaFree(sums));
    for (int i = 0; i < n; i++) {
        const double *v = stars[i].v;

        energy += (potentials[i] + stars[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])) / 2;
    }
    return energy;
}

/* For each component: the radii with a tenth, a half and nine tenths of its bodies inside, and the
 * root mean square of z, in kpc. */
static void say_shells(const struct galaxy_parameters *p, const std::vector<struct star> &stars,
                       const char *when) {
    static const char *const names[COMPONENTS] = {"halo", "stellar", "bulge", "disk"};

    for (int c = 0; c < COMPONENTS; c++) {
        std::vector<double> radii;
        double z2 = 0;

        for (int i = galaxy_first(p, c); i < galaxy_first(p, c + 1); i++) {
            const double *x = stars[i].x;

            radii.push_back(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
            z2 += x[2] * x[2];
        }
        std::sort(radii.begin(), radii.end());
        size_t all = radii.size();

        printf("%s_radius_10_%s %.4g kpc\n", names[c], when, radii[all / 10]);
        printf("%s_radius_50_%s %.4g kpc\n", names[c], when, radii[all / 2]);
        printf("%s_radius_90_%s %.4g kpc\n", names[c], when, radii[all * 9 / 10]);
        printf("%s_height_%s %.4g kpc\n", names[c], when, sqrt(z2 / (double)all));
    }
}

/* A multiprocessor has 128 lanes, and a fused multiply-add is two operations. */
static double peak(void) {
    int multiprocessors, kilohertz;

    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
    return 2.0 * 128 * multiprocessors * 1e3 * kilohertz;
}

int main(int count, char **words) {
    int is_shells = count > 1 && !strcmp(words[1], "shells"), k = is_shells ? 2 : 3;

    if (count != k + 5) {
        fprintf(stderr, "measure seconds|energy|steps MODEL N LEAF ACCURACY ETA INTERVALS, or\n"
                        "measure shells N LEAF ACCURACY ETA INTERVALS\n");
        return 2;
    }
    int n = atoi(words[k]), intervals = atoi(words[k + 4]);
    std::vector<struct star> in(n), out(n);
    struct orbits_parameters parameters = make(is_shells ? "m31" : words[2], n, in.data());

    parameters.leaf = atoi(words[k + 1]);
    parameters.accuracy = atof(words[k + 2]);
    parameters.eta = atof(words[k + 3]);
    struct orbits *orbits = orbits_create(&parameters, in.data(), out.data());

    if (!strcmp(words[1], "seconds")) {
        measure_seconds(orbits, n, intervals);
        return 0;
    }
    int has_energy = strcmp(words[1], "steps") != 0;
    double before = has_energy ? energy_of(in, parameters.softening) : 0, begin = seconds();

    if (orbits_run(orbits, intervals))
        return 1;
    printf("seconds %.3f s\nblock_steps %lld 1\nsteps_per_tree %.3g 1\n", seconds() - begin,
           orbits->block_steps, (double)orbits->block_steps / (double)orbits->trees);
    if (has_energy)
        printf("energy_error %.3g of E\n", energy_of(out, parameters.softening) / before - 1);
    else
        printf("peak %.4g FLOP/s\n", peak());
    if (is_shells) {
        struct galaxy_parameters galaxy = m31(n);

        say_shells(&galaxy, in, "before");
        say_shells(&galaxy, out, "after");
    }
    return 0;
}
