/* The trace: which memory every instruction of a kernel touches, request by request.
 *
 * The step's object is compiled with -fsanitize=thread, so every load and store comes with a call
 * (trace_hooks.cpp). It is linked with these files instead of the sanitizer's runtime. Threads of a
 * block run one after the other up to a barrier; until then every thread's addresses are kept for
 * each instruction, and at the barrier the k-th addresses of the 32 lanes of a warp are a request.
 *
 * Not traced: a thread's own stack (registers and local memory of a GPU), variables with __thread
 * (threadIdx and its like) and constants of the program. Variables with __constant__ are, and
 * apart: in this build they lie in a section of their own. */
#include "trace.h"

#include "block.h"

#include <algorithm>
#include <iterator>
#include <link.h>
#include <map>
#include <memory>
#include <mutex>
#include <string.h>
#include <unordered_map>
#include <vector>

namespace cpucuda {

/* Sites in a worker's table, and bytes that its threads' addresses may take until a barrier. */
enum { SITES = 4096, MOST_MEMORY = 1 << 28 };

/* A range of memory. */
struct extent {
    uintptr_t start;
    size_t bytes;
    bool has(uintptr_t address) const {
        return address - start < bytes;
    }
};

/* The accesses of one instruction: of one kind, width and space. */
struct site {
    trace_line line;              /* since the last merge */
    extent known;                 /* device memory that it touched last: nearly always again */
    bool touched;                 /* since the last barrier */
    int total;                    /* its index in `totals`; -1: none yet */
    stream streams[MOST_THREADS]; /* empty when the worker ends */
};

/* What belongs to one block: its shared memory first of all. */
struct shared_part {
    extent memory;
    std::vector<char> written; /* of every byte: whether somebody wrote it */
    /* What each of its threads asked for last. Blocks that run in turns have one each. */
    std::unordered_map<const site *, std::vector<run>> asked;
    bool has(uintptr_t address) const {
        return memory.has(address);
    }
};

/* An OS thread that runs blocks. */
struct worker {
    std::unique_ptr<site> sites[SITES]; /* open addressing */
    int count = 0;
    std::vector<site *> touched;
    size_t memory = 0;
    std::map<uintptr_t, shared_part> shared_parts; /* of the blocks that run in turns, by start */
    shared_part *shared = nullptr;                 /* the one that was touched last */
    extent thread_variables = {};
};

/* The program in memory, and its variables. */
struct program {
    std::vector<extent> loaded, writable;
};

static program program;
static std::mutex lock;                /* of the next two, and of the trace's part of counters */
static std::vector<trace_line> totals; /* of all instructions; counters has the greatest */
static std::once_flag program_known;
static __thread worker *here; /* NULL: no CUDA thread has ever run on this OS thread */

static int look_at_program(dl_phdr_info *info, size_t, void *) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) &part = info->dlpi_phdr[i];

        if (part.p_type == PT_LOAD) {
            program.loaded.push_back({info->dlpi_addr + part.p_vaddr, part.p_memsz});
            if (part.p_flags & PF_W)
                program.writable.push_back(program.loaded.back());
        }
    }
    return 1; /* the program itself comes first; the libraries do not matter */
}

static int look_at_thread(dl_phdr_info *info, size_t, void *found) {
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data)
            *static_cast<extent *>(found) = {reinterpret_cast<uintptr_t>(info->dlpi_tls_data),
                                             info->dlpi_phdr[i].p_memsz};
    return 1;
}

static worker *this_worker() {
    if (!here) {
        static thread_local std::unique_ptr<worker> owned;

        owned.reset(new worker);
        here = owned.get();
        std::call_once(program_known, [] { dl_iterate_phdr(look_at_program, nullptr); });
        dl_iterate_phdr(look_at_thread, &here->thread_variables);
    }
    return here;
}

void trace_shared_starts(void *start, size_t bytes) {
    worker *worker = this_worker();

    worker->shared = &worker->shared_parts[reinterpret_cast<uintptr_t>(start)];
    worker->shared->memory = {reinterpret_cast<uintptr_t>(start), bytes};
    worker->shared->written.assign(bytes, 0);
    worker->shared->asked.clear();
}

/* The program's variables with __constant__, if it has any. */
extern "C" char __start_cpucuda_constant[] __attribute__((weak));
extern "C" char __stop_cpucuda_constant[] __attribute__((weak));

static bool is_constant(uintptr_t address) {
    return address >= reinterpret_cast<uintptr_t>(__start_cpucuda_constant) &&
           address < reinterpret_cast<uintptr_t>(__stop_cpucuda_constant);
}

static bool among(const std::vector<extent> &extents, uintptr_t address, extent *found) {
    for (const extent &extent : extents)
        if (extent.has(address)) {
            *found = extent;
            return true;
        }
    return false;
}

