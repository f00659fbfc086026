/* Properties of the device, as far as a program may ask: the names of the CUDA documentation. */
#ifndef CPUCUDA_DEVICE_H
#define CPUCUDA_DEVICE_H

#include "engine.h"

#include "errors.h"

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    size_t reservedSharedMemPerBlock, totalConstMem, memPitch;
    int major, minor;
    int warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int multiProcessorCount, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int regsPerBlock, regsPerMultiprocessor;
    int memoryBusWidth, l2CacheSize; /* bits; bytes */
    int asyncEngineCount, concurrentKernels, unifiedAddressing, canMapHostMemory, managedMemory;
    int concurrentManagedAccess, memoryPoolsSupported;
    int hostRegisterSupported, cooperativeLaunch, integrated, ECCEnabled;
    int pciBusID, pciDeviceID, pciDomainID;
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13, /* kHz */
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrMemoryClockRate = 36, /* kHz */
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrMemoryPoolsSupported = 115
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,   /* bytes */
    cudaFuncAttributePreferredSharedMemoryCarveout = 9 /* percent, -1: the driver's choice */
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

cudaError_t cudaGetDevice(int *device, CPUCUDA_CALLER);
cudaError_t cudaGetDeviceCount(int *count, CPUCUDA_CALLER);
cudaError_t cudaSetDevice(int device, CPUCUDA_CALLER);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device, CPUCUDA_CALLER);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device,
                                   CPUCUDA_CALLER);
cudaError_t cudaDriverGetVersion(int *version, CPUCUDA_CALLER);
cudaError_t cudaRuntimeGetVersion(int *version, CPUCUDA_CALLER);

/* A kernel, where CUDA's own functions take a `const void *`. */
namespace cpucuda {
cudaError_t set_attribute(const void *kernel, cudaFuncAttribute attribute, int value, place caller);
cudaError_t get_attributes(cudaFuncAttributes *attributes, const void *kernel, place caller);
cudaError_t active_blocks(int *blocks, const void *kernel, int block_size, size_t dynamic_bytes,
                          place caller);
cudaError_t potential_block_size(int *grid_size, int *block_size, const void *kernel,
                                 size_t dynamic_bytes, int limit, place caller);
} // namespace cpucuda

template <class T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value,
                                 CPUCUDA_CALLER) {
    return cpucuda::set_attribute((const void *)kernel, attribute, value, {file, line, __func__});
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel, CPUCUDA_CALLER) {
    return cpucuda::get_attributes(attributes, (const void *)kernel, {file, line, __func__});
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int block_size,
                                                          size_t dynamic_bytes, CPUCUDA_CALLER) {
    return cpucuda::active_blocks(blocks, (const void *)kernel, block_size, dynamic_bytes,
                                  {file, line, __func__});
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, T *kernel,
                                               size_t dynamic_bytes = 0, int limit = 0,
                                               CPUCUDA_CALLER) {
    return cpucuda::potential_block_size(grid_size, block_size, (const void *)kernel, dynamic_bytes,
                                         limit, {file, line, __func__});
}

#endif
