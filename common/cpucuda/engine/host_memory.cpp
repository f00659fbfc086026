/* Registered memory, and the player's buffers: host memory that kernels may not touch. */
#include <list>
#include <sys/mman.h>

#include "host.h"

namespace cpucuda {

/* A buffer of the player's; `protection` is that of host code. */
struct buffer {
    char *start;
    size_t bytes;
    int protection;
};

static std::list<allocation> registered;
static std::list<buffer> hidden;
static bool hiding;

template <typename memory> static bool overlaps(const memory &a, const void *start, size_t bytes) {
    return (const char *)start < a.start + a.bytes && (const char *)start + bytes > a.start;
}

allocation *find_registered(const void *address) {
    for (allocation &each : registered)
        if (overlaps(each, address, 1))
            return &each;
    return nullptr;
}

bool overlaps_registered(const void *start, size_t bytes) {
    for (allocation &each : registered)
        if (overlaps(each, start, bytes))
            return true;
    return false;
}

bool register_memory(void *start, size_t bytes, place where) {
    if (overlaps_registered(start, bytes))
        return false;
    registered.push_back({(char *)start, bytes, REGISTERED, where, false, 0});
    return true;
}

bool unregister_memory(void *start) {
    for (auto each = registered.begin(); each != registered.end(); ++each)
        if (each->start == start) {
            registered.erase(each);
            return true;
        }
    return false;
}

const allocation *any_registered() {
    return registered.empty() ? nullptr : &registered.front();
}

bool page_locked(const void *start, size_t bytes) {
    const mapping *pinned = find_mapping(start);
    const allocation *found = find_registered(start);

    if (pinned && pinned->kind == PINNED && !pinned->freed)
        return true; /* copies check that they end in it */
    return found && (const char *)start + bytes <= found->start + found->bytes;
}

static void protect_hidden(bool hide) {
    hiding = hide;
    for (buffer &each : hidden)
        if (!overlaps_registered(each.start, each.bytes))
            mprotect(each.start, each.bytes, hide ? PROT_NONE : each.protection);
}

void hide_host_memory() {
    protect_hidden(true);
}

void show_host_memory() {
    protect_hidden(false);
}

int host_protection(const void *address) {
    for (buffer &each : hidden)
        if (overlaps(each, address, 1))
            return each.protection;
    return PROT_READ | PROT_WRITE;
}

bool is_hidden(const void *address) {
    for (buffer &each : hidden)
        if (hiding && overlaps(each, address, 1))
            return true;
    return false;
}

} // namespace cpucuda

using namespace cpucuda;

/* A buffer's last page holds nothing else. Told again, it has a new size. */
extern "C" void cpucuda_hide(void *start, size_t bytes, int is_const) {
    size_t page = page_size(), in_front = (page - (uintptr_t)start % page) % page;

    hidden.remove_if([=](const buffer &each) { return each.start == (char *)start + in_front; });
    if (bytes > in_front)
        hidden.push_back({(char *)start + in_front, (bytes - in_front + page - 1) / page * page,
                          is_const ? PROT_READ : PROT_READ | PROT_WRITE});
}
