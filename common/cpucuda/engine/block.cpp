/* Runs the threads of a block as fibers, in a shuffled order, from one wait to the next. */
#include "block.h"

#include <deque>
#include <stdio.h>
#include <string.h>

#include "sanitizers.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace cpucuda {

__thread cuda_thread *current;
__thread int turns_left;

/* The worker's own context, and stacks that no thread uses. */
static __thread context scheduler;
static __thread void *scheduler_tsan;
static __thread std::vector<fiber *> *idle_stacks;

/* Threads that ended, the latest of all workers: what ThreadSanitizer knows of a thread it forgets
 * once that is destroyed, and with it the race of a later thread. */
static __thread std::deque<void *> *ended;

/* Of those threads, and of idle stacks, ThreadSanitizer's builds keep so many, of all workers: both
 * cost mappings. */
static const size_t most_kept = 2048;

/* ThreadSanitizer knows 255 threads at a time. If there are more, one that runs takes the place of
 * another, and what that did counts as ordered before all that follows: races are missed. So these
 * are lanes enough, of warps that are drawn; the others' accesses count for nothing. A race is seen
 * in the blocks where both warps are among them. */
static const int most_watched = 224;
static __thread int watched; /* lanes of blocks that run */

/* At one fence of so many a thread lets others run, for 1 to 2^(bits - 1) rounds: time enough for
 * another block to begin and to come to what the fence tells it. */
enum { FENCE_ONE_OF = 4, FENCE_BITS = 8 };

/* A thread in a loop runs 1 to 32 times round it before others do. */
static const int most_turns = 32;

/* Tells ThreadSanitizer that these threads met: what each did before, it did before what any of
 * them does next. An address that was not used lately carries no older meetings' order along. */
static void tell_meeting(cuda_thread *const *threads, size_t count) {
    static char addresses[1 << 16];
    static unsigned next;
    void *address = &addresses[__atomic_fetch_add(&next, 8, __ATOMIC_RELAXED) % sizeof addresses];

    if (!have_tsan())
        return;
    for (size_t i = 0; i < count; i++) {
        __tsan_switch_to_fiber(threads[i]->tsan, TSAN_NO_SYNC);
        __tsan_release(address);
    }
    for (size_t i = 0; i < count; i++) {
        __tsan_switch_to_fiber(threads[i]->tsan, TSAN_NO_SYNC);
        __tsan_acquire(address);
    }
    __tsan_switch_to_fiber(scheduler_tsan, TSAN_NO_SYNC);
    stores_met(&threads[0]->block->fenced->stores, threads, count);
}

/* Where a thread that waits is to list its calls, and then waits on. */
static __thread char *asked;

/* Gives the worker the CPU, and returns when it gives it back. */
static void wait(enum state state) {
    cuda_thread *self = current;

    self->state = state;
    fiber_switch(&self->stack->here, &scheduler, false);
    if (asked) {
        list_calls(asked);
        fiber_switch(&self->stack->here, &scheduler, false);
    }
}

static void run_on_stack(void *argument) {
    cuda_thread *self = (cuda_thread *)argument;

    fiber_entered(&self->stack->here);
    self->block->job->run(self->block->job->closure.get());
    self->state = ENDED;
    fiber_switch(&self->stack->here, &scheduler, true);
    __builtin_unreachable();
}

static void start(cuda_thread &thread) {
    if (!idle_stacks)
        idle_stacks = new std::vector<fiber *>;
    if (idle_stacks->empty())
        idle_stacks->push_back(fiber_new());
    thread.stack = idle_stacks->back();
    idle_stacks->pop_back();
    fiber_start(thread.stack, run_on_stack, &thread);
    if (have_tsan() && !thread.block->warps[thread.rank / WARP].is_watched) {
        thread.tsan = thread.block->unwatched;
    } else if (have_tsan()) {
        char name[100];

        /* Whoever reads a report learns which two threads of which blocks it is about. */
        snprintf(name, sizeof name, "block (%u,%u,%u) thread (%u,%u,%u)", thread.block->index.x,
                 thread.block->index.y, thread.block->index.z, thread.index.x, thread.index.y,
                 thread.index.z);
        thread.tsan = thread_context(name);
    }
}

