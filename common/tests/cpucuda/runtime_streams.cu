/* runtime_streams NAME: streams, events and copies that are pending. One process a case. */
#include "runtime.h"

__global__ void add(float *x, float y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] += y;
}

__global__ void set(float *x, int i, float y) {
    x[i] = y;
}

static void is_deferred() {
    cudaStream_t stream;

    alloc();
    RIGHT(cudaStreamCreate(&stream));
    set<<<1, 1, 0, stream>>>(pinned, 0, 77);
    set<<<1, 1>>>(pinned, 1, 78);
    NEED(pinned[0] == 0 && pinned[1] == 1);
    NEED(cudaStreamQuery(nullptr) == cudaErrorNotReady);
    NEED(pinned[0] == 77 && pinned[1] == 1);
    RIGHT(cudaStreamQuery(nullptr));
    NEED(pinned[1] == 78);
    RIGHT(cudaStreamDestroy(stream));
    release();
}

/* Only what a synchronisation needs is done by it. */
static void only_the_stream() {
    cudaStream_t one, two;

    alloc();
    RIGHT(cudaStreamCreate(&one));
    RIGHT(cudaStreamCreate(&two));
    set<<<1, 1, 0, one>>>(pinned, 0, 77);
    set<<<1, 1, 0, two>>>(pinned, 1, 78);
    RIGHT(cudaStreamSynchronize(two));
    NEED(pinned[0] == 0 && pinned[1] == 78);
    RIGHT(cudaStreamDestroy(one));
    RIGHT(cudaDeviceSynchronize());
    NEED(pinned[0] == 77);
    release();
}

/* Legacy default stream: waits for blocking streams, and they for it. */
static void default_stream() {
    cudaStream_t blocking, free_one;

    alloc();
    RIGHT(cudaStreamCreate(&blocking));
    RIGHT(cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking));
    RIGHT(cudaMemset(device, 0, BYTES));
    add<<<4, 32, 0, blocking>>>(device, 1, N);
    RIGHT(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost));
    NEED(host[0] == 1 && host[N - 1] == 1);
    set<<<1, 1>>>(pinned, 0, 7);
    set<<<1, 1, 0, free_one>>>(pinned, 1, 8);
    RIGHT(cudaStreamSynchronize(free_one));
    NEED(pinned[0] == 0 && pinned[1] == 8);
    set<<<1, 1, 0, blocking>>>(pinned, 2, 9);
    RIGHT(cudaStreamSynchronize(blocking));
    NEED(pinned[0] == 7 && pinned[2] == 9);
    release();
}

/* Two orders are seen when none is defined: prints which stream came first. */
static void any_order() {
    cudaStream_t one, two;

    alloc();
    RIGHT(cudaStreamCreate(&one));
    RIGHT(cudaStreamCreate(&two));
    set<<<1, 1, 0, one>>>(pinned, 0, 1);
    set<<<1, 1, 0, two>>>(pinned, 0, 2);
    RIGHT(cudaDeviceSynchronize());
    printf("%g", pinned[0]);
}

static void queue_is_bounded() {
    alloc();
    set<<<1, 1>>>(pinned, 0, 77);
    for (int i = 0; i < 1023; i++)
        set<<<1, 1>>>(pinned, 1, 0);
    NEED(pinned[0] == 0);
    set<<<1, 1>>>(pinned, 1, 0);
    NEED(pinned[0] == 77);
    RIGHT(cudaDeviceSynchronize());
    release();
}

