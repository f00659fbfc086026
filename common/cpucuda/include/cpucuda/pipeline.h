/* Asynchronous copies from global into shared memory. A copy is made as late as CUDA allows, at the
 * first __pipeline_wait_prior() of its thread that waits for it; until then its destination is as
 * if nobody had written it. There is no `zfill`, and no __pipeline_arrive_on(). */
#ifndef CPUCUDA_PIPELINE_H
#define CPUCUDA_PIPELINE_H

#include "engine.h"

namespace cpucuda {

struct async_copy {
    void *to;
    const void *from;
    size_t bytes, group; /* the engine sets the group */
};

/* engine/async_copies.cpp */
void async_copy_begins(async_copy copy, const char *file, int line);
void async_copies_commit(const char *file, int line);

/* Takes the running thread's next copy that is of none of its last `prior` groups; false if there
 * is none. */
bool take_async_copy(size_t prior, async_copy *copy, const char *file, int line);

/* By one instruction, as the GPU does. */
template <size_t bytes>
__attribute__((always_inline)) inline void copy_word(void *to, const void *from) {
    typedef typename word<bytes>::type word_type;
    *(word_type *)to = *(const word_type *)from;
}

} // namespace cpucuda

__attribute__((always_inline)) inline void __pipeline_memcpy_async(void *to, const void *from,
                                                                   size_t bytes, CPUCUDA_CALLER) {
    cpucuda::async_copy_begins({to, from, bytes, 0}, file, line);
}

inline void __pipeline_commit(CPUCUDA_CALLER) {
    cpucuda::async_copies_commit(file, line);
}

__attribute__((always_inline)) inline void __pipeline_wait_prior(size_t prior, CPUCUDA_CALLER) {
    cpucuda::async_copy copy;

    while (cpucuda::take_async_copy(prior, &copy, file, line))
        if (copy.bytes == 16)
            cpucuda::copy_word<16>(copy.to, copy.from);
        else if (copy.bytes == 8)
            cpucuda::copy_word<8>(copy.to, copy.from);
        else
            cpucuda::copy_word<4>(copy.to, copy.from);
}

#endif
