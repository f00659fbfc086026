/* Times and errors of a variant that no row of a record has: seconds and |dE / E| of Plummer
 * spheres, the time per block step over its size, and how large blocks are.
 *
 *     make -C common ../build/problems.a
 *     nvcc -O3 -std=c++17 -arch=native -ftz=true FLAGS -DSOURCE='"SOURCE"' -Icommon \
 *         -Icommon/include -Icommon/kit -Xcompiler -fopenmp -o measure \
 *         solutions/33_block_steps/measure.cu build/problems.a
 *     ./measure seconds N SOFTENING TIME ETA
 *     ./measure step N
 *     ./measure sizes N SOFTENING TIME ETA
 *
 * with flags and source of a variant, of the step's manifest; `sizes` needs the host's scheduler.
 * It prints lines `name value unit`. */
#include SOURCE

#include <time.h>

extern "C" {
#include "problems/stars/invariants.h"
#include "problems/stars/systems.h"
}

static double seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The least of three runs; the first one also loads kernels. */
static double seconds_of(struct cluster_parameters parameters, const struct star *in,
                         struct star *out) {
    struct evolution *evolution = evolution_create(&parameters, in, out);
    double least = INFINITY;

    for (int k = 0; k < 3 && (k < 2 || least < 5); k++) {
        double before = seconds();

        evolution_run(evolution, 1);
        least = fmin(least, seconds() - before);
    }
    evolution_destroy(evolution);
    return least;
}

static double energy_of(const struct star *stars, int n, double softening) {
    struct invariants sums;

    if (stars_invariants(stars, n, softening, &sums))
        exit(1);
    return stars_energy(&sums);
}

static struct star *stars_of(int n) {
    struct star *stars;

    host_malloc(&stars, n * sizeof *stars);
    return stars;
}

static void measure_sphere(struct cluster_parameters parameters) {
    int n = parameters.n;
    struct star *in = stars_of(n), *out = stars_of(n);
    double before, after;

    stars_plummer(in, n, 1);
    printf("seconds_%d %.5f s\n", n, seconds_of(parameters, in, out));
    before = energy_of(in, n, parameters.softening);
    after = energy_of(out, n, parameters.softening);
    printf("energy_error_%d %.3g 1\n", n, fabs((after - before) / before));
    fflush(stdout);
}

/* Pairs on circles, far from each other. The pairs of the first `fast` stars need 2^FAST steps per
 * interval, the others one. */
enum { FAST = 9 };

static double seconds_with(int n, int fast) {
    const double eta = 0.01, slow_speed = 0.05, fast_speed = 0.085 * (1 << FAST);
    struct star *in = stars_of(n), *out = stars_of(n);
    double taken;

    for (int i = 0; i < n; i++) {
        int k = i / 2, place[3] = {k % 64, k / 64 % 64, k / 4096};
        double side = i % 2 ? 0.5 : -0.5, speed = i < fast ? fast_speed : slow_speed;
        double distance = cbrt(2.0 / n / (speed * speed));

        in[i] = {1.0 / n, {}, {}};
        for (int c = 0; c < 3; c++)
            in[i].x[c] = 1000.0 * place[c];
        in[i].x[0] += side * distance;
        in[i].v[1] = side * distance * speed;
    }
    taken = seconds_of({n, 0, eta, 1}, in, out);
    free(in);
    free(out);
    return taken;
}

static void measure_step(int n) {
    double none = seconds_with(n, 0);

    for (int fast = 2; fast <= n; fast *= fast < 32 ? 4 : 8) {
        printf("step_%d_%d %.3f us\n", n, fast,
               1e6 * (seconds_with(n, fast) - none) / ((1 << FAST) - 1));
        fflush(stdout);
    }
}

#ifdef RESIDENT
/* The share of blocks that have 2^k to 2^(k + 1) - 1 stars, and their share of all steps of
 * stars. */
static void measure_sizes(struct cluster_parameters parameters) {
    struct star *in = stars_of(parameters.n), *out = stars_of(parameters.n);
    struct evolution *evolution = evolution_create(&parameters, in, out);
    long blocks[32] = {0}, moved[32] = {0}, all_blocks = 0, all_moved = 0;
    ticks time = 0;

    stars_plummer(in, parameters.n, 1);
    evolution_run(evolution, 1); /* and once more, block by block */
    for (int i = 0; i < parameters.n; i++) {
        evolution->travellers[i] = {in[i], {}, 0, 0};
        evolution->due[i] = 0;
    }
    evolution->moved = 0;
    while (time <= INTERVAL) {
        move_block(evolution, time);
        blocks[(int)log2((double)evolution->moved)]++;
        moved[(int)log2((double)evolution->moved)] += evolution->moved;
        time = NEVER;
        for (int i = 0; i < parameters.n; i++)
            time = evolution->due[i] < time ? evolution->due[i] : time;
    }
    for (int k = 0; k < 32; k++) {
        all_blocks += blocks[k];
        all_moved += moved[k];
    }
    printf("blocks_%d %ld 1\nstars_per_block_%d %.1f 1\n", parameters.n, all_blocks, parameters.n,
           (double)all_moved / (double)all_blocks);
    for (int k = 0; k < 32; k++)
        if (blocks[k])
            printf("blocks_%d_of_%d %.4f of blocks, %.4f of steps\n", parameters.n, 1 << k,
                   (double)blocks[k] / (double)all_blocks, (double)moved[k] / (double)all_moved);
    evolution_destroy(evolution);
    free(in);
    free(out);
}
#endif

int main(int argc, char **argv) {
    struct cluster_parameters parameters = {};

    if (argc == 6)
        parameters = {atoi(argv[2]), atof(argv[3]), atof(argv[5]), atof(argv[4])};
    if (argc == 6 && !strcmp(argv[1], "seconds"))
        measure_sphere(parameters);
#ifdef RESIDENT
    else if (argc == 6 && !strcmp(argv[1], "sizes"))
        measure_sizes(parameters);
#endif
    else if (argc == 3 && !strcmp(argv[1], "step"))
        measure_step(atoi(argv[2]));
    else
        return fprintf(stderr, "usage: measure seconds | sizes N SOFTENING TIME ETA, or step N\n"),
               1;
    return 0;
}
