/* Arithmetic, conversions, bits, atomic operations and vector types against their definitions. */
#include "device.h"

#include <limits.h>
#include <string.h>

static uint64_t random_state = 1;

static uint64_t random_bits() {
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return random_state ^ random_state >> 29;
}

/* r is 1 / sqrt(x) rounded if the roots of the neighbouring midpoints enclose it: exact in
 * __int128, since a midpoint has 25 bits. */
static void check_rsqrt(float x) {
    int exponent_x, exponent_r;
    float r = rsqrtf(x);
    __int128_t mx = (__int128_t)(int64_t)ldexpf(frexpf(x, &exponent_x), 24);
    __int128_t mr = (__int128_t)(int64_t)ldexpf(frexpf(r, &exponent_r), 24);
    /* x = mx 2^(ex-24), r = mr 2^(er-24): (2 mr +- 1)^2 mx against 2^(24 + 50 - ex - 2 er). */
    int shift = 74 - exponent_x - 2 * exponent_r;
    __int128_t low = (2 * mr - 1) * (2 * mr - 1) * mx, high = (2 * mr + 1) * (2 * mr + 1) * mx;
    EXPECT(low <= ((__int128_t)1 << shift) && ((__int128_t)1 << shift) <= high, "%a gives %a", x,
           r);
}

static void floats() {
    for (int i = 0; i < 200000; i++)
        check_rsqrt(__uint_as_float((unsigned)(random_bits() % 0x7f000000u) + 0x00800000u));
    EXPECT(rsqrtf(0.0f) == INFINITY && rsqrtf(-0.0f) == -INFINITY && rsqrtf(INFINITY) == 0, "0");
    EXPECT(isnan(rsqrtf(-1)) && rsqrt(4.0) == 0.5, "rsqrt");
    for (int i = 0; i < 200000; i++) {
        volatile float x = __uint_as_float((unsigned)random_bits() & 0xbfffffff);
        volatile float y = __uint_as_float((unsigned)random_bits() & 0xbfffffff);
        volatile float sum = x + y, product = x * y, quotient = x / y, difference = x - y;
        if (!isfinite(x) || !isfinite(y) || y == 0)
            continue;
        EXPECT(__fadd_rn(x, y) == sum && __fsub_rn(x, y) == difference, "%a %a", x, y);
        EXPECT(__fmul_rn(x, y) == product && __fdiv_rn(x, y) == quotient, "%a %a", x, y);
        EXPECT(max(x, y) == (x > y ? x : y) && min(x, y) == (x < y ? x : y), "%a %a", x, y);
    }
    EXPECT(__fdividef(1, 0x1p127f) == 0 && isnan(__fdividef(INFINITY, 0x1p127f)), "fdividef");
    EXPECT(__fdividef(6, 3) == 2 && __frcp_rn(4) == 0.25f && __fmaf_rn(2, 3, 4) == 10, "div");
    EXPECT(__saturatef(NAN) == 0 && __saturatef(2) == 1 && __saturatef(-1) == 0, "saturate");
    EXPECT(__saturatef(0.25f) == 0.25f && max(NAN, 1.0f) == 1 && min(1.0f, NAN) == 1 &&
               max(1.0f, NAN) == 1 && min(NAN, 1.0f) == 1,
           "saturate");
    EXPECT(max(-1, 1u) == UINT_MAX && min(-1, 1u) == 1 && max(-1, 1) == 1, "mixed");
    EXPECT(max(2.0f, 3.0) == 3.0 && min(-3ll, 2ll) == -3, "mixed");
}

