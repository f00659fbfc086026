/* The problem `spmv`: a sparse matrix in CSR form times a vector, time and again. */
#include "spmv_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const device_distributions[] = {"surface", "shuffled", "power_law", NULL};

/* Without rows, with one, around edges of warps, blocks and grids. In the largest power law several
 * rows of a warp's tiles go over more tiles than two; the largest dense row goes over more tiles
 * than a warp has lanes. */
static const struct check_case cases[] = {
    {"surface", 0, 2},
    {"surface", 3, 300},
    {"surface", 1000, 1030},
    {"surface", 2047, 2049},
    {"surface", 16384},
    {"shuffled", 3, 40},
    {"shuffled", 4097},
    {"stencil_2d", 3, 40},
    {"stencil_2d", 5000},
    {"stencil_3d", 3, 40},
    {"stencil_3d", 5000},
    {"power_law", 15, 40},
    {"power_law", 1000},
    {"power_law", 65536},
    {"lengths", 1, 2},
    {"lengths", 3, 70},
    {"lengths", 1025, 1030},
    {"lengths", 3000},
    {"empty_rows", 1, 2},
    {"empty_rows", 99, 110},
    {"empty_rows", 3299, 3301},
    {"dense_row", 1, 2},
    {"dense_row", 3, 40},
    {"dense_row", 255, 257},
    {"dense_row", 65536},
    {"surface", 2051, 4093, ONE_OF},
    {"lengths", 71, 1023, ONE_OF},
    {"power_law", 65539, 131071, ONE_OF},
    {NULL, 0},
};

static const struct check_case sanitizer_cases[] = {
    {"surface", 0, 2},
    {"surface", 3, 5},
    {"surface", 31, 33},
    {"surface", 255, 257},
    {"surface", 1023, 1025},
    {"shuffled", 257},
    {"stencil_2d", 600},
    {"stencil_3d", 300},
    {"power_law", 15, 17},
    {"power_law", 33},
    {"power_law", 2048},
    {"lengths", 1, 2},
    {"lengths", 33},
    {"lengths", 63, 65},
    {"lengths", 300},
    {"empty_rows", 1, 2},
    {"empty_rows", 99, 103},
    {"empty_rows", 699, 701},
    {"dense_row", 1, 2},
    {"dense_row", 3},
    {"dense_row", 31, 33},
    {"dense_row", 257},
    {"dense_row", 3000},
    {"lengths", 71, 299, ONE_OF},
    {NULL, 0},
};

static const struct check_case trace_cases[] = {{"surface", 16384, 0, FIXED}, {NULL, 0}};

static const int timed[] = {1 << 18, 0};
static const int by_device[] = {1 << 24, 1 << 10, 1 << 12, 1 << 14, 1 << 16,
                                1 << 18, 1 << 20, 1 << 22, 0};
static const struct sizes sizes = {.single = 1 << 18,
                                   .variants = 1 << 12,
                                   .small = 1 << 12,
                                   .on_cpu = 1 << 20,
                                   .on_gpu = 1 << 22,
                                   .with_errors = 1 << 24,
                                   .beside = 1 << 22,
                                   .timed = timed,
                                   .iterations = 100,
                                   .by_device = by_device,
                                   .device_alone = 1};

static size_t input_bytes(const char *distribution, int n) {
    return spmv_input_bytes(n, spmv_nonzeros(distribution, n));
}

static void set_parameters(void *memory, const char *distribution, int n, int iterations) {
    (void)iterations;
    *(struct spmv_parameters *)memory =
        (struct spmv_parameters){n, (int)spmv_nonzeros(distribution, n)};
}

static void generate(void *input, const char *distribution, int n, uint64_t seed) {
    const struct spmv_parameters parameters = {n, (int)spmv_nonzeros(distribution, n)};
    const struct csr_matrix matrix = spmv_matrix(&parameters, input);

    spmv_generate(&matrix, distribution, seed);
}

static void sharpen(void *input, const void *before, const char *distribution, int n) {
    const struct spmv_parameters parameters = {n, (int)spmv_nonzeros(distribution, n)};
    const struct csr_matrix matrix = spmv_matrix(&parameters, input);
    const struct csr_matrix last = spmv_matrix(&parameters, before ? before : input);

    if (!before)
        return;
    keep_ends((float *)spmv_vector(&matrix), spmv_vector(&last), n, sizeof(float));
    if (matrix.nonzeros)
        keep_ends((float *)matrix.values, last.values, matrix.nonzeros, sizeof(float));
}

