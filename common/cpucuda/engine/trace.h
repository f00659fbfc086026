/* The parts of the trace: what the compiler's calls report, and how accesses become requests. */
#ifndef CPUCUDA_TRACE_H
#define CPUCUDA_TRACE_H

#include "internal.h"

namespace cpucuda {

enum access { LOAD = 1, STORE = 2, LOAD_AND_STORE = 3 };

/* trace.cpp: an access of the code behind the call that returns to `caller`. On the host: nothing.
 * A range is recorded as accesses of 4 bytes, as a GPU copies a struct of floats; of single bytes
 * if it is not made of whole words. */
void trace_access(const volatile void *address, unsigned width, access kind, const void *caller);
void trace_range(const void *address, size_t bytes, access kind, const void *caller);

/* trace_requests.cpp. The addresses that one thread gave one instruction, in order: runs of equal
 * strides, so that a loop over an array takes 16 bytes and not 8 for each turn. */
struct run {
    uintptr_t start;
    int32_t stride; /* bytes */
    uint32_t count;
};
struct stream {
    run last;
    run *earlier; /* of malloc() */
    uint32_t earlier_count, earlier_room;
};

/* Returns how many bytes of memory it took for that. */
size_t stream_add(stream *stream, uintptr_t address);

/* Makes requests of the streams of a warp's 32 threads: the k-th addresses of all lanes that have
 * one are one request. Adds them to `line`, whose space and width are set, and empties them.
 * `asked` has what each lane asked for last before, and then what it asks for last now; no count:
 * nothing that it could ask for again. */
void streams_to_requests(stream *streams, run *asked, trace_line *line);

} // namespace cpucuda

#endif