/* Whether the address is of device memory, in `found`. What lies behind an allocation is none: it
 * cannot be touched, and memory.cpp says so. */
static bool in_device_memory(uintptr_t address, uintptr_t offset, extent *found) {
    const allocation *allocation = find_allocation(reinterpret_cast<void *>(address));

    if (allocation) {
        *found = {reinterpret_cast<uintptr_t>(allocation->start), allocation->bytes};
        return found->has(address) && !allocation->freed;
    }
    if (among(program.writable, address, found))
        return true;

    shared_place behind; /* faults.cpp tells it */

    if (among(program.loaded, address, found) ||
        is_engine_memory(reinterpret_cast<void *>(address)) ||
        find_shared(reinterpret_cast<void *>(address), &behind))
        return false;

    char thread[160];

    describe_thread(thread, sizeof thread);
    fail("host-pointer",
         "%s: at {+0x%lx} it used memory of the host; copy it with cudaMemcpy and pass the "
         "device's pointer, or, if that is what it has, look at the index: it may be far off",
         thread, (unsigned long)offset);
}

/* Whether the address is of a block's shared memory. It is the running one's: no thread knows
 * another's addresses. */
static bool is_shared(worker *worker, uintptr_t address) {
    if (worker->shared->has(address))
        return true;
    auto after = worker->shared_parts.upper_bound(address);
    if (after == worker->shared_parts.begin() || !(--after)->second.has(address))
        return false;
    worker->shared = &after->second;
    return true;
}

void trace_shared_unwritten(void *start, size_t bytes) {
    worker *worker = this_worker();
    const uintptr_t address = reinterpret_cast<uintptr_t>(start);

    if (is_shared(worker, address))
        memset(&worker->shared->written[address - worker->shared->memory.start], 0, bytes);
}

static bool nobody_wrote(const worker *worker, size_t begin, size_t end) {
    return !worker->shared->written[begin] &&
           !memchr(&worker->shared->written[begin], 1, end - begin);
}

/* A kernel may copy a struct whose padding nobody wrote, even member by member. So this looks at
 * the whole 16 bytes around the access, as far as they belong to the same variable. */
static void check_written(const worker *worker, uintptr_t address, size_t bytes, uintptr_t offset) {
    const size_t begin = address - worker->shared->memory.start;
    const size_t end = std::min(begin + bytes, worker->shared->memory.bytes);
    shared_place place;
    char thread[160];

    if (!nobody_wrote(worker, begin, end) ||
        !find_shared(reinterpret_cast<void *>(address), &place) || place.offset >= place.bytes)
        return;
    const size_t first = begin - place.offset;
    if (!nobody_wrote(worker, std::max(first, begin / 16 * 16),
                      std::min(first + place.bytes, (end + 15) / 16 * 16)))
        return;
    describe_thread(thread, sizeof thread);
    fail("uninitialised",
         "%s: at {+0x%lx} it read %zu bytes of shared `%s` (%s:%d) that no thread had written",
         thread, (unsigned long)offset, bytes, place.where.name, place.where.file,
         place.where.line);
}

static void mark_written(worker *worker, uintptr_t address, size_t bytes) {
    const size_t begin = address - worker->shared->memory.start;

    memset(&worker->shared->written[begin], 1,
           std::min(bytes, worker->shared->memory.bytes - begin));
}

static site *find_site(worker *worker, uintptr_t offset, memory_space space, unsigned width,
                       bool store) {
    size_t slot = (offset * 16 + width * 3 + space * 2 + store) * 0x9e3779b97f4a7c15u >> 52;

    static_assert(SITES == 1 << 12, "the hash has 12 bits");
    for (;; slot = (slot + 1) % SITES) {
        std::unique_ptr<site> &at = worker->sites[slot];

        if (!at)
            break;
        if (at->line.offset == offset && at->line.space == space && at->line.width == width &&
            at->line.stores == store)
            return at.get();
    }
    if (++worker->count == SITES)
        fail("internal", "the trace knows at most %d loads and stores in the source", SITES - 1);

    site *made = new site();

    made->line.offset = offset;
    made->line.space = space;
    made->line.width = (uint16_t)width;
    made->line.stores = store;
    made->total = -1;
    worker->sites[slot].reset(made);
    return made;
}

static void record(worker *worker, unsigned thread, uintptr_t address, unsigned width, bool store,
                   uintptr_t offset) {
    const memory_space space = is_shared(worker, address) ? SHARED_MEMORY
                               : is_constant(address)     ? CONSTANT_MEMORY
                                                          : GLOBAL_MEMORY;
    site *site = find_site(worker, offset, space, width, store);

    if (space == GLOBAL_MEMORY && !site->known.has(address) &&
        !in_device_memory(address, offset, &site->known)) {
        site->known = {};
        return;
    }
    if (!site->touched) {
        site->touched = true;
        worker->touched.push_back(site);
    }
    worker->memory += stream_add(&site->streams[thread], address);
    if (worker->memory > MOST_MEMORY)
        fail("internal",
             "the addresses between two barriers need more than %d MiB; trace it with "
             "fewer bodies",
             MOST_MEMORY >> 20);
}

