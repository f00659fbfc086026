/* The runtime API: memory, copies, streams, events, errors. Every function has the name, the
 * parameters and the errors of the CUDA documentation; at the end comes the caller's place. What
 * is missing does not compile. */
#ifndef CPUCUDA_RUNTIME_H
#define CPUCUDA_RUNTIME_H

#include "device.h"

#define CUDART_VERSION 13000

typedef struct cpucuda_event *cudaEvent_t;
typedef struct cpucuda_graph *cudaGraph_t;
typedef struct cpucuda_graph_exec *cudaGraphExec_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

#define cudaHostAllocDefault       0x00
#define cudaHostAllocPortable      0x01
#define cudaHostAllocMapped        0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault    0x00
#define cudaHostRegisterPortable   0x01
#define cudaHostRegisterMapped     0x02
#define cudaHostRegisterReadOnly   0x08
#define cudaMemAttachGlobal        0x01
#define cudaMemAttachHost          0x02
#define cudaCpuDeviceId            (-1)
#define cudaStreamDefault          0x00
#define cudaStreamNonBlocking      0x01
#define cudaEventDefault           0x00
#define cudaEventBlockingSync      0x01
#define cudaEventDisableTiming     0x02

/* Memory. */
cudaError_t cudaMalloc(void **pointer, size_t bytes, CPUCUDA_CALLER);
cudaError_t cudaFree(void *pointer, CPUCUDA_CALLER);
cudaError_t cudaMallocHost(void **pointer, size_t bytes, CPUCUDA_CALLER);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags, CPUCUDA_CALLER);
cudaError_t cudaFreeHost(void *pointer, CPUCUDA_CALLER);
/* Of the host and the device. While a kernel is pending, the host may not touch it. */
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              CPUCUDA_CALLER);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream = nullptr, CPUCUDA_CALLER);
/* In a stream's order. */
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream, CPUCUDA_CALLER);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream, CPUCUDA_CALLER);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags, CPUCUDA_CALLER);
cudaError_t cudaHostUnregister(void *pointer, CPUCUDA_CALLER);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags, CPUCUDA_CALLER);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total, CPUCUDA_CALLER);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer,
                                     CPUCUDA_CALLER);

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes, CPUCUDA_CALLER) {
    return cudaMalloc((void **)pointer, bytes, file, line);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t bytes, CPUCUDA_CALLER) {
    return cudaMallocHost((void **)pointer, bytes, file, line);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              CPUCUDA_CALLER) {
    return cudaMallocManaged((void **)pointer, bytes, flags, file, line);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream, CPUCUDA_CALLER) {
    return cudaMallocAsync((void **)pointer, bytes, stream, file, line);
}
template <class T>
cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags, CPUCUDA_CALLER) {
    return cudaHostAlloc((void **)pointer, bytes, flags, file, line);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags, CPUCUDA_CALLER) {
    return cudaHostGetDevicePointer((void **)device, host, flags, file, line);
}

/* Copies. A wrong one ends the program at once. */
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                       CPUCUDA_CALLER);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr, CPUCUDA_CALLER);
/* From a device's memory to another's. */
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                           CPUCUDA_CALLER);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream = nullptr, CPUCUDA_CALLER);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes, CPUCUDA_CALLER);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream = nullptr,
                            CPUCUDA_CALLER);

/* Variables of the device. */
namespace cpucuda {
/* 0 to n - 1, as <utility> has it. */
template <size_t...> struct indices {};
template <size_t n, size_t... i> struct count_to : count_to<n - 1, n - 1, i...> {};
template <size_t... i> struct count_to<0, i...> { typedef indices<i...> type; };
/* The type of an argument. */
template <class T> struct plain { typedef T type; };
template <class T> struct plain<const T> { typedef T type; };
cudaError_t launch_error(); /* of the last launch */

void *symbol_address(const void *symbol, size_t bytes, place caller);
cudaError_t copy_symbol(const void *symbol, size_t symbol_bytes, size_t offset, void *to,
                        const void *from, size_t bytes, cudaMemcpyKind kind, bool waits,
                        cudaStream_t stream, place caller);
} // namespace cpucuda

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice, CPUCUDA_CALLER) {
    return cpucuda::copy_symbol(&symbol, sizeof symbol, offset, nullptr, from, bytes, kind, true,
                                nullptr, {file, line, __func__});
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                    CPUCUDA_CALLER) {
    return cpucuda::copy_symbol(&symbol, sizeof symbol, offset, nullptr, from, bytes, kind, false,
                                stream, {file, line, __func__});
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost, CPUCUDA_CALLER) {
    return cpucuda::copy_symbol(&symbol, sizeof symbol, offset, to, nullptr, bytes, kind, true,
                                nullptr, {file, line, __func__});
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                      CPUCUDA_CALLER) {
    return cpucuda::copy_symbol(&symbol, sizeof symbol, offset, to, nullptr, bytes, kind, false,
                                stream, {file, line, __func__});
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol, CPUCUDA_CALLER) {
    *pointer = cpucuda::symbol_address(&symbol, sizeof symbol, {file, line, __func__});
    return cudaSuccess;
}

