/* Prints the wavefronts of requests in shared memory, one hexadecimal digit each: 128 patterns for
 * every width (4, 8, 16), loads and then stores; the same that were counted on a GPU
 * (test_cpucuda_trace.c). */
#include "trace.h"

#include <stdio.h>

using namespace cpucuda;

static unsigned hash(unsigned x) {
    x *= 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

/* The element that a lane wants: lanes alone or in pairs, in a small or a large array. */
static unsigned element(unsigned pattern, unsigned lane) {
    const unsigned groups[] = {lane, lane / 2, (lane & 1) + lane / 4 * 2, lane & ~2u};

    return hash(pattern * 64 + groups[pattern / 8 % 4]) % (4u << pattern % 8);
}

static bool takes_part(unsigned pattern, unsigned lane) {
    const bool choices[] = {true, lane % 2 == 0, (lane & 2) == 0,
                            hash(pattern * 77 + lane) % 3 == 0};

    return choices[pattern / 32];
}

int main() {
    for (unsigned width = 4; width <= 16; width *= 2)
        for (int stores = 0; stores < 2; stores++, putchar('\n'))
            for (unsigned pattern = 0; pattern < 128; pattern++) {
                stream streams[WARP] = {};
                run asked[WARP] = {};
                trace_line line = {};

                line.space = SHARED_MEMORY;
                line.width = (uint16_t)width;
                line.stores = (uint8_t)stores;
                for (unsigned lane = 0; lane < WARP; lane++)
                    if (takes_part(pattern, lane))
                        stream_add(&streams[lane], 4096 + width * element(pattern, lane));
                streams_to_requests(streams, asked, &line);
                printf("%x", (unsigned)line.wavefronts);
            }
    return 0;
}
