/* runtime_ordered NAME: managed memory, memory in a stream's order, host functions, launches by
 * address. One process a case. */
#include "runtime.h"

#include <cooperative_groups.h>

__global__ void add(float *x, float y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] += y;
}

/* 128 threads or more; the first 128 of them tell each other their ranks. */
__global__ void meet(float *x) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int rank = (int)grid.thread_rank();

    if (rank < 128)
        x[rank] = (float)rank;
    grid.sync();
    float other = rank < 128 ? x[127 - rank] : 0;

    grid.sync();
    if (rank < 128 && grid.is_valid())
        x[rank] = other + 128;
}

__global__ void set(float *x, int i, float y) {
    x[i] = y; /* too_early freed_before other_stream_frees */
}

static float *managed;
static cudaStream_t one, two;

static void make_streams() {
    RIGHT(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    RIGHT(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
}

static void make_managed() {
    RIGHT(cudaMallocManaged(&managed, BYTES)); /* managed */
    for (int i = 0; i < N; i++)
        managed[i] = (float)i;
}

static void end() {
    RIGHT(cudaDeviceSynchronize());
    device_turn_ends(TURN_DESTROY, 0, &counts);
}

static void managed_memory() {
    cudaPointerAttributes attributes;

    alloc();
    make_managed();
    RIGHT(cudaMemPrefetchAsync(managed, BYTES, 0));
    add<<<4, 32>>>(managed, 1, N);
    RIGHT(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        NEED(managed[i] == (float)i + 1);
    managed[0] = 7;
    RIGHT(cudaMemcpy(device, managed, BYTES, cudaMemcpyDefault));
    add<<<4, 32>>>(device, 1, N);
    RIGHT(cudaMemcpy(managed, device, BYTES, cudaMemcpyDeviceToHost));
    NEED(managed[0] == 8 && managed[1] == 3);
    add<<<4, 32>>>(managed, 1, N);
    RIGHT(cudaMemcpy(host, managed, BYTES, cudaMemcpyDeviceToHost));
    NEED(host[0] == 9);
    RIGHT(cudaPointerGetAttributes(&attributes, managed));
    NEED(attributes.type == cudaMemoryTypeManaged);
    RIGHT(cudaFree(managed));
    release();
}

static void managed_too_early() {
    make_managed();
    add<<<4, 32>>>(managed, 1, N);             /* managed_kernel */
    sink = ((volatile float *)managed)[N - 1]; /* managed_too_early */
}

static void managed_written_early() {
    make_managed();
    add<<<4, 32>>>(managed, 1, N);
    ((volatile float *)managed)[1] = 1; /* managed_written_early */
}

static void managed_after_free() {
    make_managed();
    RIGHT(cudaFree(managed));
    sink = ((volatile float *)managed)[0]; /* managed_after_free */
}

static void managed_unfreed() {
    make_managed();
    end();
}

static void in_order() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one));
    RIGHT(cudaMemsetAsync(x, 0, BYTES, one));
    add<<<4, 32, 0, one>>>(x, 1, N);
    RIGHT(cudaMemcpyAsync(host, x, BYTES, cudaMemcpyDeviceToHost, one));
    RIGHT(cudaFreeAsync(x, one));
    RIGHT(cudaStreamSynchronize(one));
    NEED(host[0] == 1 && host[N - 1] == 1);
    end();
}

/* Another stream waits for the one of the allocation, and that one for its use. */
static void by_events() {
    cudaEvent_t made, used;
    float *x;

    make_streams();
    RIGHT(cudaEventCreate(&made));
    RIGHT(cudaEventCreate(&used));
    RIGHT(cudaMallocAsync(&x, BYTES, one));
    RIGHT(cudaEventRecord(made, one));
    RIGHT(cudaStreamWaitEvent(two, made));
    set<<<1, 1, 0, two>>>(x, 0, 1);
    RIGHT(cudaEventRecord(used, two));
    RIGHT(cudaStreamWaitEvent(one, used));
    RIGHT(cudaFreeAsync(x, one));
    end();
}

static void freed_by_free() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one));
    set<<<1, 1, 0, one>>>(x, 0, 1);
    RIGHT(cudaFree(x));
    NEED(cudaFreeAsync(x, one) == cudaErrorInvalidValue);
    NEED(cudaGetLastError() == cudaErrorInvalidValue);
    end();
}

static void too_early() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one)); /* early_memory */
    set<<<1, 1, 0, two>>>(x, 0, 1);
    RIGHT(cudaStreamSynchronize(two));
}

static void copied_too_early() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one));                              /* copied_memory */
    RIGHT(cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, two)); /* copied_too_early */
    RIGHT(cudaStreamSynchronize(two));
}

static void freed_before() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one));
    RIGHT(cudaFreeAsync(x, one)); /* free_before */
    set<<<1, 1, 0, one>>>(x, 0, 1);
    RIGHT(cudaStreamSynchronize(one));
}

/* The memory may go before the other stream's kernels, one of which meets that. */
static void other_stream_frees() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one));
    RIGHT(cudaStreamSynchronize(one));
    for (int i = 0; i < 20; i++)
        set<<<1, 1, 0, two>>>(x, i, 1);
    RIGHT(cudaFreeAsync(x, one)); /* other_free */
    RIGHT(cudaStreamSynchronize(two));
}

static void freed_twice() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one));
    RIGHT(cudaFreeAsync(x, one));
    NEED(cudaFreeAsync(x, one) == cudaErrorInvalidValue);
}

static void async_unfreed() {
    float *x;

    make_streams();
    RIGHT(cudaMallocAsync(&x, BYTES, one)); /* async_unfreed */
    end();
}

