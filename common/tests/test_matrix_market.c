/* The reader of Matrix Market files, and the distribution file:PATH of the problem `spmv`: what a
 * file says is what comes out, and each fault of a file is named with its line. */
#include "testing.h"

#include <limits.h>

#include "files.h"
#include "problems/spmv/matrix_market.h"
#include "problems/spmv/spmv_problem.h"

static const char path[] = "build/tests/matrix.mtx";

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

static struct market_matrix read_right(const char *text) {
    struct market_matrix matrix;
    char message[512] = "";

    write_file(path, text);
    if (matrix_market_read(path, INT_MAX, &matrix, message))
        fail_msg("%s\n%s", message, text);
    return matrix;
}

/* Rows as text: `column:value` from 1, a `;` behind each row. */
static void assert_rows(const char *text, const char *rows) {
    struct market_matrix matrix = read_right(text);
    char found[256] = "";

    for (int row = 0; row < matrix.rows; row++) {
        for (int k = matrix.row_starts[row]; k < matrix.row_starts[row + 1]; k++)
            sprintf(found + strlen(found), " %d:%g", matrix.column_of[k] + 1, matrix.values[k]);
        strcat(found, ";");
    }
    assert_string_equal(found, rows);
    assert_int_equal(matrix.nonzeros, matrix.row_starts[matrix.rows]);
    matrix_market_free(&matrix);
}

TEST(entries_come_in_any_order) {
    assert_rows(GENERAL "2 3 3\n2 3 5\n1 2 -1e-1\n2 1 4\n", " 2:-0.1; 1:4 3:5;");
    assert_rows(GENERAL "% a comment\n%\n\n3 3 2\n\n3 1 1\n% another\n1 3 2\n", " 3:2;; 1:1;");
    assert_rows(GENERAL "1 1 0\n", ";");
    assert_rows(GENERAL "0 0 0\n", "");
    assert_rows("%%MatrixMarket MATRIX Coordinate Integer GENERAL\r\n2 2 1\r\n2 2 7\r\n", "; 2:7;");
    assert_rows(GENERAL "2 2 1\n 2\t1   3 ", "; 1:3;");
}

TEST(entries_of_one_place_are_added) {
    assert_rows(GENERAL "2 2 5\n1 2 1\n2 2 8\n1 2 2\n1 1 3\n1 2 4\n", " 1:3 2:7; 2:8;");
}

TEST(other_halves_are_made) {
    assert_rows("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n3 1 5\n2 2 4\n",
                " 1:2 3:5; 2:4; 1:5;");
    assert_rows("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n",
                " 2:-5; 1:5;");
    assert_rows("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n",
                " 2:1; 1:1 2:1;");
    assert_rows("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n1 2\n",
                " 2:1; 1:1;");
}

