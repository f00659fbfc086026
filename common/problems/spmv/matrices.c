/* The matrices of the problem `spmv`, and x. All of them average: no value is negative, and those
 * of a row in columns that the next pass reads add up to 1. So a constant vector is an eigenvector
 * of eigenvalue 1, and no number of passes can make x grow or vanish.
 *
 * - `surface`: a step of the heat equation on a triangulated tube: 1 - t L, with the Laplacian L
 *   of its edges, which have weights. The diagonals of its quadrangles are drawn, so that a row
 *   has 4 to 9 nonzeros, 7 on average. Vertices are numbered round the tube, as a reordering
 *   would number them.
 * - `shuffled`: the same, numbered at random.
 * - `stencil_2d`, `stencil_3d`: the same on a grid of squares (5 nonzeros), of cubes (7).
 * - `power_law`: a row of rank r has n / (r + 16) nonzeros (Zipf and Mandelbrot), r from 0.
 * - `lengths`: rows as long as warps and blocks, one more and one less.
 * - `empty_rows`: 100 empty rows, 100 short ones, and so on; the last is empty.
 * - `dense_row`: three nonzeros a row, and one row that has them all. */
#include "spmv_problem.h"

#include <string.h>

#include "problems/random.h"

enum { MOST_NEIGHBOURS = 9, LENGTHS = 1024, RUN = 100, FIRST_DIVISOR = 16 };

/* What the rows of one matrix are drawn from. */
struct draw {
    int n, side, edge; /* of the tube or the squares; of the cubes */
    uint64_t seed;
};

/* A bijection of 0 to n - 1: four rounds of a Feistel network on as few bits as hold n - 1,
 * repeated until it ends below n. */
static int half_of_bits(int n) {
    int half = 1;

    while (n > 1 && (n - 1) >> (2 * half))
        half++;
    return half;
}

static unsigned round_of(const struct draw *draw, unsigned right, int round) {
    return (unsigned)random_mix(draw->seed + RANDOM_STEP * (right * 4ull + (unsigned)round + 1));
}

static int shuffle(const struct draw *draw, int element, int back) {
    int half = half_of_bits(draw->n);
    unsigned mask = (1u << half) - 1, place = (unsigned)element;

    do {
        unsigned left = place >> half, right = place & mask;

        for (int round = 0; round < 4; round++) {
            unsigned other = back ? right : left;

            if (back) {
                right = left;
                left = other ^ (round_of(draw, right, 3 - round) & mask);
            } else {
                left = right;
                right = other ^ (round_of(draw, left, round) & mask);
            }
        }
        place = left << half | right;
    } while (place >= (unsigned)draw->n);
    return (int)place;
}

/* Whether the quadrangle at vertex q is cut from q + 1 to q + side; else from q to q + side + 1. */
static int is_flipped(const struct draw *draw, int q) {
    struct random random = random_of(draw->seed + 3, (uint64_t)q);

    return (int)(random_bits(&random) & 1);
}

/* The vertices next to v on the tube and v itself, ascending; -1 stands for none. The numbers wind
 * round it, `side` of them a turn. Returns how many there are. */
static int neighbours_on_tube(const struct draw *draw, int v, int *found) {
    int s = draw->side, n = draw->n, count = 0;
    const int candidates[MOST_NEIGHBOURS] = {
        v - s - 1 >= 0 && !is_flipped(draw, v - s - 1) ? v - s - 1 : -1,
        v - s,
        v - s >= 0 && v + 1 < n && is_flipped(draw, v - s) ? v - s + 1 : -1,
        v - 1,
        v,
        v + 1,
        v > 0 && v + s < n && is_flipped(draw, v - 1) ? v + s - 1 : -1,
        v + s,
        v + s + 1 < n && !is_flipped(draw, v) ? v + s + 1 : -1,
    };

    for (int c = 0; c < MOST_NEIGHBOURS; c++)
        if (candidates[c] >= 0 && candidates[c] < n)
            found[count++] = candidates[c];
    return count;
}

