/* half and half2: 16-bit floats and pairs of them, under the toolkit's names. One sign bit, five of
 * exponent, ten of significand; subnormal numbers are kept. Every operation rounds once, to the
 * nearest and ties to even where its name does not say otherwise. A NaN that comes out of one is
 * 0x7fff. */
#ifndef CPUCUDA_CUDA_FP16_H
#define CPUCUDA_CUDA_FP16_H

#include "cpucuda/engine.h"

#include "cpucuda/half_types.h"

#include "cpucuda/half_conversions.h"

#include "cpucuda/half_arithmetic.h"
#include "cpucuda/half_comparisons.h"
#include "cpucuda/half_functions.h"
#include "cpucuda/half_threads.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#endif
