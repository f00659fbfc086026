/* The lanes of a warp multiply a tile of a matrix, or transpose one: what mma.h is on a CPU. */
#ifndef CPUCUDA_TENSOR_H
#define CPUCUDA_TENSOR_H

#include "engine.h"

namespace cpucuda {

/* What a lane holds of D = A B + C; A and B in halves, two a register. */
struct product_fragments {
    uint32_t a[4], b[2];
    float c[4], d[4];
};
void multiply_tile(product_fragments *fragments, const char *file, int line);

/* What a lane holds of four 8 x 8 matrices of halves becomes what it holds of their transposes. */
void transpose_tiles(uint32_t rows[4], const char *file, int line);

/* A lane's three floats become those of the next lane; of lane 31 those of lane 0. */
void rotate(float values[3], const char *file, int line);

} // namespace cpucuda

#endif