static void integers() {
    for (int i = 0; i < 100000; i++) {
        uint64_t r = random_bits() >> (i % 64), s = random_bits();
        unsigned x = (unsigned)r, reversed = 0, permuted = 0;
        int ones = 0, leading = 32, lowest = 0;
        for (int b = 31; b >= 0; b--)
            if (x >> b & 1)
                ones++, lowest = b + 1, reversed |= 1u << (31 - b),
                        leading = leading == 32 ? 31 - b : leading;
        EXPECT(__popc(x) == ones && __clz((int)x) == leading && __ffs((int)x) == lowest, "%x", x);
        EXPECT(__brev(x) == reversed && (unsigned)(__brevll(r) >> 32) == reversed, "%x", x);
        EXPECT(__popcll(r) == __popc(x) + __popc((unsigned)(r >> 32)), "%x", x);
        EXPECT(__clzll((long long)r) == (r >> 32 ? __clz((int)(r >> 32)) : 32 + __clz((int)x)),
               "%x", x);
        EXPECT(__ffsll((long long)r) == (x         ? __ffs((int)x)
                                         : r >> 32 ? 32 + __ffs((int)(r >> 32))
                                                   : 0),
               "%x", x);
        for (int b = 0; b < 4; b++) {
            unsigned from = (unsigned)(s >> 32) >> 4 * b & 7;
            permuted |= (from < 4 ? x >> 8 * from & 255 : (unsigned)s >> 8 * (from - 4) & 255)
                        << 8 * b;
        }
        EXPECT(__byte_perm(x, (unsigned)s, (unsigned)(s >> 32)) == permuted, "%x", x);
        unsigned turn = (unsigned)s % 32;
        EXPECT(__funnelshift_l(x, x, (unsigned)s) == (turn ? x << turn | x >> (32 - turn) : x),
               "%x", x);
        EXPECT(__funnelshift_r(x, x, (unsigned)s) == (turn ? x >> turn | x << (32 - turn) : x),
               "%x", x);
        /* By halves of 16 bits. */
        uint64_t a = x & 0xffff, b = x >> 16, c = s & 0xffff, d = (unsigned)s >> 16;
        EXPECT(__umulhi(x, (unsigned)s) ==
                   b * d + ((b * c >> 16) + (a * d >> 16)) +
                       (((a * c >> 16) + (b * c & 0xffff) + (a * d & 0xffff)) >> 16),
               "%x", x);
    }
    EXPECT(__mulhi(-1, 1) == -1 && __umulhi(~0u, ~0u) == 0xfffffffe && __mul64hi(-1, 1) == -1,
           "hi");
    EXPECT(__umul64hi(~0ull, ~0ull) == ~1ull && __mul24(0xffffff, 3) == -3, "hi");
    EXPECT(__umul24(0xff000003u, 5) == 15, "24");
}

static void conversions() {
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rn(3.5f) == 4 && __float2int_rn(-2.5f) == -2,
           "rn");
    EXPECT(__float2int_rz(-2.9f) == -2 && __float2int_rd(-2.1f) == -3 && __float2int_ru(2.1f) == 3,
           "r");
    EXPECT(__float2int_rz(3e9f) == INT_MAX && __float2int_rz(-3e9f) == INT_MIN, "ends");
    EXPECT(__float2uint_rz(-1.0f) == 0 && __float2uint_rz(5e9f) == UINT_MAX, "ends");
    EXPECT(__float2uint_rz(4294967040.0f) == 4294967040u && __float2int_rz(NAN) == 0, "ends");
    EXPECT(__double2ll_rn(1e30) == LLONG_MAX && __double2ull_rd(-1e30) == 0, "ends");
    EXPECT(__double2int_rn(2147483647.5) == INT_MAX && __double2ll_rz(NAN) == LLONG_MIN, "ends");
    EXPECT(__int2float_rn(16777217) == 16777216 && __int2float_ru(16777217) == 16777218, "int");
    EXPECT(__int2float_rd(-16777217) == -16777218 && __int2float_rz(-16777217) == -16777216, "int");
    EXPECT(__uint2float_rz(UINT_MAX) == 4294967040.0f && __uint2float_rn(UINT_MAX) == 0x1p32f,
           "int");
    EXPECT(__int2float_ru(3) == 3 && __int2float_rd(-3) == -3 && __int2float_rz(3) == 3, "exact");
    EXPECT(__double2float_rd(0.1) < 0.1 && __double2float_ru(0.1) > 0.1, "double");
    EXPECT(__ull2double_rz(~0ull) < 0x1p64 && __ull2double_rn(~0ull) == 0x1p64, "double");
    EXPECT(__float_as_uint(-1.0f) == 0xbf800000u && __int_as_float(0x40000000) == 2, "bits");
    EXPECT(__hiloint2double(0x40080000, 0) == 3 && __double2hiint(-0.0) == INT_MIN, "bits");
}

