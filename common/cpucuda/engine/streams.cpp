/* The queue. An operation runs as late as it may: when something needs it done. */
#include <pthread.h>
#include <set>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host.h"
#include "sanitizers.h"

namespace cpucuda {

enum { MOST_PENDING = 1024 };

static operations pending;
static uint64_t enqueued, shuffle_state;
static std::map<uint64_t, uint64_t> lasts; /* stream's number to its last operation's */
static std::set<uint64_t> not_blocking;    /* streams */
static const operation *running;
static __thread const place *in_host_function; /* that runs on this thread: its call */

const operation *running_operation() {
    return running;
}

bool is_pending(uint64_t number) {
    return pending.count(number);
}

static void wait_for(operation *operation, uint64_t earlier) {
    if (is_pending(earlier))
        operation->after.push_back(earlier);
}

bool are_in_order(uint64_t one, uint64_t other) {
    return one == other || (device_of(one) == device_of(other) &&
                            ((is_default(one) && !not_blocking.count(other)) ||
                             (is_default(other) && !not_blocking.count(one))));
}

/* Whether a copy from another device is under way to the kernel's, and the kernel need not wait. */
static bool is_beside_copy(const operation &kernel) {
    std::set<uint64_t> needed = {kernel.number};

    for (auto entry = pending.rbegin(); entry != pending.rend(); ++entry) {
        const operation &other = entry->second;

        if (needed.count(entry->first))
            needed.insert(other.after.begin(), other.after.end());
        else if (other.between && device_of(other.stream) == device_of(kernel.stream))
            return true;
    }
    return false;
}

const operation *pending_user_of_managed() {
    auto is_managed = [](const void *address) {
        const mapping *found = address ? find_mapping(address) : nullptr;
        return found && found->kind == MANAGED;
    };

    for (const auto &entry : pending)
        if (entry.second.kind == operation::KERNEL || is_managed(entry.second.to) ||
            is_managed(entry.second.from))
            return &entry.second;
    return nullptr;
}

const operation *pending_copy_of(const allocation &allocation) {
    auto is_part = [&](const char *address) {
        return address >= allocation.start && address < allocation.start + allocation.bytes;
    };

    for (const auto &entry : pending)
        if (entry.second.kind == operation::COPY &&
            (is_part(entry.second.to) ||
             (entry.second.staged.empty() && is_part(entry.second.from))))
            return &entry.second;
    return nullptr;
}

/* On a device without concurrentManagedAccess, and this is one, the host may not touch managed
 * memory while the device is busy. */
static void guard_managed_memory() {
    if (bytes_in_use(MANAGED))
        close_managed_memory(pending_user_of_managed() != nullptr);
}

uint64_t enqueue(operation operation, const stream_state *stream, uint64_t also_after) {
    if (capture(operation, stream))
        return 0;
    if (pending.size() >= MOST_PENDING)
        run_until(pending.begin()->first);
    operation.number = ++enqueued;
    operation.stream = stream->number;
    if (!stream->blocking)
        not_blocking.insert(stream->number);
    wait_for(&operation, also_after);
    for (const auto &last : lasts)
        if (are_in_order(last.first, stream->number))
            wait_for(&operation, last.second);
    lasts[stream->number] = operation.number;
    if (operation.staged.empty())
        guard_host_memory(operation);
    struct operation &kept = pending[enqueued] = std::move(operation);
    order_enqueued(kept);
    guard_managed_memory();
    counters.launches_beside += kept.kind == operation::KERNEL && is_beside_copy(kept);
    return enqueued;
}

static double now() {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* For the timeline: what ran, in the order in which it did. There are no times to tell. Returns
 * where it is noted; NULL if there were too many. */
static interval *note(interval_kind kind, const char *kernel, uint64_t bytes) {
    uint64_t i = counters.interval_count++;

    if (i >= MOST_INTERVALS)
        return nullptr;
    counters.intervals[i].kind = (uint8_t)kind;
    counters.intervals[i].bytes = bytes;
    snprintf(counters.intervals[i].kernel, sizeof counters.intervals[i].kernel, "%s", kernel);
    return &counters.intervals[i];
}

/* Memory of a stream's order that it has not come to yet, or no longer has. */
static void check_there(const operation &operation, const void *address) {
    const mapping *found = address ? find_mapping(address) : nullptr;
    const place &by = operation.where;

    if (found && found->freed)
        fail("order",
             "%s in %s:%d uses the %zu bytes that %s in %s:%d made after %s in %s:%d; free them "
             "behind it in its stream",
             by.name, by.file, by.line, found->bytes, found->where.name, found->where.file,
             found->where.line, found->freed_where.name, found->freed_where.file,
             found->freed_where.line);
    if (found && !found->there)
        fail("order",
             "%s in %s:%d uses the %zu bytes of %s in %s:%d, another stream's, before that stream "
             "has come to it; cudaStreamWaitEvent makes one stream wait for another",
             by.name, by.file, by.line, found->bytes, found->where.name, found->where.file,
             found->where.line);
}

static void run_copy(const operation &operation) {
    const char *from = operation.staged.empty() ? operation.from : operation.staged.data();

    memmove(operation.to, from, operation.bytes);
    if (operation.direction == cudaMemcpyHostToDevice) {
        note(COPY_IN, "", operation.bytes);
        counters.copies_in++;
        counters.bytes_in += operation.bytes;
        counters.pinned_in += operation.staged.empty() && page_locked(from, operation.bytes);
    } else if (operation.direction == cudaMemcpyDeviceToHost) {
        note(COPY_OUT, "", operation.bytes);
        counters.copies_out++;
        counters.bytes_out += operation.bytes;
        counters.pinned_out += page_locked(operation.to, operation.bytes);
    } else if (operation.between) {
        counters.copies_between++;
        counters.bytes_between += operation.bytes;
    }
}

static void run_kernel(const operation &operation) {
    interval *noted = note(KERNEL, operation.where.name, 0);
    uint64_t roots_before = counters.rsqrtf_calls + counters.other_roots;
    const dim3 grid = operation.launch.grid, block = operation.launch.block;
    int device = device_of(operation.stream);

    counters.launches++;
    counters.launches_by_graphs += operation.by_graph;
    hide_host_memory();
    size_t static_bytes = run_launch(operation.launch);
    show_host_memory();
    uint64_t roots_taken = counters.rsqrtf_calls + counters.other_roots - roots_before;
    counters.launches_on[device]++;
    counters.roots_on[device] += roots_taken;
    if (!noted)
        return;
    noted->blocks = (uint64_t)grid.x * grid.y * grid.z;
    noted->threads = (uint64_t)block.x * block.y * block.z;
    noted->static_bytes = static_bytes;
    noted->dynamic_bytes = operation.launch.dynamic_bytes;
    noted->roots = roots_taken;
}

static void run_event(const operation &operation) {
    if (operation.recorded->record != operation.number)
        return; /* recorded again meanwhile: the later one counts */
    operation.recorded->done = true;
    operation.recorded->milliseconds = now();
}

static void run(const operation &operation) {
    unwatched engine;

    running = &operation;
    if (operation.kind == operation::HOST) { /* it sees what host code sees */
        order_begins(operation);
        in_host_function = &operation.where;
        call_in_order(operation);
        in_host_function = nullptr;
        order_ends(operation);
        running = nullptr;
        pending.erase(operation.number);
        return;
    }
    open_device_memory(operation.kind == operation::KERNEL ? device_of(operation.stream)
                                                           : ALL_DEVICES);
    open_host_memory();
    check_there(operation, operation.to);
    check_there(operation, operation.from);
    before_operation(operation, pending);
    order_begins(operation);
    switch (operation.kind) {
    case operation::KERNEL:
        run_kernel(operation);
        break;
    case operation::COPY:
        run_copy(operation);
        break;
    case operation::FILL:
        memset(operation.to, operation.value, operation.bytes);
        counters.fills++;
        break;
    case operation::RECORD:
        run_event(operation);
        break;
    case operation::ALLOCATE:
        set_there(operation.memory, true);
        break;
    case operation::FREE:
        unmap_memory(operation.memory, operation.where);
        break;
    case operation::WAIT:
    case operation::HOST:
        break;
    }
    order_ends(operation);
    after_operation(operation, pending);
    release_host_memory(operation);
    close_host_memory();
    close_device_memory();
    running = nullptr;
    pending.erase(operation.number);
    guard_managed_memory();
}

static bool is_ready(const operation &operation) {
    for (uint64_t earlier : operation.after)
        if (is_pending(earlier))
            return false;
    return true;
}

/* Runs one of those operations, or of what they wait for; false if all are done. Where no order is
 * defined, any may be next. */
static bool run_one_of(std::set<uint64_t> needed) {
    std::vector<const operation *> ready;

    for (auto entry = pending.rbegin(); entry != pending.rend(); ++entry) {
        if (!needed.count(entry->first))
            continue;
        needed.insert(entry->second.after.begin(), entry->second.after.end());
        if (is_ready(entry->second))
            ready.push_back(&entry->second);
    }
    if (ready.empty())
        return false;
    /* Memory may go as soon as its stream comes to that. */
    for (const auto &entry : pending)
        if (entry.second.kind == operation::FREE && !needed.count(entry.first) &&
            is_ready(entry.second))
            ready.push_back(&entry.second);
    if (!shuffle_state)
        shuffle_state = seed() | 1;
    run(*ready[random_of(&shuffle_state) % ready.size()]);
    return true;
}

static void run_all_of(const std::set<uint64_t> &needed) {
    while (run_one_of(needed))
        ;
}

void run_until(uint64_t number) {
    run_all_of({number});
}

bool run_one(uint64_t number) {
    run_one_of({number});
    return is_pending(number);
}

void run_everything() {
    std::set<uint64_t> all;

    for (const auto &entry : pending)
        all.insert(entry.first);
    run_all_of(all);
    host_waited_for((const stream_state *)nullptr);
}

void run_device(int device) {
    std::set<uint64_t> needed;

    for (const auto &last : lasts)
        if (device_of(last.first) == device)
            needed.insert(last.second);
    run_all_of(needed);
    host_waited_for_device(device);
}

uint64_t last_of(const stream_state *stream) {
    return is_pending(lasts[stream->number]) ? lasts[stream->number] : 0;
}

void run_stream(const stream_state *stream) {
    std::set<uint64_t> needed;

    for (const auto &last : lasts)
        if (last.first == stream->number ||
            (is_default(stream->number) && are_in_order(last.first, stream->number)))
            needed.insert(last.second);
    run_all_of(needed);
    host_waited_for(stream);
}

const operation *pending_work() {
    const operation *found = nullptr;

    for (const auto &entry : pending)
        if (entry.second.kind == operation::COPY &&
            entry.second.direction == cudaMemcpyDeviceToHost)
            return &entry.second;
        else if (!found &&
                 (entry.second.kind == operation::KERNEL || entry.second.kind == operation::COPY ||
                  entry.second.kind == operation::FILL || entry.second.kind == operation::HOST))
            found = &entry.second;
    return found;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

entered::entered(place call) : place(call) {
    if (on_device())
        fail("launch", "%s in %s:%d was called in a kernel; only host code can", call.name,
             call.file, call.line);
    if (in_host_function)
        fail("order",
             "%s in %s:%d was called in a host function that %s in %s:%d put into a stream; such a "
             "function must not call CUDA",
             call.name, call.file, call.line, in_host_function->name, in_host_function->file,
             in_host_function->line);
    pthread_mutex_lock(&mutex);
}

entered::~entered() {
    pthread_mutex_unlock(&mutex);
}

} // namespace cpucuda

using namespace cpucuda;

static __thread cudaError_t launched;

cudaError_t cpucuda::launch_error() {
    return launched;
}

void cpucuda::enqueue_launch(const launch &launch) {
    entered held(launch.kernel);
    place call = launch.kernel;
    const stream_state *stream = state_of(launch.stream);
    const char *over = over_limit(launch, dynamic_limit((const void *)launch.run));
    uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    uint64_t room = over ? 0 : multiprocessors() * (uint64_t)resident_blocks(launch);
    char name[160];

    snprintf(name, sizeof name, "launch of %s", call.name);
    call.name = name;
    launched = cudaSuccess;
    if (!stream) {
        launched =
            failed(cudaErrorInvalidResourceHandle, "launch", call, "its stream does not exist");
    } else if (device_of(stream->number) != current_device()) {
        launched = failed(
            cudaErrorInvalidResourceHandle, "launch", call,
            "its stream is of device %d, and the current device is %d; call cudaSetDevice(%d)",
            device_of(stream->number), current_device(), device_of(stream->number));
    } else if (over) {
        launched = failed(cudaErrorInvalidConfiguration, "launch", call, "%s", over);
    } else if (launch.cooperative && blocks > room) {
        launched =
            failed(cudaErrorCooperativeLaunchTooLarge, "launch", call,
                   "%llu blocks, whose launch is cooperative; the device holds %llu at a time",
                   (unsigned long long)blocks, (unsigned long long)room);
    } else {
        operation operation = {operation::KERNEL, launch.kernel};
        operation.launch = launch;
        enqueue(std::move(operation), stream);
    }
}
