/* Shared memory: every variable at an address of its own, NaN until it is written, with space
 * behind it that AddressSanitizer knows to be nobody's. */
#include "block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"
#include "sanitizers.h"

namespace cpucuda {

/* Half for static variables and the gaps between them, half for dynamic memory. */
static const size_t half = 512 * 1024;

/* All 32 banks of 4 bytes: a variable starts in the first, as in a kernel that has only this one.
 */
static const size_t banks = 128;

/* A plain loop: ThreadSanitizer would take memset's writes for the worker's. */
static void fill(char *start, size_t bytes) {
    volatile uint32_t *words = (volatile uint32_t *)start;

    for (size_t i = 0; i < (bytes + 3) / 4; i++)
        words[i] = POISON_SHARED;
}

static size_t round_up(size_t value, size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

void shared_memory::begin(size_t dynamic_bytes) {
    if (!start) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);

        start = (char *)mmap(NULL, 2 * half + page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (start == MAP_FAILED || mprotect(start + 2 * half, page, PROT_NONE)) {
            perror("cpucuda: no shared memory");
            exit(1);
        }
    }
    entries.clear();
    used = static_bytes = 0;
    poison(start, 2 * half);
    if (trace_shared_starts)
        trace_shared_starts(start, 2 * half);
    if (dynamic_bytes) {
        char *memory = start + 2 * half - round_up(dynamic_bytes, banks);

        unpoison(memory, dynamic_bytes);
        fill(memory, dynamic_bytes);
        entries.push_back({nullptr, memory, dynamic_bytes, {nullptr, 0, "dynamic shared memory"}});
    }
}

void shared_memory::end() {
    /* ThreadSanitizer remembers who touched an address. The next block's threads are others. */
    if (have_tsan()) {
        munmap(start, 2 * half + (size_t)sysconf(_SC_PAGESIZE));
        start = nullptr;
    }
}

void *shared_variable(const void *key, size_t bytes, size_t alignment, place where) {
    shared_memory &shared = current->block->shared;
    const struct launch *launch = current->block->job;

    for (const shared_entry &entry : shared.entries)
        if (entry.key == key)
            return entry.start;
    shared.static_bytes = round_up(shared.static_bytes, alignment) + bytes;
    if (shared.static_bytes > MOST_STATIC_SHARED)
        fail("launch",
             "%s:%d: with `%s` the static shared variables of %s take %zu bytes; at most %d, and "
             "what is beyond must be dynamic",
             where.file, where.line, where.name, launch->kernel.name, shared.static_bytes,
             MOST_STATIC_SHARED);
    if (shared.static_bytes + launch->dynamic_bytes > shared_limit((const void *)launch->run))
        fail("launch",
             "%s:%d: with `%s` the static shared variables of %s take %zu bytes and its dynamic "
             "shared memory %zu; at most %zu together%s",
             where.file, where.line, where.name, launch->kernel.name, shared.static_bytes,
             launch->dynamic_bytes, shared_limit((const void *)launch->run),
             shared_limit((const void *)launch->run) < MOST_SHARED
                 ? ", unless cudaFuncSetAttribute allows more"
                 : "");
    char *start = shared.start + round_up(shared.used, alignment > banks ? alignment : banks);
    shared.used = (size_t)(start - shared.start) + bytes + banks;
    unpoison(start, bytes);
    fill(start, bytes);
    shared.entries.push_back({key, start, bytes, where});
    return start;
}

void *dynamic_shared_memory(place where) {
    shared_memory &shared = current->block->shared;

    for (shared_entry &entry : shared.entries)
        if (!entry.key) {
            entry.where = where;
            return entry.start;
        }
    /* None was asked for at the launch: any access is in the guard page behind. */
    return shared.start + 2 * half;
}

void shared_unwritten(void *start, size_t bytes) {
    fill((char *)start, bytes);
    if (trace_shared_unwritten)
        trace_shared_unwritten(start, bytes);
}

bool find_shared(const void *address, shared_place *found) {
    const char *at = (const char *)address;
    const shared_entry *nearest = nullptr;

    if (!current || !current->block->shared.start || at < current->block->shared.start ||
        at >= current->block->shared.start + 2 * half + (size_t)sysconf(_SC_PAGESIZE))
        return false;
    for (const shared_entry &entry : current->block->shared.entries)
        if (at >= entry.start && (!nearest || entry.start > nearest->start))
            nearest = &entry;
    if (!nearest)
        return false;
    *found = {nearest->where, nearest->bytes, (size_t)(at - nearest->start), !nearest->key};
    return true;
}

} // namespace cpucuda
