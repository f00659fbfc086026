/* Copies: a wrong one ends the program at the call, with the places of copy and allocation. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

namespace cpucuda {

/* Variables of the device whose address was asked for: their start and what they are. */
static std::map<const char *, allocation> symbols;

static const allocation *find_symbol(const void *address) {
    auto after = symbols.upper_bound((const char *)address);

    if (after == symbols.begin())
        return nullptr;
    --after;
    return (const char *)address < after->first + after->second.bytes ? &after->second : nullptr;
}

void *symbol_address(const void *symbol, size_t bytes, place caller) {
    entered held(caller);

    symbols[(const char *)symbol] = {(char *)symbol, bytes, DEVICE, caller, false, 0};
    return (void *)symbol;
}

__attribute__((noreturn, format(printf, 2, 3))) static void wrong_copy(place call,
                                                                       const char *format, ...) {
    char reason[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fail("copy", "%s in %s:%d: %s", call.name, call.file, call.line, reason);
}

/* What the runtime knows of an address; NULL: plain host memory. Freed memory ends the program. */
static const allocation *known(const void *pointer, const char *which, place call) {
    const allocation *symbol = find_symbol(pointer);
    const mapping *found = find_mapping(pointer);

    if (!pointer)
        wrong_copy(call, "the %s is NULL", which);
    if (found && found->freed)
        wrong_copy(call, "the %s was made by %s in %s:%d and freed by %s in %s:%d", which,
                   found->where.name, found->where.file, found->where.line, found->freed_where.name,
                   found->freed_where.file, found->freed_where.line);
    return symbol ? symbol : found;
}

/* The bytes lie in the allocation. */
static void check_range(const allocation *found, const void *pointer, size_t bytes,
                        const char *which, place call) {
    const char *at = (const char *)pointer, *end;

    if (!found)
        return;
    end = found->start + found->bytes;
    if (at >= found->start && at <= end && bytes <= (size_t)(end - at))
        return;
    wrong_copy(call,
               "%zu bytes, but from the %s on there are only %zu of the %zu bytes that %s in %s:%d "
               "made",
               bytes, which, at >= found->start && at <= end ? (size_t)(end - at) : 0, found->bytes,
               found->where.name, found->where.file, found->where.line);
}

static bool of_device(const allocation *found) {
    return found && found->kind == DEVICE;
}

/* It is both sides' own. */
static bool is_managed(const allocation *found) {
    return found && found->kind == MANAGED;
}

static void check_side(const allocation *found, bool device, const char *which,
                       const char *direction, place call) {
    char made[256] = "";

    if (of_device(found) == device || is_managed(found))
        return;
    if (found)
        snprintf(made, sizeof made, ", made by %s in %s:%d", found->where.name, found->where.file,
                 found->where.line);
    wrong_copy(call, "the direction is %s, but the %s is a %s pointer%s", direction, which,
               device ? "host" : "device", made);
}

static cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, bool waits,
                        cudaStream_t stream, place call) {
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    const stream_state *state = state_of(stream);
    const allocation *target, *source;

    if (!state)
        return failed(cudaErrorInvalidResourceHandle, "copy", call, "its stream does not exist");
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return failed(cudaErrorInvalidMemcpyDirection, "copy", call,
                      "%d is no direction; use cudaMemcpyHostToDevice and its kin", (int)kind);
    if (!bytes)
        return cudaSuccess;
    target = known(to, "destination", call);
    source = known(from, "source", call);
    if (kind == cudaMemcpyDefault) {
        bool from_device = of_device(source) || is_managed(source);
        bool to_device = of_device(target) || is_managed(target);

        kind = from_device ? to_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost
               : to_device ? cudaMemcpyHostToDevice
                           : cudaMemcpyHostToHost;
    }
    check_side(target, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
               "destination", names[kind], call);
    check_side(source, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice, "source",
               names[kind], call);
    check_range(target, to, bytes, "destination", call);
    check_range(source, from, bytes, "source", call);

    operation operation = {operation::COPY, call};
    operation.to = (char *)to;
    operation.from = (const char *)from;
    operation.bytes = bytes;
    operation.direction = kind;
    operation.between = kind == cudaMemcpyDeviceToDevice && source->device != target->device;
    if (kind == cudaMemcpyHostToHost ||
        (kind == cudaMemcpyDeviceToHost && !page_locked(to, bytes) && !is_managed(target)))
        waits = true;
    if (kind == cudaMemcpyDeviceToDevice)
        waits = false;
    if (kind == cudaMemcpyHostToDevice && !waits && !page_locked(from, bytes) &&
        !is_managed(source))
        operation.staged.assign((const char *)from, (const char *)from + bytes);
    enqueue(std::move(operation), state);
    if (waits)
        run_stream(state);
    return cudaSuccess;
}

