/* Each function copies one vector each way or uses members of its copy; -fsanitize=thread turns
 * the accesses into calls. */
#include "cpucuda/types.h"

extern "C" {
#define COPIES(type, member)                                                                       \
    double load_##type(const type *from, int i) {                                                  \
        type copy = from[i];                                                                       \
        return (double)copy.x + (double)copy.member;                                               \
    }                                                                                              \
    void store_##type(type *to, int i, int value) {                                                \
        type made;                                                                                 \
        made = type{};                                                                             \
        made.x = value;                                                                            \
        to[i] = made;                                                                              \
    }                                                                                              \
    void copy_##type(type *to, const type *from, int i) {                                          \
        to[i] = from[i];                                                                           \
    }
COPIES(char2, y)
COPIES(uchar4, w)
COPIES(short2, y)
COPIES(short4, w)
COPIES(int2, y)
COPIES(int4, w)
COPIES(long2, y)
COPIES(float2, y)
COPIES(float4, w)
COPIES(double2, y)
COPIES(double4, w)
void copy_float3(float3 *to, const float3 *from, int i) {
    to[i] = from[i];
}
struct pair {
    float4 a, b;
};
void copy_pair(pair *to, const pair *from, int i) {
    to[i] = from[i];
}
}
