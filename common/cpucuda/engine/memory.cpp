/* Device, managed and pinned memory: one mapping an allocation, between guards that nobody may
 * touch. */
#include <algorithm>
#include <deque>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

namespace cpucuda {

/* Wide enough that an index gone wrong by a row or two still ends in it. Address space is cheap. */
enum : size_t { GUARD = (size_t)1 << 20, FREED_KEPT = (size_t)1 << 30, ALIGNMENT = 256 };

static std::map<const char *, mapping> mappings; /* by the front guard's start; freed ones too */
static std::vector<mapping *> in_place;          /* those that are not freed */
static std::deque<mapping *> freed;
static size_t freed_bytes, in_use[MEMORY_KINDS][MOST_DEVICES];
static uint32_t made;
static int open_calls, opened; /* the latter: of which device */
static bool managed_is_closed; /* to the host */

static bool is_opened(const mapping &mapping) {
    return mapping.kind == DEVICE && (opened == ALL_DEVICES || mapping.device == opened);
}

size_t page_size() {
    static const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

static size_t round_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/* Byte of the canary's word that belongs at an address. */
static unsigned char canary_byte(const mapping *mapping, const char *address) {
    return (unsigned char)(mapping->canary >> (uintptr_t)address % 4 * 8);
}

static void write_contents(mapping *mapping) {
    const uint32_t poison = is_device_memory(*mapping) ? POISON_DEVICE : POISON;
    char *end = mapping->pages + mapping->page_bytes, *c;

    for (c = mapping->start; c < end; c += sizeof poison)
        memcpy(c, &poison, sizeof poison);
    for (c = mapping->pages; c < mapping->start; c++)
        *c = (char)canary_byte(mapping, c);
    for (c = mapping->start + mapping->bytes; c < end; c++)
        *c = (char)canary_byte(mapping, c);
}

static void poison_surroundings(const mapping *mapping) {
    char *end = mapping->start + mapping->bytes;

    poison(mapping->pages, (size_t)(mapping->start - mapping->pages));
    poison(end, (size_t)(mapping->pages + mapping->page_bytes - end));
}

mapping *map_memory(size_t bytes, memory_kind kind, place where) {
    size_t page_bytes;
    char *guard;
    mapping *made_now;

    if (bytes > DEVICE_BYTES - bytes_in_use(kind))
        return nullptr;
    page_bytes = round_up(round_up(bytes, ALIGNMENT), page_size());
    guard = (char *)mmap(nullptr, page_bytes + 2 * GUARD, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (guard == MAP_FAILED)
        return nullptr;
    if (mprotect(guard + GUARD, page_bytes, PROT_READ | PROT_WRITE)) {
        munmap(guard, page_bytes + 2 * GUARD);
        return nullptr;
    }
    /* It is opened and closed for each kernel. If closed memory were like the guards, the system
     * would join it with them and later part it again, which is most of such a call's time. */
    madvise(guard + GUARD, page_bytes, MADV_DONTDUMP);
    /* And a call takes as long as it has pages to change: large ones are fewer. */
    madvise(guard + GUARD, page_bytes, MADV_HUGEPAGE);
    made_now = &mappings[guard];
    made_now->bytes = bytes;
    made_now->kind = kind;
    made_now->there = true;
    made_now->where = where;
    made_now->device = kind == DEVICE ? current_device() : 0;
    made_now->pages = guard + GUARD;
    made_now->page_bytes = page_bytes;
    made_now->start = made_now->pages + page_bytes - round_up(bytes, ALIGNMENT);
    /* A signalling NaN, another one in each allocation: a value copied from behind one does not
     * pass for what was behind another. */
    made_now->canary = 0xffa10000u | (++made & 0xffff);
    write_contents(made_now);
    poison_surroundings(made_now);
    if (kind == DEVICE && !open_calls)
        mprotect(made_now->pages, page_bytes, PROT_NONE);
    in_use[kind][made_now->device] += bytes;
    in_place.push_back(made_now);
    return made_now;
}

/* Whether all bytes there are still the canary's; looked at behind every kernel, so by words. */
static bool is_whole(const mapping *mapping, const char *start, const char *end) {
    const char *c = start;
    uint32_t differing = 0;

    for (; c < end && (uintptr_t)c % sizeof differing; c++)
        differing |= (unsigned char)*c ^ canary_byte(mapping, c);
    for (; c < end; c += sizeof differing)
        differing |= *(const uint32_t *)c ^ mapping->canary;
    return !differing;
}

/* The first byte that somebody wrote outside the allocation, else NULL. A value that was written
 * there may begin with the canary's own bytes, as a sum with a canary does: its word counts. */
static const char *damage(const mapping *mapping) {
    const char *behind = mapping->start + mapping->bytes;
    const char *end = mapping->pages + mapping->page_bytes, *c;

    if (is_whole(mapping, behind, end) && is_whole(mapping, mapping->pages, mapping->start))
        return nullptr;
    for (c = behind; c < end; c++)
        if ((unsigned char)*c != canary_byte(mapping, c)) {
            const char *word = c - (uintptr_t)c % sizeof mapping->canary;

            return word < behind ? c : word;
        }
    for (c = mapping->start; c-- > mapping->pages;)
        if ((unsigned char)*c != canary_byte(mapping, c))
            break;
    return c - (uintptr_t)c % sizeof mapping->canary;
}

static void check_canary(const mapping *mapping) {
    const operation *running = running_operation();
    const char *damaged = damage(mapping);
    char where[256], who[256] = "the program";

    if (!damaged)
        return;
    if (running)
        snprintf(who, sizeof who, "kernel %s (launched in %s:%d)", running->where.name,
                 running->where.file, running->where.line);
    describe_address(damaged, where, sizeof where);
    fail("memory", "%s wrote memory, %s%s", who, where, running ? likely_cause(where) : "");
}

/* Of device memory that is open: nothing can have written to other. Pinned memory is checked when
 * it is freed. */
static void check_canaries() {
    for (const mapping *mapping : in_place)
        if (mapping->there && (mapping->kind == MANAGED || is_opened(*mapping)))
            check_canary(mapping);
}

void unmap_memory(mapping *mapping, place where) {
    open_device_memory();
    check_canary(mapping);
    unpoison(mapping->pages, mapping->page_bytes);
    mapping->freed = true;
    mapping->freed_where = where;
    in_place.erase(std::find(in_place.begin(), in_place.end(), mapping));
    in_use[mapping->kind][mapping->device] -= mapping->bytes;
    /* Replaced, not only protected: its pages go back to the system. */
    mmap(mapping->pages, mapping->page_bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    close_device_memory();
    freed.push_back(mapping);
    freed_bytes += mapping->page_bytes;
    while (freed_bytes > FREED_KEPT) {
        struct mapping *oldest = freed.front();

        freed.pop_front();
        freed_bytes -= oldest->page_bytes;
        munmap(oldest->pages - GUARD, oldest->page_bytes + 2 * GUARD);
        mappings.erase(oldest->pages - GUARD); /* ends `oldest` */
    }
}

mapping *find_mapping(const void *address) {
    auto after = mappings.upper_bound((const char *)address);
    mapping *found;

    if (after == mappings.begin())
        return nullptr;
    found = &(--after)->second;
    return (const char *)address < found->pages + found->page_bytes + GUARD ? found : nullptr;
}

const allocation *find_allocation(const void *address) {
    const allocation *found = find_mapping(address);

    return found ? found : find_registered(address);
}

size_t bytes_in_use(memory_kind kind) {
    return in_use[kind][kind == DEVICE ? current_device() : 0];
}

const mapping *any_in_use() {
    return in_place.empty() ? nullptr : in_place.front();
}

std::vector<const mapping *> device_memory() {
    std::vector<const mapping *> found;

    for (const mapping *mapping : in_place)
        if (is_device_memory(*mapping) && mapping->there)
            found.push_back(mapping);
    return found;
}

static void protect_device_memory(int protection) {
    for (const mapping *mapping : in_place)
        if (mapping->there && is_opened(*mapping))
            mprotect(mapping->pages, mapping->page_bytes, protection);
}

static void protect_managed_memory(int protection) {
    for (const mapping *mapping : in_place)
        if (mapping->kind == MANAGED)
            mprotect(mapping->pages, mapping->page_bytes, protection);
}

void close_managed_memory(bool closed) {
    managed_is_closed = closed;
    protect_managed_memory(closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}

void set_there(mapping *mapping, bool there) {
    mapping->there = there;
    mprotect(mapping->pages, mapping->page_bytes, there ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void open_device_memory(int device) {
    if (open_calls++)
        return;
    opened = device;
    protect_device_memory(PROT_READ | PROT_WRITE);
    protect_managed_memory(PROT_READ | PROT_WRITE);
}

void close_device_memory() {
    if (open_calls > 1) {
        open_calls--;
        return;
    }
    check_canaries();
    open_calls = 0;
    protect_device_memory(PROT_NONE);
    close_managed_memory(managed_is_closed);
}

} // namespace cpucuda
