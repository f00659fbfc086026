/* The calls of streams and events. */
#include "host.h"

struct cpucuda_stream {
    cpucuda::stream_state state;
};

struct cpucuda_event {
    std::shared_ptr<cpucuda::event> event;
};

namespace cpucuda {

static std::map<cudaStream_t, std::unique_ptr<cpucuda_stream>> streams;
static std::map<cudaEvent_t, std::unique_ptr<cpucuda_event>> events;
static uint64_t streams_made;

const stream_state *state_of(cudaStream_t stream) {
    static const std::vector<stream_state> default_streams = [] {
        std::vector<stream_state> made;

        for (uint64_t device = 0; device < MOST_DEVICES; device++)
            made.push_back({device, true});
        return made;
    }();

    if (!stream)
        return &default_streams[(size_t)current_device()];
    return streams.count(stream) ? &stream->state : nullptr;
}

void forget_streams() {
    streams.clear();
    events.clear();
}

static cudaError_t no_stream(place call) {
    return failed(cudaErrorInvalidResourceHandle, "stream", call, "there is no such stream");
}

static cudaError_t no_event(place call) {
    return failed(cudaErrorInvalidResourceHandle, "event", call, "there is no such event");
}

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags, place call) {
    if (!stream || flags > cudaStreamNonBlocking)
        return failed(cudaErrorInvalidValue, "stream", call, "%s",
                      stream ? "the flags are cudaStreamDefault or cudaStreamNonBlocking"
                             : "the pointer to the stream is NULL");
    *stream = new cpucuda_stream{
        {++streams_made * MOST_DEVICES + (uint64_t)current_device(), flags == cudaStreamDefault}};
    streams[*stream].reset(*stream);
    return cudaSuccess;
}

static cudaError_t create_event(cudaEvent_t *event, unsigned flags, place call) {
    if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming))
        return failed(cudaErrorInvalidValue, "event", call, "%s",
                      event ? "the flags are cudaEventBlockingSync and cudaEventDisableTiming"
                            : "the pointer to the event is NULL");
    *event = new cpucuda_event{std::make_shared<struct event>()};
    (*event)->event->timed = !(flags & cudaEventDisableTiming);
    (*event)->event->device = current_device();
    events[*event].reset(*event);
    return cudaSuccess;
}

} // namespace cpucuda

using namespace cpucuda;

cudaError_t cudaStreamCreate(cudaStream_t *stream, const char *file, int line) {
    entered call({file, line, __func__});

    return create_stream(stream, cudaStreamDefault, call);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags, const char *file,
                                      int line) {
    entered call({file, line, __func__});

    return create_stream(stream, flags, call);
}

/* What the stream still has to do is done later, as on a GPU. */
cudaError_t cudaStreamDestroy(cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});

    if (!stream || !state_of(stream))
        return no_stream(call);
    streams.erase(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});

    if (!state_of(stream))
        return no_stream(call);
    run_stream(state_of(stream));
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});
    uint64_t last;

    if (!state_of(stream))
        return no_stream(call);
    last = last_of(state_of(stream));
    if (last && run_one(last))
        return cudaErrorNotReady;
    host_waited_for(state_of(stream));
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags,
                                const char *file, int line) {
    entered call({file, line, __func__});

    if (!state_of(stream))
        return no_stream(call);
    if (!events.count(event))
        return no_event(call);
    if (flags)
        return failed(cudaErrorInvalidValue, "event", call, "the flags must be 0");
    operation operation = {operation::WAIT, call};
    operation.mark = event->event->mark;
    if (event->event->record)
        enqueue(std::move(operation), state_of(stream), event->event->record);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event, const char *file, int line) {
    entered call({file, line, __func__});

    return create_event(event, cudaEventDefault, call);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags, const char *file,
                                     int line) {
    entered call({file, line, __func__});

    return create_event(event, flags, call);
}

cudaError_t cudaEventDestroy(cudaEvent_t event, const char *file, int line) {
    entered call({file, line, __func__});

    if (!events.count(event))
        return no_event(call);
    events.erase(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});

    if (!events.count(event))
        return no_event(call);
    if (!state_of(stream))
        return no_stream(call);
    if (device_of(state_of(stream)->number) != event->event->device)
        return failed(cudaErrorInvalidResourceHandle, "event", call,
                      "the event is of device %d and the stream of device %d", event->event->device,
                      device_of(state_of(stream)->number));
    operation operation = {operation::RECORD, call};
    operation.recorded = event->event;
    operation.mark = event->event->mark = std::make_shared<char>();
    event->event->done = false;
    event->event->record = enqueue(std::move(operation), state_of(stream));
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event, const char *file, int line) {
    entered call({file, line, __func__});

    if (!events.count(event))
        return no_event(call);
    run_until(event->event->record);
    host_waited_for(*event->event);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event, const char *file, int line) {
    entered call({file, line, __func__});

    if (!events.count(event))
        return no_event(call);
    if (is_pending(event->event->record) && run_one(event->event->record))
        return cudaErrorNotReady;
    host_waited_for(*event->event);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end,
                                 const char *file, int line) {
    entered call({file, line, __func__});

    if (!milliseconds)
        return failed(cudaErrorInvalidValue, "event", call, "the pointer to the time is NULL");
    if (!events.count(start) || !events.count(end))
        return no_event(call);
    if (!start->event->record || !end->event->record)
        return failed(cudaErrorInvalidResourceHandle, "event", call,
                      "an event was never recorded; use cudaEventRecord");
    if (!start->event->timed || !end->event->timed)
        return failed(cudaErrorInvalidResourceHandle, "event", call,
                      "an event was created with cudaEventDisableTiming");
    if (start->event->device != end->event->device)
        return failed(cudaErrorInvalidResourceHandle, "event", call,
                      "the events are of devices %d and %d", start->event->device,
                      end->event->device);
    if (!start->event->done || !end->event->done)
        return failed(cudaErrorNotReady, "event", call,
                      "an event is still pending; use cudaEventSynchronize");
    *milliseconds = (float)(end->event->milliseconds - start->event->milliseconds);
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument,
                               const char *file, int line) {
    entered call({file, line, __func__});

    if (!state_of(stream))
        return no_stream(call);
    if (!function)
        return failed(cudaErrorInvalidValue, "stream", call, "the function is NULL");
    operation operation = {operation::HOST, call};
    operation.function = function;
    operation.argument = argument;
    enqueue(std::move(operation), state_of(stream));
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(const char *file, int line) {
    entered held({file, line, __func__});

    run_device(current_device());
    return cudaSuccess;
}