/* y = A x, or |A| x. */
static void multiply(const struct csr_matrix *matrix, int of_magnitudes, const double *x,
                     double *y) {
#pragma omp parallel for schedule(dynamic, 64) if (matrix->rows >= WORTH_THREADS)
    for (int row = 0; row < matrix->rows; row++) {
        double sum = 0;

        for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++) {
            double value = matrix->values[k];

            sum += (of_magnitudes ? fabs(value) : value) * x[matrix->columns[k]];
        }
        y[row] = sum;
    }
}

struct spmv_answer *spmv_answer(const struct csr_matrix *matrix, const float *x, int passes) {
    size_t n = (size_t)matrix->rows;
    struct spmv_answer *answer = malloc(sizeof *answer + 2 * n * sizeof(double));
    double *last = malloc(n * sizeof *last + 1);

    if (!answer || !last) {
        free(answer);
        free(last);
        return NULL;
    }
    answer->y = (double *)(answer + 1);
    answer->magnitudes = answer->y + n;
    for (size_t i = 0; i < n; i++) {
        answer->y[i] = x[i];
        answer->magnitudes[i] = fabsf(x[i]);
    }
    for (int pass = 0; pass < passes; pass++) {
        memcpy(last, answer->y, n * sizeof *last);
        multiply(matrix, 0, last, answer->y);
        memcpy(last, answer->magnitudes, n * sizeof *last);
        multiply(matrix, 1, last, answer->magnitudes);
    }
    free(last);
    return answer;
}

static void *answer(const void *parameters, const void *input, const char *distribution,
                    int iterations) {
    const struct csr_matrix matrix = spmv_matrix(parameters, input);

    (void)distribution;
    return spmv_answer(&matrix, spmv_vector(&matrix), iterations);
}

/* In float between passes, as the steps have it; a row's sum in double. */
static int trusted(const void *parameters, const void *input, void *output, int iterations) {
    const struct csr_matrix matrix = spmv_matrix(parameters, input);
    size_t bytes = (size_t)matrix.rows * sizeof(float);
    float *x = malloc(bytes + 1), *y = output;

    if (!x)
        return -1;
    for (int pass = 0; pass < iterations; pass++) {
        memcpy(x, pass ? y : spmv_vector(&matrix), bytes);
#pragma omp parallel for schedule(dynamic, 64) if (matrix.rows >= WORTH_THREADS)
        for (int row = 0; row < matrix.rows; row++) {
            double sum = 0;

            for (int k = matrix.row_starts[row]; k < matrix.row_starts[row + 1]; k++)
                sum += (double)matrix.values[k] * x[matrix.columns[k]];
            y[row] = (float)sum;
        }
    }
    free(x);
    return 0;
}

/* Rows per nonzero of a large matrix. */
static double quantity(const char *name, const char *distribution) {
    enum { LARGE = 1 << 22 };

    return strcmp(name, "rows") ? NAN : LARGE / spmv_nonzeros(distribution, LARGE);
}

const struct problem spmv_problem = {
    .name = "spmv",
    .unit = "nonzeros",
    .per = "nonzero",
    .element = "rows",
    .iteration = "pass",
    .error = "|y - right| / |A|...|A||x|",
    .function = "product_create",
    .distributions = spmv_distributions,
    .device_distributions = device_distributions,
    .kernel_only = "passes",
    .sizes = &sizes,
    .largest = SPMV_MOST_ROWS,
    .parameters_bytes = sizeof(struct spmv_parameters),
    .slowest_rate = 1e6,
    .input_bytes = input_bytes,
    .output_bytes = bytes_of_words,
    .cases = cases,
    .sanitizer_cases = sanitizer_cases,
    .trace_cases = trace_cases,
    .work = spmv_nonzeros,
    .most_iterations = 100,
    .set_parameters = set_parameters,
    .generate = generate,
    .sharpen = sharpen,
    .read_file = spmv_read_file,
    .answer = answer,
    .judge = spmv_judge,
    .trusted = trusted,
    .judge_timed = spmv_judge_timed,
    .quantity = quantity,
    .techniques = spmv_techniques,
};
