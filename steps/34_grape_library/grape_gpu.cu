/* Step 34: GPUs behind the interface of the GRAPE-6. The bodies of the memory stay on the devices
 * as polynomials in time, each body on one device. There they are predicted, summed over and
 * searched. Each call sends what the caller has written since the last call, and the bodies that
 * ask. */
#include "lists.h"

/* Where a body is at the time ti, and how fast. */
__host__ __device__ static void predict(const struct j_body *body, double ti, double x[3],
                                        double v[3]) {
    double dt = ti - body->tj;

    for (int c = 0; c < 3; c++) {
        double x0 = body->x[c], v0 = body->v[c];
        double a = body->aby2[c], j = body->a1by6[c], k = body->a2by18[c];

        /* part 1, 2 lines: The polynomial of grape_backend.h, and its derivative. */
        /* until solved */
        x[c] = x0, v[c] = v0;
        (void)dt, (void)a, (void)j, (void)k;
        /* end of until solved */
        /* end of part 1 */
    }
}

/* Packs bodies as sources. An empty slot becomes a body without mass, so far away that it is
 * nobody's neighbour. */
__global__ void predict_all(const struct j_body *memory, int count, double ti,
                            struct sources sources) {
    int slot = blockIdx.x * blockDim.x + threadIdx.x;

    if (slot >= count)
        return;
    struct j_body body = memory[slot];
    double x[3], v[3];

    if (isnan(body.mass))
        body = {{1e18}, {}, {}, {}, {}, 0, ti, -1};
    predict(&body, ti, x, v);
    struct place place = split_place(x);

    sources.high[slot] = make_float4(place.high.x, place.high.y, place.high.z, (float)body.mass);
    sources.low[slot] =
        make_float4(place.low.x, place.low.y, place.low.z, __int_as_float(body.index));
    sources.motion[slot] = make_float4((float)v[0], (float)v[1], (float)v[2], 0);
}

static int gpu_predict(void *state, double ti, int nj) {
    struct boards *boards = (struct boards *)state;

    if (nj > 0) /* all have slots, written or not */
        PASS(boards_reach(boards, nj - 1));
    for (int b = 0; b < boards->count; b++) {
        struct board *board = &boards->board[b];

        board->count = divide_up(nj - b, boards->count);
        TRY(cudaSetDevice(board->device));
        PASS(boards_send(board));
        if (!board->count)
            continue;
        predict_all<<<divide_up(board->count, THREADS), THREADS, 0, board->stream>>>(
            board->memory.at, board->count, ti, boards_sources(board));
        TRY(cudaGetLastError());
    }
    return 0;
}

static int begin_sum(struct board *board, const struct i_body *bodies, int ni, int wants) {
    struct layout layout = lay_out(board->count, ni, wants, board->resident);

    PASS(boards_ask(board, bodies, ni));
    PASS(make_pinned_room(&board->answer, ni));
    PASS(make_room(&board->felt, ni));
    PASS(make_room(&board->partials, (size_t)ni * layout.grid.y));
    layout.kernel<<<layout.grid, THREADS, 0, board->stream>>>(
        boards_sources(board), board->count, layout.part, board->bodies.at, ni, board->partials.at);
    TRY(cudaGetLastError());
    add_parts<<<divide_up(ni, THREADS / WARP), THREADS, 0, board->stream>>>(
        boards_sources(board), board->count, board->bodies.at, ni, board->partials.at,
        layout.grid.y, board->felt.at);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(board->answer.at, board->felt.at, ni * sizeof(struct felt),
                        cudaMemcpyDeviceToHost, board->stream));
    return 0;
}

/* Adds what a board has found for a body to what the boards before it have found. Their nearest
 * source is at *address, its squared distance is *nearest. */
static void add_felt(const struct felt *felt, int at, struct force *force, float *nearest,
                     int *address) {
    /* part 2, 9 lines: Add all three sums; take the neighbour if it is nearer than before. */
    /* until solved */
    *force = felt->force;
    (void)at, (void)nearest, (void)address;
    /* end of until solved */
    /* end of part 2 */
}

static int gpu_sum(void *state, const struct i_body *bodies, int ni, int wants,
                   struct force *forces) {
    struct boards *boards = (struct boards *)state;

    for (struct board *board = boards->board; board < boards->board + boards->count; board++) {
        TRY(cudaSetDevice(board->device));
        if (board->count)
            PASS(begin_sum(board, bodies, ni, wants));
    }
    for (int b = 0; b < boards->count; b++) {
        TRY(cudaSetDevice(boards->board[b].device));
        PASS(boards_wait(&boards->board[b]));
    }
    for (int i = 0; i < ni; i++) {
        float nearest = INFINITY;
        int address = -1;

        forces[i] = {{}, {}, 0, -1};
        for (int b = 0; b < boards->count; b++) {
            const struct felt *felt = boards->board[b].answer.at + i;

            if (boards->board[b].count)
                add_felt(felt, felt->slot < 0 ? -1 : felt->slot * boards->count + b, &forces[i],
                         &nearest, &address);
        }
    }
    return 0;
}

/* Whether a source is in the neighbourhood of a body: in double, since r^2 may be close to h2. */
__device__ static int is_neighbour(const struct i_body *body, float4 high, float4 low) {
    /* part 3, 4 lines: Whether r^2 < h2, without softening; the body itself is no neighbour. */
    /* until solved */
    (void)body, (void)high, (void)low;
    return 0;
    /* end of until solved */
    /* end of part 3 */
}

static void gpu_locate(void *state, double ti, int address, double x[3], double v[3]) {
    struct j_body body = boards_read((struct boards *)state, address);

    predict(&body, ti, x, v);
}

const struct grape_backend grape_gpu = {"gpu",       boards_open, boards_close, boards_write,
                                        gpu_predict, gpu_sum,     boards_find,  gpu_locate};
