/* What ThreadSanitizer learns of streams.
 *
 * The host runs an operation when something needs it done, and it may know more by then than the
 * operation does: it may have waited for other streams. So each operation has a context of its own,
 * which knows what CUDA promises: all that the host had done at the call, the operations before it
 * in its stream and in the default stream, and the events that it waits for. Threads of a kernel
 * begin with that knowledge, and a copy touches its memory with it. The host learns what operations
 * did when it synchronises with them. */
#include <deque>
#include <pthread.h>
#include <stdio.h>

#include "host.h"
#include "sanitizers.h"

namespace cpucuda {

/* Contexts of copies that are kept, since a report needs them. */
enum { KEPT = 256 };

static char crew_started; /* the address where workers leave what they knew at their starts */
static void *beginning;   /* knows what the host did before its first call */
static void *context;     /* of the operation that runs */
static std::deque<void *> finished;
static std::map<uint64_t, char>
    done; /* addresses where operations leave what they know, by stream */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* While it exists, this is another thread for ThreadSanitizer. */
struct in_context {
    void *previous = __tsan_get_current_fiber();

    explicit in_context(void *context) {
        __tsan_switch_to_fiber(context, TSAN_NO_SYNC);
    }
    ~in_context() {
        __tsan_switch_to_fiber(previous, TSAN_NO_SYNC);
    }
};

/* A context that knows what `parent` does. Its name says which operation it is of. */
static void *create_from(void *parent, const char *what, const operation &operation) {
    char name[160];

    snprintf(name, sizeof name, "%s stream %u line %d", what,
             (unsigned)(operation.stream / MOST_DEVICES), operation.where.line);

    in_context there(parent);
    void *made = __tsan_create_fiber(0);

    __tsan_set_fiber_name(made, name);
    return made;
}

/* A kernel's threads are many, and ThreadSanitizer forgets those that ended some time ago. So what
 * a kernel changed is noted as the operation's own writes, too. It matters between streams alone.
 */
static std::vector<std::pair<char *, std::vector<char>>> contents;

static void note_contents(int device) {
    for (const mapping *each : device_memory())
        if (each->device == device)
            contents.push_back({each->start, {each->start, each->start + each->bytes}});
}

static void touch_changes() {
    for (const auto &each : contents) {
        const std::vector<char> &before = each.second;
        size_t i, end;

        for (i = 0; i < before.size(); i = end + 1) {
            for (end = i; end < before.size() && each.first[end] != before[end]; end++)
                ;
            if (end > i)
                __tsan_write_range(each.first + i, end - i);
        }
    }
    contents.clear();
}

void order_enqueued(const operation &operation) {
    if (!have_tsan())
        return;
    done[operation.stream];
    if (!beginning)
        beginning = __tsan_create_fiber(0);
    __tsan_release((void *)&operation);
}

void order_begins(const operation &operation) {
    if (!have_tsan())
        return;
    context = create_from(beginning, operation.where.name, operation);
    if (operation.kind == operation::KERNEL && done.size() > 1)
        note_contents(device_of(operation.stream));

    in_context there(context);

    __tsan_acquire((void *)&operation);
    for (auto &each : done)
        if (are_in_order(each.first, operation.stream))
            __tsan_acquire(&each.second);
    if (operation.kind == operation::WAIT)
        __tsan_acquire(operation.mark.get());
}

void worker_starts() {
    if (have_tsan())
        __tsan_release(&crew_started);
}

void *thread_context(const char *name) {
    void *made;

    pthread_mutex_lock(&mutex);
    made = create_from(context, name, *running_operation());
    {
        in_context there(made);

        __tsan_acquire(&crew_started);
    }
    pthread_mutex_unlock(&mutex);
    return made;
}

/* Staged memory is the engine's own. */
static void touch(const operation &operation) {
    if (operation.kind == operation::KERNEL)
        touch_changes();
    if (operation.kind == operation::COPY && operation.staged.empty())
        __tsan_read_range((void *)operation.from, operation.bytes);
    if (operation.kind == operation::COPY || operation.kind == operation::FILL)
        __tsan_write_range(operation.to, operation.bytes);
}

void order_ends(const operation &operation) {
    if (!have_tsan())
        return;
    {
        in_context there(context);

        __tsan_acquire((void *)&operation.launch); /* where its threads left what they knew */
        touch(operation);
        __tsan_release(&done[operation.stream]);
        if (operation.kind == operation::RECORD)
            __tsan_release(operation.mark.get());
    }
    finished.push_back(context);
    if (finished.size() > KEPT) {
        __tsan_destroy_fiber(finished.front());
        finished.pop_front();
    }
}

void call_in_order(const operation &operation) {
    if (!have_tsan()) {
        operation.function(operation.argument);
        return;
    }
    in_context there(context);

    operation.function(operation.argument);
}

void host_waited_for(const stream_state *stream) {
    if (!have_tsan())
        return;
    for (auto &each : done)
        if (!stream || stream->number == each.first ||
            (is_default(stream->number) && are_in_order(each.first, stream->number)))
            __tsan_acquire(&each.second);
}

void host_waited_for_device(int device) {
    if (!have_tsan())
        return;
    for (auto &each : done)
        if (device_of(each.first) == device)
            __tsan_acquire(&each.second);
}

void host_waited_for(const event &event) {
    if (have_tsan() && event.record)
        __tsan_acquire(event.mark.get());
}

} // namespace cpucuda