/* Each operation from a table of old value, operand, new value. */
template <class T, class F> static void changes(F operation, T before, T operand, T after) {
    T place = before;
    T old = operation(&place, operand);
    EXPECT(old == before && place == after, "%g %g gave %g", (double)before, (double)operand,
           (double)place);
}
#define CHANGES(T, name, before, operand, after)                                                   \
    changes<T>([](T *p, T v) { return name(p, v); }, before, operand, after);                      \
    changes<T>([](T *p, T v) { return name##_block(p, v); }, before, operand, after);              \
    changes<T>([](T *p, T v) { return name##_system(p, v); }, before, operand, after)

static void atomics() {
    CHANGES(int, atomicAdd, INT_MAX, 1, INT_MIN);
    CHANGES(unsigned, atomicAdd, ~0u, 2, 1);
    CHANGES(unsigned long long, atomicAdd, 1ull << 40, 1, (1ull << 40) + 1);
    CHANGES(float, atomicAdd, 1.5f, 0.25f, 1.75f);
    CHANGES(double, atomicAdd, 1e-300, 1e-300, 2e-300);
    CHANGES(int, atomicSub, INT_MIN, 1, INT_MAX);
    CHANGES(unsigned, atomicSub, 0, 1, ~0u);
    CHANGES(float, atomicExch, 1, 2, 2);
    CHANGES(int, atomicMin, -1, 1, -1);
    CHANGES(unsigned, atomicMin, ~0u, 1, 1);
    CHANGES(long long, atomicMin, 1ll << 40, -1, -1);
    CHANGES(int, atomicMax, -1, 1, 1);
    CHANGES(unsigned, atomicMax, ~0u, 1, ~0u);
    CHANGES(unsigned long long, atomicMax, 1, ~0ull, ~0ull);
    CHANGES(unsigned, atomicInc, 4, 5, 5);
    CHANGES(unsigned, atomicInc, 5, 5, 0);
    CHANGES(unsigned, atomicInc, 9, 5, 0);
    CHANGES(unsigned, atomicDec, 3, 5, 2);
    CHANGES(unsigned, atomicDec, 0, 5, 5);
    CHANGES(unsigned, atomicDec, 9, 5, 5);
    CHANGES(unsigned, atomicAnd, 0xff0, 0x0ff, 0x0f0);
    CHANGES(int, atomicOr, 0xf00, 0x0ff, 0xfff);
    CHANGES(unsigned long long, atomicXor, 1ull << 40, 3ull << 40, 2ull << 40);
    int i = 3;
    unsigned short s = 7;
    EXPECT(atomicCAS(&i, 3, 4) == 3 && i == 4 && atomicCAS(&i, 3, 5) == 4 && i == 4, "%d", i);
    EXPECT(atomicCAS(&s, 7, 9) == 7 && s == 9, "%d", s);
}

__global__ void contended(float *sum, unsigned *count, double *wide) {
    for (int i = 0; i < 100; i++)
        atomicAdd(sum, 1), atomicInc(count, 999), atomicAdd(wide, 0.5);
}

template <class T, size_t size, size_t alignment> static void layout() {
    static_assert(sizeof(T) == size && alignof(T) == alignment, "as documented");
    static_assert(std::is_trivially_default_constructible<T>::value, "for shared memory");
}
static float4 table[2] = {{1, 2, 3, 4}, {5}};
union either {
    float4 vector;
    float members[4];
};
__global__ void takes_vectors(float4 a, int2 b, float3 c, float *out) {
    __shared__ float4 tile[4];
    tile[0] = a;
    tile[1] = make_float4(c.x, c.y, c.z, b.y);
    *out = tile[0].w + tile[1].z + tile[1].w + b.x;
}

static void vectors() {
    layout<char2, 2, 2>(), layout<char3, 3, 1>(), layout<uchar4, 4, 4>(), layout<short4, 8, 8>();
    layout<ushort3, 6, 2>(), layout<int2, 8, 8>(), layout<int4, 16, 16>(), layout<uint3, 12, 4>();
    layout<float2, 8, 8>(), layout<float3, 12, 4>(), layout<float4, 16, 16>();
    layout<double2, 16, 16>(), layout<double3, 24, 8>(), layout<double4, 32, 16>();
    layout<long2, 16, 16>(), layout<longlong4, 32, 16>(), layout<ulonglong1, 8, 8>();
    static_assert(!std::is_convertible<float, float4>::value, "no vector from a number");
    float4 a = {1, 2, 3, 4}, zero = {}, one = {1}, b = float4{5, 6, 7, 8};
    double4 d = make_double4(1, 2, 3, 4), e;
    float4 rows[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    struct node {
        int count;
        float4 vector;
    } *node = (struct node *)aligned_alloc(16, sizeof *node);
    either u;
    float out;
    a.y = b.z;
    u.vector = a;
    e = d;
    node->vector = rows[1];
    EXPECT(node->vector.x == 5 && node->vector.w == 8 && rows[0].w == 4, "rows");
    free(node);
    memset(rows, 0, sizeof rows);
    EXPECT(rows[0].x == 0 && rows[1].w == 0, "memset");
    EXPECT(u.members[0] == 1 && u.members[1] == 7 && u.members[3] == 4, "union");
    EXPECT(zero.x == 0 && zero.w == 0 && one.x == 1 && one.y == 0 && one.w == 0, "braces");
    EXPECT(e.x == 1 && e.y == 2 && e.z == 3 && e.w == 4, "double4");
    EXPECT(table[0].w == 4 && table[1].x == 5 && table[1].y == 0, "table");
    takes_vectors<<<1, 1>>>(a, make_int2(10, 20), make_float3(1, 2, 3), &out);
    wait_for_kernels();
    EXPECT(out == 37, "%g", out);
}

int main() {
    float sum = 0;
    double wide = 0;
    unsigned count = 0;

    floats(), integers(), conversions(), atomics(), vectors();
    contended<<<4, 32>>>(&sum, &count, &wide);
    wait_for_kernels();
    EXPECT(sum == 12800 && count == 12800 % 1000 && wide == 6400, "%g %u %g", sum, count, wide);
    return wrong != 0;
}
