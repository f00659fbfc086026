/* Asynchronous copies into shared memory: what a thread has begun, in which group, and what must be
 * there. The copying itself is in cuda_pipeline.h, so that it counts as the step's own. */
#include "block.h"
#include "sanitizers.h"

namespace cpucuda {

void async_copy_begins(async_copy copy, const char *file, int line) {
    static const char name[] = "__pipeline_memcpy_async";
    cuda_thread *thread = thread_that_calls({file, line, name});
    shared_place to, from;

    if (copy.bytes != 4 && copy.bytes != 8 && copy.bytes != 16)
        fail("copy", "%s:%d: %s of %zu bytes; it copies 4, 8 or 16", file, line, name, copy.bytes);
    if ((uintptr_t)copy.to % copy.bytes || (uintptr_t)copy.from % copy.bytes)
        fail("copy", "%s:%d: %s of %zu bytes; its %s is at no multiple of %zu", file, line, name,
             copy.bytes, (uintptr_t)copy.to % copy.bytes ? "destination" : "source", copy.bytes);
    if (!find_shared(copy.to, &to) || to.offset + copy.bytes > to.bytes ||
        find_shared(copy.from, &from))
        fail("copy", "%s:%d: %s copies from global memory into a shared variable", file, line,
             name);
    /* The copy may write at any time from now on, as this thread. Entering a function puts the
     * caller's line into reports. */
    if (have_tsan()) {
        __tsan_func_entry(__builtin_return_address(0));
        __tsan_write_range(copy.to, copy.bytes);
        __tsan_func_exit();
    }
    shared_unwritten(copy.to, copy.bytes);
    struct unwatched unwatched;
    copy.group = thread->committed;
    thread->copies.push_back(copy);
}

void async_copies_commit(const char *file, int line) {
    thread_that_calls({file, line, "__pipeline_commit"})->committed++;
}

bool take_async_copy(size_t prior, async_copy *copy, const char *file, int line) {
    cuda_thread *thread = thread_that_calls({file, line, "__pipeline_wait_prior"});

    if (thread->copies.empty() || thread->copies.front().group + prior >= thread->committed)
        return false;
    *copy = thread->copies.front();
    struct unwatched unwatched; /* another block's thread had this memory */
    thread->copies.erase(thread->copies.begin());
    return true;
}

} // namespace cpucuda
