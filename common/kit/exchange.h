/* What the ranks of a step on several devices tell each other. A rank is a device; a process has
 * one of them or all. How bytes travel is chosen at build time: between the devices of one process
 * as copies, or by NCCL (EXCHANGE_NCCL); between processes, on one machine or many, by MPI
 * (EXCHANGE_MPI). A step is the same for all three.
 *
 * Kernels go to each device's default stream. What travels has a stream of its own, so that kernels
 * run meanwhile; events say which of them wait. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stdlib.h>

#include "cuda_check.h"

enum { MOST_RANKS = 16 };

struct exchange_rank {
    int device;
    cudaStream_t stream;
    cudaEvent_t written; /* in the default stream: the rank's own piece is there */
    cudaEvent_t arrived; /* in `stream`: so are those of the others */
    void *communicator;  /* of NCCL */
};

struct exchange {
    int ranks;       /* in all processes */
    int first, last; /* the ranks of this process: first, first + 1, ..., last - 1 */
    struct exchange_rank rank[MOST_RANKS];
    float4 *positions; /* for MPI: those of the last exchange_start() and the host's */
    float4 *host;
    size_t share;
};

/* The ranks of this process get a device each, at most `most` of them; 0: all there are. Everything
 * below but exchange_use() is called once in a process, for all of its ranks. */
static inline struct exchange *exchange_create(int most);

/* The device of a rank of this process becomes the current one. */
static inline void exchange_use(const struct exchange *exchange, int rank) {
    CUDA_CHECK(cudaSetDevice(exchange->rank[rank].device));
}

/* Host memory of rank 0's process goes to all others, to the same memory there. */
static inline void exchange_broadcast(struct exchange *exchange, void *memory, size_t bytes);

/* positions[rank], for the ranks of this process, is device memory for `ranks` pieces of `share`
 * vectors, of which the default stream has written the rank's own. Begins to bring the others. */
static inline void exchange_start(struct exchange *exchange, float4 *const positions[],
                                  size_t share);

/* What comes after this in the default streams begins when all pieces of the last exchange_start()
 * have arrived. */
static inline void exchange_wait(struct exchange *exchange);

/* Host memory of `bytes` bytes, of which rank r holds those from r * piece on, up to `piece` of
 * them, is put together in rank 0's process. */
static inline void exchange_collect(struct exchange *exchange, void *memory, size_t piece,
                                    size_t bytes);

static inline void exchange_destroy(struct exchange *exchange);

/* Stream and events of a rank. */
static inline void exchange_rank_create(struct exchange_rank *rank, int device) {
    rank->device = device;
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaStreamCreateWithFlags(&rank->stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&rank->written, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&rank->arrived, cudaEventDisableTiming));
}

static inline void exchange_rank_destroy(struct exchange_rank *rank) {
    CUDA_CHECK(cudaSetDevice(rank->device));
    CUDA_CHECK(cudaStreamDestroy(rank->stream));
    CUDA_CHECK(cudaEventDestroy(rank->written));
    CUDA_CHECK(cudaEventDestroy(rank->arrived));
}

#ifdef EXCHANGE_MPI
#include "exchange_mpi.h"
#else
#include "exchange_devices.h"
#endif

#endif