/* Those of v and `count` distances, with v itself, ascending. */
static int neighbours_at(const struct draw *draw, int v, const int *distances, int count,
                         int *found) {
    int length = 0;

    for (int d = count - 1; d >= 0; d--)
        if (v - distances[d] >= 0)
            found[length++] = v - distances[d];
    found[length++] = v;
    for (int d = 0; d < count; d++)
        if (v < draw->n - distances[d])
            found[length++] = v + distances[d];
    return length;
}

static int of_surface(const struct draw *draw, int row, int *found) {
    return neighbours_on_tube(draw, row, found);
}

static int of_shuffled(const struct draw *draw, int row, int *found) {
    int count = neighbours_on_tube(draw, shuffle(draw, row, 1), found);

    for (int i = 0; i < count; i++) {
        int column = shuffle(draw, found[i], 0), at = i;

        for (; at > 0 && found[at - 1] > column; at--)
            found[at] = found[at - 1];
        found[at] = column;
    }
    return count;
}

static int of_stencil_2d(const struct draw *draw, int row, int *found) {
    const int distances[] = {1, draw->side};

    return neighbours_at(draw, row, distances, 2, found);
}

static int of_stencil_3d(const struct draw *draw, int row, int *found) {
    const int distances[] = {1, draw->edge, draw->edge * draw->edge};

    return neighbours_at(draw, row, distances, 3, found);
}

static int power_law_length(const struct draw *draw, int row) {
    return draw->n / (shuffle(draw, row, 0) + FIRST_DIVISOR);
}

static int lengths_length(const struct draw *draw, int row) {
    static const int lengths[] = {0,   1,   2,   31,  32,  33,  63,  64,   65,   127, 128,
                                  129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025};
    int length = row < LENGTHS ? lengths[row % (sizeof lengths / sizeof *lengths)] : 3;

    return length < draw->n ? length : draw->n;
}

static int empty_rows_length(const struct draw *draw, int row) {
    int length = row / RUN % 2 == 0 || row == draw->n - 1 ? 0 : 2 * (row % 5);

    return length < draw->n ? length : draw->n;
}

static int dense_row_length(const struct draw *draw, int row) {
    return row == draw->n / 2 || draw->n < 3 ? draw->n : 3;
}