static void finish(cuda_thread &thread) {
    /* ThreadSanitizer remembers who used an address, if it watched. A stack's next thread is
     * another one. */
    if (thread.tsan && thread.tsan != thread.block->unwatched)
        fiber_forget(thread.stack);
    if (thread.tsan && idle_stacks->size() >= most_kept / (size_t)workers())
        fiber_delete(thread.stack);
    else
        idle_stacks->push_back(thread.stack);
    thread.stack = nullptr;
    if (thread.tsan) {
        if (!ended)
            ended = new std::deque<void *>;
        __tsan_switch_to_fiber(thread.tsan, TSAN_NO_SYNC);
        __tsan_release((void *)thread.block->job);
        __tsan_switch_to_fiber(scheduler_tsan, TSAN_NO_SYNC);
        if (thread.tsan != thread.block->unwatched) {
            ended->push_back(thread.tsan);
            watched--;
        }
        if (ended->size() > most_kept / (size_t)workers()) {
            __tsan_destroy_fiber(ended->front());
            ended->pop_front();
        }
        thread.tsan = nullptr;
    }
}

/* Runs a thread until it waits or ends. */
static void resume(cuda_thread &thread) {
    block *block = thread.block;

    if (!thread.stack)
        start(thread);
    threadIdx = thread.index;
    blockIdx = block->index;
    blockDim = block->job->block;
    gridDim = block->job->grid;
    fences = block->fenced.get();
    turns_left = (int)(random_of(&block->random) % most_turns);
    thread.state = READY;
    current = &thread;
    if (fences)
        swap_stores(&fences->stores, thread.rank);
    if (thread.tsan)
        __tsan_switch_to_fiber(thread.tsan, TSAN_NO_SYNC);
    fiber_switch(&scheduler, &thread.stack->here, false);
    if (thread.tsan)
        __tsan_switch_to_fiber(scheduler_tsan, TSAN_NO_SYNC);
    if (fences)
        swap_stores(&fences->stores, thread.rank);
    current = nullptr;
    fences = nullptr;
    if (thread.state == ENDED)
        finish(thread);
}

void block::begin(const launch *launched, uint64_t number, uint64_t seed) {
    dim3 grid = launched->grid, shape = launched->block;

    if (have_tsan() && !scheduler_tsan)
        scheduler_tsan = __tsan_get_current_fiber();
    job = launched;
    index = {(unsigned)(number % grid.x), (unsigned)(number / grid.x % grid.y),
             (unsigned)(number / grid.x / grid.y)};
    count = live = shape.x * shape.y * shape.z;
    at_barrier = 0;
    met_barrier = false;
    random = seed;
    threads.resize(count);
    ready.resize(count);
    warps.assign((count + WARP - 1) / WARP, {});
    turns.clear();
    for (unsigned rank = 0; rank < count; rank++) {
        cuda_thread &thread = threads[rank];

        thread.block = this;
        thread.rank = ready[rank] = rank;
        thread.index = {rank % shape.x, rank / shape.x % shape.y, rank / shape.x / shape.y};
        thread.state = READY;
        thread.stack = nullptr;
        thread.tsan = nullptr;
        thread.left.file = nullptr;
        thread.values = nullptr;
        thread.copies.clear();
        thread.committed = 0;
        warps[rank / WARP].live |= 1u << rank % WARP;
    }
    shuffle(ready);
    shared.begin(job->dynamic_bytes);
    if (have_tsan()) {
        fenced.reset(new struct fences());
        watch();
    }
}

/* Draws the warps that ThreadSanitizer shall watch. The first is always one of them: its first
 * thread often does what is done once for the block. */
void block::watch() {
    std::vector<unsigned> drawn;

    for (unsigned i = 1; i < warps.size(); i++)
        drawn.push_back(i);
    shuffle(drawn);
    drawn.insert(drawn.begin(), 0);
    unwatched = nullptr;
    for (unsigned i : drawn) {
        int lanes = __builtin_popcount(warps[i].live);

        warps[i].is_watched = i == 0 || watched + lanes <= most_watched;
        if (warps[i].is_watched) {
            watched += lanes;
        } else if (!unwatched) {
            unwatched = thread_context("other threads");
            __tsan_switch_to_fiber(unwatched, TSAN_NO_SYNC);
            AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
            AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
            __tsan_switch_to_fiber(scheduler_tsan, TSAN_NO_SYNC);
        }
    }
}

