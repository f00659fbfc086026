/* Properties of the device and of kernels, and how many blocks fit a multiprocessor. */
#include <limits.h>
#include <stdio.h>

#include "host.h"

namespace cpucuda {

enum {
    REGISTERS = 65536,       /* a multiprocessor, and the most a block has */
    REGISTERS_A_THREAD = 32, /* what every kernel is assumed to use */
    RESERVED_SHARED = 1024,  /* bytes the system takes of each block */
    CONSTANT_BYTES = 65536,
    L2_BYTES = 50 << 20,
    BUS_BITS = 5120,
    CLOCK_KHZ = 1000000,
    CAPABILITY = 90
};

struct function {
    size_t static_shared, dynamic_limit = MOST_STATIC_SHARED; /* bytes */
    bool limit_asked = false;                                 /* by cudaFuncSetAttribute */
    int carveout = -1;                                        /* percent */
    bool room_asked = false; /* how many blocks a multiprocessor holds */
};
static std::map<const void *, function> functions; /* by key */

/* How many multiprocessors there are was asked; of some kernel, how many of its blocks one holds.
 */
static bool count_asked, room_asked;

size_t dynamic_limit(const void *key) {
    return functions[key].dynamic_limit;
}

size_t shared_limit(const void *key) {
    return functions[key].limit_asked ? MOST_SHARED : MOST_STATIC_SHARED;
}

void note_static_shared(const void *key, size_t bytes) {
    functions[key].static_shared = bytes;
}

bool knows_room(const launch &launch) {
    return room_asked ? functions[(const void *)launch.run].room_asked : count_asked;
}

/* NULL if the pointer is no kernel's. The kernel copies its arguments, of any types and up to 4096
 * bytes in all, and does not use them. Whether they are read from registers, from the stack or
 * through pointers, there are zeros, or an address whose last byte, a bool's, is 0. */
static const void *key_of(const void *kernel) {
    struct arguments {
        char bytes[4096];
    };
    static const struct arguments zeros __attribute__((aligned(256))) = {};
    typedef const void *pointer;
    typedef void any_kernel(pointer, pointer, pointer, pointer, pointer, pointer, struct arguments);
    const void *key = nullptr;

    if (!kernel)
        return nullptr;
    asked_key = &key;
    ((any_kernel *)kernel)(&zeros, &zeros, &zeros, &zeros, &zeros, &zeros, zeros);
    asked_key = nullptr;
    return key;
}

static cudaError_t no_kernel(place call) {
    return failed(cudaErrorInvalidDeviceFunction, "launch", call, "the function is no kernel");
}

cudaError_t set_attribute(const void *kernel, cudaFuncAttribute attribute, int value, place call) {
    const void *key = key_of(kernel); /* before the lock: it may be any function */
    entered held(call);
    int most;

    if (!key)
        return no_kernel(call);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100)
            return failed(cudaErrorInvalidValue, "launch", call, "%d percent", value);
        functions[key].carveout = value;
        return cudaSuccess;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return failed(cudaErrorInvalidValue, "launch", call, "unknown attribute %d",
                      (int)attribute);
    most = MOST_SHARED - (int)functions[key].static_shared;
    if (value < 0 || value > most)
        return failed(cudaErrorInvalidValue, "launch", call,
                      "%d bytes of dynamic shared memory; at most %d", value, most);
    functions[key].limit_asked = true;
    if (value > MOST_STATIC_SHARED)
        functions[key].dynamic_limit = (size_t)value;
    return cudaSuccess;
}

cudaError_t get_attributes(cudaFuncAttributes *attributes, const void *kernel, place call) {
    const void *key = key_of(kernel);
    entered held(call);

    if (!attributes)
        return failed(cudaErrorInvalidValue, "launch", call, "the pointer to attributes is NULL");
    if (!key)
        return no_kernel(call);
    *attributes = {};
    attributes->sharedSizeBytes = functions[key].static_shared;
    attributes->maxThreadsPerBlock = MOST_THREADS;
    attributes->numRegs = REGISTERS_A_THREAD;
    attributes->ptxVersion = attributes->binaryVersion = CAPABILITY;
    attributes->maxDynamicSharedSizeBytes = (int)functions[key].dynamic_limit;
    attributes->preferredShmemCarveout = functions[key].carveout;
    return cudaSuccess;
}