/* Both sides are memory of the devices that the call names. */
static cudaError_t copy_between(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream, place call) {
    const struct {
        const void *pointer;
        int device;
        const char *name;
    } sides[] = {{to, to_device, "destination"}, {from, from_device, "source"}};

    for (const auto &side : sides) {
        if (!check_device(side.device, call))
            return cudaErrorInvalidDevice;
        if (!bytes)
            continue;
        const allocation *found = known(side.pointer, side.name, call);

        if (of_device(found) && found->device == side.device)
            continue;
        if (of_device(found))
            wrong_copy(call,
                       "the %s is memory of device %d, made by %s in %s:%d, and not of device %d",
                       side.name, found->device, found->where.name, found->where.file,
                       found->where.line, side.device);
        wrong_copy(call, "the %s is a host pointer", side.name);
    }
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, false, stream, call);
}

cudaError_t copy_symbol(const void *symbol, size_t symbol_bytes, size_t offset, void *to,
                        const void *from, size_t bytes, cudaMemcpyKind kind, bool waits,
                        cudaStream_t stream, place call) {
    const char *start = (const char *)symbol + offset;

    symbol_address(symbol, symbol_bytes, call);
    entered held(call);
    if (offset > symbol_bytes || bytes > symbol_bytes - offset)
        wrong_copy(call, "%zu bytes from byte %zu on, but the variable has %zu", bytes, offset,
                   symbol_bytes);
    if (!from && !to)
        wrong_copy(call, "the host's pointer is NULL");
    return from ? copy((void *)start, from, bytes, kind, waits, stream, call)
                : copy(to, start, bytes, kind, waits, stream, call);
}

static cudaError_t fill(void *pointer, int value, size_t bytes, cudaStream_t stream, place call) {
    const stream_state *state = state_of(stream);
    const allocation *target;

    if (!state)
        return failed(cudaErrorInvalidResourceHandle, "copy", call, "its stream does not exist");
    if (!bytes)
        return cudaSuccess;
    target = known(pointer, "destination", call);
    if (!target)
        wrong_copy(call,
                   "the destination is a host pointer; %s sets memory that cudaMalloc made, and "
                   "memset() that of the host",
                   call.name);
    check_range(target, pointer, bytes, "destination", call);
    operation operation = {operation::FILL, call};
    operation.to = (char *)pointer;
    operation.bytes = bytes;
    operation.value = value;
    enqueue(std::move(operation), state);
    return cudaSuccess;
}

} // namespace cpucuda

using namespace cpucuda;

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                       const char *file, int line) {
    entered call({file, line, __func__});

    return copy(to, from, bytes, kind, true, nullptr, call);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});

    return copy(to, from, bytes, kind, false, stream, call);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                           const char *file, int line) {
    entered call({file, line, __func__});

    return copy_between(to, to_device, from, from_device, bytes, nullptr, call);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream, const char *file, int line) {
    entered call({file, line, __func__});

    return copy_between(to, to_device, from, from_device, bytes, stream, call);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes, const char *file, int line) {
    entered call({file, line, __func__});

    return fill(pointer, value, bytes, nullptr, call);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream,
                            const char *file, int line) {
    entered call({file, line, __func__});

    return fill(pointer, value, bytes, stream, call);
}
