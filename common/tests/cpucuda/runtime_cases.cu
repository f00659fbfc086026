/* runtime_cases NAME: one program a case. The comment at the end of a line holds the names by which
 * the test knows that line; one that faults has its case's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpucuda/engine.h"

#include "cpucuda/runtime.h"

#include "counters.h"
#include "player.h"

extern "C" {
void cpucuda_hide(void *start, size_t bytes);
void device_turn_begins(void);
void device_turn_ends(int turn, int status, struct counters *out);
const char *cpucuda_last_failure(void);
}
namespace cpucuda {
void note_static_shared(const void *key, size_t bytes);
bool describe_address(const void *address, char *text, size_t size);
extern __thread const void **asked_key;
} // namespace cpucuda

/* Ends with 1: the case went wrong in a way that the runtime did not name. */
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define RIGHT(call) NEED((call) == cudaSuccess)

enum { N = 3000, BYTES = N * sizeof(float) };

static float host[N], *device, *pinned;
static volatile float sink;
static struct counters counts;

__global__ void add(float *x, float y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += y;
}

__global__ void set(float *x, int i, float y) {
    x[i] = y; /* kernel_far_behind kernel_in_front hidden kernel_after_free */
}

__global__ void get(float *x, int i) {
    sink = x[i]; /* kernel_reads_behind */
}

struct big {
    double values[100];
};
__global__ void has_big(struct big big, bool yes, float *x) {
    x[0] = yes ? (float)big.values[99] : 0;
}

static void alloc() {
    RIGHT(cudaMalloc(&device, BYTES));     /* device */
    RIGHT(cudaMallocHost(&pinned, BYTES)); /* pinned */
    for (int i = 0; i < N; i++)
        host[i] = pinned[i] = (float)i;
}