TEST(faults_are_named_with_their_line) {
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
    static const struct {
        const char *text, *line, *phrase;
    } faults[] = {
        {"", ":1: ", "first line should be"},
        {"2 2 1\n1 1 1\n", ":1: ", "first line should be"},
        {"%%MatrixMarket matrix coordinate real\n1 1 0\n", ":1: ", "first line should be"},
        {"%%MatrixMarket matrix coordinate real general more\n", ":1: ", "first line should be"},
        {"%%MatrixMarket matrix array real general\n1 1\n1\n", ":1: ", "`matrix array`"},
        {"%%MatrixMarket vector coordinate real general\n", ":1: ", "`vector coordinate`"},
        {"%%MatrixMarket matrix coordinate complex general\n", ":1: ", "`complex`"},
        {"%%MatrixMarket matrix coordinate real hermitian\n", ":1: ", "`hermitian`"},
        {GENERAL, ":2: ", "ends before the line with rows"},
        {GENERAL "% only\n% comments\n", ":4: ", "ends before the line with rows"},
        {GENERAL "3 3\n", ":2: ", "should be rows, columns and entries"},
        {GENERAL "3 3 2 1\n", ":2: ", "should be rows, columns and entries"},
        {GENERAL "3 x 2\n", ":2: ", "should be rows, columns and entries"},
        {GENERAL "%\n3 -3 2\n", ":3: ", "should be rows, columns and entries"},
        {GENERAL "3 3 99999999999999999999\n", ":2: ", "should be rows, columns and entries"},
        {GENERAL "3 3 2147483648\n", ":2: ", "below 2^31"},
        {GENERAL "2147483648 3 1\n",
         ":2: ", "2147483648 rows and 3 columns: there should be at most"},
        {"\x1f\x8b\x08\n", ":1: ", "compressed; unpack it first"},
        {GENERAL "3 3 2\n2 3 3e38\n2 3 3e38\n", ": ", "row 2, column 3 should add up to a finite"},
        {GENERAL "2147483647 3 1\n1 1 1\n", ":4: ", "together they should be below 2^31"},
        {SYMMETRIC "3 4 1\n1 1 1\n", ":2: ", "as many of both"},
        {GENERAL "3 3 2\n1 1 1\n", ":4: ", "ends after 1 entries, and the size line says 2"},
        {GENERAL "3 3 1\n1 1 1\n2 2 2\n", ":4: ", "entry 2, and the size line says 1"},
        {GENERAL "3 3 1\n0 1 1\n", ":3: ", "row 0: rows count from 1 to 3"},
        {GENERAL "3 3 1\n4 1 1\n", ":3: ", "row 4: rows count from 1 to 3"},
        {GENERAL "3 3 2\n1 1 1\n\n1 4 1\n", ":5: ", "column 4: columns count from 1 to 3"},
        {GENERAL "3 3 1\n1 -1 1\n", ":3: ", "column -1"},
        {GENERAL "3 3 1\n1 1\n", ":3: ", "an entry with a value"},
        {GENERAL "3 3 1\n1 1 one\n", ":3: ", "an entry with a value"},
        {GENERAL "3 3 1\n1.5 1 1\n", ":3: ", "should be an entry, as in"},
        {GENERAL "3 3 1\n1\n", ":3: ", "should be an entry, as in"},
        {GENERAL "3 3 1\n1 1 1 1\n", ":3: ", "should end after its value"},
        {GENERAL "3 3 1\n1 1 nan\n", ":3: ", "finite number of type float"},
        {GENERAL "3 3 1\n1 1 1e39\n", ":3: ", "finite number of type float"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1 1\n",
         ":3: ", "should end after its column"},
        {SYMMETRIC "3 3 1\n1 2 1\n", ":3: ", "above the diagonal"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n",
         ":3: ", "has no diagonal"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct market_matrix matrix;
        char message[512] = "";

        write_file(path, faults[i].text);
        assert_int_equal(matrix_market_read(path, INT_MAX, &matrix, message), -1);
        if (!strstr(message, faults[i].line) || !strstr(message, faults[i].phrase) ||
            strncmp(message, path, strlen(path)))
            fail_msg("\"%s\" lacks \"%s\" or \"%s\"", message, faults[i].line, faults[i].phrase);
    }
}

/* Before memory is taken for rows that a mistyped size has. */
TEST(the_size_has_a_limit) {
    struct market_matrix matrix;
    char message[512] = "";

    write_file(path, GENERAL "2147483000 2147483000 1\n1 1 1\n");
    assert_int_equal(spmv_problem.read_file(path, message), 0);
    assert_string_equal(message,
                        "build/tests/matrix.mtx:2: 2147483000 rows and 2147483000 columns: "
                        "there should be at most 67108864 of each");
    write_file(path, GENERAL "5 5 0\n");
    assert_int_equal(matrix_market_read(path, 4, &matrix, message), -1);
    assert_int_equal(matrix_market_read(path, 5, &matrix, message), 0);
    matrix_market_free(&matrix);
}

TEST(a_file_that_is_missing_is_named) {
    struct market_matrix matrix;
    char message[512] = "";

    assert_int_equal(matrix_market_read("build/tests/no.mtx", INT_MAX, &matrix, message), -1);
    assert_string_equal(message, "build/tests/no.mtx: No such file or directory");
    assert_int_equal(matrix_market_read("build/tests", INT_MAX, &matrix, message), -1);
    assert_string_equal(message, "build/tests: Is a directory");
}

/* Its largest eigenvalue, here 6, becomes 1, and x neither grows nor vanishes. */
TEST(a_distribution_is_a_file_scaled) {
    static const char distribution[] = "file:build/tests/matrix.mtx";
    char message[512] = "";
    struct spmv_parameters parameters;
    struct csr_matrix matrix;
    float *input, output[2];

    write_file(path, GENERAL "2 2 4\n1 1 5\n1 2 1\n2 1 1\n2 2 5\n");
    assert_string_equal(problem_file(&spmv_problem, distribution), path);
    assert_int_equal(spmv_problem.read_file(path, message), 2);
    assert_ptr_equal(problem_distribution(&spmv_problem, distribution), distribution);
    assert_true(spmv_problem.work(distribution, 2) == 4);
    assert_non_null(input = malloc(spmv_problem.input_bytes(distribution, 2)));
    spmv_problem.set_parameters(&parameters, distribution, 2, 1);
    spmv_problem.generate(input, distribution, 2, 1);
    matrix = spmv_matrix(&parameters, input);
    assert_true(fabs(matrix.values[0] - 5. / 6) < 1e-6 && fabs(matrix.values[1] - 1. / 6) < 1e-6);
    assert_int_equal(spmv_problem.trusted(&parameters, input, output, 100), 0);
    assert_true(output[0] > 0.01 && output[0] < 2 && fabsf(output[0] - output[1]) < 1e-3);
    free(input);
}

TEST(a_distribution_needs_a_square) {
    char message[512] = "";

    write_file(path, GENERAL "2 3 1\n1 1 5\n");
    assert_int_equal(spmv_problem.read_file(path, message), 0);
    assert_non_null(strstr(message, "2 rows and 3 columns; a square matrix"));
    write_file(path, GENERAL "0 0 0\n");
    assert_int_equal(spmv_problem.read_file(path, message), 0);
    /* Nothing grows: values stay as they are. */
    write_file(path, GENERAL "2 2 1\n1 2 5\n");
    assert_int_equal(spmv_problem.read_file(path, message), 2);
    assert_null(problem_file(problem_find("reduce"), "file:x"));
    assert_null(problem_file(&spmv_problem, "file:"));
}
