/* How many warps a multiprocessor of a GPU can hold of a kernel. */
#ifndef OCCUPANCY_H
#define OCCUPANCY_H

/* The share of its warps, 0 to 1, that a multiprocessor of that architecture (sm_90) can hold of
 * blocks of so many threads, with so many registers per thread and bytes of shared memory per
 * block. `limit` becomes what allows no more: "registers", "shared memory", "blocks per
 * multiprocessor" or "threads per block", or NULL if all warps fit. 0 for an architecture that is
 * not known, and for what cannot be launched. */
double occupancy_of(const char *architecture, int threads, int registers, int shared_bytes,
                    const char **limit);

/* How many warps a multiprocessor of that architecture holds at most; 0: it is not known. */
int occupancy_warps(const char *architecture);

#endif
