/* runtime_memory NAME: device, page-locked and hidden host memory. One process a case. */
#include "runtime.h"

__global__ void add(float *x, float y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] += y;
}

__global__ void set(float *x, int i, float y) {
    x[i] = y; /* kernel_far_behind kernel_in_front hidden kernel_after_free */
}

__global__ void raise_by(float *x, int i, float y) {
    x[i] += y;
}

__global__ void get(float *x, int i) {
    sink = x[i]; /* kernel_reads_behind */
}

/* What must work. */
static void right() {
    alloc();
    NEED((size_t)device % 256 == 0 && (size_t)pinned % 256 == 0);
    RIGHT(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
    add<<<4, 32>>>(device, 1, N);
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
    NEED(word == 0xffa0deae);
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

/* The sum's lower bytes are those of the canary that it was made of. */
static void canary_sum() {
    alloc();
    raise_by<<<1, 1>>>(device, N + 3, 1);
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

static void host_frees() {
    alloc();
    free(device); /* host_frees */
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
    volatile int *volatile nowhere = (volatile int *)8;

    *nowhere = 1;
}

static float *shared_buffer() {
    void *memory = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    cpucuda_hide(memory, 5000, 0);
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

static const struct test_case cases[] = {CASE(right),
                                         CASE(contents),
                                         CASE(many_allocations),
                                         CASE(canary),
                                         CASE(canary_sum),
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
                                         CASE(host_frees),
                                         CASE(host_reads_after_free),
                                         CASE(pinned_after_free),
                                         CASE(pinned_overrun),
                                         CASE(not_ours),
                                         CASE(hidden),
                                         CASE(hidden_only_in_kernels),
                                         CASE(hidden_but_registered),
                                         CASE(pinned_in_kernel),
                                         CASE(describe)};

int main(int argc, char **argv) {
    return run_case(cases, argc, argv);
}
