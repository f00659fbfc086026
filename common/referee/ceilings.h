/* What this machine can do at most, measured on the spot by small kernels: the measured limits
 * that a step's rate is held against. */
#ifndef CEILINGS_H
#define CEILINGS_H

/* One measured ceiling. Resources of a CPU:
 *   fma     fused multiply-adds of float32, lanes a second
 *   rsqrt   1.0f / sqrtf(x), correctly rounded, lanes a second
 *   copy    bytes a second of a copy far larger than the caches, read plus written, with plain or
 *           non-temporal stores, whichever are faster */
struct ceiling {
    const char *resource;
    int threads;  /* 1, or all that this process may use */
    double value; /* units a second; 0 if the system gave no thread or no memory */
    const char *unit;
};

/* The number of ceilings that ceilings_cpu() writes. */
enum { CPU_CEILINGS = 6 };

/* Measures the CPU's ceilings in about a second: one core and all cores of each resource. */
void ceilings_cpu(struct ceiling ceilings[CPU_CEILINGS]);

#endif
