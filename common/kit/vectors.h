/* All bodies as an array of vectors, VECTOR, for positions and one for velocities, and the way
 * there from the array of structures of the contract and back. */
#ifndef VECTORS_H
#define VECTORS_H

#include <stddef.h>

#include "nbody.h"

typedef VECTOR vector; /* float4, or float3 */

struct bodies {
    vector *position, *velocity;
};

/* The two arrays in one piece of memory, of 2 n vectors. */
static inline struct bodies arrays(float *memory, size_t n) {
    struct bodies bodies = {(vector *)memory, (vector *)memory + n};
    return bodies;
}

/* From the contract's n bodies into the two arrays, and back. */
static inline void load(float *memory, const struct body *in, int n) {
    struct bodies bodies = arrays(memory, n);

    for (int i = 0; i < n; i++) {
        bodies.position[i] = (vector){in[i].x, in[i].y, in[i].z};
        bodies.velocity[i] = (vector){in[i].vx, in[i].vy, in[i].vz};
    }
}

static inline void store(struct body *out, float *memory, int n) {
    struct bodies bodies = arrays(memory, n);

    for (int i = 0; i < n; i++) {
        vector position = bodies.position[i], velocity = bodies.velocity[i];

        out[i] =
            (struct body){position.x, position.y, position.z, velocity.x, velocity.y, velocity.z};
    }
}

/* to += dt * rate, in one load and one store. */
__device__ static inline void advance(vector *to, float dt, vector rate) {
    vector sum = *to;

    sum.x += dt * rate.x;
    sum.y += dt * rate.y;
    sum.z += dt * rate.z;
    *to = sum;
}

#endif
