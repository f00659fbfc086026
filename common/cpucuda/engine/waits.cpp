/* Puts into words why the threads of a block cannot go on. */
#include "block.h"

#include <stdio.h>
#include <string.h>

namespace cpucuda {

const char *text_of(uint3 index, char *text) {
    snprintf(text, 40, "(%u,%u,%u)", index.x, index.y, index.z);
    return text;
}

enum { PLACE = 160 + CALLS_TEXT };

/* "nbody.cu:47", where it waits; if that is in the kit, with the calls that led there. */
static const char *text_of(cuda_thread &thread, char *text) {
    int length =
        snprintf(text, PLACE - CALLS_TEXT, "%.100s:%d", thread.where.file, thread.where.line);

    if (strstr(thread.where.file, "common/kit/"))
        list_calls_of(thread, text + length);
    return text;
}

/* Not all threads came to the same barrier. */
void block::explain_barrier() {
    cuda_thread *here = nullptr, *elsewhere = nullptr, *gone = nullptr;
    unsigned at_here = 0, at_elsewhere = 0, ended = 0;
    char one[40], other[40], where[40], place_here[PLACE], place_elsewhere[PLACE];

    for (cuda_thread &thread : threads) {
        if (thread.state == ENDED) {
            gone = gone && (gone->left.file || !thread.left.file) ? gone : &thread;
            ended++;
        } else if (!here || (thread.where.line == here->where.line &&
                             !strcmp(thread.where.name, here->where.name))) {
            here = here ? here : &thread;
            at_here++;
        } else {
            elsewhere = elsewhere ? elsewhere : &thread;
            at_elsewhere++;
        }
    }
    text_of(index, where);
    if (elsewhere)
        fail("barrier",
             "%s, block %s: %u threads (%s is one) wait at %s in %s and %u (%s) at %s in %s; "
             "all threads of a block must come to the same barrier",
             job->kernel.name, where, at_here, text_of(here->index, one), here->where.name,
             text_of(*here, place_here), at_elsewhere, text_of(elsewhere->index, other),
             elsewhere->where.name, text_of(*elsewhere, place_elsewhere));
    if (gone->left.file)
        fail("barrier",
             "%s, block %s: %u threads (%s is one) left the kernel by the return in %s:%d, while "
             "%u threads wait at %s in %s; a thread without work must still come to every barrier",
             job->kernel.name, where, ended, text_of(gone->index, one), gone->left.file,
             gone->left.line, at_here, here->where.name, text_of(*here, place_here));
    fail("barrier",
         "%s, block %s: %u threads (%s is one) came to the kernel's end without %s in %s, where "
         "%u threads wait; a barrier must not stand in a branch or loop that only some threads "
         "enter",
         job->kernel.name, where, ended, text_of(gone->index, one), here->where.name,
         text_of(*here, place_here), at_here);
}

/* Nobody can go on, and at least one thread waits for lanes of its warp. */
void block::explain_wait() {
    for (cuda_thread &thread : threads) {
        unsigned first = thread.rank / WARP * WARP;
        char one[40], other[40], place[PLACE], place_late[PLACE];

        if (thread.state != MEETING)
            continue;
        for (unsigned lane = 0; lane < WARP && first + lane < count; lane++) {
            cuda_thread &late = threads[first + lane];

            if (!(thread.mask >> lane & 1) || late.state == ENDED ||
                (late.state == MEETING && meets(late, thread)))
                continue;
            if (late.state == MEETING)
                fail("warp-mask",
                     "%s: thread %s waits at %s in %s with mask 0x%08x for lane %u, thread %s, "
                     "which waits at %s in %s with mask 0x%08x; lanes that meet need the same "
                     "call and the same mask",
                     job->kernel.name, text_of(thread.index, one), thread.where.name,
                     text_of(thread, place), thread.mask, lane, text_of(late.index, other),
                     late.where.name, text_of(late, place_late), late.mask);
            fail("warp-mask",
                 "%s: thread %s waits at %s in %s with mask 0x%08x, which names lane %u; that "
                 "is thread %s, which waits at %s in %s",
                 job->kernel.name, text_of(thread.index, one), thread.where.name,
                 text_of(thread, place), thread.mask, lane, text_of(late.index, other),
                 late.where.name, text_of(late, place_late));
        }
    }
    explain_barrier();
}

void block::explain_turns(uint64_t number, size_t begun, size_t blocks) {
    char thread[40], block[40], others[300], place[PLACE];

    if (begun < blocks)
        snprintf(others, sizeof others,
                 "%zu of %zu blocks have not begun and may not begin before others end: does it "
                 "wait for one of them? Blocks begin in any order. If an atomic counter numbers "
                 "them, lower numbers have begun; blocks with a lower blockIdx need not have",
                 blocks - begun, blocks);
    else
        snprintf(others, sizeof others,
                 "all blocks have begun: does the loop change what it tests? If it waits: which "
                 "thread stores the value, and does each iteration load it anew?");
    for (cuda_thread &each : threads)
        if (each.state == TURNS && !strcmp(each.where.name, "loop"))
            fail("hung",
                 "launch %llu of %s, block %s, thread %s does not leave the loop in "
                 "%s; %s",
                 (unsigned long long)number, job->kernel.name, text_of(index, block),
                 text_of(each.index, thread), text_of(each, place), others);
}

} // namespace cpucuda