static void pinned_freed_early() {
    alloc();
    make_streams();
    RIGHT(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, one)); /* pinned_copy */
    RIGHT(cudaFreeHost(pinned)); /* pinned_freed_early */
}

static void pinned_freed_before_out() {
    alloc();
    make_streams();
    RIGHT(cudaMemcpyAsync(pinned + 1, device, 4, cudaMemcpyDeviceToHost, one)); /* pinned_out */
    RIGHT(cudaFreeHost(pinned)); /* pinned_freed_before_out */
}

static void unregistered_early() {
    static float own[N];

    alloc();
    make_streams();
    RIGHT(cudaHostRegister(own, BYTES, cudaHostRegisterDefault));
    RIGHT(cudaMemcpyAsync(own, device, BYTES, cudaMemcpyDeviceToHost, one));
    RIGHT(cudaHostUnregister(own)); /* unregistered_early */
}

static void pinned_freed_in_time() {
    alloc();
    make_streams();
    RIGHT(cudaMemcpyAsync(device, pinned, BYTES / 2, cudaMemcpyHostToDevice, one));
    RIGHT(cudaMemcpyAsync(device + N / 2, host, BYTES / 2, cudaMemcpyHostToDevice, two));
    RIGHT(cudaStreamSynchronize(one));
    RIGHT(cudaFreeHost(pinned));
    RIGHT(cudaFree(device));
    end();
}

static int told;

static void tell(void *argument) {
    told = told * 10 + *(int *)argument;
}

static void host_functions() {
    static int first = 1, second = 2;

    alloc();
    make_streams();
    RIGHT(cudaLaunchHostFunc(one, tell, &first));
    RIGHT(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, one));
    RIGHT(cudaLaunchHostFunc(one, tell, &second));
    RIGHT(cudaStreamSynchronize(one));
    NEED(told == 12);
    release();
}

static void call_cuda(void *) {
    RIGHT(cudaDeviceSynchronize()); /* call_in_function */
}

static void function_calls_cuda() {
    make_streams();
    RIGHT(cudaLaunchHostFunc(one, call_cuda, nullptr)); /* function_calls_cuda */
    RIGHT(cudaStreamSynchronize(one));
}

static void read_device(void *) {
    sink = *(volatile float *)device; /* function_reads_device */
}

static void function_reads_device() {
    alloc();
    make_streams();
    RIGHT(cudaLaunchHostFunc(one, read_device, nullptr));
    RIGHT(cudaStreamSynchronize(one));
}

static void function_pending() {
    static int first = 1;

    make_streams();
    RIGHT(cudaLaunchHostFunc(one, tell, &first)); /* function_pending */
    device_turn_ends(TURN_RUN, 0, &counts);
}

static void launch_by_address() {
    float y = 3;
    int n = N;
    void *arguments[] = {&device, &y, &n};

    alloc();
    RIGHT(cudaMemset(device, 0, BYTES));
    RIGHT(cudaLaunchKernel(add, dim3(4), dim3(32), arguments, 0, nullptr));
    RIGHT(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost));
    NEED(host[0] == 3 && host[N - 1] == 3);
    NEED(cudaLaunchKernel(add, dim3(4), dim3(2048), arguments) == cudaErrorInvalidConfiguration);
    NEED(cudaGetLastError() == cudaErrorInvalidConfiguration);
    release();
}

static void cooperative_launch() {
    void *arguments[] = {&device};
    int multiprocessors, most;

    alloc();
    RIGHT(cudaMemset(device, 0, BYTES));
    RIGHT(cudaLaunchCooperativeKernel(meet, dim3(4), dim3(32), arguments));
    RIGHT(cudaMemcpy(host, device, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 128; i++)
        NEED(host[i] == 128 + 127 - i);
    /* As many blocks as are resident at a time, and one more; of no other launch is that asked. */
    RIGHT(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    most = 4 * multiprocessors; /* by their shared memory */
    RIGHT(cudaLaunchCooperativeKernel(meet, dim3(most), dim3(32), arguments, 48 << 10));
    RIGHT(cudaDeviceSynchronize());
    NEED(cudaLaunchCooperativeKernel(meet, dim3(most + 1), dim3(32), arguments, 48 << 10) ==
         cudaErrorCooperativeLaunchTooLarge);
    NEED(strstr(cpucuda_last_failure(), "blocks, whose launch is cooperative; the device holds "));
    NEED(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    add<<<most + 1, 32, 48 << 10>>>(device, 1, N);
    RIGHT(cudaGetLastError());
    release();
}

static void untyped_launch() {
    void *arguments[] = {nullptr};

    RIGHT(cudaLaunchKernel((void *)add, 1, 1, arguments)); /* untyped_launch */
}

static const struct test_case cases[] = {
    CASE(managed_memory),
    CASE(managed_too_early),
    CASE(managed_written_early),
    CASE(managed_after_free),
    CASE(managed_unfreed),
    CASE(in_order),
    CASE(by_events),
    CASE(freed_by_free),
    CASE(too_early),
    CASE(copied_too_early),
    CASE(freed_before),
    CASE(other_stream_frees),
    CASE(freed_twice),
    CASE(async_unfreed),
    CASE(pinned_freed_early),
    CASE(pinned_freed_before_out),
    CASE(unregistered_early),
    CASE(pinned_freed_in_time),
    CASE(host_functions),
    CASE(function_calls_cuda),
    CASE(function_reads_device),
    CASE(function_pending),
    CASE(launch_by_address),
    CASE(cooperative_launch),
    CASE(untyped_launch),
};

int main(int argc, char **argv) {
    return run_case(cases, argc, argv);
}
