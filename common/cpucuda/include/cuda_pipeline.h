/* Asynchronous copies into shared memory, under the toolkit's names. */
#ifndef CPUCUDA_CUDA_PIPELINE_H
#define CPUCUDA_CUDA_PIPELINE_H

#include "cpucuda/pipeline.h"

#endif
