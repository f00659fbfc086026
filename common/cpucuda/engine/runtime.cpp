/* The calls of memory, and the turns of the player. */
#include <stdio.h>
#include <string.h>

#include "protocol/player.h"

#include "host.h"

namespace cpucuda {

struct counters counters;

static cudaError_t allocate(void **pointer, size_t bytes, memory_kind kind, place call) {
    mapping *made;

    if (!pointer)
        return failed(cudaErrorInvalidValue, "memory", call, "the pointer to the pointer is NULL");
    *pointer = nullptr;
    if (!bytes)
        return cudaSuccess;
    made = map_memory(bytes, kind, call);
    if (!made)
        return failed(cudaErrorMemoryAllocation, "memory", call, "%zu bytes; %zu of %zu are in use",
                      bytes, bytes_in_use(kind), DEVICE_BYTES);
    *pointer = made->start;
    return cudaSuccess;
}

/* The host gives page-locked memory back, or its lock, and no copy may be under way there. */
static void check_no_copy(const allocation &allocation, place call) {
    const operation *copy = is_device_memory(allocation) ? nullptr : pending_copy_of(allocation);

    if (copy)
        fail("order",
             "%s in %s:%d gives back memory, that of %s in %s:%d, while %s of %s:%d to or from it "
             "was still pending; synchronise first: cudaStreamSynchronize(its stream)",
             call.name, call.file, call.line, allocation.where.name, allocation.where.file,
             allocation.where.line, copy->where.name, copy->where.file, copy->where.line);
}

/* The function that gives it back. */
static const char *freed_by(const allocation &made) {
    if (made.kind == PINNED || made.kind == REGISTERED)
        return made.kind == PINNED ? "cudaFreeHost" : "cudaHostUnregister";
    return !strcmp(made.where.name, "cudaMallocAsync") ? "cudaFreeAsync" : "cudaFree";
}

/* Whether the call, which is for memory of that kind, can free what was found at the pointer. */
static cudaError_t check_free(const mapping *found, const void *pointer, bool of_kind, place call) {
    const allocation *made = find_allocation(pointer);

    if (!made)
        return failed(cudaErrorInvalidValue, "memory", call,
                      "this is a plain host pointer; free() frees what malloc() made");
    if (!of_kind)
        return failed(cudaErrorInvalidValue, "memory", call,
                      "the memory of %s in %s:%d is given back by %s", made->where.name,
                      made->where.file, made->where.line, freed_by(*made));
    if (found->freed || found->given_back)
        return failed(cudaErrorInvalidValue, "memory", call,
                      "the memory that %s in %s:%d made was freed before, in %s:%d",
                      found->where.name, found->where.file, found->where.line,
                      found->freed_where.file, found->freed_where.line);
    if (found->start != pointer)
        return failed(cudaErrorInvalidValue, "memory", call,
                      "not the start of the memory that %s in %s:%d made", found->where.name,
                      found->where.file, found->where.line);
    return cudaSuccess;
}

static cudaError_t release(void *pointer, bool device, place call) {
    mapping *found = find_mapping(pointer);
    cudaError_t error;

    if (!pointer)
        return cudaSuccess;
    error = check_free(found, pointer, found && (found->kind != PINNED) == device, call);
    if (error)
        return error;
    check_no_copy(*found, call);
    run_everything();
    unmap_memory(found, call);
    return cudaSuccess;
}

} // namespace cpucuda

using namespace cpucuda;

cudaError_t cudaMalloc(void **pointer, size_t bytes, const char *file, int line) {
    entered call({file, line, __func__});

    return allocate(pointer, bytes, DEVICE, call);
}

cudaError_t cudaFree(void *pointer, const char *file, int line) {
    entered call({file, line, __func__});

    return release(pointer, true, call);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags, const char *file,
                              int line) {
    entered call({file, line, __func__});

    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return failed(cudaErrorInvalidValue, "memory", call, "unknown flags 0x%x", flags);
    return allocate(pointer, bytes, MANAGED, call);
}

