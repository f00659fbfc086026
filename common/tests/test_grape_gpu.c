/* The same of the library whose backend for GPUs computes, on three that cpucuda plays. */
#define TOLERANCE 1e-6
#define BACKEND   "gpu"
#include "test_grape.c"
