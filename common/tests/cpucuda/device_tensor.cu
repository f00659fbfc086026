/* mma.h against fragments written out by hand from the figures of the PTX ISA, and against products
 * of whole matrices. With a number as its argument: a fault. */
#include "device.h"

#include "mma.h"

/* Which row and column each lane holds, element by element, of lanes 0, 1, 5, 18 and 31. */
static const struct {
    int lane;
    int a[8][2], b[4][2], c[4][2];
} places[] = {
    {0,
     {{0, 0}, {0, 1}, {8, 0}, {8, 1}, {0, 8}, {0, 9}, {8, 8}, {8, 9}},
     {{0, 0}, {1, 0}, {8, 0}, {9, 0}},
     {{0, 0}, {0, 1}, {8, 0}, {8, 1}}},
    {1,
     {{0, 2}, {0, 3}, {8, 2}, {8, 3}, {0, 10}, {0, 11}, {8, 10}, {8, 11}},
     {{2, 0}, {3, 0}, {10, 0}, {11, 0}},
     {{0, 2}, {0, 3}, {8, 2}, {8, 3}}},
    {5,
     {{1, 2}, {1, 3}, {9, 2}, {9, 3}, {1, 10}, {1, 11}, {9, 10}, {9, 11}},
     {{2, 1}, {3, 1}, {10, 1}, {11, 1}},
     {{1, 2}, {1, 3}, {9, 2}, {9, 3}}},
    {18,
     {{4, 4}, {4, 5}, {12, 4}, {12, 5}, {4, 12}, {4, 13}, {12, 12}, {12, 13}},
     {{4, 4}, {5, 4}, {12, 4}, {13, 4}},
     {{4, 4}, {4, 5}, {12, 4}, {12, 5}}},
    {31,
     {{7, 6}, {7, 7}, {15, 6}, {15, 7}, {7, 14}, {7, 15}, {15, 14}, {15, 15}},
     {{6, 7}, {7, 7}, {14, 7}, {15, 7}},
     {{7, 6}, {7, 7}, {15, 6}, {15, 7}}},
};

/* A one in one place of A and one in one of B make one in D, if column and row are the same. */
__global__ void single_ones(int fault) {
    int lane = threadIdx.x;

    for (const auto &of_a : places)
        for (int i = 0; i < 8; i++)
            for (const auto &of_b : places)
                for (int j = 0; j < 4; j++) {
                    unsigned a[4] = {}, b[2] = {};
                    float c[4] = {1, 2, 3, 4}, d[4];

                    if (lane == of_a.lane)
                        a[i / 2] = i % 2 ? pack_halves(0, 3) : pack_halves(3, 0);
                    if (lane == of_b.lane)
                        b[j / 2] = j % 2 ? pack_halves(0, 5) : pack_halves(5, 0);
                    if (fault && lane == 7)
                        return;
                    multiply_tile(d, a, b, c);
                    for (const auto &here : places)
                        for (int e = 0; e < 4 && lane == here.lane; e++) {
                            bool meets = of_a.a[i][1] == of_b.b[j][0];
                            bool is_here =
                                here.c[e][0] == of_a.a[i][0] && here.c[e][1] == of_b.b[j][1];

                            EXPECT(d[e] == (float)(e + 1) + (meets && is_here ? 15 : 0),
                                   "a %d %d, b %d %d, lane %d, d[%d] = %g", of_a.lane, i, of_b.lane,
                                   j, lane, e, (double)d[e]);
                        }
                }
}

static float number(int row, int column) {
    return (float)((row * 37 + column * 11) % 64 - 32) /
           16; /* exact, and so are sums of products */
}

/* All lanes, by the formulas of mma.h. */
__global__ void whole_matrices() {
    int lane = threadIdx.x % 32, group = lane / 4, third = lane % 4;
    unsigned a[4], b[2];
    float c[4];

    for (int r = 0; r < 4; r++) {
        int row = group + r % 2 * 8, column = 2 * third + r / 2 * 8;

        a[r] = pack_halves(number(row, column), number(row, column + 1));
        c[r] = number(group + r / 2 * 8 + 5, 2 * third + r % 2);
    }
    for (int r = 0; r < 2; r++)
        b[r] = pack_halves(number(2 * third + r * 8, group + 3),
                           number(2 * third + r * 8 + 1, group + 3));
    multiply_tile(c, a, b, c);
    for (int e = 0; e < 4; e++) {
        int row = group + e / 2 * 8, column = 2 * third + e % 2;
        float sum = number(row + 5, column);

        for (int k = 0; k < 16; k++)
            sum += number(row, k) * number(k, column + 3);
        EXPECT(c[e] == sum, "lane %d, %d: %g, not %g", lane, e, (double)c[e], (double)sum);
    }
}

__global__ void transposes() {
    int lane = threadIdx.x % 32, group = lane / 4, third = lane % 4;
    unsigned rows[4], columns[4];

    for (int tile = 0; tile < 4; tile++)
        rows[tile] = pack_halves((float)(100 * tile + 10 * group + 2 * third),
                                 (float)(100 * tile + 10 * group + 2 * third + 1));
    transpose_tiles(columns, rows);
    for (int tile = 0; tile < 4; tile++) {
        float2 pair = unpack_halves(columns[tile]);

        EXPECT(pair.x == (float)(100 * tile + 20 * third + group) &&
                   pair.y == (float)(100 * tile + 10 * (2 * third + 1) + group),
               "lane %d, tile %d: %g %g", lane, tile, (double)pair.x, (double)pair.y);
    }
}

/* 2^24 + 1 is no float; nor is -2^24 - 1. Rounded, 2^24 + 3 would be 2^24 + 4. */
__global__ void sums_are_cut_off() {
    unsigned a[4] = {}, b[2] = {};
    float c[4] = {16777216, -16777216, 16777216, 3}, d[4];

    a[0] = a[1] = threadIdx.x % 4 ? 0 : pack_halves(1, 0);
    b[0] = threadIdx.x % 4 ? 0 : pack_halves(threadIdx.x / 4 % 2 ? -3 : 3, 0);
    multiply_tile(d, a, b, c);
    EXPECT(d[0] == 16777218, "%g", (double)d[0]);  /* + 3 */
    EXPECT(d[1] == -16777218, "%g", (double)d[1]); /* - 3 */
    EXPECT(d[2] == 16777218, "%g", (double)d[2]);
    EXPECT(d[3] == 0, "%g", (double)d[3]);
}

__global__ void rotates() {
    float lane = (float)(threadIdx.x % 32), next = (float)((threadIdx.x + 1) % 32);
    float3 theirs = of_next_lane(make_float3(lane, -lane, lane / 2));

    EXPECT(theirs.x == next && theirs.y == -next && theirs.z == next / 2, "lane %g: %g %g %g",
           (double)lane, (double)theirs.x, (double)theirs.y, (double)theirs.z);
}

__global__ void adds(float4 *sum) {
    add_vector(sum, make_float4(1, 2, 3, (float)threadIdx.x));
}

int main(int argc, char **argv) {
    float4 *sum, total;

    single_ones<<<1, 32>>>(argc > 1 ? atoi(argv[1]) : 0);
    whole_matrices<<<2, 64>>>();
    transposes<<<1, 96>>>();
    sums_are_cut_off<<<1, 32>>>();
    rotates<<<1, 64>>>();
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    adds<<<1, 64>>>(sum);
    wait_for_kernels();
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    EXPECT(total.x == 64 && total.y == 128 && total.z == 192 && total.w == 2016, "%g", total.x);
    cudaFree(sum);
    return wrong != 0;
}
