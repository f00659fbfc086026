/* Everything that cuda_fp16.h offers, by name and type: nvcc and cpucuda accept the same file. */
#include <cuda_fp16.h>

#define EACH_COMPARISON(before, after)                                                             \
    before##eq##after, before##ne##after, before##le##after, before##ge##after, before##lt##after, \
        before##gt##after, before##equ##after, before##neu##after, before##leu##after,             \
        before##geu##after, before##ltu##after, before##gtu##after

#define INTEGERS(type, name)                                                                       \
    {                                                                                              \
        type (*const to[])(half) = {__half2##name##_rn, __half2##name##_rz, __half2##name##_rd,    \
                                    __half2##name##_ru};                                           \
        half (*const from[])(type) = {__##name##2half_rn, __##name##2half_rz, __##name##2half_rd,  \
                                      __##name##2half_ru};                                         \
        for (int i = 0; i < 4; i++)                                                                \
            one[0] = from[i](to[i](one[0]));                                                       \
        type cast = (type)one[0];                                                                  \
        half made(cast);                                                                           \
        one[1] = made;                                                                             \
    }

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])

__global__ void conversions(half *one, half2 *pair, float *real, float2 *reals) {
    half (*const from_float[])(float) = {__float2half, __float2half_rn, __float2half_rz,
                                         __float2half_rd, __float2half_ru};
    half (*const from_double)(double) = __double2half;
    float (*const to_float)(half) = __half2float;
    signed char (*const to_char)(half) = __half2char_rz;
    unsigned char (*const to_uchar)(half) = __half2uchar_rz;
    short (*const to_short)(half) = __half_as_short;
    unsigned short (*const to_ushort)(half) = __half_as_ushort;
    half (*const of_short)(short) = __short_as_half;
    half (*const of_ushort)(unsigned short) = __ushort_as_half;
    half2 (*const of_two)(half, half) = __halves2half2, (*const made)(half, half) = make_half2;
    half2 (*const of_one)(half) = __half2half2, (*const of_float)(float) = __float2half2_rn;
    half2 (*const of_floats)(float, float) = __floats2half2_rn;
    half2 (*const of_float2)(float2) = __float22half2_rn;
    float2 (*const to_float2)(half2) = __half22float2;
    half (*const parts[])(half2) = {__low2half, __high2half};
    float (*const floats[])(half2) = {__low2float, __high2float};
    half2 (*const turned[])(half2) = {__low2half2, __high2half2, __lowhigh2highlow};
    half2 (*const joined[])(half2, half2) = {__lows2half2, __highs2half2};
    const half constants[] = {CUDART_INF_FP16,        CUDART_NAN_FP16,      CUDART_MIN_DENORM_FP16,
                              CUDART_MAX_NORMAL_FP16, CUDART_NEG_ZERO_FP16, CUDART_ZERO_FP16,
                              CUDART_ONE_FP16};

    for (int i = 0; i < COUNT(from_float); i++)
        one[i] = from_float[i](real[i]);
    for (int i = 0; i < COUNT(constants); i++)
        one[i] = constants[i];
    one[0] = from_double(to_float(one[1]));
    one[1] = of_short(to_short(of_ushort(to_ushort(one[2]))));
    one[2] = to_char(one[3]) + to_uchar(one[4]);
    pair[0] = of_two(one[0], one[1]);
    pair[1] = made(parts[0](pair[0]), parts[1](pair[1]));
    pair[2] = of_one(one[2]);
    pair[3] = of_float(floats[0](pair[0]));
    pair[4] = of_floats(floats[1](pair[0]), 2);
    reals[0] = to_float2(of_float2(reals[1]));
    pair[5] = joined[0](turned[0](pair[0]), joined[1](turned[1](pair[1]), turned[2](pair[2])));
    INTEGERS(short, short)
    INTEGERS(unsigned short, ushort)
    INTEGERS(int, int)
    INTEGERS(unsigned, uint)
    INTEGERS(long long, ll)
    INTEGERS(unsigned long long, ull)
}

