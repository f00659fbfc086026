/* What a missing synchronisation does: the host touches memory too early, or two operations
 * without an order between them use the same memory. */
#include <list>
#include <set>
#include <string.h>
#include <sys/mman.h>

#include "host.h"

namespace cpucuda {

/* Page-locked host memory of a pending copy, in whole pages. */
struct guarded {
    uint64_t number;
    place where;
    char *start, *end;
    int protection; /* what the host may do meanwhile */
};
static std::list<guarded> guards;

/* Pages that hold other memory as well stay free; those of a pinned allocation hold none. */
void guard_host_memory(const operation &operation) {
    bool in = operation.direction == cudaMemcpyHostToDevice;
    char *start = in ? (char *)operation.from : operation.to, *end = start + operation.bytes;
    size_t page = page_size();
    const mapping *pinned = find_mapping(start);

    if (operation.kind != operation::COPY ||
        (!in && operation.direction != cudaMemcpyDeviceToHost) ||
        !page_locked(start, operation.bytes))
        return;
    if (pinned && start == pinned->start)
        start = pinned->pages;
    if (pinned && end == pinned->start + pinned->bytes)
        end = pinned->pages + pinned->page_bytes;
    start = (char *)(((uintptr_t)start + page - 1) / page * page);
    end = (char *)((uintptr_t)end / page * page);
    if (start < end)
        guards.push_back(
            {operation.number, operation.where, start, end, in ? PROT_READ : PROT_NONE});
    close_host_memory();
}

void release_host_memory(const operation &operation) {
    guards.remove_if([&](const guarded &each) { return each.number == operation.number; });
}

void open_host_memory() {
    for (const guarded &each : guards)
        mprotect(each.start, (size_t)(each.end - each.start), host_protection(each.start));
}

/* Where two overlap, the stricter one counts: it comes last. */
void close_host_memory() {
    for (int protection : {PROT_READ, PROT_NONE})
        for (const guarded &each : guards)
            if (each.protection == protection)
                mprotect(each.start, (size_t)(each.end - each.start), protection);
}

const place *pending_on(const void *address) {
    const place *found = nullptr;

    for (const guarded &each : guards)
        if ((const char *)address >= each.start && (const char *)address < each.end &&
            (!found || each.protection == PROT_NONE))
            found = &each.where;
    return found;
}

/* Device memory that a copy reads or writes. */
struct region {
    const char *start;
    size_t bytes;
    bool written;
};

static std::vector<region> regions_of(const operation &operation) {
    std::vector<region> regions;

    if ((operation.kind != operation::COPY && operation.kind != operation::FILL) ||
        (operation.kind == operation::COPY && operation.direction == cudaMemcpyHostToHost))
        return regions;
    if (operation.kind == operation::FILL || operation.direction != cudaMemcpyDeviceToHost)
        regions.push_back({operation.to, operation.bytes, true});
    if (operation.kind == operation::COPY && operation.direction != cudaMemcpyHostToDevice)
        regions.push_back({operation.from, operation.bytes, false});
    return regions;
}

/* A kernel may write anything that its device has, a copy what it copies to. */
static bool may_change(const operation &operation, const region &region) {
    if (operation.kind == operation::KERNEL) {
        const mapping *found = find_mapping(region.start);

        return !found || found->kind != DEVICE || found->device == device_of(operation.stream);
    }
    for (const struct region &each : regions_of(operation))
        if (each.written && each.start < region.start + region.bytes &&
            region.start < each.start + each.bytes)
            return true;
    return false;
}

static uint64_t hash(const region &region) {
    uint64_t sum = 14695981039346656037u, word;
    size_t i;

    for (i = 0; i + sizeof word <= region.bytes; i += sizeof word) {
        memcpy(&word, region.start + i, sizeof word);
        sum = (sum ^ word) * 1099511628211u;
        sum ^= sum >> 29;
    }
    for (; i < region.bytes; i++)
        sum = (sum ^ (unsigned char)region.start[i]) * 1099511628211u;
    return sum;
}

/* A copy that was done while operations without an order to it were pending. */
struct watch {
    place where;
    region copied;
    std::set<uint64_t> others;
};
static std::list<watch> watches;

struct suspect {
    place where;
    region copied;
    uint64_t hash;
};
static std::vector<suspect> suspects;

/* The pending operations that wait for one, directly or through others. */
static std::set<uint64_t> dependents_of(uint64_t number, const operations &pending) {
    std::set<uint64_t> found;

    for (const auto &entry : pending)
        for (uint64_t earlier : entry.second.after)
            if (earlier == number || found.count(earlier))
                found.insert(entry.first);
    return found;
}

static void suspect_copy(const operation &operation, place where, const region &copied) {
    const mapping *found = find_mapping(copied.start);

    if (may_change(operation, copied) && !(found && (found->freed || !found->there)))
        suspects.push_back({where, copied, hash(copied)});
}

void before_operation(const operation &operation, const operations &pending) {
    std::set<uint64_t> dependents = dependents_of(operation.number, pending);

    suspects.clear();
    for (const watch &each : watches)
        if (each.others.count(operation.number))
            suspect_copy(operation, each.where, each.copied);
    for (const auto &entry : pending)
        if (entry.first != operation.number && !dependents.count(entry.first))
            for (const region &each : regions_of(entry.second))
                suspect_copy(operation, entry.second.where, each);
}

void after_operation(const operation &operation, const operations &pending) {
    std::set<uint64_t> dependents = dependents_of(operation.number, pending), others;
    const place &by = operation.where;

    for (const suspect &each : suspects)
        if (hash(each.copied) != each.hash)
            fail("order",
                 "%s in %s:%d %s memory that %s%s (%s:%d) of another stream changes, and "
                 "neither waits for the other; synchronise the streams before it",
                 each.where.name, each.where.file, each.where.line,
                 each.copied.written ? "writes" : "reads",
                 operation.kind == operation::KERNEL ? "kernel " : "", by.name, by.file, by.line);
    for (auto each = watches.begin(); each != watches.end();) {
        each->others.erase(operation.number);
        each = each->others.empty() ? watches.erase(each) : std::next(each);
    }
    for (const auto &entry : pending)
        if (entry.first != operation.number && !dependents.count(entry.first))
            others.insert(entry.first);
    if (!others.empty())
        for (const region &each : regions_of(operation))
            watches.push_back({by, each, others});
}

} // namespace cpucuda
