/* Boards, like those of the GRAPE-6: devices that share the bodies of a memory. The body at address
 * a is in slot a / count of board a % count. */
#ifndef BOARDS_H
#define BOARDS_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grape6.h"
#include "sums.h"

/* If the call failed, prints a line to stderr and returns a code from the calling function: a
 * library must not end the process that uses it. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        int code_of_call = boards_failed(call, #call);                                             \
        if (code_of_call)                                                                          \
            return code_of_call;                                                                   \
    } while (0)

static inline int boards_failed(cudaError_t error, const char *call) {
    if (error == cudaSuccess)
        return 0;
    fprintf(stderr, "grape6: %s: %s\n", call, cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation ? GRAPE6_NO_MEMORY : GRAPE6_GPU;
}

/* The same for functions that return a code. */
#define PASS(call)                                                                                 \
    do {                                                                                           \
        int code_of_call = (call);                                                                 \
        if (code_of_call)                                                                          \
            return code_of_call;                                                                   \
    } while (0)

/* Room for items on the current device, or in pinned memory of the host. */
template <typename T> struct items {
    T *at;
    size_t room;
};

template <typename T> static inline int make_room(struct items<T> *items, size_t count) {
    size_t room = items->room ? items->room : 256;
    T *larger;

    if (count <= items->room)
        return 0;
    while (room < count)
        room *= 2;
    TRY(cudaMalloc(&larger, room * sizeof *larger));
    if (items->at) {
        TRY(cudaMemcpy(larger, items->at, items->room * sizeof *larger, cudaMemcpyDeviceToDevice));
        TRY(cudaFree(items->at));
    }
    items->at = larger;
    items->room = room;
    return 0;
}

/* What was there is lost. */
template <typename T> static inline int make_pinned_room(struct items<T> *items, size_t count) {
    T *larger;

    if (count <= items->room)
        return 0;
    TRY(cudaMallocHost(&larger, 2 * count * sizeof *larger));
    if (items->at)
        TRY(cudaFreeHost(items->at));
    items->at = larger;
    items->room = 2 * count;
    return 0;
}

/* A body that the caller has written, on its way to its slot. */
struct written {
    struct j_body body;
    int slot;
};

struct board {
    int device, resident; /* blocks of sum_part that the device holds */
    int count;            /* bodies of the last prediction */
    cudaStream_t stream;
    /* On the device: the memory, the same packed as sources. */
    struct items<struct j_body> memory;
    struct items<float4> high, low, motion;
    /* On the device: bodies that ask, and what they feel. */
    struct items<struct i_body> bodies;
    struct items<struct partial> partials;
    struct items<struct felt> felt;
    struct items<int> counts, lists, sorted;
    int list_room; /* slots per list */
    /* Of the host, pinned. */
    struct items<struct i_body> asked;
    struct items<struct felt> answer;
    struct items<int> found, fetched;
    /* Bodies that wait to be sent, no slot twice: turn_of[slot] is the turn that wrote it last. */
    struct written *waiting, *arrived; /* the host's, pinned, and the device's */
    int waits, turn, *turn_of, slots, in_flight;
};

enum { MOST_BOARDS = 16, MOST_WAITING = 4096 };

/* Every byte of a slot that was never written: all its numbers are NaN. */
enum { NO_BODY = 0xff };

struct boards {
    int count;
    struct board board[MOST_BOARDS];
};

static __global__ void store(const struct written *written, int count, struct j_body *memory) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;

    if (k < count)
        memory[written[k].slot] = written[k].body;
}

/* Sends the bodies that wait. The host's copy is free again when the stream has done this. */
static inline int boards_send(struct board *board) {
    int count = board->waits;

    if (!count)
        return 0;
    TRY(cudaMemcpyAsync(board->arrived, board->waiting, count * sizeof *board->waiting,
                        cudaMemcpyHostToDevice, board->stream));
    store<<<divide_up(count, THREADS), THREADS, 0, board->stream>>>(board->arrived, count,
                                                                    board->memory.at);
    TRY(cudaGetLastError());
    board->waits = 0;
    board->turn++;
    board->in_flight = 1;
    return 0;
}

static inline int boards_wait(struct board *board) {
    TRY(cudaStreamSynchronize(board->stream));
    board->in_flight = 0;
    return 0;
}

/* Room for slots 0 to `slot`. */
static inline int boards_grow(struct board *board, int slot) {
    size_t slots = board->slots ? board->slots : 1024;
    int *turn_of;

    while (slots <= (size_t)slot)
        slots *= 2;
    PASS(boards_send(board));
    PASS(boards_wait(board));
    PASS(make_room(&board->memory, slots));
    PASS(make_room(&board->high, slots));
    PASS(make_room(&board->low, slots));
    PASS(make_room(&board->motion, slots));
    TRY(cudaMemsetAsync(board->memory.at + board->slots, NO_BODY,
                        (slots - board->slots) * sizeof *board->memory.at, board->stream));
    PASS(boards_wait(board));
    turn_of = (int *)realloc(board->turn_of, slots * sizeof *turn_of);
    if (!turn_of) {
        fprintf(stderr, "grape6: there is no memory for %zu bodies\n", slots);
        return GRAPE6_NO_MEMORY;
    }
    memset(turn_of + board->slots, 0, (slots - board->slots) * sizeof *turn_of);
    board->turn_of = turn_of;
    board->slots = (int)slots;
    return 0;
}