/* A matrix has a row's columns from `neighbours`, symmetric, or their number from `length`. */
static const struct kind {
    const char *name;
    int (*neighbours)(const struct draw *draw, int row, int *found);
    int (*length)(const struct draw *draw, int row);
} kinds[] = {
    {"surface", of_surface, NULL},           {"shuffled", of_shuffled, NULL},
    {"stencil_2d", of_stencil_2d, NULL},     {"stencil_3d", of_stencil_3d, NULL},
    {"power_law", NULL, power_law_length},   {"lengths", NULL, lengths_length},
    {"empty_rows", NULL, empty_rows_length}, {"dense_row", NULL, dense_row_length},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *const spmv_distributions[] = {"surface",    "shuffled",  "stencil_2d",
                                          "stencil_3d", "power_law", "lengths",
                                          "empty_rows", "dense_row", NULL};

/* NULL: it is the user's. */
static const struct kind *kind_of(const char *distribution) {
    for (int k = 0; k < KINDS; k++)
        if (!strcmp(kinds[k].name, distribution))
            return &kinds[k];
    return NULL;
}

/* The squares, and so the turns of the tube, are at least 3 wide and the cubes 2: no two neighbours
 * are the same then. */
static struct draw draw_of(int n, uint64_t seed) {
    struct draw draw = {n, 3, 2, seed};

    while ((draw.side + 1ll) * (draw.side + 1) <= n)
        draw.side++;
    while ((draw.edge + 1ll) * (draw.edge + 1) * (draw.edge + 1) <= n)
        draw.edge++;
    return draw;
}

/* Pairs of vertices at that distance. */
static double pairs(int n, int distance) {
    return n > distance ? n - distance : 0;
}

/* The sum of n / q, rounded down, over q from FIRST_DIVISOR to n: Dirichlet's, by his hyperbola. */
static double power_law_nonzeros(int n) {
    double sum = 0;
    long long q = 1;

    for (; q * q <= n; q++)
        sum += 2 * (double)(n / q);
    sum -= (double)(q - 1) * (double)(q - 1);
    for (q = 1; q < FIRST_DIVISOR; q++)
        sum -= (double)(n / q);
    return sum;
}

double spmv_nonzeros(const char *distribution, int n) {
    const struct kind *kind = kind_of(distribution);
    const struct draw draw = draw_of(n, 0);
    int s = draw.side, e = draw.edge;
    double sum = 0;

    if (!kind)
        return spmv_nonzeros_of_file();
    if (kind->neighbours == of_surface || kind->neighbours == of_shuffled)
        return n + 2 * (pairs(n, 1) + pairs(n, s) + pairs(n, s + 1));
    if (kind->neighbours == of_stencil_2d)
        return n + 2 * (pairs(n, 1) + pairs(n, s));
    if (kind->neighbours == of_stencil_3d)
        return n + 2 * (pairs(n, 1) + pairs(n, e) + pairs(n, e * e));
    if (kind->length == power_law_length)
        return power_law_nonzeros(n);
    for (int row = 0; row < n; row++)
        sum += kind->length(&draw, row);
    return sum;
}

/* In (0.5, 1], the same from both ends. */
static double weight_between(const struct draw *draw, int a, int b) {
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    struct random random = random_of(draw->seed + 1, low << 32 | high);

    return 1 - 0.5 * random_unit(&random);
}

/* A row of 1 - t L: at most 8 neighbours, who together have at most half of the weight. */
static void fill_symmetric(const struct draw *draw, const struct kind *kind, int row, int *columns,
                           float *values) {
    int count = kind->neighbours(draw, row, columns), own = 0;
    double sum = 0;

    for (int i = 0; i < count; i++) {
        double value = weight_between(draw, row, columns[i]) / (2 * (MOST_NEIGHBOURS - 1));

        if (columns[i] == row) {
            own = i;
        } else {
            values[i] = (float)value;
            sum += values[i];
        }
    }
    values[own] = (float)(1 - sum);
}

/* A row's columns: one somewhere in each of `length` equal parts, the row itself among them. What
 * empty rows give is 0 in the next pass, so they do not count. */
static void fill_spread(const struct draw *draw, const int *row_starts, int row, int length,
                        int *columns, float *values) {
    int width = draw->n / length, own = row / width < length ? row / width : length - 1;
    struct random random = random_of(draw->seed + 2, (uint64_t)row);
    double sum = 0;

    for (int i = 0; i < length; i++) {
        int column = i * width + (int)(random_bits(&random) % (unsigned)width);

        columns[i] = i == own ? row : column;
        values[i] = (float)(1 - 0.5 * random_unit(&random));
        if (row_starts[columns[i] + 1] > row_starts[columns[i]])
            sum += values[i];
    }
    for (int i = 0; i < length; i++)
        values[i] = (float)(values[i] / sum);
}

void spmv_generate(const struct csr_matrix *matrix, const char *distribution, uint64_t seed) {
    const struct kind *kind = kind_of(distribution);
    const struct draw draw = draw_of(matrix->rows, seed);
    int *starts = (int *)matrix->row_starts, *columns = (int *)matrix->columns;
    float *values = (float *)matrix->values, *x = (float *)spmv_vector(matrix);
    int n = matrix->rows;

#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int row = 0; row < n; row++) {
        struct random random = random_of(seed, (uint64_t)row);

        x[row] = (float)(1 + random_sign(&random));
    }
    if (!kind) {
        spmv_copy_of_file(matrix);
        return;
    }
    starts[0] = 0;
#pragma omp parallel for if (n >= WORTH_THREADS)
    for (int row = 0; row < n; row++) {
        int found[MOST_NEIGHBOURS];

        starts[row + 1] =
            kind->length ? kind->length(&draw, row) : kind->neighbours(&draw, row, found);
    }
    for (int row = 0; row < n; row++)
        starts[row + 1] += starts[row];
#pragma omp parallel for schedule(dynamic, 64) if (n >= WORTH_THREADS)
    for (int row = 0; row < n; row++) {
        int start = starts[row], length = starts[row + 1] - start;

        if (kind->neighbours)
            fill_symmetric(&draw, kind, row, columns + start, values + start);
        else if (length)
            fill_spread(&draw, starts, row, length, columns + start, values + start);
    }
}