static void release() {
    RIGHT(cudaFree(device));
    RIGHT(cudaFreeHost(pinned));
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

/* What must work. */
static void right() {
    alloc();
    NEED((size_t)device % 256 == 0 && (size_t)pinned % 256 == 0);
    RIGHT(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    add<<<(N + 255) / 256, 256>>>(device, 1, N);
    RIGHT(cudaGetLastError());
    RIGHT(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        NEED(host[i] == (float)i + 1);
    RIGHT(cudaMemcpy(device, pinned, BYTES, cudaMemcpyDefault));
    RIGHT(cudaMemset(device + 1, 0, 4));
    RIGHT(cudaMemcpy(host, device, BYTES, cudaMemcpyDefault));
    NEED(host[0] == 0 && host[1] == 0 && host[2] == 2);
    release();
}

static void contents() {
    unsigned word;

    alloc();
    RIGHT(cudaMemcpy(&word, device + N - 1, 4, cudaMemcpyDeviceToHost));
    NEED(word == 0xffa0dead);
    release();
}

/* One address space is not used twice while it is cheap; more than 1 GiB of it goes back. */
static void many_allocations() {
    float *last = nullptr;
    size_t free_bytes, total;

    for (int i = 0; i < 20; i++) {
        RIGHT(cudaMalloc(&device, (size_t)64 << 20));
        NEED(device != last);
        last = device;
        RIGHT(cudaFree(device));
    }
    RIGHT(cudaMemGetInfo(&free_bytes, &total));
    NEED(free_bytes == total);
}

static void canary() {
    alloc();
    set<<<1, 1>>>(device, N, 1); /* canary_launch */
    RIGHT(cudaDeviceSynchronize());
}

static void canary_in_front() {
    alloc();
    set<<<1, 1>>>(device, -1, 1);
    RIGHT(cudaDeviceSynchronize());
}

static void canary_pinned() {
    alloc();
    ((volatile float *)pinned)[N] = 1; /* canary_pinned */
    RIGHT(cudaFreeHost(pinned));
}

static void kernel_far_behind() {
    alloc();
    set<<<1, 1>>>(device, N + 64, 1);
    RIGHT(cudaDeviceSynchronize());
}

static void kernel_in_front() {
    alloc();
    set<<<1, 1>>>(device, -2000, 1);
    RIGHT(cudaDeviceSynchronize());
}

static void kernel_reads_behind() {
    alloc();
    get<<<1, 1>>>(device, N + 64);
    RIGHT(cudaDeviceSynchronize());
}

static void kernel_after_free() {
    alloc();
    RIGHT(cudaFree(device)); /* kernel_free */
    set<<<1, 1>>>(device, 0, 1);
    RIGHT(cudaDeviceSynchronize());
}

static void host_reads() {
    alloc();
    sink = device[7]; /* host_reads */
}

static void host_writes() {
    alloc();
    device[7] = 1; /* host_writes */
}

static void host_reads_later() {
    alloc();
    RIGHT(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    set<<<1, 1>>>(device, 0, 1);
    RIGHT(cudaDeviceSynchronize());
    sink = device[7]; /* host_reads_later */
}

static void host_memcpy() {
    alloc();
    memcpy(host, device, (size_t)atoi("1000")); /* host_memcpy */
    sink = host[0];
}

static void host_reads_after_free() {
    alloc();
    RIGHT(cudaFree(device));
    sink = device[7]; /* host_reads_after_free */
}

static void pinned_after_free() {
    alloc();
    RIGHT(cudaFreeHost(pinned)); /* pinned_free */
    sink = pinned[7];            /* pinned_after_free */
}

static void pinned_overrun() {
    alloc();
    pinned[N + 64] = 1; /* pinned_overrun */
}

static void not_ours() {
    *(volatile int *)8 = 1;
}

static float *shared_buffer() {
    void *memory = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    cpucuda_hide(memory, 5000);
    return (float *)memory;
}

static void hidden() {
    float *in = shared_buffer();

    in[0] = 1;
    set<<<1, 1>>>(in, 1100, 1);
    RIGHT(cudaDeviceSynchronize());
}

static void hidden_only_in_kernels() {
    float *in = shared_buffer();

    alloc();
    RIGHT(cudaMemcpy(device, in, 5000, cudaMemcpyHostToDevice));
    set<<<1, 1>>>(device, 0, 1);
    RIGHT(cudaMemcpy(in, device, 5000, cudaMemcpyDeviceToHost));
    NEED(in[0] == 1);
    release();
}

static void hidden_but_registered() {
    float *in = shared_buffer();

    RIGHT(cudaHostRegister(in, 5000, cudaHostRegisterDefault));
    set<<<1, 1>>>(in, 1100, 1);
    RIGHT(cudaDeviceSynchronize());
    NEED(in[1100] == 1);
    RIGHT(cudaHostUnregister(in));
    in[1100] = 2;
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

static void pinned_in_kernel() {
    alloc();
    set<<<1, 1>>>(pinned, 5, 6);
    RIGHT(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost));
    RIGHT(cudaDeviceSynchronize());
    NEED(pinned[5] == 6);
    release();
}

static void describe() {
    char text[256];

    alloc();
    NEED(cpucuda::describe_address(device + N + 1, text, sizeof text));
    NEED(strstr(text, "4 bytes behind the 12000 bytes that cudaMalloc in "));
    NEED(cpucuda::describe_address(device - 1, text, sizeof text));
    NEED(strstr(text, "4 bytes in front of the 12000 bytes"));
    NEED(!cpucuda::describe_address(host, text, sizeof text));
    release();
}

/* Streams. */
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
    add<<<12, 256, 0, blocking>>>(device, 1, N);
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
    add<<<12, 256, 0, one>>>(device, 0, N);
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
    add<<<12, 256, 0, stream>>>(device, 1, N);
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
    add<<<12, 256, 0, stream>>>(device, 1, N);
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
    add<<<12, 256, 0, one>>>(device, 1, N);
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
    add<<<12, 256, 0, stream>>>(device, 1, N);                      /* besides_kernel */
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
    add<<<12, 256, 0, one>>>(device, 1, N);
    RIGHT(cudaStreamSynchronize(one));
}

static void unordered_copy_in() {
    cudaStream_t one, two;

    alloc();
    RIGHT(cudaStreamCreate(&one));
    RIGHT(cudaStreamCreate(&two));
    RIGHT(cudaMemset(device, 0, BYTES));
    RIGHT(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, two));
    add<<<12, 256, 0, one>>>(device, 1, N);
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
        add<<<4, 256, 0, streams[i]>>>(part, 1, 1000);
        RIGHT(cudaMemcpyAsync(pinned + i * 1000, part, 4000, cudaMemcpyDeviceToHost, streams[i]));
    }
    RIGHT(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        NEED(pinned[i] == (float)i + 1);
    release();
}

/* Errors. */
static void launch_error() {
    alloc();
    set<<<1, 2048>>>(device, 0, 1);
    NEED(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    NEED(cudaGetLastError() == cudaErrorInvalidConfiguration);
    RIGHT(cudaGetLastError());
    NEED(strstr(cpucuda_last_failure(), "launch of set in "));
    NEED(strstr(cpucuda_last_failure(), ": 2048 threads a block; at most 1024"));
    set<<<1, 1, 50000>>>(device, 0, 1);
    NEED(cudaGetLastError() == cudaErrorInvalidConfiguration);
    RIGHT(cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000));
    set<<<1, 1, 50000>>>(device, 0, 1);
    RIGHT(cudaGetLastError());
    set<<<1, 1, 0, (cudaStream_t)host>>>(device, 0, 1);
    NEED(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    release();
}

static void leaked_launch() {
    alloc();
    set<<<1, 2048>>>(device, 0, 1); /* leaked_launch */
    device_turn_ends(TURN_RUN, 0, &counts);
}

static void leaked_call() {
    cudaStream_t stream;

    cudaStreamCreateWithFlags(&stream, 9);
    device_turn_ends(TURN_RUN, 0, &counts);
}

static void told_error() {
    cudaStream_t stream;

    cudaStreamCreateWithFlags(&stream, 9);
    device_turn_ends(TURN_RUN, 1, &counts);
    NEED(strstr(cpucuda_last_failure(), "cudaStreamCreateWithFlags in "));
}

static void pending_at_end() {
    alloc();
    set<<<1, 1>>>(device, 0, 1); /* pending_at_end */
    device_turn_ends(TURN_CREATE, 0, &counts);
    device_turn_ends(TURN_RUN, 0, &counts);
}

static void event_at_end() {
    cudaEvent_t event;

    RIGHT(cudaEventCreate(&event));
    RIGHT(cudaEventRecord(event));
    device_turn_ends(TURN_RUN, 0, &counts);
}

static void unfreed_device() {
    RIGHT(cudaMalloc(&device, BYTES)); /* unfreed_device */
    device_turn_ends(TURN_RUN, 0, &counts);
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

static void unfreed_pinned() {
    RIGHT(cudaHostAlloc(&pinned, BYTES, cudaHostAllocDefault));
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

static void unfreed_registered() {
    RIGHT(cudaHostRegister(host, BYTES, 0));
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

static void no_kernel() {
}

static void wrong_calls() {
    float *none;
    int value;

    alloc();
    NEED(cudaMalloc((void **)nullptr, 4) == cudaErrorInvalidValue);
    NEED(cudaMalloc(&none, (size_t)1 << 50) == cudaErrorMemoryAllocation && !none);
    NEED(cudaFree(device + 1) == cudaErrorInvalidValue);
    NEED(cudaFree(pinned) == cudaErrorInvalidValue);
    NEED(cudaFreeHost(device) == cudaErrorInvalidValue);
    NEED(cudaFree(host) == cudaErrorInvalidValue);
    RIGHT(cudaFree(nullptr));
    NEED(cudaMemcpy(device, host, 4, (cudaMemcpyKind)9) == cudaErrorInvalidMemcpyDirection);
    RIGHT(cudaHostRegister(host, BYTES, 0));
    NEED(cudaHostRegister(host + 9, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
    RIGHT(cudaHostUnregister(host));
    NEED(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered);
    NEED(cudaSetDevice(1) == cudaErrorInvalidDevice);
    NEED(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0) == cudaErrorInvalidValue);
    NEED(cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) ==
         cudaErrorInvalidValue);
    NEED(cudaFuncSetAttribute(no_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1) ==
         cudaErrorInvalidDeviceFunction);
    NEED(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    NEED(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
    RIGHT(cudaFree(device));
    NEED(cudaFree(device) == cudaErrorInvalidValue);
    NEED(cudaGetLastError() == cudaErrorInvalidValue);
    RIGHT(cudaDeviceReset());
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

/* Copies that end the program. */
static void copy_too_much() {
    alloc();
    cudaMemcpy(device + 1, host, BYTES, cudaMemcpyHostToDevice); /* copy_too_much */
}

static void copy_direction() {
    alloc();
    cudaMemcpy(device, host, 4, cudaMemcpyDeviceToHost); /* copy_direction */
}

static void copy_from_host() {
    alloc();
    cudaMemcpy(pinned, host, 4, cudaMemcpyDeviceToHost);
}

static void copy_null() {
    alloc();
    cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice);
}

static void copy_freed() {
    alloc();
    RIGHT(cudaFree(device)); /* copy_free */
    cudaMemcpy(device, host, 4, cudaMemcpyHostToDevice);
}

static void copy_too_much_pinned() {
    RIGHT(cudaMalloc(&device, BYTES + 4));
    RIGHT(cudaMallocHost(&pinned, BYTES));
    cudaMemcpyAsync(device, pinned, BYTES + 4, cudaMemcpyHostToDevice);
}

static void fill_host() {
    cudaMemset(host, 0, 4);
}

static void call_in_kernel_body() {
    cudaDeviceSynchronize();
}
__global__ void calls() {
    call_in_kernel_body();
}
static void call_in_kernel() {
    calls<<<1, 1>>>();
    RIGHT(cudaDeviceSynchronize());
}

__constant__ float constants[4];
__global__ void use_constants(float *x) {
    x[0] = constants[0] + constants[3];
}

static void symbols() {
    const float values[] = {1, 2, 3, 4};
    float back[2];
    void *address;

    alloc();
    RIGHT(cudaMemcpyToSymbol(constants, values, sizeof values));
    use_constants<<<1, 1>>>(device);
    RIGHT(cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
    NEED(host[0] == 5);
    RIGHT(cudaMemcpyFromSymbol(back, constants, 8, 4));
    NEED(back[0] == 2 && back[1] == 3);
    RIGHT(cudaGetSymbolAddress(&address, constants));
    RIGHT(cudaMemcpy(address, values + 3, 4, cudaMemcpyHostToDevice));
    RIGHT(cudaMemcpyToSymbolAsync(constants, values, 4, 12, cudaMemcpyHostToDevice));
    RIGHT(cudaDeviceSynchronize());
    NEED(constants[0] == 4 && constants[3] == 1);
    release();
}

static void symbol_too_small() {
    cudaMemcpyToSymbol(constants, host, 8, 12);
}

/* Properties, kernels' attributes, occupancy. */
static void questions() {
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaPointerAttributes pointer;
    const void *key = nullptr;
    int value, grid, block;
    size_t free_bytes, total;

    alloc();
    RIGHT(cudaGetDeviceProperties(&properties, 0));
    NEED(!strcmp(properties.name, "cpucuda") && properties.major == 9);
    NEED(properties.multiProcessorCount == 132);
    RIGHT(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    NEED(value == 227 * 1024);
    RIGHT(cudaGetDeviceCount(&value));
    NEED(value == 1);
    RIGHT(cudaMemGetInfo(&free_bytes, &total));
    NEED(total - free_bytes == BYTES);
    RIGHT(cudaPointerGetAttributes(&pointer, device));
    NEED(pointer.type == cudaMemoryTypeDevice);
    RIGHT(cudaPointerGetAttributes(&pointer, pinned));
    NEED(pointer.type == cudaMemoryTypeHost && pointer.devicePointer == pinned);
    RIGHT(cudaPointerGetAttributes(&pointer, host));
    NEED(pointer.type == cudaMemoryTypeUnregistered);

    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add, 256, 0));
    NEED(value == 8);
    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add, 32, 0));
    NEED(value == 32);
    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add, 64, 40 * 1024));
    NEED(value == 5);
    RIGHT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add));
    NEED(block == 1024 && grid == 264);
    RIGHT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 300));
    NEED(block == 256 && grid == 8 * 132);

    cpucuda::asked_key = &key;
    has_big(big(), false, nullptr);
    cpucuda::asked_key = nullptr;
    cpucuda::note_static_shared(key, 100 * 1024);
    RIGHT(cudaFuncGetAttributes(&attributes, has_big));
    NEED(attributes.sharedSizeBytes == 100 * 1024 && attributes.maxThreadsPerBlock == 1024);
    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, has_big, 64, 0));
    NEED(value == 2);
    NEED(cudaFuncSetAttribute(has_big, cudaFuncAttributeMaxDynamicSharedMemorySize, 128 * 1024) ==
         cudaErrorInvalidValue);
    RIGHT(cudaFuncGetAttributes(&attributes, add));
    NEED(attributes.sharedSizeBytes == 0);
    NEED(cudaGetLastError() == cudaErrorInvalidValue);
    release();
}

