/* The vector types. */
#ifndef CPUCUDA_TYPES_H
#define CPUCUDA_TYPES_H

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {
    }
    constexpr operator uint3() const {
        return uint3{x, y, z};
    }
};

/* Two floats. */
struct alignas(8) float2 {
    float x, y;
};

#endif