void block::end() {
    if (met_barrier && shared.entries.empty())
        __atomic_store_n(&counters.bare_barriers, 1, __ATOMIC_RELAXED);
    if (fenced)
        stores_of_ended_block(&fenced->stores);
    if (have_tsan() && unwatched) {
        __tsan_switch_to_fiber(unwatched, TSAN_NO_SYNC);
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
        __tsan_switch_to_fiber(scheduler_tsan, TSAN_NO_SYNC);
        __tsan_destroy_fiber(unwatched);
    }
    shared.end();
}

void list_calls_of(cuda_thread &thread, char *text) {
    enum state state = thread.state;

    asked = text;
    resume(thread);
    asked = nullptr;
    thread.state = state;
}

void block::shuffle(std::vector<unsigned> &ranks) {
    for (size_t left = ranks.size(); left > 1; left--) {
        size_t other = (uint32_t)random_of(&random) * (uint64_t)left >> 32;
        unsigned rank = ranks[left - 1];

        ranks[left - 1] = ranks[other];
        ranks[other] = rank;
    }
}

/* Has the processor fetch what the threads to come will need first, while another one runs. */
void block::fetch_next(size_t count) const {
    if (count > 1)
        __builtin_prefetch(&threads[ready[count - 2]], 1);
    if (count && threads[ready[count - 1]].stack)
        fiber_fetch(threads[ready[count - 1]].stack);
}

round block::advance() {
    round round = {};

    while (!ready.empty()) {
        cuda_thread &thread = threads[ready.back()];

        ready.pop_back();
        fetch_next(ready.size());
        resume(thread);
        take(thread);
        round.ended |= thread.state == ENDED;
        round.turned |= thread.state == TURNS;
    }
    if (!turns.empty()) {
        shuffle(turns);
        ready.swap(turns);
    } else if (at_barrier && at_barrier == live) {
        release_barrier();
        round.met = true;
    } else if (live) {
        explain_wait();
    }
    return round;
}

/* What a thread's stop means for the others. */
void block::take(cuda_thread &thread) {
    unsigned first = thread.rank / WARP * WARP, bit = 1u << thread.rank % WARP;
    warp &own = warps[thread.rank / WARP];

    if (thread.state == TURNS)
        turns.push_back(thread.rank);
    if (thread.state == BARRIER)
        at_barrier++;
    if (thread.state == MEETING) {
        own.waiting |= bit;
        try_meeting(thread);
    }
    if (thread.state == ENDED) {
        live--;
        own.live &= ~bit;
        /* Lanes that wait for this one wait for it no longer. */
        for (unsigned lane = 0; lane < WARP; lane++)
            if (own.waiting >> lane & 1)
                try_meeting(threads[first + lane]);
        if (live == 0 && trace_meets)
            trace_meets(shared.start);
    }
}

/* Comparing names takes long, above all where a sanitizer looks at it. */
static bool same_text(const char *one, const char *other) {
    return one == other || !strcmp(one, other);
}

void block::release_barrier() {
    std::vector<cuda_thread *> all;

    done_here.barriers += count;
    predicates = 0;
    ready.clear();
    for (cuda_thread &thread : threads) {
        if (live < count || thread.where.line != threads[0].where.line ||
            !same_text(thread.where.file, threads[0].where.file) ||
            !same_text(thread.where.name, threads[0].where.name))
            explain_barrier();
        predicates += thread.predicate != 0;
        ready.push_back(thread.rank);
        all.push_back(&thread);
    }
    at_barrier = 0;
    met_barrier = true;
    shuffle(ready);
    tell_meeting(all.data(), all.size());
    if (trace_meets)
        trace_meets(shared.start);
}

/* Zeros, for a meeting of these lanes: what they found at their last one is no longer needed. */
uint64_t *warp::values_for(unsigned met) {
    meeting *found = nullptr;

    for (meeting &each : meetings) {
        each.readers &= live & ~met;
        if (!each.readers)
            found = &each;
    }
    if (!found) {
        meetings.emplace_back();
        found = &meetings.back();
    }
    found->readers = met;
    memset(found->values, 0, sizeof found->values);
    return found->values;
}