static void counting() {
    alloc();
    RIGHT(cudaMemcpy(device, host, 40, cudaMemcpyHostToDevice));
    device_turn_begins();
    RIGHT(cudaMemcpy(device, host, 100, cudaMemcpyHostToDevice));
    RIGHT(cudaMemcpyAsync(device, pinned, 200, cudaMemcpyHostToDevice));
    add<<<1, 1>>>(device, 1, 1);
    RIGHT(cudaMemcpy(host, device, 300, cudaMemcpyDeviceToHost));
    RIGHT(cudaMemcpy(pinned, device, 4, cudaMemcpyDeviceToHost));
    RIGHT(cudaHostRegister(host, 400, 0));
    RIGHT(cudaMemcpy(host, device, 400, cudaMemcpyDeviceToHost));
    RIGHT(cudaHostUnregister(host));
    RIGHT(cudaMemcpy(device, device + 100, 4, cudaMemcpyDeviceToDevice));
    add<<<1, 1>>>(device, 1, 1);
    RIGHT(cudaDeviceSynchronize());
    device_turn_ends(TURN_RUN, 0, &counts);
    NEED(counts.launches == 2);
    NEED(counts.copies_in == 2 && counts.bytes_in == 300 && counts.pinned_in == 1);
    NEED(counts.copies_out == 3 && counts.bytes_out == 704 && counts.pinned_out == 2);
    NEED(counts.interval_count == 7);
    NEED(counts.intervals[1].kind == COPY_IN && counts.intervals[1].bytes == 200);
    NEED(counts.intervals[2].kind == KERNEL && !strcmp(counts.intervals[2].kernel, "add"));
    NEED(counts.intervals[3].kind == COPY_OUT && counts.intervals[3].bytes == 300);
    NEED(counts.intervals[6].kind == KERNEL && counts.intervals[6].end == 0);
    release();
}

