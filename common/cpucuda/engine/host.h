/* What the parts of the runtime know of each other: memory, faults, streams, copies, errors. */
#ifndef CPUCUDA_HOST_H
#define CPUCUDA_HOST_H

#include <map>
#include <memory>
#include <vector>

#include "cpucuda/runtime.h"

#include "internal.h"

namespace cpucuda {

/* The place of a call of the runtime, held while it is made; one from a kernel ends the program. */
struct entered : place {
    explicit entered(place call);
    entered(const entered &) = delete;
    ~entered();
};

/* errors.cpp: keeps an error with its words, prints them on stderr and returns it. `subject` says
 * what it is about: launch, copy, memory, stream, event, device. */
__attribute__((format(printf, 4, 5))) cudaError_t failed(cudaError_t error, const char *subject,
                                                         place call, const char *format, ...);
const char *unseen_error(); /* NULL, or the words of an error that nobody asked for */
const char *taken_error();  /* NULL, or of one that was asked for, and where, since: */
void forget_taken_error();

/* devices.cpp: CPUCUDA_DEVICES of them, all alike. */
int devices();
int current_device();                      /* of this host thread */
bool check_device(int device, place call); /* false: there is none, and the error is kept */

/* A stream's number tells its device. The first ones are the devices' default streams. */
inline int device_of(uint64_t stream) {
    return (int)(stream % MOST_DEVICES);
}
inline bool is_default(uint64_t stream) {
    return stream < MOST_DEVICES;
}

/* memory.cpp. Device, managed and pinned memory: a mapping of whole pages between two guards;
 * `start` is aligned to 256 bytes and the end as near to the rear guard as that allows. */
struct mapping : allocation {
    char *pages;
    size_t page_bytes;
    uint32_t canary; /* what the pages hold outside the allocation */
    place freed_where;
    /* Of memory that is allocated and freed in a stream's order: whether its stream has come to the
     * former, and whether the latter was called, at freed_where. */
    bool there, given_back;
};
size_t page_size();
inline bool is_device_memory(const allocation &allocation) {
    return allocation.kind == DEVICE || allocation.kind == MANAGED;
}
mapping *map_memory(size_t bytes, memory_kind kind, place where); /* NULL: no memory */
void unmap_memory(mapping *mapping, place where);
mapping *find_mapping(const void *address);   /* also in its guards, also freed */
size_t bytes_in_use(memory_kind kind);        /* device memory: of the current device */
const mapping *any_in_use();                  /* NULL if all was freed */
std::vector<const mapping *> device_memory(); /* in use, managed memory too */
void set_there(mapping *mapping, bool there); /* while device memory is open, unless it is not */
void close_managed_memory(bool closed);       /* to the host, while no operation runs */

enum : size_t { DEVICE_BYTES = (size_t)4 << 30 }; /* what each device that is played has */

/* host_memory.cpp: registered memory, and the player's buffers, which kernels may not touch. */
allocation *find_registered(const void *address);
bool overlaps_registered(const void *start, size_t bytes);
bool register_memory(void *start, size_t bytes, place where); /* false: is already, in part */
bool unregister_memory(void *start);
const allocation *any_registered(); /* NULL if none is */
void hide_host_memory();
void show_host_memory();
int host_protection(const void *address); /* of memory that nothing guards or hides */
bool is_hidden(const void *address);
bool page_locked(const void *start, size_t bytes); /* all of it pinned or registered */

/* streams.cpp. Operations wait in their streams until something needs them done. */
struct event {
    bool timed;
    int device;
    uint64_t record; /* the number of the last operation that records it; 0: none */
    std::shared_ptr<char>
        mark; /* where that operation leaves what it knows; see stream_order.cpp */
    bool done;
    double milliseconds; /* when that operation ran */
};

struct operation {
    enum operation_kind { KERNEL, COPY, FILL, RECORD, WAIT, ALLOCATE, FREE, HOST } kind = KERNEL;
    place where = {}; /* of the call; a kernel's name is its own */
    struct launch launch = {};
    char *to = nullptr;
    const char *from = nullptr;
    size_t bytes = 0;
    cudaMemcpyKind direction = cudaMemcpyDefault;
    int value = 0;                    /* of FILL */
    std::vector<char> staged = {};    /* a copy of pageable memory, made by the call */
    struct mapping *memory = nullptr; /* of ALLOCATE and FREE */
    void (*function)(void *) = nullptr, *argument = nullptr; /* of HOST */
    std::shared_ptr<event> recorded = {};
    std::shared_ptr<char> mark = {};  /* of the record that it is or waits for */
    uint64_t number = 0;              /* they count from 1, in the order of the calls */
    uint64_t stream = 0;              /* the stream's number */
    bool between = false;             /* a copy from one device to another */
    bool by_graph = false;            /* launched with others */
    std::vector<uint64_t> after = {}; /* the operations it waits for */
};

struct stream_state {
    uint64_t number;
    bool blocking;
};
const stream_state *state_of(cudaStream_t stream); /* NULL: no such stream */
uint64_t enqueue(operation operation, const stream_state *stream, uint64_t also_after = 0);
bool is_pending(uint64_t number);
/* graphs.cpp: keeps an operation whose stream is being captured; false: it is to be enqueued. */
bool capture(const operation &operation, const stream_state *stream);
void run_until(uint64_t number);             /* that operation is done */
void run_stream(const stream_state *stream); /* all of its operations are done */
void run_everything();
void run_device(int device);
bool run_one(uint64_t number); /* one that it needs; whether it is still pending then */
uint64_t last_of(const stream_state *stream); /* 0: nothing pending */
/* A copy to the host, else the oldest but events; NULL if none is pending. */
const operation *pending_work();
/* NULL, or a pending one for which the host may not use managed memory; or a pending copy that uses
 * that memory of the host. */
const operation *pending_user_of_managed();
const operation *pending_copy_of(const allocation &allocation);
const operation *running_operation();
/* Two streams: both are the same, or one is its device's default stream and the other, of that
 * device too, waits for it. */
bool are_in_order(uint64_t one, uint64_t other);
void forget_streams(); /* of cudaDeviceReset; nothing is pending */

/* stream_order.cpp: tells ThreadSanitizer what comes before what. */
void order_enqueued(const operation &operation); /* at the address that it keeps */
void order_begins(const operation &operation);
void order_ends(const operation &operation);
void call_in_order(const operation &operation);   /* the HOST function of the one that runs */
void host_waited_for(const stream_state *stream); /* NULL: for all */
void host_waited_for_device(int device);
void host_waited_for(const event &event);

/* queue_checks.cpp: what a missing synchronisation does is found and named. */
typedef std::map<uint64_t, operation> operations;
void guard_host_memory(const operation &operation); /* from the host, while it is pending */
void release_host_memory(const operation &operation);
void open_host_memory(); /* all that is guarded, while an operation runs */
void close_host_memory();
const place *pending_on(const void *address); /* of the call that guards it; NULL if none does */
/* Around an operation, while device memory is open: fails if it changes what a copy that is not
 * ordered with it uses. */
void before_operation(const operation &operation, const operations &pending);
void after_operation(const operation &operation, const operations &pending);

/* faults.cpp. Every thread that runs CUDA threads calls it once: faults are told on this stack. */
void prepare_fault_stack();
/* Puts in words where an address lies in or around an allocation; false if in none. */
bool describe_address(const void *address, char *text, size_t size);
/* What such a place in a kernel mostly comes from, to be put behind these words; empty if nobody
 * knows. */
const char *likely_cause(const char *described);

/* functions.cpp: of kernels, by key. */
size_t dynamic_limit(const void *key);
size_t shared_limit(const void *key); /* static and dynamic together */
void note_static_shared(const void *key, size_t bytes);

/* functions.cpp: how many of the launch's blocks a multiprocessor holds. */
int resident_blocks(const launch &launch);

/* functions.cpp: whether the program may know how many blocks of the kernel the device holds: it
 * asked that of the kernel; or of no kernel, but how many multiprocessors there are. Then it may
 * have launched so many that each can wait for all others. CUDA promises no more than that they
 * can all be resident, and here nothing else is. */
bool knows_room(const launch &launch);

} // namespace cpucuda

#endif
