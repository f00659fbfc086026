#include "occupancy.h"

#include <stddef.h>
#include <string.h>

/* CUDA C++ Programming Guide, "Compute Capabilities", table of technical specifications. The last
 * two columns: bytes that CUDA keeps for itself in each block ("Shared Memory" of 8.x and 9.0), and
 * in what pieces shared memory is given out. */
static const struct multiprocessor {
    const char *architecture;
    int warps, blocks, shared_bytes, reserved_bytes, shared_piece;
} multiprocessors[] = {
    {"sm_75", 32, 16, 64 << 10, 0, 256},     {"sm_80", 64, 32, 164 << 10, 1024, 128},
    {"sm_86", 48, 16, 100 << 10, 1024, 128}, {"sm_89", 48, 24, 100 << 10, 1024, 128},
    {"sm_90", 64, 32, 228 << 10, 1024, 128},
};

/* Of all of these architectures. A multiprocessor is four parts, each with its own registers, which
 * a warp gets in pieces: as in the toolkit's cuda_occupancy.h, the formula of CUDA's own
 * cudaOccupancyMaxActiveBlocksPerMultiprocessor(). */
enum {
    WARP = 32,
    MOST_THREADS = 1024,
    PARTS = 4,
    REGISTERS_A_PART = 16384,
    REGISTER_PIECE = 256,
    MOST_REGISTERS = 255
};

static int round_up(int value, int piece) {
    return (value + piece - 1) / piece * piece;
}

static const struct multiprocessor *find(const char *architecture) {
    size_t i;

    for (i = 0; i < sizeof multiprocessors / sizeof *multiprocessors; i++)
        if (!strcmp(multiprocessors[i].architecture, architecture))
            return &multiprocessors[i];
    return NULL;
}

int occupancy_warps(const char *architecture) {
    const struct multiprocessor *of = find(architecture);

    return of ? of->warps : 0;
}

double occupancy_of(const char *architecture, int threads, int registers, int shared_bytes,
                    const char **limit) {
    const struct multiprocessor *of = find(architecture);
    int warps, by_warps, by_registers, by_shared, blocks, shared;

    *limit = NULL;
    if (!of || threads < 1 || threads > MOST_THREADS || registers < 1 ||
        registers > MOST_REGISTERS || shared_bytes < 0)
        return 0;
    warps = round_up(threads, WARP) / WARP;
    by_warps = of->warps / warps;
    by_registers = REGISTERS_A_PART / round_up(registers * WARP, REGISTER_PIECE) * PARTS / warps;
    shared = round_up(shared_bytes + of->reserved_bytes, of->shared_piece);
    by_shared = shared ? of->shared_bytes / shared : of->blocks;
    blocks = by_warps < of->blocks ? by_warps : of->blocks;
    blocks = by_registers < blocks ? by_registers : blocks;
    blocks = by_shared < blocks ? by_shared : blocks;
    if (blocks * warps < of->warps)
        *limit = blocks == by_warps       ? "threads per block"
                 : blocks == of->blocks   ? "blocks per multiprocessor"
                 : blocks == by_registers ? "registers"
                                          : "shared memory";
    return (double)(blocks * warps) / of->warps;
}
