/* Lists of neighbours: a search in floats finds the sources that may be neighbours, and the step
 * says whether each of them is one. */
#ifndef LISTS_H
#define LISTS_H

#include <float.h>

#include "boards.h"

/* The step's own. */
__device__ static int is_neighbour(const struct i_body *body, float4 high, float4 low);

/* The square of a distance that no neighbour exceeds if it is computed from the high parts of
 * places. These are off by 2^-24 of a neighbour's coordinates, which are at most the body's own
 * plus its radius. It is never 0, so that a source at distance 0 is
 * within. */
__device__ static inline float reach_of(const struct i_body *body, float3 own) {
    float radius = 1.00001f * sqrtf((float)body->h2);
    float extent = fmaxf(fmaxf(fabsf(own.x), fabsf(own.y)), fabsf(own.z)) + radius;
    float reach = radius + 0x1p-21f * extent;

    return 1.00001f * reach * reach + FLT_MIN;
}

/* Bodies per warp; the blocks of find_part, in multiples of the blocks of sum_part that a device
 * holds (it holds three times as many of find_part); and the fewest sources per block. */
enum { EACH = 8, SEARCHES = 6, LEAST_PART = 128 };

/* A warp looks among the sources of part blockIdx.y for those that may be neighbours of EACH
 * bodies. counts[i] goes on counting when its list has no more room. */
static __global__ void find_part(struct sources sources, int n, int part,
                                 const struct i_body *bodies, int ni, int room, int *counts,
                                 int *lists) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) / WARP * EACH;
    int from = blockIdx.y * part, to = min(from + part, n);
    float3 own[EACH];
    float reach[EACH];

#pragma unroll
    for (int b = 0; b < EACH; b++) {
        const struct i_body *body = &bodies[min(first + b, ni - 1)];

        own[b] = split_place(body->x).high;
        reach[b] = first + b < ni ? reach_of(body, own[b]) : -INFINITY;
    }
#pragma unroll 1 /* for few registers: warps hide the wait for a source */
    for (int j = from + threadIdx.x % WARP; j < to; j += WARP) {
        float4 high = sources.high[j];
        float beyond[EACH];
        int signs = 0;

#pragma unroll
        for (int b = 0; b < EACH; b++) {
            float x = high.x - own[b].x, y = high.y - own[b].y, z = high.z - own[b].z;

            beyond[b] = z * z + (y * y + (x * x - reach[b]));
            signs |= __float_as_int(beyond[b]);
        }
        if (signs >= 0) /* nobody is within */
            continue;
#pragma unroll
        for (int b = 0; b < EACH; b++)
            if (beyond[b] < 0) {
                int at = atomicAdd(&counts[first + b], 1);

                if (at < room)
                    lists[(size_t)(first + b) * room + at] = j;
            }
    }
}

/* A warp per list that had room: slots become indices of those that are neighbours, in ascending
 * order. */
static __global__ void sort_lists(struct sources sources, const struct i_body *bodies, int room,
                                  int *counts, int *lists, int *sorted) {
    int *list = &lists[(size_t)blockIdx.x * room];
    int count = counts[blockIdx.x], kept = 0;

    if (count > room)
        return;
    for (int k = threadIdx.x; k - (int)threadIdx.x < count; k += WARP) {
        int slot = list[min(k, count - 1)];
        float4 low = sources.low[slot];
        int stays = k < count && is_neighbour(&bodies[blockIdx.x], sources.high[slot], low);
        unsigned lanes = __ballot_sync(ALL_LANES, stays);

        __syncwarp(); /* all have read their slot */
        if (stays)
            list[kept + __popc(lanes & ((1u << threadIdx.x) - 1))] = index_of(low);
        kept += __popc(lanes);
    }
    __syncwarp();
    for (int k = threadIdx.x; k < kept; k += WARP) {
        int place = 0;

        for (int m = 0; m < kept; m++)
            place += list[m] < list[k] || (list[m] == list[k] && m < k);
        sorted[(size_t)blockIdx.x * room + place] = list[k];
    }
    if (threadIdx.x == 0)
        counts[blockIdx.x] = kept;
}

/* Puts the search for a board's lists into its stream: *found counts them, or more than there is
 * room for. */
static inline int begin_find(struct board *board, int ni, int room) {
    int groups = divide_up(ni, EACH * THREADS / WARP);
    int parts = divide_up(SEARCHES * board->resident, groups);
    int part = max(divide_up(board->count, parts), LEAST_PART);

    PASS(make_room(&board->counts, ni));
    PASS(make_room(&board->lists, (size_t)room * ni));
    PASS(make_room(&board->sorted, (size_t)room * ni));
    PASS(make_pinned_room(&board->found, ni));
    PASS(make_pinned_room(&board->fetched, (size_t)room * ni));
    TRY(cudaMemsetAsync(board->counts.at, 0, ni * sizeof(int), board->stream));
    find_part<<<dim3(groups, divide_up(board->count, part)), THREADS, 0, board->stream>>>(
        boards_sources(board), board->count, part, board->bodies.at, ni, room, board->counts.at,
        board->lists.at);
    TRY(cudaGetLastError());
    sort_lists<<<ni, WARP, 0, board->stream>>>(boards_sources(board), board->bodies.at, room,
                                               board->counts.at, board->lists.at, board->sorted.at);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(board->found.at, board->counts.at, ni * sizeof(int), cudaMemcpyDeviceToHost,
                        board->stream));
    TRY(cudaMemcpyAsync(board->fetched.at, board->sorted.at, (size_t)room * ni * sizeof(int),
                        cudaMemcpyDeviceToHost, board->stream));
    return 0;
}

/* Adds an ascending list to another. */
static inline int neighbours_merge(struct neighbours *list, const int *more, int count) {
    int all = list->count + count, left = list->count - 1, right = count - 1;

    if (all > list->room) {
        int *index = (int *)realloc(list->index, 2 * all * sizeof *index);

        if (!index) {
            fprintf(stderr, "grape6: there is no memory for %d neighbours\n", all);
            return GRAPE6_NO_MEMORY;
        }
        list->index = index;
        list->room = 2 * all;
    }
    list->count = all;
    for (int k = all - 1; right >= 0; k--)
        list->index[k] =
            left >= 0 && list->index[left] > more[right] ? list->index[left--] : more[right--];
    return 0;
}

static inline int boards_find(void *state, const struct i_body *bodies, int ni,
                              struct neighbours *lists) {
    struct boards *boards = (struct boards *)state;

    for (int i = 0; i < ni; i++)
        lists[i].count = 0;
    for (struct board *board = boards->board; board < boards->board + boards->count; board++) {
        int room, most;

        if (!board->count)
            continue;
        TRY(cudaSetDevice(board->device));
        PASS(boards_ask(board, bodies, ni));
        do {
            room = board->list_room;
            PASS(begin_find(board, ni, room));
            PASS(boards_wait(board));
            most = 0;
            for (int i = 0; i < ni; i++)
                most = max(most, board->found.at[i]);
            board->list_room = most + most / 4 + 16;
        } while (most > room);
        for (int i = 0; i < ni; i++)
            PASS(neighbours_merge(&lists[i], board->fetched.at + (size_t)i * room,
                                  board->found.at[i]));
    }
    return 0;
}

#endif
