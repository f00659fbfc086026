/* Tensor cores: the fragments of a warp's 32 lanes are gathered into matrices, multiplied, and
 * dealt out again. Which lane holds which element is what the PTX ISA says of mma.m16n8k16 with
 * .f16 and of movmatrix. Lane = 4 group + third, group 0 to 7 and third 0 to 3; the half with the
 * lower column (of B the lower row) is in the lower 16 bits:
 *
 *     A, 16 x 16   a[r]: row group + 8 (r & 1), columns 2 third + 8 (r >> 1) and the next
 *     B, 16 x 8    b[r]: column group, rows 2 third + 8 r and the next
 *     C, D, 16 x 8 c[r]: row group + 8 (r >> 1), column 2 third + (r & 1)
 *     8 x 8        row group, columns 2 third and the next */
#include "cpucuda/tensor.h"

#include <math.h>

#include "cpucuda/half_types.h"

#include "internal.h"

namespace cpucuda {

static float half_of(uint32_t pair, int upper) {
    return half_to_float((unsigned short)(pair >> 16 * upper));
}

/* Tensor cores do not round a sum, they cut it off (found on Hopper by a sum over many products,
 * whose error grew with their number). */
static float cut_off(double sum) {
    float nearest = (float)sum;
    uint32_t bits = float_bits(nearest);

    bits -= fabs((double)nearest) > fabs(sum); /* the next one towards zero */
    memcpy(&nearest, &bits, sizeof nearest);
    return nearest;
}

#ifndef __clang__
__attribute__((optimize("O3")))
#endif
void
multiply_fragments(const uint64_t lanes[32]) {
    float a[16][16], b[16][8];

    for (int lane = 0; lane < 32; lane++) {
        const product_fragments *own = (const product_fragments *)lanes[lane];
        int group = lane / 4, third = lane % 4;

        for (int r = 0; r < 4; r++)
            for (int upper = 0; upper < 2; upper++)
                a[group + 8 * (r & 1)][2 * third + 8 * (r >> 1) + upper] =
                    half_of(own->a[r], upper);
        for (int r = 0; r < 2; r++)
            for (int upper = 0; upper < 2; upper++)
                b[2 * third + 8 * r + upper][group] = half_of(own->b[r], upper);
    }
    for (int row = 0; row < 16; row++) {
        double sums[8] = {};

        for (int k = 0; k < 16; k++)
            for (int column = 0; column < 8; column++)
                sums[column] += (double)(a[row][k] * b[k][column]); /* exact: 11 bits each */
        for (int column = 0; column < 8; column++) {
            product_fragments *own = (product_fragments *)lanes[row % 8 * 4 + column / 2];
            int r = row / 8 * 2 + column % 2;

            own->d[r] = cut_off(own->c[r] + sums[column]);
        }
    }
    done_here.tensor_products++;
}

static void transpose(const uint64_t lanes[32]) {
    uint16_t tiles[4][8][8];

    for (int lane = 0; lane < 32; lane++)
        for (int tile = 0; tile < 4; tile++)
            for (int upper = 0; upper < 2; upper++)
                tiles[tile][lane / 4][lane % 4 * 2 + upper] =
                    (uint16_t)(((const uint32_t *)lanes[lane])[tile] >> 16 * upper);
    for (int lane = 0; lane < 32; lane++)
        for (int tile = 0; tile < 4; tile++) {
            int row = lane / 4, column = lane % 4 * 2;

            ((uint32_t *)lanes[lane])[tile] =
                tiles[tile][column][row] | (uint32_t)tiles[tile][column + 1][row] << 16;
        }
}

static void rotate_lanes(const uint64_t lanes[32]) {
    float first[3];

    memcpy(first, (const void *)lanes[0], sizeof first);
    for (int lane = 0; lane < 31; lane++)
        memcpy((void *)lanes[lane], (const void *)lanes[lane + 1], sizeof first);
    memcpy((void *)lanes[31], first, sizeof first);
}

/* Does it where all lanes have come; a warp with fewer is told of by meet_whole(). */
template <void (*operation)(const uint64_t lanes[32])>
static void of_whole_warp(const uint64_t lanes[32]) {
    for (int lane = 0; lane < 32; lane++)
        if (!lanes[lane])
            return;
    operation(lanes);
}

static void meet_whole(void *own, together_function *operation, const char *name, const char *file,
                       int line) {
    warp_meet(0xffffffff, (uint64_t)own, name, file, line, operation);
    if (warp_met() != 0xffffffff)
        fail("warp-mask", "%s:%d: %s by the lanes 0x%08x; all 32 lanes of a warp are to call it",
             file, line, name, warp_met());
}

void multiply_tile(product_fragments *fragments, const char *file, int line) {
    meet_whole(fragments, of_whole_warp<multiply_fragments>, "multiply_tile", file, line);
}

void transpose_tiles(uint32_t rows[4], const char *file, int line) {
    meet_whole(rows, of_whole_warp<transpose>, "transpose_tiles", file, line);
}

void rotate(float values[3], const char *file, int line) {
    meet_whole(values, of_whole_warp<rotate_lanes>, "of_next_lane", file, line);
}

} // namespace cpucuda
