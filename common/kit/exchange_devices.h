/* The end of exchange.h within one process: copies from device to device, or NCCL. */
#ifndef EXCHANGE_DEVICES_H
#define EXCHANGE_DEVICES_H

#ifdef EXCHANGE_NCCL
#include <nccl.h>

#define NCCL_CHECK(call) nccl_check(call, #call, __FILE__, __LINE__)

static inline void nccl_check(ncclResult_t result, const char *call, const char *file, int line) {
    if (result == ncclSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, ncclGetErrorString(result));
    exit(1);
}

static inline void nccl_all_gather(struct exchange *exchange, float4 *const positions[],
                                   size_t share) {
    NCCL_CHECK(ncclGroupStart());
    for (int rank = 0; rank < exchange->ranks; rank++)
        NCCL_CHECK(ncclAllGather(positions[rank] + rank * share, positions[rank], 4 * share,
                                 ncclFloat, (ncclComm_t)exchange->rank[rank].communicator,
                                 exchange->rank[rank].stream));
    NCCL_CHECK(ncclGroupEnd());
}
#endif

static inline struct exchange *exchange_create(int most) {
    struct exchange *exchange = (struct exchange *)calloc(1, sizeof *exchange);
    int devices;

    if (!exchange)
        return NULL;
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    if (most && devices > most)
        devices = most;
    exchange->ranks = exchange->last = devices < MOST_RANKS ? devices : (int)MOST_RANKS;
    for (int rank = 0; rank < exchange->ranks; rank++)
        exchange_rank_create(&exchange->rank[rank], rank);
#ifdef EXCHANGE_NCCL
    ncclComm_t communicators[MOST_RANKS];

    NCCL_CHECK(ncclCommInitAll(communicators, exchange->ranks, NULL));
    for (int rank = 0; rank < exchange->ranks; rank++)
        exchange->rank[rank].communicator = communicators[rank];

    /* The first collective call joins the devices, which takes longer than many an iteration. */
    float4 *first[MOST_RANKS];

    for (int rank = 0; rank < exchange->ranks; rank++) {
        exchange_use(exchange, rank);
        CUDA_CHECK(cudaMalloc(&first[rank], exchange->ranks * sizeof(float4)));
    }
    nccl_all_gather(exchange, first, 1);
    for (int rank = 0; rank < exchange->ranks; rank++) {
        exchange_use(exchange, rank);
        CUDA_CHECK(cudaStreamSynchronize(exchange->rank[rank].stream));
        CUDA_CHECK(cudaFree(first[rank]));
    }
#else
    /* A copy between two devices with access to each other goes straight from one to the other,
     * else through the host. */
    for (int rank = 0; rank < exchange->ranks; rank++)
        for (int other = 0; other < exchange->ranks; other++) {
            int can = 0;

            if (other != rank)
                CUDA_CHECK(cudaDeviceCanAccessPeer(&can, rank, other));
            exchange_use(exchange, rank);
            if (can)
                CUDA_CHECK(cudaDeviceEnablePeerAccess(other, 0));
        }
#endif
    return exchange;
}

static inline void exchange_broadcast(struct exchange *exchange, void *memory, size_t bytes) {
    (void)exchange, (void)memory, (void)bytes; /* there is one process */
}

static inline void exchange_start(struct exchange *exchange, float4 *const positions[],
                                  size_t share) {
    int ranks = exchange->ranks;

    for (int rank = 0; rank < ranks; rank++) {
        struct exchange_rank *own = &exchange->rank[rank];

        exchange_use(exchange, rank);
        CUDA_CHECK(cudaEventRecord(own->written, 0));
        CUDA_CHECK(cudaStreamWaitEvent(own->stream, own->written, 0));
    }
#ifdef EXCHANGE_NCCL
    nccl_all_gather(exchange, positions, share);
#else
    /* Each rank fetches from the next one first, so that no rank is asked by all at once. */
    for (int rank = 0; rank < ranks; rank++)
        for (int distance = 1; distance < ranks; distance++) {
            int other = (rank + distance) % ranks;

            CUDA_CHECK(
                cudaStreamWaitEvent(exchange->rank[rank].stream, exchange->rank[other].written, 0));
            CUDA_CHECK(cudaMemcpyPeerAsync(positions[rank] + other * share, rank,
                                           positions[other] + other * share, other,
                                           share * sizeof(float4), exchange->rank[rank].stream));
        }
#endif
    for (int rank = 0; rank < ranks; rank++) {
        exchange_use(exchange, rank);
        CUDA_CHECK(cudaEventRecord(exchange->rank[rank].arrived, exchange->rank[rank].stream));
    }
}

static inline void exchange_wait(struct exchange *exchange) {
    for (int rank = 0; rank < exchange->ranks; rank++) {
        exchange_use(exchange, rank);
        CUDA_CHECK(cudaStreamWaitEvent(0, exchange->rank[rank].arrived, 0));
    }
}

static inline void exchange_collect(struct exchange *exchange, void *memory, size_t piece,
                                    size_t bytes) {
    (void)exchange, (void)memory, (void)piece, (void)bytes; /* it is all here */
}

static inline void exchange_destroy(struct exchange *exchange) {
    for (int rank = 0; rank < exchange->ranks; rank++) {
#ifdef EXCHANGE_NCCL
        NCCL_CHECK(ncclCommDestroy((ncclComm_t)exchange->rank[rank].communicator));
#else
        for (int other = 0; other < exchange->ranks; other++) {
            int can = 0;

            if (other != rank)
                CUDA_CHECK(cudaDeviceCanAccessPeer(&can, rank, other));
            exchange_use(exchange, rank);
            if (can)
                CUDA_CHECK(cudaDeviceDisablePeerAccess(other));
        }
#endif
        exchange_rank_destroy(&exchange->rank[rank]);
    }
    free(exchange);
}

#endif