bool meets(const cuda_thread &one, const cuda_thread &other) {
    return one.mask == other.mask && same_text(one.where.name, other.where.name) &&
           (one.orders ||
            (one.where.line == other.where.line && same_text(one.where.file, other.where.file)));
}

/* If all lanes that `thread` waits for have come, all of them go on. Lanes that ended, or that the
 * block does not have, are not waited for. */
void block::try_meeting(const cuda_thread &thread) {
    unsigned first = thread.rank / WARP * WARP;
    warp &own = warps[thread.rank / WARP];
    unsigned met = thread.mask & own.live;
    cuda_thread *all[WARP];
    size_t came = 0;

    if (met & ~own.waiting)
        return;
    for (unsigned lanes = met; lanes; lanes &= lanes - 1) {
        cuda_thread &other = threads[first + (unsigned)__builtin_ctz(lanes)];

        if (!meets(other, thread))
            return;
        all[came++] = &other;
    }
    own.waiting &= ~met;
    uint64_t *values = own.values_for(met);
    for (size_t i = 0; i < came; i++) {
        values[all[i]->rank % WARP] = all[i]->value;
        all[i]->values = values;
        all[i]->met = met;
    }
    if (thread.together)
        thread.together(values);
    for (size_t i = 0; i < came; i++) {
        /* Anywhere among those that are ready. */
        size_t at = random_of(&random) % (ready.size() + 1);

        all[i]->state = READY;
        ready.push_back(all[i]->rank);
        ready.back() = ready[at];
        ready[at] = all[i]->rank;
    }
    if (thread.orders)
        tell_meeting(all, came);
}

cuda_thread *thread_that_calls(place call) {
    if (!current)
        fail("device-pointer", "%s:%d: %s is for kernels; host code called it", call.file,
             call.line, call.name);
    return current;
}

int block_barrier(int predicate, const char *name, const char *file, int line) {
    thread_that_calls({file, line, name})->where = {file, line, name};
    current->predicate = predicate;
    wait(BARRIER);
    return current->block->predicates;
}

/* Waits until the lanes have come. */
static void meet(unsigned mask, uint64_t value, place where, together_function *together,
                 bool orders) {
    thread_that_calls(where)->where = where;
    current->mask = mask;
    current->value = value;
    current->together = together;
    current->orders = orders;
    wait(MEETING);
}

const uint64_t *warp_meet(unsigned mask, uint64_t value, const char *operation, const char *file,
                          int line, together_function *together) {
    meet(mask, value, {file, line, operation}, together, false);
    return current->values;
}

void warp_sync(unsigned mask, const char *operation, const char *file, int line) {
    meet(mask, 0, {file, line, operation}, nullptr, true);
}

unsigned warp_met() {
    return current->met;
}

void turns_over(const char *file, int line) {
    if (!current) {
        turns_left = INT32_MAX; /* host code */
        return;
    }
    take_turns({file, line, "loop"});
}

void take_turns(place where) {
    current->where = where;
    wait(TURNS);
}

void let_others_run(place where) {
    int rounds;

    if (!current || random_of(&current->block->random) % FENCE_ONE_OF)
        return;
    current->where = where;
    for (rounds = 1 << random_of(&current->block->random) % FENCE_BITS; rounds; rounds--)
        wait(TURNS);
}

void leaves(place where) {
    if (current)
        current->left = where;
}

int thread_index() {
    return current ? (int)current->rank : -1;
}

uint64_t block_number() {
    return ((uint64_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

bool is_engine_memory(const void *address) {
    return current &&
           ((address >= current && address < current + 1) ||
            (current->values && address >= current->values && address < current->values + WARP));
}

bool is_own_stack(const void *address) {
    const char *stack = current->stack->stack;

    return address >= stack && address < stack + current->stack->stack_bytes;
}

bool is_stack_overflow(const void *address) {
    return current && fiber_overflowed(current->stack, address);
}

void describe_thread(char *text, size_t size) {
    char thread[40], block[40];

    *text = 0;
    if (current)
        snprintf(text, size, "%s, block %s, thread %s", current->block->job->kernel.name,
                 text_of(current->block->index, block), text_of(current->index, thread));
}

} // namespace cpucuda
