/* runtime_calls NAME: errors, copies, symbols, kernels' attributes and what is counted. One process
 * a case. */
#include "runtime.h"

#include <algorithm>
#include <cmath>
#include <complex> /* it and <random> have a sqrt of their own, or call it */
#include <random>

#include <cuda_fp16.h>

__global__ void add(float *x, float y, int n) {
    if (n)
        x[0] += y;
}

__global__ void set(float *x, int i, float y) {
    x[i] = y;
}

struct big {
    double values[100];
};
__global__ void has_big(struct big big, bool yes, float *x) {
    __shared__ float tile[10 * 1024];

    tile[0] = yes ? (float)big.values[99] : 0;
    x[0] = tile[0];
}

/* Errors. */
static void launch_error() {
    alloc();
    set<<<1, 2048>>>(device, 0, 1);
    NEED(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    NEED(cudaGetLastError() == cudaErrorInvalidConfiguration);
    RIGHT(cudaGetLastError());
    NEED(strstr(cpucuda_last_failure(), "launch of set in "));
    NEED(strstr(cpucuda_last_failure(), ": 2048 x 1 x 1 threads per block; at most 1024"));
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
    NEED(cudaFree(host) == cudaErrorInvalidValue);
    NEED(cudaHostRegister(host + 9, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
    RIGHT(cudaHostUnregister(host));
    NEED(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered);
    NEED(cudaSetDevice(3) == cudaErrorInvalidDevice);
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

extern "C" void *__tsan_create_fiber(unsigned flags) __attribute__((weak));

/* Properties, kernels' attributes, occupancy. For ThreadSanitizer the device is a smaller one. */
static void questions() {
    const int processors = __tsan_create_fiber ? 4 : 20;
    const int threads = __tsan_create_fiber ? 1024 : 2048;
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaPointerAttributes pointer;
    int value, grid, block;
    size_t free_bytes, total;

    alloc();
    RIGHT(cudaGetDeviceProperties(&properties, 0));
    NEED(!strcmp(properties.name, "cpucuda") && properties.major == 9);
    NEED(properties.multiProcessorCount == processors);
    RIGHT(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    NEED(value == 227 * 1024);
    RIGHT(cudaGetDeviceCount(&value));
    NEED(value == 3);
    RIGHT(cudaMemGetInfo(&free_bytes, &total));
    NEED(total - free_bytes == BYTES);
    RIGHT(cudaPointerGetAttributes(&pointer, device));
    NEED(pointer.type == cudaMemoryTypeDevice);
    RIGHT(cudaPointerGetAttributes(&pointer, pinned));
    NEED(pointer.type == cudaMemoryTypeHost && pointer.devicePointer == pinned);
    RIGHT(cudaPointerGetAttributes(&pointer, host));
    NEED(pointer.type == cudaMemoryTypeUnregistered);

    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add, 256, 0));
    NEED(value == threads / 256);
    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add, 32, 0));
    NEED(value == 32);
    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add, 64, 40 * 1024));
    NEED(value == 5);
    RIGHT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add));
    NEED(block == 1024 && grid == processors * threads / 1024);
    RIGHT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 300));
    NEED(block == 256 && grid == processors * threads / 256);

    has_big<<<1, 1>>>(big(), false, device); /* what it has is known after its first launch */
    RIGHT(cudaDeviceSynchronize());
    RIGHT(cudaFuncGetAttributes(&attributes, has_big));
    NEED(attributes.sharedSizeBytes == 40 * 1024 && attributes.maxThreadsPerBlock == 1024);
    RIGHT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, has_big, 64, 0));
    NEED(value == 5);
    NEED(cudaFuncSetAttribute(has_big, cudaFuncAttributeMaxDynamicSharedMemorySize, 188 * 1024) ==
         cudaErrorInvalidValue);
    RIGHT(cudaFuncSetAttribute(has_big, cudaFuncAttributeMaxDynamicSharedMemorySize, 187 * 1024));
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
    release();
}

/* Roots of every kind: 3 by rsqrtf, 13 by others. What is no call is none. */
__global__ void take_roots(float *x, int n) {
    half h = 4;
    half2 pair(h, h);
    float sqrt_of_two = 1.5f;

    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) >= n)
        return;
    x[blockIdx.x * blockDim.x + threadIdx.x] =
        rsqrtf(4) + rsqrt(4.0f) + std::min(rsqrtf(16), 1.0f) +                        /* 1.25 */
        sqrtf(4) + sqrt(4.0f) + (float)sqrt(4.0) + (float)sqrt(4) + std::sqrt(4.0f) + /* 10 */
        __fsqrt_rn(4) + (float)__dsqrt_rn(4) + (float)rsqrt(4.0) + __frsqrt_rn(4) +   /* 5 */
        (float)hsqrt(h) + (float)hrsqrt(h) + __low2float(h2sqrt(pair)) + sqrt_of_two; /* 6 */
}

/* The host's roots do not count, before a launch, between launches and after them. */
static void counting_roots() {
    enum { COUNT = 2000 };

    alloc();
    take_roots<<<1, 32>>>(device, 32);
    RIGHT(cudaDeviceSynchronize());
    host[0] = sqrtf(host[1]) + rsqrtf(host[2]);
    device_turn_begins();
    host[0] = sqrtf(host[1]) + rsqrtf(host[2]);
    for (int launch = 0; launch < 3; launch++) {
        take_roots<<<20, 128>>>(device, COUNT);
        host[0] = sqrtf(host[1]) + rsqrtf(host[2]);
    }
    RIGHT(cudaMemcpy(host, device, COUNT * sizeof(float), cudaMemcpyDeviceToHost));
    host[0] += sqrtf(host[1]) + rsqrtf(host[2]);
    device_turn_ends(TURN_RUN, 0, &counts);
    NEED(host[COUNT - 1] == 22.25f);
    NEED(counts.rsqrtf_calls == 3 * 3 * COUNT && counts.other_roots == 3 * 13 * COUNT);
    release();
}

static const struct test_case cases[] = {CASE(launch_error),
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
                                         CASE(counting),
                                         CASE(counting_roots)};

int main(int argc, char **argv) {
    return run_case(cases, argc, argv);
}