/* Whether that is memory that is not traced. `frame`: below all of the kernel's. Just behind the
 * stack other memory may begin, shared memory too. Most of a kernel's accesses come here and no
 * further, so nothing is called. */
static inline bool ignored(worker *worker, uintptr_t address, uintptr_t frame) {
    const fiber *own = current->stack;

    return address - frame < reinterpret_cast<uintptr_t>(own->stack) + own->stack_bytes - frame ||
           (worker->thread_variables.has(address) && !is_shared(worker, address));
}

void trace_access(const volatile void *address, unsigned width, access kind, const void *caller) {
    worker *worker = here;
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);

    if (!current || ignored(worker, at, reinterpret_cast<uintptr_t>(__builtin_frame_address(0))))
        return;

    const uintptr_t offset = program_offset(caller);

    if (is_shared(worker, at)) {
        if (kind & LOAD)
            check_written(worker, at, width, offset);
        if (kind & STORE)
            mark_written(worker, at, width);
    }
    record(worker, current->rank, at, width, kind & STORE, offset);
}

void trace_range(const void *address, size_t bytes, access kind, const void *caller) {
    worker *worker = here;
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);
    const unsigned width = at % 4 || bytes % 4 ? 1 : 4;

    if (!current || !bytes ||
        ignored(worker, at, reinterpret_cast<uintptr_t>(__builtin_frame_address(0))))
        return;

    const uintptr_t offset = program_offset(caller);

    if (is_shared(worker, at)) {
        if (kind & LOAD)
            check_written(worker, at, bytes, offset);
        else
            mark_written(worker, at, bytes);
    }
    for (size_t i = 0; i < bytes; i += width)
        record(worker, current->rank, at + i, width, kind & STORE, offset);
}

/* The same instruction, of which nothing is counted yet. */
static trace_line cleared(const trace_line &line) {
    return {line.offset, line.space, line.stores, line.width, 0, 0, 0, 0, 0, 0, 0, 0};
}

/* A run begins with cleared counters; what earlier runs did is not its business. */
static void forget_earlier_runs() {
    if (!counters.traced_lines)
        for (trace_line &line : totals)
            line = cleared(line);
}

/* Adds what a site counted to the totals of all workers. Under the lock. */
static void merge(site *site) {
    trace_line *line = &site->line;

    if (site->total < 0) {
        const auto same = [line](const trace_line &other) {
            return other.offset == line->offset && other.space == line->space &&
                   other.width == line->width && other.stores == line->stores;
        };
        const auto found = std::find_if(totals.begin(), totals.end(), same);

        site->total = (int)(found - totals.begin());
        if (found == totals.end())
            totals.push_back(cleared(*line));
    }

    trace_line *total = &totals[(size_t)site->total];

    total->requests += line->requests;
    total->bytes += line->bytes;
    total->sectors += line->sectors;
    total->broadcasts += line->broadcasts;
    total->varied_requests += line->varied_requests;
    total->varied_sectors += line->varied_sectors;
    total->wavefronts += line->wavefronts;
    total->again += line->again;
    if (line->space == GLOBAL_MEMORY)
        counters.global_bytes += line->bytes;
    *line = cleared(*line);
}

/* counters gets the lines with the most bytes. Under the lock. */
static void publish() {
    std::vector<trace_line> greatest;

    std::copy_if(totals.begin(), totals.end(), std::back_inserter(greatest),
                 [](const trace_line &line) { return line.requests > 0; });
    const size_t count = std::min(greatest.size(), (size_t)TRACE_LINES);

    if (greatest.size() > count)
        std::nth_element(
            greatest.begin(), greatest.begin() + (ptrdiff_t)count, greatest.end(),
            [](const trace_line &a, const trace_line &b) { return a.bytes > b.bytes; });
    std::copy_n(greatest.begin(), count, counters.lines);
    counters.traced_lines = count;
}

void trace_meets(const void *start) {
    worker *worker = this_worker();
    shared_part *block = &worker->shared_parts[reinterpret_cast<uintptr_t>(start)];

    for (site *site : worker->touched) {
        std::vector<run> &asked = block->asked[site];

        asked.resize(MOST_THREADS);
        for (size_t first = 0; first < MOST_THREADS; first += WARP)
            streams_to_requests(&site->streams[first], &asked[first], &site->line);
    }

    std::lock_guard<std::mutex> hold(lock);

    forget_earlier_runs();
    for (site *site : worker->touched) {
        merge(site);
        site->touched = false;
        site->known = {}; /* memory may be freed until the next block */
    }
    worker->touched.clear();
    worker->memory = 0;
    publish();
}

} // namespace cpucuda