static void events() {
    cudaStream_t one, two;
    cudaEvent_t start, end, untimed;
    float milliseconds = -1;

    alloc();
    RIGHT(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    RIGHT(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    RIGHT(cudaEventCreate(&start));
    RIGHT(cudaEventCreate(&end));
    RIGHT(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    NEED(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
    RIGHT(cudaEventQuery(end));
    RIGHT(cudaEventRecord(start, one));
    set<<<1, 1, 0, one>>>(pinned, 0, 77);
    add<<<4, 32, 0, one>>>(device, 0, N);
    RIGHT(cudaEventRecord(end, one));
    RIGHT(cudaStreamWaitEvent(two, end));
    set<<<1, 1, 0, two>>>(pinned, 1, 78);
    NEED(cudaEventQuery(start) == cudaSuccess);
    NEED(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorNotReady);
    NEED(cudaGetLastError() == cudaErrorNotReady);
    RIGHT(cudaStreamSynchronize(two));
    NEED(pinned[0] == 77 && pinned[1] == 78);
    RIGHT(cudaEventElapsedTime(&milliseconds, start, end));
    NEED(milliseconds > 0);
    RIGHT(cudaEventRecord(untimed, one));
    RIGHT(cudaEventSynchronize(untimed));
    NEED(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
    RIGHT(cudaEventDestroy(start));
    NEED(cudaEventDestroy(start) == cudaErrorInvalidResourceHandle);
    NEED(cudaStreamSynchronize((cudaStream_t)host) == cudaErrorInvalidResourceHandle);
    NEED(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    release();
}

static void pageable_is_staged() {
    cudaStream_t stream;

    alloc();
    RIGHT(cudaStreamCreate(&stream));
    RIGHT(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream));
    host[5] = -1;
    add<<<4, 32, 0, stream>>>(device, 1, N);
    RIGHT(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream));
    NEED(host[5] == 6);
    release();
}

static void pending_read() {
    alloc();
    RIGHT(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost)); /* read_copy */
    sink = pinned[5];                                                      /* pending_read */
}

static void pending_write() {
    alloc();
    RIGHT(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice)); /* write_copy */
    sink = pinned[5];
    pinned[5] = 1; /* pending_write */
}

static void pending_registered() {
    char *memory = (char *)mmap(nullptr, 3 * 65536, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    RIGHT(cudaMalloc(&device, 3 * 65536));
    RIGHT(cudaHostRegister(memory, 3 * 65536, 0));
    RIGHT(cudaMemcpyAsync(memory + 8, device, 3 * 65536 - 16, cudaMemcpyDeviceToHost));
    sink = memory[0] + memory[3 * 65536 - 1]; /* on pages that hold other memory too */
    memory[65536] = 1;                        /* pending_registered */
}

static void pending_then_done() {
    cudaStream_t stream;

    alloc();
    RIGHT(cudaStreamCreate(&stream));
    RIGHT(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream));
    add<<<4, 32, 0, stream>>>(device, 1, N);
    RIGHT(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream));
    RIGHT(cudaStreamSynchronize(stream));
    NEED(pinned[5] == 6);
    pinned[5] = 7;
    release();
}

static void unordered(unsigned flags, bool waits) {
    cudaStream_t one, two;
    cudaEvent_t event;

    alloc();
    RIGHT(cudaStreamCreateWithFlags(&one, flags));
    RIGHT(cudaStreamCreateWithFlags(&two, flags));
    RIGHT(cudaEventCreate(&event));
    RIGHT(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    add<<<4, 32, 0, one>>>(device, 1, N);
    RIGHT(cudaEventRecord(event, one));
    if (waits)
        RIGHT(cudaStreamWaitEvent(two, event));
    RIGHT(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, two));
    if (waits)
        NEED(host[5] == 6);
    RIGHT(cudaDeviceSynchronize());
    release();
}

static void unordered_copy() {
    unordered(cudaStreamDefault, false);
}

static void ordered_copy() {
    unordered(cudaStreamDefault, true);
}

static void copy_besides_stream() {
    cudaStream_t stream;

    alloc();
    RIGHT(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    RIGHT(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    add<<<4, 32, 0, stream>>>(device, 1, N);                        /* besides_kernel */
    RIGHT(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost)); /* besides_copy */
    RIGHT(cudaStreamSynchronize(stream));
}

/* The kernel comes first here. */
static void unordered_pinned_copy() {
    cudaStream_t one, two;

    alloc();
    RIGHT(cudaStreamCreate(&one));
    RIGHT(cudaStreamCreate(&two));
    RIGHT(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    RIGHT(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, two));
    add<<<4, 32, 0, one>>>(device, 1, N);
    RIGHT(cudaStreamSynchronize(one));
}

static void unordered_copy_in() {
    cudaStream_t one, two;

    alloc();
    RIGHT(cudaStreamCreate(&one));
    RIGHT(cudaStreamCreate(&two));
    RIGHT(cudaMemset(device, 0, BYTES));
    RIGHT(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, two));
    add<<<4, 32, 0, one>>>(device, 1, N);
    RIGHT(cudaDeviceSynchronize());
}

/* Parts of an array in streams of their own, as pipelines do. */
static void pipeline() {
    cudaStream_t streams[3];

    alloc();
    for (int i = 0; i < 3; i++) {
        float *part = device + i * 1000;

        RIGHT(cudaStreamCreate(&streams[i]));
        RIGHT(cudaMemcpyAsync(part, pinned + i * 1000, 4000, cudaMemcpyHostToDevice, streams[i]));
        add<<<4, 32, 0, streams[i]>>>(part, 1, 1000);
        RIGHT(cudaMemcpyAsync(pinned + i * 1000, part, 4000, cudaMemcpyDeviceToHost, streams[i]));
    }
    RIGHT(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        NEED(pinned[i] == (float)i + 1);
    release();
}

/* What is captured does not run; every launch of the graph runs all of it, in its order. */
static void graph() {
    cudaStream_t stream, other;
    cudaGraph_t captured;
    cudaGraphExec_t exec;

    alloc();
    RIGHT(cudaStreamCreate(&stream));
    RIGHT(cudaStreamCreate(&other));
    RIGHT(cudaMemset(device, 0, BYTES));
    RIGHT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    RIGHT(cudaMemsetAsync(device, 0, 4, stream));
    add<<<2, 32, 0, stream>>>(device, 1, N);
    add<<<2, 32, 0, stream>>>(device, 2, N);
    add<<<2, 32, 0, other>>>(device, 100, N);
    NEED(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
    NEED(cudaStreamEndCapture(other, &captured) == cudaErrorIllegalState);
    RIGHT(cudaStreamEndCapture(stream, &captured));
    NEED(cudaStreamEndCapture(stream, &captured) == cudaErrorIllegalState);
    RIGHT(cudaGraphInstantiateWithFlags(&exec, captured, 0));
    RIGHT(cudaGraphDestroy(captured));
    NEED(cudaGraphDestroy(captured) == cudaErrorInvalidValue);
    for (int i = 0; i < 3; i++)
        RIGHT(cudaGraphLaunch(exec, nullptr));
    RIGHT(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost));
    NEED(host[0] == 3 && host[1] == 109 && host[N - 1] == 109);
    RIGHT(cudaGraphExecDestroy(exec));
    NEED(cudaGraphLaunch(exec, nullptr) == cudaErrorInvalidValue);
    NEED(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
         cudaErrorStreamCaptureUnsupported);
    NEED(cudaGetLastError() == cudaErrorStreamCaptureUnsupported);
    RIGHT(cudaStreamDestroy(stream));
    RIGHT(cudaStreamDestroy(other));
    release();
    NEED(counts.launches == 7 && counts.launches_by_graphs == 6);
}

static cudaStream_t captured_stream() {
    cudaStream_t stream;

    alloc();
    RIGHT(cudaStreamCreate(&stream));
    RIGHT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    return stream;
}

static void graph_copies() {
    cudaStream_t stream = captured_stream();

    RIGHT(cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, stream)); /* graph_copy */
}

static void graph_default_stream() {
    captured_stream();
    set<<<1, 1>>>(pinned, 0, 77); /* graph_default */
}

static const struct test_case cases[] = {CASE(is_deferred),
                                         CASE(only_the_stream),
                                         CASE(default_stream),
                                         CASE(any_order),
                                         CASE(queue_is_bounded),
                                         CASE(events),
                                         CASE(pageable_is_staged),
                                         CASE(pending_read),
                                         CASE(pending_write),
                                         CASE(pending_registered),
                                         CASE(pending_then_done),
                                         CASE(unordered_copy),
                                         CASE(ordered_copy),
                                         CASE(copy_besides_stream),
                                         CASE(unordered_pinned_copy),
                                         CASE(unordered_copy_in),
                                         CASE(pipeline),
                                         CASE(graph),
                                         CASE(graph_copies),
                                         CASE(graph_default_stream)};

int main(int argc, char **argv) {
    return run_case(cases, argc, argv);
}
