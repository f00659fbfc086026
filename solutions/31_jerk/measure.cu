/* The rates of the step's program for few and many targets, by the device's clock and from call to
 * call, and the errors of its results against fp64. No row of a record has these for all sizes:
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -ftz=true FLAGS -Icommon/include -Icommon/kit \
 *         -Xcompiler -fopenmp -o measure solutions/31_jerk/measure.cu
 *     ./measure [sources targets]...
 *
 * with the flags of a variant, of the step's manifest. It prints lines `name value unit`. The stars
 * are those of a Plummer sphere in Henon units; targets are drawn from the sources. */
#include "jerk.cu"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>

static double seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void draw_direction(double length, double *vector) {
    double z = 2 * drand48() - 1, angle = 6.283185307179586 * drand48(), s = sqrt(1 - z * z);

    vector[0] = length * s * cos(angle);
    vector[1] = length * s * sin(angle);
    vector[2] = length * z;
}

/* Plummer's model without its rejection: speeds have the model's scale. */
static void draw(struct particle *particle, int n, int index) {
    double radius = 0.589 / sqrt(pow(0.999 * drand48() + 1e-9, -2.0 / 3) - 1);

    particle->star.mass = 1.0 / n * (0.5 + drand48());
    draw_direction(radius, particle->star.x);
    draw_direction(0.5 * drand48() / pow(1 + radius * radius, 0.25), particle->star.v);
    particle->index = index;
}

enum { SAMPLE = 256 };

/* Relative errors of a sample of the targets, in ascending order; and how many neighbours are
 * farther than the nearest by more than rounding. */
static int errors(const struct jerk_parameters *parameters, const struct particle *sources,
                  const struct particle *targets, const struct force *forces, int sample,
                  double of[3][SAMPLE]) {
    double softening2 = parameters->softening * parameters->softening;
    int wrong = 0;

#pragma omp parallel for reduction(+ : wrong)
    for (int k = 0; k < sample; k++) {
        int i = (int)((long long)parameters->targets * k / sample);
        const struct star *own = &targets[i].star;
        double right[7] = {}, nearest = INFINITY, given = INFINITY;

        for (int j = 0; j < parameters->sources; j++) {
            const struct star *other = &sources[j].star;
            double r[3], v[3], r2 = 0, rv = 0;

            if (sources[j].index == targets[i].index)
                continue;
            for (int c = 0; c < 3; c++) {
                r[c] = other->x[c] - own->x[c];
                v[c] = other->v[c] - own->v[c];
                r2 += r[c] * r[c];
                rv += r[c] * v[c];
            }
            nearest = std::min(nearest, r2);
            if (sources[j].index == forces[i].neighbour)
                given = r2;
            double s2 = r2 + softening2, scale = other->mass / (s2 * sqrt(s2));
            for (int c = 0; c < 3; c++) {
                right[c] += scale * r[c];
                right[3 + c] += scale * (v[c] - 3 * rv / s2 * r[c]);
            }
            right[6] -= other->mass / sqrt(s2);
        }
        double error[3] = {}, norm[3] = {};
        for (int c = 0; c < 7; c++) {
            double got = c < 3   ? forces[i].acceleration[c]
                         : c < 6 ? forces[i].jerk[c - 3]
                                 : forces[i].potential;
            error[c / 3] += (got - right[c]) * (got - right[c]);
            norm[c / 3] += right[c] * right[c];
        }
        for (int q = 0; q < 3; q++)
            of[q][k] = sqrt(error[q] / norm[q]);
        wrong += !(given <= nearest * (1 + 1e-5));
    }
    for (int q = 0; q < 3; q++)
        std::sort(of[q], of[q] + sample);
    return wrong;
}

static void measure(int n, int count, double softening) {
    struct jerk_parameters parameters = {n, count, softening};
    struct particle *sources, *targets;
    struct force *forces;
    static double of[3][SAMPLE];
    cudaEvent_t begin, end;
    float milliseconds;
    int sample = std::min(count, (int)SAMPLE), calls;
    double pairs = 1e-9 * n * (double)count;

    host_malloc(&sources, n * sizeof *sources);
    host_malloc(&targets, count * sizeof *targets);
    host_malloc(&forces, count * sizeof *forces);
    srand48(n + count);
    for (int j = 0; j < n; j++)
        draw(&sources[j], n, 2 * j + 1);
    for (int i = 0; i < count; i++)
        targets[i] = sources[count == n ? i : (int)(drand48() * n)];
    struct gravity *gravity = gravity_create(&parameters, sources, targets, forces);
    gravity_run(gravity, 1);
    int wrong = errors(&parameters, sources, targets, forces, sample, of);
    printf("blocks_%d_%d %d 1\nparts_%d_%d %d 1\n", count, n, gravity->grid.x, count, n,
           gravity->grid.y);
    static const char *const names[] = {"acc", "jerk", "pot"};
    for (int q = 0; q < 3; q++)
        printf("%s_error_median_%d_%d %.3g 1\n%s_error_max_%d_%d %.3g 1\n", names[q], count, n,
               of[q][sample / 2], names[q], count, n, of[q][sample - 1]);
    printf("neighbours_wrong_%d_%d %d 1\n", count, n, wrong);

    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    calls = 1;
    for (int again = 0; again < 4; again++) {
        CUDA_CHECK(cudaEventRecord(begin, 0));
        gravity_passes(gravity, calls);
        CUDA_CHECK(cudaEventRecord(end, 0));
        CUDA_CHECK(cudaEventSynchronize(end));
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        if (again == 0)
            calls = std::max(1, std::min(2000, (int)(60 / milliseconds)));
    }
    printf("rate_%d_%d %.1f G/s\n", count, n, pairs * calls / (1e-3 * milliseconds));

    double once = seconds();
    gravity_run(gravity, 1);
    once = seconds() - once;
    double more = seconds();
    gravity_run(gravity, calls + 1);
    more = seconds() - more;
    printf("rate_of_calls_%d_%d %.1f G/s\nfirst_call_%d_%d %.6f s\n", count, n,
           pairs * calls / (more - once), count, n, once);
    fflush(stdout);
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    gravity_destroy(gravity);
    free(sources);
    free(targets);
    free(forces);
}

int main(int argc, char **argv) {
    double softening = getenv("SOFTENING") ? atof(getenv("SOFTENING")) : 1.0 / 256;

    for (int k = 1; k + 1 < argc; k += 2)
        measure(atoi(argv[k]), atoi(argv[k + 1]), softening);
    if (argc > 2)
        return 0;
    for (int count = 16; count <= 16384; count *= count == 64 || count == 16 ? 4 : 8)
        measure(1 << 17, count, softening);
    measure(1 << 17, 1 << 17, softening);
    measure(1 << 20, 1 << 14, softening);
    return 0;
}
