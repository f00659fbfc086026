/* What other threads see of a thread's stores, in the build with ThreadSanitizer.
 *
 * CUDA promises that a thread's volatile stores and atomic operations on several addresses are seen
 * in their order only where a fence stands between them. A CPU sees them in their order as a rule,
 * and fibers that change places at waits alone see them all at once. So such a store is at first
 * its thread's own: memory holds the old value while others run. It becomes visible
 *
 *   to the block, when its thread comes to a barrier, meets lanes of its warp, or calls
 *     __threadfence_block();
 *   to all, when a thread that sees it calls __threadfence(); when any thread stores to that
 * address or has an atomic operation on it; in one of four volatile loads of it by a thread that
 * does not see it; when its block has too many; and at the launch's end.
 *
 * For one address all threads agree on the order of its values, and an atomic operation finds the
 * latest one. So what comes of it, a GPU may do, too. Plain stores need none of this: where they
 * are used without order, that is a race. With more workers than one others run meanwhile, and
 * nothing is held back. */
#include <stdio.h>

#include "block.h"
#include "sanitizers.h"

namespace cpucuda {

struct store {
    char *at;
    size_t bytes;
    uint64_t other; /* the value that is not in memory: the old one where the new one is seen */
    struct stores *among;
    uint64_t block; /* its number in the grid */
    unsigned rank;  /* of the thread in it */
    bool of_block, of_shared, fenced_for_block;
    uint64_t number; /* they count in the order in which they were made */
    const void *from;
    /* Another store that its thread sees and others have seen, and whether it is the later one. */
    const void *overtaken_by;
    bool by_later;
    store *in_word, *next, *previous; /* of the same word; of the same block */
};

enum { WORDS = 4096, MOST_OF_BLOCK = 128, MOST_ENDED = 2048, ONE_LOAD_OF = 4 };

static store *by_word[WORDS], *unused;
static struct stores ended; /* of blocks that have ended */
static uint64_t made;

static store **word_of(const volatile void *address) {
    return &by_word[(uintptr_t)address / 8 % WORDS];
}

/* One load or store: for ThreadSanitizer memcpy would be the running thread's access. */
static uint64_t value_at(const volatile void *address, size_t bytes) {
    return bytes == 1   ? *(const volatile uint8_t *)address
           : bytes == 2 ? *(const volatile uint16_t *)address
           : bytes == 4 ? *(const volatile uint32_t *)address
                        : *(const volatile uint64_t *)address;
}

static void set_value(volatile void *address, size_t bytes, uint64_t value) {
    if (bytes == 1)
        *(volatile uint8_t *)address = (uint8_t)value;
    else if (bytes == 2)
        *(volatile uint16_t *)address = (uint16_t)value;
    else if (bytes == 4)
        *(volatile uint32_t *)address = (uint32_t)value;
    else
        *(volatile uint64_t *)address = value;
}

static void swap(store *store) {
    uint64_t value = value_at(store->at, store->bytes);

    set_value(store->at, store->bytes, store->other);
    store->other = value;
}

/* What a block sees stays in memory until a thread of another block runs. */
static __thread struct stores *in_memory;

/* Whether the thread that runs sees it: its value is in memory. */
static bool is_seen(const store *store) {
    if (store->of_block)
        return store->among == in_memory;
    return fences && store->among == &fences->stores && (int)store->rank == thread_index();
}

static void append(struct stores *stores, store *store) {
    store->among = stores;
    store->next = nullptr;
    store->previous = stores->last;
    *(stores->last ? &stores->last->next : &stores->first) = store;
    stores->last = store;
    stores->count++;
    stores->own[store->rank] += !store->of_block;
}

static void unlink(store *store) {
    struct stores *stores = store->among;

    *(store->previous ? &store->previous->next : &stores->first) = store->next;
    *(store->next ? &store->next->previous : &stores->last) = store->previous;
    stores->count--;
    stores->own[store->rank] -= !store->of_block;
}

static void forget(store *store) {
    struct store **at = word_of(store->at);

    while (*at != store)
        at = &(*at)->in_word;
    *at = store->in_word;
    unlink(store);
    store->next = unused;
    unused = store;
}

/* All see it from now on. */
static void show(store *store) {
    if (!is_seen(store))
        swap(store);
    forget(store);
}

/* Another thread sees it, and none of those that its own thread sees besides. */
static void show_before_others(store *shown) {
    for (store *each = shown->among->first; each; each = each->next)
        if (each != shown && each->block == shown->block &&
            (each->of_block || each->rank == shown->rank) && !each->by_later) {
            each->overtaken_by = shown->from;
            each->by_later = each->number < shown->number;
        }
    show(shown);
}

/* Kept for the message of a result that is wrong: a program may be right all the same. */
static void suspect(const store *store, const void *load) {
    const unsigned long from = program_offset(store->from), seen = program_offset(load),
                        other = program_offset(store->overtaken_by);
    char *text = counters.suspect;

    if (*text)
        return;
    if (store->by_later)
        snprintf(text, sizeof counters.suspect,
                 "cpucuda: race: the load in {+0x%lx} did not see the store in {+0x%lx}, although "
                 "another thread saw the later one in {+0x%lx}: %s",
                 seen, from, other,
                 store->fenced_for_block ? "the fence between the two is only for the "
                                           "block, and a __threadfence() is needed"
                                         : "a __threadfence() between the two is missing");
    else
        snprintf(
            text, sizeof counters.suspect,
            "cpucuda: race: the load in {+0x%lx} came before the store in {+0x%lx}, although "
            "another thread saw the one in {+0x%lx} before it: what tells that a value is there "
            "is stored after it, with a __threadfence() between the two",
            seen, from, other);
}

static bool overlaps(const store *store, const volatile void *address, size_t bytes) {
    const char *at = (const char *)address;

    return at < store->at + store->bytes && store->at < at + bytes;
}

static bool is_held_back(const volatile void *address) {
    return fences && workers() == 1 && !is_own_stack((const void *)address);
}

static store *take_unused() {
    enum { AT_ONCE = 256 };

    if (!unused) {
        struct unwatched engine;
        store *more = new store[AT_ONCE];

        for (int i = 0; i < AT_ONCE; i++) {
            more[i].next = unused;
            unused = &more[i];
        }
    }
    store *taken = unused;
    unused = taken->next;
    return taken;
}

void store_starts(volatile void *address, size_t bytes, bool is_atomic, const void *from) {
    shared_place shared;
    store *next, **word = word_of(address);

    if (!is_held_back(address))
        return;
    for (store *each = *word; each; each = next) {
        next = each->in_word;
        if (!overlaps(each, address, bytes))
            continue;
        if (is_atomic && !is_seen(each))
            show_before_others(each);
        else
            show(each);
    }
    if (fences->stores.count >= MOST_OF_BLOCK)
        show(fences->stores.first);
    store *made_now = take_unused();
    made_now->at = (char *)address;
    made_now->bytes = bytes;
    made_now->other = value_at(address, bytes);
    made_now->block = block_number();
    made_now->rank = (unsigned)thread_index();
    made_now->of_block = made_now->by_later = made_now->fenced_for_block = false;
    made_now->overtaken_by = nullptr;
    made_now->of_shared = find_shared(made_now->at, &shared);
    made_now->number = ++made;
    made_now->from = from;
    made_now->in_word = *word;
    *word = made_now;
    append(&fences->stores, made_now);
}

void load_starts(volatile void *address, size_t bytes, const void *from) {
    store *next;

    if (!is_held_back(address))
        return;
    for (store *each = *word_of(address); each; each = next) {
        next = each->in_word;
        if (!overlaps(each, address, bytes) || is_seen(each))
            continue;
        if (random_of(&current->block->random) % ONE_LOAD_OF == 0)
            show_before_others(each);
        else if (each->overtaken_by)
            suspect(each, from);
    }
}

static void swap_of_block(struct stores *stores) {
    for (store *each = stores->first; each; each = each->next)
        if (each->of_block)
            swap(each);
}

void swap_stores(struct stores *stores, unsigned rank) {
    if (in_memory != stores) {
        if (in_memory)
            swap_of_block(in_memory);
        swap_of_block(stores);
        in_memory = stores;
    }
    if (!stores->own[rank])
        return;
    for (store *each = stores->first; each; each = each->next)
        if (!each->of_block && each->rank == rank)
            swap(each);
}

/* The block sees it. Nobody else sees shared memory. */
static void show_block(store *store) {
    if (store->of_shared) {
        show(store);
    } else if (!store->of_block) {
        if (!is_seen(store) && store->among == in_memory)
            swap(store);
        store->of_block = true;
        store->among->own[store->rank]--;
    }
}

void stores_fenced(bool for_block) {
    store *next;

    for (store *each = fences->stores.first; each; each = next) {
        next = each->next;
        if (is_seen(each) && for_block) {
            each->fenced_for_block = true;
            show_block(each);
        } else if (is_seen(each))
            show(each);
    }
}

void stores_met(struct stores *stores, const cuda_thread *const *threads, size_t count) {
    bool met[MOST_THREADS] = {};
    store *next;

    if (!stores->first)
        return;
    for (size_t i = 0; i < count; i++)
        met[threads[i]->rank] = true;
    for (store *each = stores->first; each; each = next) {
        next = each->next;
        if (met[each->rank])
            show_block(each);
    }
}

void stores_of_ended_block(struct stores *stores) {
    if (in_memory == stores) {
        swap_of_block(stores);
        in_memory = nullptr;
    }
    while (store *each = stores->first) {
        if (each->of_shared) {
            forget(each);
            continue;
        }
        if (ended.count >= MOST_ENDED)
            show(ended.first);
        unlink(each);
        append(&ended, each);
    }
}

void show_all_stores() {
    while (ended.first)
        show(ended.first);
}

} // namespace cpucuda
