/* Step 24's program: the same bits whatever the order of blocks, conjugate gradients that use it,
 * and what reordering does for its cached version. */
#include "testing.h"
#include "spmv_inputs.h"
#include "catalogue_of_steps.h"

static const struct step *step(void) {
    return catalogue_find(&catalogue, "24_spmv");
}

/* Rows over many tiles, whose parts are added up, and others. */
TEST(every_order_of_blocks_gives_the_same_bits) {
    enum { N = 60000 };
    static const char *const distributions[] = {"dense_row", "power_law"};
    static float y[2][N];

    for (int d = 0; d < 2; d++) {
        struct spmv_input input = spmv_input(distributions[d], N, 2);

        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct player *player = spmv_player(step(), NULL, "small_tiles", &input, seed);

            spmv_run(player, &input, 3, y[seed > 1]);
            player_end(player);
            assert_memory_equal(y[0], y[seed > 1], sizeof y[0]);
        }
        free(input.memory);
    }
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* An implicit step of the heat equation on the surface: A = 1 - t L, and (s + t L) u = b is solved
 * for u (Hestenes and Stiefel 1952), each product by one pass of the step's program. */
TEST(conjugate_gradients_solve_a_laplacian_system) {
    enum { N = 3000, MOST = 200 };
    static double b[N], u[N], r[N], p[N], q[N];
    static float y[N];
    const double s = 0.01, wanted = 1e-5;
    struct spmv_input input = spmv_input("surface", N, 3);
    struct player *player = spmv_player(step(), NULL, "tiles", &input, 1);
    float *x = (float *)input.x;
    double before, after;
    int turns = 0;

    for (int i = 0; i < N; i++) {
        r[i] = p[i] = b[i] = x[i] - 1;
        u[i] = 0;
    }
    for (after = dot(r, r, N); after > wanted * wanted * dot(b, b, N) && turns < MOST; turns++) {
        double step_length;

        for (int i = 0; i < N; i++)
            x[i] = (float)p[i];
        spmv_run(player, &input, 1, y);
        for (int i = 0; i < N; i++)
            q[i] = (1 + s) * p[i] - y[i];
        before = after;
        step_length = before / dot(p, q, N);
        for (int i = 0; i < N; i++) {
            u[i] += step_length * p[i];
            r[i] -= step_length * q[i];
        }
        after = dot(r, r, N);
        for (int i = 0; i < N; i++)
            p[i] = r[i] + after / before * p[i];
    }
    player_end(player);
    assert_in_range(turns, 10, MOST - 1);

    /* The residual itself, not the one carried along. */
    for (int row = 0; row < N; row++) {
        r[row] = b[row] - (1 + s) * u[row];
        for (int k = input.matrix.row_starts[row]; k < input.matrix.row_starts[row + 1]; k++)
            r[row] += input.matrix.values[k] * u[input.matrix.columns[k]];
    }
    assert_true(sqrt(dot(r, r, N) / dot(b, b, N)) < 3 * wanted);
    free(input.memory);
}

static int length_of(const struct csr_matrix *matrix, int row) {
    return matrix->row_starts[row + 1] - matrix->row_starts[row];
}

/* place[i]: where row i stands in the order of Cuthill and McKee (1969), reversed: breadth first
 * from row 0, neighbours by their length. The matrix is connected. */
static void reorder(const struct csr_matrix *matrix, int *place) {
    int n = matrix->rows, count = 1, *order = calloc((size_t)n, sizeof *order);
    char *seen = calloc((size_t)n, 1);

    seen[0] = 1;
    for (int i = 0; i < n; i++) {
        int first = count;

        for (int k = matrix->row_starts[order[i]]; k < matrix->row_starts[order[i] + 1]; k++) {
            int row = matrix->columns[k], at = count;

            if (seen[row])
                continue;
            seen[row] = 1;
            count++;
            for (; at > first && length_of(matrix, order[at - 1]) > length_of(matrix, row); at--)
                order[at] = order[at - 1];
            order[at] = row;
        }
    }
    assert_int_equal(count, n);
    for (int i = 0; i < n; i++)
        place[order[i]] = n - 1 - i;
    free(order);
    free(seen);
}

/* How far a nonzero is from the diagonal at most, and the share of nonzeros whose column lies in
 * the window of the row's block. */
static int width_of(const struct csr_matrix *matrix, const int *place, double *share) {
    enum { BLOCK = 128 };
    int width = 0, inside = 0;

    for (int row = 0; row < matrix->rows; row++)
        for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++) {
            int from = place ? place[row] : row,
                to = place ? place[matrix->columns[k]] : matrix->columns[k];

            width = abs(to - from) > width ? abs(to - from) : width;
            inside += to / BLOCK == from / BLOCK;
        }
    *share = (double)inside / matrix->nonzeros;
    return width;
}

/* `surface` stands for what a reordering makes of `shuffled`: as narrow, but for a factor, and as
 * much of it in the windows of the cached version. */
TEST(a_surface_is_ordered_as_by_cuthill_and_mckee) {
    enum { N = 65536, SIDE = 256 };
    struct spmv_input tube = spmv_input("surface", N, 4), shuffled = spmv_input("shuffled", N, 4);
    int *place = malloc(N * sizeof *place);
    double in_tube, in_shuffled, in_reordered;

    assert_int_equal(width_of(&tube.matrix, NULL, &in_tube), SIDE + 1);
    assert_true(width_of(&shuffled.matrix, NULL, &in_shuffled) > N / 2);
    reorder(&shuffled.matrix, place);
    assert_in_range(width_of(&shuffled.matrix, place, &in_reordered), SIDE, 4 * SIDE);
    assert_true(in_shuffled < 0.2 && in_tube > 0.4 && in_reordered > 0.4);
    free(tube.memory);
    free(shuffled.memory);
    free(place);
}

GROUP(read_catalogue_without_nvcc, NULL)