/* Where managed memory lies changes nothing here. */
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream,
                                 const char *file, int line) {
    entered call({file, line, __func__});
    const mapping *found = find_mapping(pointer);

    if (!found || found->kind != MANAGED || found->freed ||
        (const char *)pointer + bytes > found->start + found->bytes)
        return failed(cudaErrorInvalidValue, "memory", call, "this is no managed memory");
    if (!state_of(stream))
        return failed(cudaErrorInvalidResourceHandle, "memory", call, "its stream does not exist");
    return device == cudaCpuDeviceId || check_device(device, call) ? cudaSuccess
                                                                   : cudaErrorInvalidDevice;
}

/* The memory is there when its stream comes to this. */
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream, const char *file,
                            int line) {
    entered call({file, line, __func__});
    cudaError_t error;

    if (!state_of(stream))
        return failed(cudaErrorInvalidResourceHandle, "memory", call, "its stream does not exist");
    error = allocate(pointer, bytes, DEVICE, call);
    if (error || !bytes)
        return error;
    operation operation = {operation::ALLOCATE, call};
    operation.memory = find_mapping(*pointer);
    set_there(operation.memory, false);
    enqueue(std::move(operation), state_of(stream));
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});
    mapping *found = find_mapping(pointer);
    cudaError_t error;

    if (!pointer)
        return cudaSuccess;
    if (!state_of(stream))
        return failed(cudaErrorInvalidResourceHandle, "memory", call, "its stream does not exist");
    error = check_free(found, pointer, found && found->kind == DEVICE, call);
    if (error)
        return error;
    found->given_back = true;
    found->freed_where = call;
    operation operation = {operation::FREE, call};
    operation.memory = found;
    enqueue(std::move(operation), state_of(stream));
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes, const char *file, int line) {
    entered call({file, line, __func__});

    return allocate(pointer, bytes, PINNED, call);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags, const char *file,
                          int line) {
    entered call({file, line, __func__});

    if (flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return failed(cudaErrorInvalidValue, "memory", call, "unknown flags 0x%x", flags);
    return allocate(pointer, bytes, PINNED, call);
}

cudaError_t cudaFreeHost(void *pointer, const char *file, int line) {
    entered call({file, line, __func__});

    return release(pointer, false, call);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags, const char *file,
                             int line) {
    entered call({file, line, __func__});

    if (!pointer || !bytes)
        return failed(cudaErrorInvalidValue, "memory", call, "there is no memory to register");
    if (flags & ~(cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly))
        return failed(cudaErrorInvalidValue, "memory", call, "unknown flags 0x%x", flags);
    if (find_mapping(pointer) && is_device_memory(*find_mapping(pointer)))
        return failed(cudaErrorInvalidValue, "memory", call, "this is device memory");
    if (find_mapping(pointer) || !register_memory(pointer, bytes, call))
        return failed(cudaErrorHostMemoryAlreadyRegistered, "memory", call,
                      "some of this memory is page-locked already");
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *pointer, const char *file, int line) {
    entered call({file, line, __func__});

    if (pointer && find_registered(pointer))
        check_no_copy(*find_registered(pointer), call);
    run_everything();
    if (!pointer || !unregister_memory(pointer))
        return failed(pointer ? cudaErrorHostMemoryNotRegistered : cudaErrorInvalidValue, "memory",
                      call, "not the start of registered memory");
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags, const char *file,
                                     int line) {
    entered call({file, line, __func__});

    if (!device || flags || !page_locked(host, 1))
        return failed(cudaErrorInvalidValue, "memory", call, "%s",
                      !device ? "the pointer to the pointer is NULL"
                      : flags ? "the flags must be 0"
                              : "this host memory is not page-locked");
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total, const char *file, int line) {
    entered call({file, line, __func__});

    if (!free || !total)
        return failed(cudaErrorInvalidValue, "memory", call, "a pointer to a size is NULL");
    *total = DEVICE_BYTES;
    *free = DEVICE_BYTES - bytes_in_use(DEVICE);
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer,
                                     const char *file, int line) {
    entered call({file, line, __func__});
    const mapping *found = find_mapping(pointer);
    bool device = found && found->kind == DEVICE && !found->freed;

    if (!attributes)
        return failed(cudaErrorInvalidValue, "memory", call, "the pointer to attributes is NULL");
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, nullptr};
    if (found && found->kind == MANAGED && !found->freed)
        *attributes = {cudaMemoryTypeManaged, found->device, (void *)pointer, (void *)pointer};
    else if (device)
        *attributes = {cudaMemoryTypeDevice, found->device, (void *)pointer, nullptr};
    else if (page_locked(pointer, 1))
        *attributes = {cudaMemoryTypeHost, 0, (void *)pointer, (void *)pointer};
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(const char *file, int line) {
    entered call({file, line, __func__});
    const mapping *left;

    run_everything();
    while ((left = any_in_use()))
        unmap_memory(find_mapping(left->start), call);
    while (any_registered())
        unregister_memory(any_registered()->start);
    forget_streams();
    cudaGetLastError(file, line);
    return cudaSuccess;
}

/* The rewriter lists them; what did not come through it has none. */
extern "C" {
extern const int cpucuda_unrolled[] __attribute__((weak));
}

/* Whether nvcc does not take what stands behind the pragma. */
static bool is_ignored(int factor) {
    return factor == UNROLL_BY_MACRO || factor == UNROLL_BY_NO_CONSTANT;
}

static void count_unrolled() {
    struct counters &counters = cpucuda::counters;

    for (const int *at = cpucuda_unrolled; at && *at; at += 2) {
        if (at[1] == UNROLL_BY_NAME) {
            counters.unrolled_loops++;
        } else if (!counters.other_unroll ||
                   (is_ignored(at[1]) && !is_ignored((int)counters.other_unroll))) {
            counters.other_unroll = (uint64_t)at[1];
            counters.other_unroll_line = (uint64_t)at[0];
        }
    }
}

extern "C" void device_turn_begins(void) {
    cpucuda::counters = {};
    forget_launches();
    cpucuda::counters.devices = (uint64_t)devices();
    count_unrolled();
}

static void check_pending() {
    const operation *left = pending_work();
    bool kernel = left && left->kind == operation::KERNEL;

    if (left)
        fail("order", "the run function returned while %s%s (%s:%d) was still pending; %s",
             kernel ? "kernel " : "", left->where.name, left->where.file, left->where.line,
             kernel ? "copy its result back with cudaMemcpy, which waits, or call "
                      "cudaDeviceSynchronize()"
                    : "synchronise before it returns: cudaDeviceSynchronize()");
}

/* What was not given back spoils no result: it is said, once, and the program goes on. */
static void check_freed() {
    static int told;
    const allocation *left;

    run_everything();
    left = any_in_use();
    if (!left)
        left = any_registered();
    if (!left || told)
        return;
    told = 1;
    remark("unfreed",
           "the destroy function returned, but the %zu bytes of %s in %s:%d were not given "
           "back; use %s",
           left->bytes, left->where.name, left->where.file, left->where.line, freed_by(*left));
}

/* After a turn of the step, `status` 0 if it said that all is well. */
extern "C" void device_turn_ends(int turn, int status, struct counters *out) {
    if (turn == TURN_RUN && !status)
        check_pending();
    if (!status && unseen_error())
        fail("leaked-error", "%s and nobody asked: check its result", unseen_error());
    if (taken_error())
        snprintf(cpucuda::counters.suspect, sizeof cpucuda::counters.suspect,
                 "cpucuda: leaked-error: %s", taken_error());
    if (turn == TURN_DESTROY) {
        check_freed();
        forget_taken_error();
    }
    *out = cpucuda::counters;
}
