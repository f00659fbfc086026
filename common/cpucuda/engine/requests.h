/* What a GPU makes of the addresses of a warp: sectors of global memory, passes over the banks of
 * shared memory.
 *
 * Global memory moves in sectors of 32 bytes; a request touches as many as its lanes' bytes lie in.
 *
 * Shared memory has 32 banks of 4 bytes; successive words lie in successive banks. One pass (a
 * wavefront) takes one word from each bank, for any number of lanes. So accesses of up to 4 bytes
 * take as many passes as the worst bank has different words: 1 at best, 32 at worst. Wider ones go
 * in groups of lanes, one after the other: half-warps for 8 bytes, quarter-warps for 16. In a load
 * whose lanes come in pairs of one address, two groups go together. So a warp that loads an array
 * takes 2 and 4 passes at best, one whose lanes all load one address 1 and 2. The banks and groups
 * are those of the CUDA C++ Programming Guide ("Compute Capability 5.x", and 2.x in its older
 * editions for 8 and 16 bytes); the pairs are what Nsight Compute counts on an H200, and a test
 * compares (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld and _st). */
#ifndef CPUCUDA_REQUESTS_H
#define CPUCUDA_REQUESTS_H

#include <algorithm>

#include "internal.h"

namespace cpucuda {

enum { SECTOR = 32, BANKS = 32, WORD = 4 };

/* In which pieces of `size` bytes these lanes have their addresses; each piece once, sorted. A
 * GPU's accesses are aligned: none lies in two sectors, and one of several words lies in as many
 * banks for every lane. Returns how many there are. */
template <unsigned size>
int pieces_of(const uintptr_t addresses[WARP], uint32_t lanes, uintptr_t pieces[WARP]) {
    int count = 0;

    for (; lanes; lanes &= lanes - 1) {
        const uintptr_t piece = addresses[__builtin_ctz(lanes)] / size;

        if (!count || pieces[count - 1] != piece)
            pieces[count++] = piece;
    }
    if (!std::is_sorted(pieces, pieces + count))
        std::sort(pieces, pieces + count);
    return (int)(std::unique(pieces, pieces + count) - pieces);
}

/* Whether every lane has the address of its neighbour, `apart` lanes away, or none that is active.
 */
inline bool in_pairs(const uintptr_t addresses[WARP], uint32_t lanes, int apart) {
    for (int lane = 0; lane < WARP; lane++)
        if (lanes >> lane & lanes >> (lane ^ apart) & 1 &&
            addresses[lane] != addresses[lane ^ apart])
            return false;
    return true;
}

/* Whether the addresses of all lanes are `stride` bytes apart. */
inline bool in_a_row(const uintptr_t addresses[WARP], unsigned stride) {
    uintptr_t differ = 0;

    for (unsigned lane = 0; lane < WARP; lane++)
        differ |= addresses[lane] ^ (addresses[0] + stride * lane);
    return !differ;
}

inline unsigned passes(const uintptr_t addresses[WARP], uint32_t lanes) {
    uintptr_t words[WARP];
    const int count = pieces_of<WORD>(addresses, lanes, words);
    unsigned in_bank[BANKS] = {}, most = 0;

    for (int i = 0; i < count; i++)
        most = std::max(most, ++in_bank[words[i] % BANKS]);
    return most;
}

/* Of a request for `width` bytes per lane. */
inline unsigned wavefronts_of(const uintptr_t addresses[WARP], uint32_t lanes, unsigned width,
                              bool loads) {
    const bool paired =
        width > 4 && loads && (in_pairs(addresses, lanes, 1) || in_pairs(addresses, lanes, 2));
    const int groups = width <= 4 ? 1 : (width <= 8 ? 2 : 4) / (paired ? 2 : 1);
    unsigned wavefronts = 0;

    if (lanes == ~0u) { /* what is asked for most: one place, or a word each in a row */
        if (in_a_row(addresses, 0))
            return (unsigned)groups;
        if (width == WORD && in_a_row(addresses, WORD))
            return 1;
    }
    const int together = WARP / groups; /* lanes */

    for (int first = 0; first < WARP; first += together)
        wavefronts += passes(addresses, lanes & ~0u >> (WARP - together) << first);
    return wavefronts;
}

} // namespace cpucuda

#endif
