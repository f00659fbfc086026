/* The matrices of the problem `spmv`: what the contract says of all of them, and what each kind is
 * for. */
#include "testing.h"
#include "spmv_inputs.h"

static const struct problem *const spmv = &spmv_problem;

static int length_of(const struct csr_matrix *matrix, int row) {
    return matrix->row_starts[row + 1] - matrix->row_starts[row];
}

/* The nonzero in that place; -1: there is none. */
static int find(const struct csr_matrix *matrix, int row, int column) {
    for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++)
        if (matrix->columns[k] == column)
            return k;
    return -1;
}

/* As spmv.h says, and rows that average. */
static void assert_is_matrix(const struct csr_matrix *matrix, const char *distribution) {
    assert_int_equal(matrix->row_starts[0], 0);
    assert_int_equal(matrix->row_starts[matrix->rows], matrix->nonzeros);
    for (int row = 0; row < matrix->rows; row++) {
        double sum = 0;

        assert_true(length_of(matrix, row) >= 0);
        for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++) {
            int column = matrix->columns[k];

            assert_in_range(column, 0, matrix->rows - 1);
            assert_true(k == matrix->row_starts[row] || column > matrix->columns[k - 1]);
            assert_true(matrix->values[k] > 0);
            sum += length_of(matrix, column) ? matrix->values[k] : 0;
        }
        if (length_of(matrix, row) && fabs(sum - 1) > 1e-5)
            fail_msg("%s, row %d of %d: sum %g", distribution, row, matrix->rows, sum);
    }
}

TEST(matrices_are_what_the_contract_says) {
    static const int sizes[] = {400, 1000, 2053, 5000};

    for (const char *const *d = spmv_distributions; *d; d++)
        for (int i = 0; i < 150 + 4; i++) {
            struct spmv_input input = spmv_input(*d, i < 150 ? i : sizes[i - 150], 3);

            assert_is_matrix(&input.matrix, *d);
            assert_true(spmv->work(*d, input.matrix.rows) == input.matrix.nonzeros);
            free(input.memory);
        }
}

TEST(seeds_give_matrices) {
    for (const char *const *d = spmv_distributions; *d; d++) {
        struct spmv_input one = spmv_input(*d, 3000, 1), again = spmv_input(*d, 3000, 1),
                          other = spmv_input(*d, 3000, 2);
        size_t bytes = spmv->input_bytes(*d, 3000);

        assert_memory_equal(one.memory, again.memory, bytes);
        assert_memory_not_equal(one.memory, other.memory, bytes);
        free(one.memory);
        free(again.memory);
        free(other.memory);
    }
}

TEST(meshes_are_symmetric) {
    for (int d = 0; d < 4; d++) {
        struct spmv_input input = spmv_input(spmv_distributions[d], 1500, 4);
        const struct csr_matrix *a = &input.matrix;

        for (int row = 0; row < a->rows; row++)
            for (int k = a->row_starts[row]; k < a->row_starts[row + 1]; k++) {
                int mirror = find(a, a->columns[k], row);

                assert_true(mirror >= 0 && a->values[mirror] == a->values[k]);
                /* 1 - t L, with eigenvalues of t L from 0 to 1. */
                assert_true(a->columns[k] == row ? a->values[k] >= 0.5f : a->values[k] <= 0.0625f);
            }
        free(input.memory);
    }
}

/* Of a triangulated surface with v vertices, e edges and f faces v - e + f is 0 or, with two edges,
 * as of a tube, also 0; here the ends of the helix take one. Shuffling keeps all lengths. */
TEST(surfaces_are_triangulated) {
    enum { N = 2500, SIDE = 50, MOST = 9 };
    struct spmv_input tube = spmv_input("surface", N, 5), shuffled = spmv_input("shuffled", N, 5);
    int lengths[2][MOST + 1] = {{0}}, edges, faces, near = 0;

    edges = (tube.matrix.nonzeros - N) / 2;
    faces = 2 * (N - SIDE - 1);
    assert_in_range(N - edges + faces, 0, 1);
    for (int row = 0; row < N; row++) {
        assert_in_range(length_of(&tube.matrix, row), 3, MOST);
        lengths[0][length_of(&tube.matrix, row)]++;
        lengths[1][length_of(&shuffled.matrix, row)]++;
        for (int k = shuffled.matrix.row_starts[row]; k < shuffled.matrix.row_starts[row + 1]; k++)
            near += abs(shuffled.matrix.columns[k] - row) <= SIDE + 1;
    }
    assert_memory_equal(lengths[0], lengths[1], sizeof lengths[0]);
    assert_true(lengths[0][5] > 50 && lengths[0][7] > 500 && lengths[0][9] > 50);
    assert_in_range(near, N, N + shuffled.matrix.nonzeros / 10); /* the diagonal, and few more */
    free(tube.memory);
    free(shuffled.memory);
}

TEST(rows_have_their_lengths) {
    static const int wanted[] = {0, 1, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025};
    struct spmv_input power = spmv_input("power_law", 4096, 6),
                      lengths = spmv_input("lengths", 2000, 6),
                      empty = spmv_input("empty_rows", 401, 6),
                      dense = spmv_input("dense_row", 1000, 6);
    int seen[1026] = {0}, longest = 0, none = 0;

    for (int row = 0; row < 4096; row++) {
        longest = length_of(&power.matrix, row) > longest ? length_of(&power.matrix, row) : longest;
        none += !length_of(&power.matrix, row);
    }
    assert_int_equal(longest, 4096 / 16);
    assert_int_equal(none, 15);
    for (int row = 0; row < 2000; row++)
        seen[length_of(&lengths.matrix, row)]++;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_true(seen[wanted[i]]);
    for (int row = 0; row < 401; row++)
        assert_int_equal(length_of(&empty.matrix, row),
                         row / 100 % 2 && row < 400 ? 2 * (row % 5) : 0);
    for (int row = 0; row < 1000; row++)
        assert_int_equal(length_of(&dense.matrix, row), row == 500 ? 1000 : 3);
    free(power.memory);
    free(lengths.memory);
    free(empty.memory);
    free(dense.memory);
}