/* Blocks that are resident on a multiprocessor at once. */
static int blocks_that_fit(const function &function, int block_size, size_t dynamic_bytes) {
    int threads = (block_size + WARP - 1) / WARP * WARP, blocks = MOST_RESIDENT_BLOCKS;
    size_t shared = function.static_shared + dynamic_bytes;

    if (block_size > MOST_THREADS || dynamic_bytes > function.dynamic_limit || shared > MOST_SHARED)
        return 0;
    for (size_t limit : {(size_t)most_resident_threads() / threads,
                         (size_t)REGISTERS / (REGISTERS_A_THREAD * threads),
                         SHARED_A_MULTIPROCESSOR / (shared + RESERVED_SHARED)})
        blocks = limit < (size_t)blocks ? (int)limit : blocks;
    return blocks;
}

int resident_blocks(const launch &launch) {
    return blocks_that_fit(functions[(const void *)launch.run],
                           (int)(launch.block.x * launch.block.y * launch.block.z),
                           launch.dynamic_bytes);
}

cudaError_t active_blocks(int *blocks, const void *kernel, int block_size, size_t dynamic_bytes,
                          place call) {
    const void *key = key_of(kernel);
    entered held(call);

    if (!key)
        return no_kernel(call);
    if (!blocks || block_size <= 0)
        return failed(cudaErrorInvalidValue, "launch", call, "%s",
                      blocks ? "a block has at least one thread" : "the pointer is NULL");
    *blocks = blocks_that_fit(functions[key], block_size, dynamic_bytes);
    functions[key].room_asked = room_asked = true;
    return cudaSuccess;
}

cudaError_t potential_block_size(int *grid_size, int *block_size, const void *kernel,
                                 size_t dynamic_bytes, int limit, place call) {
    const void *key = key_of(kernel);
    entered held(call);
    int size = limit > 0 && limit < MOST_THREADS ? limit : MOST_THREADS, best = 0;

    if (!key)
        return no_kernel(call);
    if (!grid_size || !block_size)
        return failed(cudaErrorInvalidValue, "launch", call, "a pointer to a size is NULL");
    *grid_size = *block_size = 0;
    functions[key].room_asked = room_asked = true;
    /* The largest of those that keep the most threads resident. */
    for (; size > 0; size = (size - 1) / WARP * WARP) {
        int blocks = blocks_that_fit(functions[key], size, dynamic_bytes);

        if (blocks * size <= best)
            continue;
        best = blocks * size;
        *block_size = size;
        *grid_size = blocks * (int)multiprocessors();
    }
    return cudaSuccess;
}

