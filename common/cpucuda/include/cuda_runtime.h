/* The CUDA runtime on a CPU, as far as the course uses it. What is missing does not compile: the
 * compiler names it. */
#ifndef CPUCUDA_CUDA_RUNTIME_H
#define CPUCUDA_CUDA_RUNTIME_H

#include "cpucuda/engine.h"

#include "cpucuda/runtime.h"

#include "cpucuda/atomics.h"
#include "cpucuda/math.h"
#include "cpucuda/warp.h"

#endif
