/* The end of exchange.h between processes, by MPI. Each process is one rank, with one device of its
 * machine. MPI need not know of devices: what travels goes through page-locked memory of the host.
 * If a rank is lost, mpirun ends the others and says which one it was. */
#ifndef EXCHANGE_MPI_H
#define EXCHANGE_MPI_H

/* Only the C interface: that of C++ needs another library, and newer versions have none. */
#define OMPI_SKIP_MPICXX  1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

/* For the main() of the build `standalone`, which prints in one process. */
extern "C" {
int exchange_own_rank;
}

static inline struct exchange *exchange_create(int most) {
    struct exchange *exchange = (struct exchange *)calloc(1, sizeof *exchange);
    MPI_Comm machine;
    int ranks, devices, here;

    if (!exchange)
        return NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &exchange_own_rank);
    if (ranks > MOST_RANKS || (most && ranks > most)) {
        fprintf(stderr, "exchange.h: %d ranks; at most %d\n", ranks, most ? most : (int)MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    exchange->ranks = ranks;
    exchange->first = exchange_own_rank;
    exchange->last = exchange->first + 1;
    /* The processes of a machine take its devices in turns. */
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &here);
    MPI_Comm_free(&machine);
    CUDA_CHECK(cudaGetDeviceCount(&devices));
    exchange_rank_create(&exchange->rank[exchange->first], here % devices);
    return exchange;
}

static inline void exchange_broadcast(struct exchange *exchange, void *memory, size_t bytes) {
    (void)exchange;
    MPI_Bcast(memory, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static inline void exchange_start(struct exchange *exchange, float4 *const positions[],
                                  size_t share) {
    struct exchange_rank *own = &exchange->rank[exchange->first];
    size_t from = exchange->first * share;

    exchange->positions = positions[exchange->first];
    exchange->share = share;
    if (!exchange->host) /* all pieces */
        CUDA_CHECK(cudaMallocHost(&exchange->host, exchange->ranks * share * sizeof(float4)));
    CUDA_CHECK(cudaEventRecord(own->written, 0));
    CUDA_CHECK(cudaStreamWaitEvent(own->stream, own->written, 0));
    CUDA_CHECK(cudaMemcpyAsync(exchange->host + from, exchange->positions + from,
                               share * sizeof(float4), cudaMemcpyDeviceToHost, own->stream));
}

/* The process waits here. Its device does not: it runs the kernels that were launched since. */
static inline void exchange_wait(struct exchange *exchange) {
    struct exchange_rank *own = &exchange->rank[exchange->first];
    float4 *host = exchange->host, *device = exchange->positions;
    size_t share = exchange->share, from = exchange->first * share, to = from + share;
    size_t end = exchange->ranks * share;

    CUDA_CHECK(cudaStreamSynchronize(own->stream));
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, host, (int)(4 * share), MPI_FLOAT,
                  MPI_COMM_WORLD);
    CUDA_CHECK(
        cudaMemcpyAsync(device, host, from * sizeof *host, cudaMemcpyHostToDevice, own->stream));
    CUDA_CHECK(cudaMemcpyAsync(device + to, host + to, (end - to) * sizeof *host,
                               cudaMemcpyHostToDevice, own->stream));
    CUDA_CHECK(cudaEventRecord(own->arrived, own->stream));
    CUDA_CHECK(cudaStreamWaitEvent(0, own->arrived, 0));
}

static inline void exchange_collect(struct exchange *exchange, void *memory, size_t piece,
                                    size_t bytes) {
    int counts[MOST_RANKS], starts[MOST_RANKS], own = exchange->first;

    for (int rank = 0; rank < exchange->ranks; rank++) {
        size_t start = rank * piece < bytes ? rank * piece : bytes;

        starts[rank] = (int)start;
        counts[rank] = (int)(bytes - start < piece ? bytes - start : piece);
    }
    if (own)
        MPI_Gatherv((char *)memory + starts[own], counts[own], MPI_BYTE, NULL, NULL, NULL, MPI_BYTE,
                    0, MPI_COMM_WORLD);
    else
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_BYTE, memory, counts, starts, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static inline void exchange_destroy(struct exchange *exchange) {
    struct exchange_rank *own = &exchange->rank[exchange->first];

    CUDA_CHECK(cudaFreeHost(exchange->host));
    exchange_rank_destroy(own);
    free(exchange);
    MPI_Finalize();
}

#endif
