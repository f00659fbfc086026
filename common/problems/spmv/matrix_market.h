/* Reads sparse matrices in the Matrix Market's exchange format (Boisvert, Pozo and Remington 1996).
 */
#ifndef MATRIX_MARKET_H
#define MATRIX_MARKET_H

/* A matrix of any shape in compressed sparse rows; spmv.h says what the arrays hold. */
struct market_matrix {
    int rows, columns, nonzeros;
    int *row_starts, *column_of;
    float *values;
};

/* Reads a file of kind coordinate: real, integer or pattern, whose values are 1; general, symmetric
 * or skew-symmetric, whose other half is made. Entries may come in any order; those of one place
 * are added up. Of rows and of columns there may be `most`; rows + nonzeros has to be below 2^31.
 * Returns 0; else -1, and `message` (512 bytes) says which line is wrong and what would be right.
 * matrix_market_free() frees the arrays. */
int matrix_market_read(const char *path, int most, struct market_matrix *matrix, char *message);

void matrix_market_free(struct market_matrix *matrix);

#endif