static inline int boards_write(void *state, int address, const struct j_body *body) {
    struct boards *boards = (struct boards *)state;
    struct board *board = &boards->board[address % boards->count];
    int slot = address / boards->count;

    if (slot >= board->slots || board->waits == MOST_WAITING || board->in_flight ||
        board->turn_of[slot] == board->turn) {
        TRY(cudaSetDevice(board->device));
        if (slot >= board->slots)
            PASS(boards_grow(board, slot));
        if (board->waits == MOST_WAITING || board->turn_of[slot] == board->turn)
            PASS(boards_send(board));
        if (board->in_flight)
            PASS(boards_wait(board));
    }
    board->turn_of[slot] = board->turn;
    board->waiting[board->waits++] = {*body, slot};
    return 0;
}

static inline int boards_open_one(struct board *board, int device) {
    int multiprocessors, resident;

    board->device = device;
    board->turn = 1;
    board->list_room = 64;
    TRY(cudaSetDevice(device));
    TRY(cudaStreamCreate(&board->stream));
    TRY(cudaMallocHost(&board->waiting, MOST_WAITING * sizeof *board->waiting));
    TRY(cudaMalloc(&board->arrived, MOST_WAITING * sizeof *board->arrived));
    TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, kernel_of<WANTS_NEAREST | WANTS_JERK>(1), THREADS, 0));
    board->resident = (resident ? resident : 1) * multiprocessors;
    return 0;
}

static inline void boards_close(void *state) {
    struct boards *boards = (struct boards *)state;

    for (struct board *board = boards->board; board < boards->board + boards->count; board++) {
        void *const on_device[] = {board->memory.at, board->high.at,   board->low.at,
                                   board->motion.at, board->bodies.at, board->partials.at,
                                   board->felt.at,   board->counts.at, board->lists.at,
                                   board->sorted.at, board->arrived};

        cudaSetDevice(board->device);
        for (size_t k = 0; k < sizeof on_device / sizeof *on_device; k++)
            cudaFree(on_device[k]);
        cudaFreeHost(board->asked.at);
        cudaFreeHost(board->answer.at);
        cudaFreeHost(board->found.at);
        cudaFreeHost(board->fetched.at);
        cudaFreeHost(board->waiting);
        if (board->stream)
            cudaStreamDestroy(board->stream);
        free(board->turn_of);
    }
    free(boards);
}

static inline void *boards_open(void) {
    struct boards *boards = (struct boards *)calloc(1, sizeof *boards);
    int devices;

    if (!boards)
        return NULL;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1) {
        cudaGetLastError();
        free(boards);
        return NULL;
    }
    boards->count = devices < MOST_BOARDS ? devices : (int)MOST_BOARDS;
    for (int b = 0; b < boards->count; b++)
        if (boards_open_one(&boards->board[b], b)) {
            boards_close(boards);
            return NULL;
        }
    return boards;
}

/* Makes slots for all addresses up to this one. */
static inline int boards_reach(struct boards *boards, int address) {
    for (int b = 0; b < boards->count; b++) {
        struct board *board = &boards->board[b];
        int slot = address / boards->count;

        if (slot < board->slots)
            continue;
        TRY(cudaSetDevice(board->device));
        PASS(boards_grow(board, slot));
    }
    return 0;
}

/* Puts bodies that ask on their way to a board. */
static inline int boards_ask(struct board *board, const struct i_body *bodies, int ni) {
    PASS(make_pinned_room(&board->asked, ni));
    PASS(make_room(&board->bodies, ni));
    memcpy(board->asked.at, bodies, ni * sizeof *bodies);
    TRY(cudaMemcpyAsync(board->bodies.at, board->asked.at, ni * sizeof *bodies,
                        cudaMemcpyHostToDevice, board->stream));
    return 0;
}

/* The body at an address; zeros if there is none. */
static inline struct j_body boards_read(struct boards *boards, int address) {
    struct board *board = &boards->board[address % boards->count];
    int slot = address / boards->count;
    struct j_body body = {};

    if (slot >= board->slots || cudaSetDevice(board->device) || boards_send(board) ||
        boards_wait(board) ||
        cudaMemcpy(&body, board->memory.at + slot, sizeof body, cudaMemcpyDeviceToHost) ||
        isnan(body.mass))
        return {};
    return body;
}

static inline struct sources boards_sources(const struct board *board) {
    return {board->high.at, board->low.at, board->motion.at};
}

#endif
