/* runtime_devices NAME: several devices. One process a case. */
#include "runtime.h"

__global__ void set(float *x, int i, float y) {
    x[i] = y; /* foreign_memory */
}

__global__ void add(float *x, float y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] += y;
}

/* Another device's memory beside device 0's. */
static float *other;

static void alloc_on(int second) {
    alloc();
    RIGHT(cudaSetDevice(second));
    RIGHT(cudaMalloc(&other, BYTES)); /* other */
}

static void release_both() {
    RIGHT(cudaFree(other));
    release();
}

/* A copy that waits for the writer on its device, and a reader that waits for the copy. */
static void in_order() {
    cudaEvent_t written, arrived;
    cudaStream_t copies;

    alloc_on(2);
    RIGHT(cudaEventCreate(&arrived));
    RIGHT(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    RIGHT(cudaSetDevice(0));
    RIGHT(cudaEventCreate(&written));
    RIGHT(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    device_turn_begins();
    add<<<1, 32>>>(device, 1, N);
    RIGHT(cudaEventRecord(written));
    RIGHT(cudaSetDevice(2));
    RIGHT(cudaStreamWaitEvent(copies, written));
    RIGHT(cudaMemcpyPeerAsync(other, 2, device, 0, BYTES, copies));
    set<<<1, 1>>>(pinned, 0, 5); /* beside the copy */
    RIGHT(cudaEventRecord(arrived, copies));
    RIGHT(cudaStreamWaitEvent(nullptr, arrived));
    add<<<1, 32>>>(other, 1, N);
    RIGHT(cudaMemcpy(host, other, BYTES, cudaMemcpyDeviceToHost));
    NEED(host[0] == 2 && host[N - 1] == N + 1 && pinned[0] == 5);
    device_turn_ends(TURN_RUN, 0, &counts);
    NEED(counts.devices == 3 && counts.launches_on[0] == 1 && counts.launches_on[2] == 2);
    NEED(counts.copies_between == 1 && counts.bytes_between == BYTES);
    NEED(counts.launches == 3 && counts.launches_beside == 1);
    RIGHT(cudaStreamDestroy(copies));
    RIGHT(cudaEventDestroy(written));
    RIGHT(cudaEventDestroy(arrived));
    release_both();
}

static void foreign_memory() {
    alloc_on(1);
    set<<<1, 1>>>(device, 7, 1);
    RIGHT(cudaDeviceSynchronize());
}

/* The default streams of two devices know nothing of each other. */
static void unordered_copy_between() {
    alloc_on(1);
    RIGHT(cudaSetDevice(0));
    set<<<1, 1>>>(device, 7, 1); /* writer */
    RIGHT(cudaSetDevice(1));
    RIGHT(cudaMemcpyPeerAsync(other, 1, device, 0, BYTES)); /* between */
    RIGHT(cudaDeviceSynchronize());
    RIGHT(cudaSetDevice(0));
    RIGHT(cudaDeviceSynchronize());
}

static void wrong_side() {
    alloc_on(1);
    RIGHT(cudaMemcpyPeer(other, 1, device, 2, BYTES)); /* wrong_side */
}

static void host_side() {
    alloc_on(1);
    RIGHT(cudaMemcpyPeer(other, 1, host, 0, BYTES)); /* host_side */
}

/* It waits for the current device's work alone. */
static void other_is_pending() {
    alloc_on(1);
    RIGHT(cudaMemset(other, 0, BYTES));
    RIGHT(cudaMemcpyAsync(pinned, other, BYTES, cudaMemcpyDeviceToHost)); /* still_pending */
    RIGHT(cudaSetDevice(0));
    RIGHT(cudaDeviceSynchronize());
    sink = pinned[7]; /* other_is_pending */
}

static void wrong_calls() {
    cudaPointerAttributes attributes;
    cudaStream_t stream;
    cudaEvent_t event;
    size_t free_bytes, total;
    int value = 7;

    RIGHT(cudaGetDeviceCount(&value));
    NEED(value == 3);
    NEED(cudaSetDevice(3) == cudaErrorInvalidDevice);
    NEED(cudaSetDevice(-1) == cudaErrorInvalidDevice);
    alloc_on(1);
    RIGHT(cudaGetDevice(&value));
    NEED(value == 1);
    RIGHT(cudaMemGetInfo(&free_bytes, &total));
    NEED(total - free_bytes == BYTES);
    RIGHT(cudaPointerGetAttributes(&attributes, other));
    NEED(attributes.device == 1);
    RIGHT(cudaPointerGetAttributes(&attributes, device));
    NEED(attributes.device == 0);
    RIGHT(cudaDeviceCanAccessPeer(&value, 0, 1));
    NEED(value == 0);
    NEED(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
    NEED(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
    NEED(cudaDeviceCanAccessPeer(&value, 0, 3) == cudaErrorInvalidDevice);
    NEED(cudaMemcpyPeer(other, 3, device, 0, BYTES) == cudaErrorInvalidDevice);
    RIGHT(cudaStreamCreate(&stream));
    RIGHT(cudaEventCreate(&event));
    RIGHT(cudaSetDevice(0));
    NEED(cudaEventRecord(event) == cudaErrorInvalidResourceHandle);
    set<<<1, 1, 0, stream>>>(device, 0, 1);
    NEED(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    RIGHT(cudaEventRecord(event, stream)); /* both are of one */
    RIGHT(cudaDeviceReset());
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

static const struct test_case cases[] = {
    CASE(in_order),   CASE(foreign_memory), CASE(unordered_copy_between),
    CASE(wrong_side), CASE(host_side),      CASE(other_is_pending),
    CASE(wrong_calls)};

int main(int argc, char **argv) {
    return run_case(cases, argc, argv);
}
