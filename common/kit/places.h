/* Places in pieces that the GPU's floats can hold, and what lanes of a warp do with them. */
#ifndef PLACES_H
#define PLACES_H

#define ALL_LANES 0xffffffffu

enum { WARP = 32 };

/* How a coordinate is kept: as a float; as two floats, the second of which is what the first lacks
 * of the double; or as the two words of a double. */
enum { FLOAT, TWO_FLOATS, DOUBLE };
#ifndef POSITIONS
#define POSITIONS TWO_FLOATS
#endif

static inline int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/* A place in pieces, by its coordinates. */
struct place {
    float3 high, low;
};

__device__ static inline void split(double x, float *high, float *low) {
    if (POSITIONS == DOUBLE) {
        *high = __int_as_float(__double2hiint(x));
        *low = __int_as_float(__double2loint(x));
    } else {
        *high = (float)x;
        *low = (float)(x - *high);
    }
}

__device__ static inline struct place split_place(const double x[3]) {
    struct place place;

    split(x[0], &place.high.x, &place.low.x);
    split(x[1], &place.high.y, &place.low.y);
    split(x[2], &place.high.z, &place.low.z);
    return place;
}

/* to - from, of one coordinate. The difference of the high parts is exact for two places near each
 * other. */
__device__ static inline float part_of(float to_high, float to_low, float from_high,
                                       float from_low) {
    if (POSITIONS == DOUBLE)
        return (float)(__hiloint2double(__float_as_int(to_high), __float_as_int(to_low)) -
                       __hiloint2double(__float_as_int(from_high), __float_as_int(from_low)));
    if (POSITIONS == FLOAT)
        return to_high - from_high;
    return (to_high - from_high) + (to_low - from_low);
}

__device__ static inline float3 distance(const struct place *from, float4 high, float4 low) {
    return make_float3(part_of(high.x, low.x, from->high.x, from->low.x),
                       part_of(high.y, low.y, from->high.y, from->low.y),
                       part_of(high.z, low.z, from->high.z, from->low.z));
}

/* Of a source, whose low parts have the bits of its index as w. */
__device__ static inline int index_of(float4 low) {
    return __float_as_int(low.w);
}

__device__ static inline float squared(float3 r) {
    return r.x * r.x + r.y * r.y + r.z * r.z;
}

__device__ static inline void add(float3 *sum, float factor, float x, float y, float z) {
    sum->x += factor * x;
    sum->y += factor * y;
    sum->z += factor * z;
}

/* The sum of what the lanes of a warp have, in the same order every time. */
template <typename T> __device__ static inline T over_warp(T mine) {
    for (int half = WARP / 2; half; half /= 2)
        mine += __shfl_xor_sync(ALL_LANES, mine, half);
    return mine;
}

__device__ static inline float3 over_warp(float3 mine) {
    return make_float3(over_warp(mine.x), over_warp(mine.y), over_warp(mine.z));
}

/* The nearer of two, `other` if both are as near and it comes first. */
__host__ __device__ static inline void take_nearer(float *nearest, int *where, float other,
                                                   int there) {
    if (there >= 0 && (*where < 0 || other < *nearest || (other == *nearest && there < *where))) {
        *nearest = other;
        *where = there;
    }
}

#endif
