/* A launch from its configuration to its last thread: blocks in a shuffled order over all workers.
 */
#include "block.h"
#include "host.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <chrono>

#include "sanitizers.h"

namespace cpucuda {

__thread const void **asked_key;
__thread work_counts done_here;

/* Shapes whose kernel's call follows; an argument of the call may itself launch. */
static __thread std::vector<launch> *configured;

void configure(place kernel, dim3 grid, dim3 block, size_t dynamic_bytes, cudaStream_t stream,
               bool cooperative) {
    if (current)
        fail(
            "missing-call",
            "%s:%d: %s launches %s; a kernel that launches kernels (dynamic parallelism) is not in "
            "this course",
            kernel.file, kernel.line, current->block->job->kernel.name, kernel.name);
    if (!configured)
        configured = new std::vector<launch>;
    configured->push_back(
        {kernel, grid, block, dynamic_bytes, stream, cooperative, nullptr, nullptr, {}});
}

void keep_argument(const void *value, size_t bytes, size_t alignment) {
    if (!configured || configured->empty())
        return;
    std::vector<char> &all = configured->back().arguments;
    const size_t at = (all.size() + alignment - 1) / alignment * alignment;

    all.resize(at + bytes);
    memcpy(&all[at], value, bytes);
}

void launch_configured(void (*run)(const void *), const void *closure,
                       void (*release)(const void *)) {
    if (!configured || configured->empty())
        fail("launch", "a kernel was called like a function; a launch needs <<<grid, block>>>");
    launch launch = configured->back();
    configured->pop_back();
    launch.run = run;
    launch.closure = std::shared_ptr<const void>(closure, release);
    enqueue_launch(launch);
}

const char *over_limit(const launch &launch, size_t dynamic_limit) {
    static __thread char text[160];
    dim3 grid = launch.grid, block = launch.block;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;

    if (threads == 0 || (uint64_t)grid.x * grid.y * grid.z == 0)
        snprintf(text, sizeof text, "%u x %u x %u blocks of %u x %u x %u threads are none", grid.x,
                 grid.y, grid.z, block.x, block.y, block.z);
    else if (block.x > MOST_THREADS || block.y > MOST_THREADS || block.z > 64 ||
             threads > MOST_THREADS)
        snprintf(text, sizeof text, "%u x %u x %u threads per block; at most %d, and 64 in z",
                 block.x, block.y, block.z, MOST_THREADS);
    else if (grid.x > INT32_MAX || grid.y > MOST_GRID_YZ || grid.z > MOST_GRID_YZ)
        snprintf(text, sizeof text, "%u x %u x %u blocks; at most 2147483647 x %d x %d", grid.x,
                 grid.y, grid.z, MOST_GRID_YZ, MOST_GRID_YZ);
    else if (launch.dynamic_bytes > dynamic_limit)
        snprintf(text, sizeof text,
                 "%zu bytes of dynamic shared memory; at most %zu, unless cudaFuncSetAttribute "
                 "allows more",
                 launch.dynamic_bytes, dynamic_limit);
    else
        return nullptr;
    return text;
}

/* Their order alone would take a GiB, and their threads hours. */
enum : uint64_t { MOST_BLOCKS = 1 << 28 };

/* One launch, shared by the workers. */
struct job {
    const launch *launched;
    std::vector<uint32_t> order; /* of the blocks */
    size_t next;                 /* the first in it that nobody took */
    uint64_t random;
    unsigned resident; /* blocks that were started and have not ended, of all workers */
    unsigned most_resident, most_unasked; /* the former if one may wait for one more */
    size_t static_shared;                 /* bytes of a block that ended */
    uint32_t slow; /* a block that after so many rounds, or barriers, stands still while others can
                      go on */
    int slow_after;
    bool by_one;  /* a single worker has all blocks; slow_after counts barriers, not rounds */
    bool by_many; /* several workers run blocks */
    int patience;
};

/* Rounds in which threads went round a loop and none came to its end. After so many a worker starts
 * another block, whose threads may be those waited for; in one launch of four at once, so that it
 * runs beside one that is about to tell it something. That the loop has barriers or votes in it
 * means nothing: a block may wait for another as a whole. */
enum { PATIENCE = 16, LONG_PATIENCE = 1024, IMPATIENT_ONE_OF = 4 };

/* Takes the number of a block that nobody took. False: there is none, or a GPU would not hold one
 * more; then those that run go first, and their workers take what is left. */
static bool take_block(job *job, unsigned most, uint32_t *number) {
    unsigned resident = __atomic_load_n(&job->resident, __ATOMIC_RELAXED);
    size_t taken;

    do {
        if (resident >= most)
            return false;
    } while (!__atomic_compare_exchange_n(&job->resident, &resident, resident + 1, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    taken = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
    if (taken < job->order.size()) {
        *number = job->order[taken];
        return true;
    }
    __atomic_fetch_sub(&job->resident, 1, __ATOMIC_RELAXED);
    return false;
}

static size_t begun(const job *job) {
    size_t next = __atomic_load_n(&job->next, __ATOMIC_RELAXED); /* one more for each refusal */

    return next < job->order.size() ? next : job->order.size();
}

/* The slow block, to a worker. After its rounds it stands still, until nothing else can go on. */
struct slow_block {
    const block *it; /* nullptr: another worker has it, or it need not be slow any more */
    int rounds_left;

    bool stands() const {
        return it && rounds_left <= 0;
    }
};

/* What this worker's blocks wait for may run on another one. Where other programs take the CPU for
 * long when it is offered, a worker sleeps the next times: who sleeps is woken before their turn
 * ends. Where none does, a sleep takes longer than the wait. */
static void wait_for_workers(int *sleeps) {
    using clock = std::chrono::steady_clock;
    clock::time_point before;

    if (*sleeps) {
        --*sleeps;
        usleep(20);
        return;
    }
    before = clock::now();
    sched_yield();
    if (clock::now() - before > std::chrono::microseconds(200))
        *sleeps = 64;
}

static void run_blocks(job *job) {
    static __thread std::vector<block *> *idle;
    std::vector<block *> resident;
    slow_block slow = {nullptr, job->slow_after};
    int rounds = 0, sleeps = 0;

    if (!idle)
        idle = new std::vector<block *>;
    for (;;) {
        round all = {};
        size_t going = resident.size() - slow.stands();

        if (!going || rounds >= (slow.stands() ? 1 : job->patience)) {
            uint32_t number;

            if (take_block(job, resident.empty() ? job->most_unasked : job->most_resident,
                           &number)) {
                uint64_t state = job->random + number;

                if (idle->empty())
                    idle->push_back(new block());
                resident.push_back(idle->back());
                idle->pop_back();
                resident.back()->begin(job->launched, number, random_of(&state));
                rounds = 0;
                if (number == job->slow)
                    slow.it = resident.back();
            } else if (resident.empty()) {
                return;
            } else if (!going || rounds >= (job->by_one ? LONG_PATIENCE : PATIENCE)) {
                slow.it = nullptr;
            }
        }
        for (size_t i = 0; i < resident.size();) {
            block *block = resident[i];

            if (block == slow.it && slow.stands()) {
                i++;
                continue;
            }
            round one = block->advance();

            if (block == slow.it && (one.met || !job->by_one))
                slow.rounds_left--;

            all.ended |= one.ended;
            all.turned |= one.turned;
            if (block->live) {
                i++;
                continue;
            }
            __atomic_store_n(&job->static_shared, block->shared.static_bytes, __ATOMIC_RELAXED);
            grid_block_ends(*block);
            block->end();
            if (block == slow.it)
                slow.it = nullptr;
            __atomic_fetch_sub(&job->resident, 1, __ATOMIC_RELAXED);
            idle->push_back(block);
            resident.erase(resident.begin() + (ptrdiff_t)i);
        }
        for (size_t i = 0; i < resident.size() && end_is_asked(); i++)
            resident[i]->explain_turns(number_of_launch(), begun(job), job->order.size());
        rounds = all.ended ? 0 : rounds + all.turned;
        if (job->by_many && rounds > PATIENCE)
            wait_for_workers(&sleeps);
    }
}

/* What a worker does in a launch. On the launching thread the host may have taken roots before. */
static void work(job *job) {
    done_here = {};
    run_blocks(job);
    __atomic_fetch_add(&counters.rsqrtf_calls, done_here.rsqrtf, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counters.other_roots, done_here.other_roots, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counters.tensor_products, done_here.tensor_products, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counters.barriers, done_here.barriers, __ATOMIC_RELAXED);
}

/* The workers but the first, which is the launching thread. They sleep between launches. */
static struct {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t wake = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
    struct job *work;
    unsigned generation;
    int started, busy;
} crew;

static void *crew_main(void *) {
    unsigned seen = 0;

    unwatched engine;

    worker_starts();
    prepare_fault_stack();
    pthread_mutex_lock(&crew.mutex);
    for (;;) {
        while (crew.generation == seen)
            pthread_cond_wait(&crew.wake, &crew.mutex);
        seen = crew.generation;
        job *job = crew.work;
        pthread_mutex_unlock(&crew.mutex);
        work(job);
        pthread_mutex_lock(&crew.mutex);
        if (--crew.busy == 0)
            pthread_cond_signal(&crew.done);
    }
}

static void work_together(job *job) {
    int others = workers() - 1;

    pthread_mutex_lock(&crew.mutex);
    for (; crew.started < others; crew.started++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, crew_main, NULL))
            break;
        pthread_detach(thread);
    }
    crew.work = job;
    crew.busy = crew.started;
    crew.generation++;
    pthread_cond_broadcast(&crew.wake);
    pthread_mutex_unlock(&crew.mutex);
    work(job);
    pthread_mutex_lock(&crew.mutex);
    while (crew.busy)
        pthread_cond_wait(&crew.done, &crew.mutex);
    pthread_mutex_unlock(&crew.mutex);
}

/* Draws a block that is slow from its start or from a later barrier on. */
static void slow_down(job *job, uint64_t *state) {
    job->slow = (uint32_t)(random_of(state) % job->order.size());
    job->slow_after = 1 + (int)(random_of(state) % (2u << random_of(state) % 4));
}

/* What CUDA leaves open of blocks that wait for others, the seed chooses: either there is room for
 * few at a time, or one is slow and many overtake it. */
static void surprise(job *job, uint64_t *state) {
    if (random_of(state) % 2) {
        job->most_resident = 1u << random_of(state) % 6;
        return;
    }
    job->most_resident = job->most_unasked < 64 ? job->most_unasked : 64;
    slow_down(job, state);
}

/* Few enough blocks that one worker can have them all take turns without losing much time. */
enum { FEW_BLOCKS = 16 };

size_t run_launch(const launch &launch) {
    dim3 grid = launch.grid;
    unsigned threads = launch.block.x * launch.block.y * launch.block.z;
    unwatched engine;
    unsigned a_multiprocessor = most_resident_threads() / threads;
    uint64_t state = seed() + launches_so_far() + 1;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    bool all_wait = launch.cooperative || knows_room(launch); /* each may wait for all others */
    job job = {};

    if (blocks > MOST_BLOCKS)
        fail("launch", "%s:%d: %u x %u x %u blocks of %s; on a CPU at most %llu can run",
             launch.kernel.file, launch.kernel.line, grid.x, grid.y, grid.z, launch.kernel.name,
             (unsigned long long)MOST_BLOCKS);
    if (a_multiprocessor > MOST_RESIDENT_BLOCKS)
        a_multiprocessor = MOST_RESIDENT_BLOCKS;
    job.launched = &launch;
    job.random = random_of(&state);
    job.most_resident = job.most_unasked = multiprocessors() * a_multiprocessor;
    job.order.resize(blocks);
    for (size_t i = 0; i < job.order.size(); i++) {
        size_t other = (size_t)(random_of(&state) % (i + 1));

        job.order[i] = job.order[other];
        job.order[other] = (uint32_t)i;
    }
    job.slow = UINT32_MAX;
    job.patience = random_of(&state) % IMPATIENT_ONE_OF ? PATIENCE : 1;
    if (blocks > job.most_resident || !all_wait)
        surprise(&job, &state);
    else if (blocks <= FEW_BLOCKS)
        slow_down(&job, &state);
    /* Alone on its worker a block would be slow for nobody. While it stands, the others are to get
     * through an iteration, whose loops are rounds as well. */
    job.by_one = all_wait && blocks <= FEW_BLOCKS && job.slow != UINT32_MAX;
    if (job.by_one)
        job.slow_after = (int)(random_of(&state) % 6);
    job.by_many = workers() > 1 && blocks > 1 && !job.by_one;

    launch_begins(launch.kernel.name);
    grid_begins(launch);
    open_device_memory();
    if (run_by_sass && run_by_sass(launch))
        ;
    else if (job.by_many)
        work_together(&job);
    else
        work(&job);
    show_all_stores();
    close_device_memory();
    launch_ends();
    note_static_shared((const void *)launch.run, job.static_shared);
    return job.static_shared;
}

} // namespace cpucuda