/* Streams and events. */
cudaError_t cudaStreamCreate(cudaStream_t *stream, CPUCUDA_CALLER);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags, CPUCUDA_CALLER);
cudaError_t cudaStreamDestroy(cudaStream_t stream, CPUCUDA_CALLER);
cudaError_t cudaStreamSynchronize(cudaStream_t stream, CPUCUDA_CALLER);
cudaError_t cudaStreamQuery(cudaStream_t stream, CPUCUDA_CALLER);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0,
                                CPUCUDA_CALLER);
cudaError_t cudaEventCreate(cudaEvent_t *event, CPUCUDA_CALLER);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags, CPUCUDA_CALLER);
cudaError_t cudaEventDestroy(cudaEvent_t event, CPUCUDA_CALLER);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, CPUCUDA_CALLER);
cudaError_t cudaEventSynchronize(cudaEvent_t event, CPUCUDA_CALLER);
cudaError_t cudaEventQuery(cudaEvent_t event, CPUCUDA_CALLER);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end,
                                 CPUCUDA_CALLER);
/* A function of the host in a stream's order; it must not call CUDA. */
typedef void (*cudaHostFn_t)(void *argument);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument,
                               CPUCUDA_CALLER);
cudaError_t cudaDeviceSynchronize(CPUCUDA_CALLER);
cudaError_t cudaDeviceReset(CPUCUDA_CALLER);

/* Graphs, made by capturing a stream. */
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode, CPUCUDA_CALLER);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph, CPUCUDA_CALLER);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags = 0, CPUCUDA_CALLER);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags, CPUCUDA_CALLER);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream, CPUCUDA_CALLER);
cudaError_t cudaGraphDestroy(cudaGraph_t graph, CPUCUDA_CALLER);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec, CPUCUDA_CALLER);

/* Of several devices: whether kernels of the current one may touch another's memory. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer, CPUCUDA_CALLER);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags, CPUCUDA_CALLER);
cudaError_t cudaDeviceDisablePeerAccess(int peer, CPUCUDA_CALLER);

/* A launch with the addresses of the kernel's arguments, whose types the kernel's tell. */
namespace cpucuda {
template <class... P, size_t... i>
void launch_with(void (*kernel)(P...), void **arguments, indices<i...>) {
    (void)arguments;
    kernel(*static_cast<typename plain<P>::type *>(arguments[i])...);
}
} // namespace cpucuda

/* All blocks are resident at a time, or it is an error. */
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void **arguments, size_t dynamic_bytes = 0,
                                        cudaStream_t stream = nullptr, CPUCUDA_CALLER) {
    cpucuda::configure({file, line, "the kernel of cudaLaunchCooperativeKernel"}, grid, block,
                       dynamic_bytes, stream, true);
    cpucuda::launch_with(kernel, arguments, typename cpucuda::count_to<sizeof...(P)>::type());
    return cpucuda::launch_error();
}

template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                             size_t dynamic_bytes = 0, cudaStream_t stream = nullptr,
                             CPUCUDA_CALLER) {
    cpucuda::configure({file, line, "the kernel of cudaLaunchKernel"}, grid, block, dynamic_bytes,
                       stream);
    cpucuda::launch_with(kernel, arguments, typename cpucuda::count_to<sizeof...(P)>::type());
    return cpucuda::launch_error();
}
namespace cpucuda {
__attribute__((noreturn)) inline void no_type(const char *call, const char *file, int line) {
    fail("missing-call",
         "%s:%d: %s of an untyped pointer is not in cpucuda; give it the kernel itself, without "
         "(void *)",
         file, line, call);
}
} // namespace cpucuda
inline cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0,
                                    cudaStream_t = nullptr, CPUCUDA_CALLER) {
    cpucuda::no_type("cudaLaunchKernel", file, line);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t = 0,
                                               cudaStream_t = nullptr, CPUCUDA_CALLER) {
    cpucuda::no_type("cudaLaunchCooperativeKernel", file, line);
}

/* Errors. */
cudaError_t cudaGetLastError(CPUCUDA_CALLER);
cudaError_t cudaPeekAtLastError(CPUCUDA_CALLER);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

#endif