/* X(attribute, the member of cudaDeviceProp, its value). */
#define PROPERTIES(X)                                                                              \
    X(MaxThreadsPerBlock, maxThreadsPerBlock, MOST_THREADS)                                        \
    X(MaxBlockDimX, maxThreadsDim[0], MOST_THREADS)                                                \
    X(MaxBlockDimY, maxThreadsDim[1], MOST_THREADS)                                                \
    X(MaxBlockDimZ, maxThreadsDim[2], 64)                                                          \
    X(MaxGridDimX, maxGridSize[0], INT_MAX)                                                        \
    X(MaxGridDimY, maxGridSize[1], MOST_GRID_YZ)                                                   \
    X(MaxGridDimZ, maxGridSize[2], MOST_GRID_YZ)                                                   \
    X(MaxSharedMemoryPerBlock, sharedMemPerBlock, MOST_STATIC_SHARED)                              \
    X(TotalConstantMemory, totalConstMem, CONSTANT_BYTES)                                          \
    X(WarpSize, warpSize, WARP)                                                                    \
    X(MaxRegistersPerBlock, regsPerBlock, REGISTERS)                                               \
    X(MultiProcessorCount, multiProcessorCount, (int)multiprocessors())                            \
    X(Integrated, integrated, 0)                                                                   \
    X(CanMapHostMemory, canMapHostMemory, 1)                                                       \
    X(ConcurrentKernels, concurrentKernels, 1)                                                     \
    X(GlobalMemoryBusWidth, memoryBusWidth, BUS_BITS)                                              \
    X(L2CacheSize, l2CacheSize, L2_BYTES)                                                          \
    X(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor, (int)most_resident_threads())      \
    X(AsyncEngineCount, asyncEngineCount, 2)                                                       \
    X(UnifiedAddressing, unifiedAddressing, 1)                                                     \
    X(ComputeCapabilityMajor, major, CAPABILITY / 10)                                              \
    X(ComputeCapabilityMinor, minor, CAPABILITY % 10)                                              \
    X(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor, SHARED_A_MULTIPROCESSOR)       \
    X(MaxRegistersPerMultiprocessor, regsPerMultiprocessor, REGISTERS)                             \
    X(ManagedMemory, managedMemory, 1)                                                             \
    X(ConcurrentManagedAccess, concurrentManagedAccess, 0)                                         \
    X(MemoryPoolsSupported, memoryPoolsSupported, 1)                                               \
    X(CooperativeLaunch, cooperativeLaunch, 1)                                                     \
    X(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin, MOST_SHARED)                           \
    X(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor, MOST_RESIDENT_BLOCKS)                \
    X(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock, RESERVED_SHARED)

static const struct {
    cudaDeviceAttr attribute;
    int value;
} attributes[] = {{cudaDevAttrClockRate, CLOCK_KHZ},
                  {cudaDevAttrMemoryClockRate, CLOCK_KHZ},
#define ATTRIBUTE(name, member, value) {cudaDevAttr##name, value},
                  PROPERTIES(ATTRIBUTE)
#undef ATTRIBUTE
};

static cudaError_t check_result(const void *result, int device, place call) {
    if (!result)
        return failed(cudaErrorInvalidValue, "device", call, "the pointer to the result is NULL");
    return check_device(device, call) ? cudaSuccess : cudaErrorInvalidDevice;
}

} // namespace cpucuda

using namespace cpucuda;

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device,
                                   const char *file, int line) {
    entered call({file, line, __func__});
    cudaError_t error = check_result(value, device, call);

    if (error)
        return error;
    for (auto &each : attributes)
        if (each.attribute == attribute) {
            *value = each.value;
            count_asked |= attribute == cudaDevAttrMultiProcessorCount;
            return cudaSuccess;
        }
    return failed(cudaErrorInvalidValue, "device", call, "unknown attribute %d", (int)attribute);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *wanted, int device, const char *file,
                                    int line) {
    entered call({file, line, __func__});
    cudaError_t error = check_result(wanted, device, call);

    if (error)
        return error;
    *wanted = {};
    snprintf(wanted->name, sizeof wanted->name, "cpucuda");
    wanted->totalGlobalMem = DEVICE_BYTES;
    wanted->memPitch = INT_MAX;
    wanted->hostRegisterSupported = 1;
#define MEMBER(name, member, value) wanted->member = value;
    PROPERTIES(MEMBER)
#undef MEMBER
    count_asked = true;
    return cudaSuccess;
}

static cudaError_t version(int *version, place call) {
    entered held(call);
    cudaError_t error = check_result(version, 0, call);

    if (!error)
        *version = CUDART_VERSION;
    return error;
}

cudaError_t cudaDriverGetVersion(int *wanted, const char *file, int line) {
    return version(wanted, {file, line, __func__});
}

cudaError_t cudaRuntimeGetVersion(int *wanted, const char *file, int line) {
    return version(wanted, {file, line, __func__});
}