#define CASE(name)                                                                                 \
    { #name, name }
static const struct {
    const char *name;
    void (*run)();
} cases[] = {CASE(right),
             CASE(contents),
             CASE(many_allocations),
             CASE(canary),
             CASE(canary_in_front),
             CASE(canary_pinned),
             CASE(kernel_far_behind),
             CASE(kernel_in_front),
             CASE(kernel_reads_behind),
             CASE(kernel_after_free),
             CASE(host_reads),
             CASE(host_writes),
             CASE(host_reads_later),
             CASE(host_memcpy),
             CASE(host_reads_after_free),
             CASE(pinned_after_free),
             CASE(pinned_overrun),
             CASE(not_ours),
             CASE(hidden),
             CASE(hidden_only_in_kernels),
             CASE(hidden_but_registered),
             CASE(pinned_in_kernel),
             CASE(describe),
             CASE(is_deferred),
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
             CASE(launch_error),
             CASE(leaked_launch),
             CASE(leaked_call),
             CASE(told_error),
             CASE(pending_at_end),
             CASE(event_at_end),
             CASE(unfreed_device),
             CASE(unfreed_pinned),
             CASE(unfreed_registered),
             CASE(wrong_calls),
             CASE(copy_too_much),
             CASE(copy_direction),
             CASE(copy_from_host),
             CASE(copy_null),
             CASE(copy_freed),
             CASE(copy_too_much_pinned),
             CASE(fill_host),
             CASE(call_in_kernel),
             CASE(symbols),
             CASE(symbol_too_small),
             CASE(questions),
             CASE(counting)};

int main(int count, char **arguments) {
    for (auto &each : cases)
        if (count == 2 && !strcmp(each.name, arguments[1])) {
            each.run();
            return 0;
        }
    fprintf(stderr, "usage: runtime_cases NAME\n");
    return 3;
}