__global__ void arithmetic(half *one, half2 *pair) {
    half (*const unary[])(half) = {__hneg, __habs, hsqrt,  hrsqrt, hrcp,   hexp,
                                   hexp2,  hexp10, hlog,   hlog2,  hlog10, hsin,
                                   hcos,   htanh,  hfloor, hceil,  htrunc, hrint};
    half (*const binary[])(half, half) = {__hadd,     __hsub,     __hmul,     __hdiv,    __hadd_sat,
                                          __hsub_sat, __hmul_sat, __hadd_rn,  __hsub_rn, __hmul_rn,
                                          __hmax,     __hmin,     __hmax_nan, __hmin_nan};
    half (*const ternary[])(half, half, half) = {__hfma, __hfma_sat, __hfma_relu};
    half2 (*const unary2[])(half2) = {__hneg2, __habs2, h2sqrt,  h2rsqrt, h2rcp,    h2exp, h2exp2,
                                      h2exp10, h2log,   h2log2,  h2log10, h2sin,    h2cos, h2tanh,
                                      h2floor, h2ceil,  h2trunc, h2rint,  __hisnan2};
    half2 (*const binary2[])(half2, half2) = {
        __hadd2,     __hsub2,     __hmul2,     __h2div,     __hadd2_sat,
        __hsub2_sat, __hmul2_sat, __hadd2_rn,  __hsub2_rn,  __hmul2_rn,
        __hmax2,     __hmin2,     __hmax2_nan, __hmin2_nan, EACH_COMPARISON(__h, 2)};
    half2 (*const ternary2[])(half2, half2, half2) = {__hfma2, __hfma2_sat, __hfma2_relu, __hcmadd};
    bool (*const compare[])(half, half) = {EACH_COMPARISON(__h, )};
    bool (*const compare2[])(half2, half2) = {EACH_COMPARISON(__hb, 2)};
    unsigned (*const mask2[])(half2, half2) = {EACH_COMPARISON(__h, 2_mask)};
    bool (*const nan)(half) = __hisnan;
    int (*const infinite)(half) = __hisinf;

    for (int i = 0; i < COUNT(unary); i++)
        one[i] = unary[i](one[i]);
    for (int i = 0; i < COUNT(binary); i++)
        one[i] = binary[i](one[i], one[i + 1]);
    for (int i = 0; i < COUNT(ternary); i++)
        one[i] = ternary[i](one[i], one[i + 1], one[i + 2]);
    for (int i = 0; i < COUNT(unary2); i++)
        pair[i] = unary2[i](pair[i]);
    for (int i = 0; i < COUNT(binary2); i++)
        pair[i] = binary2[i](pair[i], pair[i + 1]);
    for (int i = 0; i < COUNT(ternary2); i++)
        pair[i] = ternary2[i](pair[i], pair[i + 1], pair[i + 2]);
    for (int i = 0; i < COUNT(compare); i++)
        one[i] = (int)compare[i](one[i], one[i + 1]) + (int)compare2[i](pair[i], pair[i + 1]) +
                 mask2[i](pair[i], pair[i + 1]);
    one[0] = (int)nan(one[0]) + infinite(one[1]);
}

#define OPERATORS(type, a, b)                                                                      \
    {                                                                                              \
        type c = a + b, d = a - b, e = a * b, f = a / b;                                           \
        c += +a, d -= -b, e *= a, f /= b;                                                          \
        ++c, --d, e++, f--;                                                                        \
        if (c == d || c != e || c < f || c > d || c <= e || c >= f)                                \
            a = c;                                                                                 \
        b = d;                                                                                     \
    }

__global__ void operators(half *one, half2 *pair, float *real) {
    OPERATORS(half, one[0], one[1])
    OPERATORS(half2, pair[0], pair[1])
    half a = 1.5f, b = 2.5, c = (short)1, d = (unsigned short)2, e = 3, f = 4u, g = 5l, h = 6ul,
         i = 7ll, j = 8ull;
    __half_raw raw = a;
    __half2_raw raw2 = half2(b, c);
    volatile half changing;

    changing = a;
    one[6] = changing;
    pair[2] = raw2;
    one[2] = raw;
    one[3] = 1.0f;
    one[4] = 2.0;
    one[5] = 3;
    pair[3].x = d + e * f - g / h;
    pair[3].y = i < j ? i : j;
    real[0] = one[3];
    if (one[4])
        real[1] = (long)one[4] + (unsigned long)one[5] + (char)one[3] + (signed char)one[3] +
                  (unsigned char)one[3];
}

#define SHUFFLES(value)                                                                            \
    value = __shfl_sync(0xffffffff, value, 3);                                                     \
    value = __shfl_up_sync(0xffffffff, value, 1u);                                                 \
    value = __shfl_down_sync(0xffffffff, value, 1u, 16);                                           \
    value = __shfl_xor_sync(0xffffffff, value, 1, 8);

__global__ void threads(half *one, half2 *pair) {
    __half mine = __ldg(&one[0]);
    __half2 ours = __ldg(&pair[0]);
    nv_half same = mine;
    nv_half2 both = ours;

    SHUFFLES(mine)
    SHUFFLES(ours)
    mine = atomicAdd(&one[1], same);
    ours = atomicAdd(&pair[1], both);
    one[2] = mine;
    pair[2] = ours;
}
