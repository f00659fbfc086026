/* Functions whose accesses test_half.c counts in the assembly. */
#include "cuda_fp16.h"

struct alignas(4) holder {
    half2 a, b;
};

extern "C" {

void copy_half(half *to, const half *from) {
    *to = *from;
}
void copy_half2(half2 *to, const half2 *from, int i) {
    to[i] = from[i];
}
void load_half2(half2 *to, const half2 *from) {
    half2 a = __ldg(from);

    *to = half2(a.y, a.x);
}
void sum_half2(half2 *to, const half2 *from) {
    *to += *from;
}
void fused_half2(half2 *to, const half2 *a, const half2 *b, half2 *c) {
    *to = __hfma2(*a, *b, *c);
}
void convert(float *to, const half *from) {
    *to = *from;
}
void high(float *to, const half2 *from) {
    *to = from->y;
}
void copy_two(holder *to, const holder *from) {
    *to = *from;
}
}
