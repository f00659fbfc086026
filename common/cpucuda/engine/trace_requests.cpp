/* How the addresses of a warp become requests, and what is counted of these. */
#include "requests.h"
#include "trace.h"

#include <stdlib.h>

namespace cpucuda {

enum { PERIOD = BANKS * WORD };

size_t stream_add(stream *stream, uintptr_t address) {
    run *last = &stream->last;
    size_t taken = 0;

    if (last->count == 0) {
        *last = {address, 0, 1};
        return 0;
    }
    if (last->count == 1) {
        const intptr_t stride = (intptr_t)(address - last->start);

        if (stride == (int32_t)stride) {
            last->stride = (int32_t)stride;
            last->count = 2;
            return 0;
        }
    } else if (address == last->start + (intptr_t)last->stride * last->count &&
               last->count < UINT32_MAX) {
        last->count++;
        return 0;
    }
    if (stream->earlier_count == stream->earlier_room) {
        const uint32_t room = stream->earlier_room ? 2 * stream->earlier_room : 8;

        stream->earlier = static_cast<run *>(realloc(stream->earlier, room * sizeof(run)));
        if (!stream->earlier)
            fail("internal", "no memory is left for the trace");
        taken = (room - stream->earlier_room) * sizeof(run);
        stream->earlier_room = room;
    }
    stream->earlier[stream->earlier_count++] = *last;
    *last = {address, 0, 1};
    return taken;
}

struct request {
    uintptr_t address[WARP];
    uint32_t lanes; /* a bit each */
};

static bool is_active(const request &request, int lane) {
    return request.lanes >> lane & 1;
}

static bool is_uniform(const request &request) {
    const uintptr_t first = request.address[__builtin_ctz(request.lanes)];

    for (int lane = 0; lane < WARP; lane++)
        if (is_active(request, lane) && request.address[lane] != first)
            return false;
    return true;
}

static void count_request(const request &request, uint64_t times, trace_line *line) {
    line->requests += times;
    line->bytes += times * line->width * (unsigned)__builtin_popcount(request.lanes);
    if (line->space == SHARED_MEMORY) {
        line->wavefronts +=
            times * wavefronts_of(request.address, request.lanes, line->width, !line->stores);
    } else {
        uintptr_t pieces[WARP];
        const uint64_t sectors =
            times * (unsigned)pieces_of<SECTOR>(request.address, request.lanes, pieces);

        line->sectors += sectors;
        if (!is_uniform(request)) {
            line->varied_requests += times;
            line->varied_sectors += sectors;
        }
    }
    if (is_uniform(request))
        line->broadcasts += times;
}

/* Where a reader of a stream is: in which run, and how much of that is read. */
struct reader {
    uint32_t index, read;
};

static const run *run_of(const stream &stream, uint32_t index) {
    return index < stream.earlier_count                         ? &stream.earlier[index]
           : index == stream.earlier_count && stream.last.count ? &stream.last
                                                                : nullptr;
}

/* As many values of a loop a compiler keeps in registers: those of a thread's own bodies. */
enum { MOST_KEPT = 16 };

/* Whether every lane asks for what it asked for last. */
static bool is_repeated(const request &request, const int32_t *strides, uint32_t count,
                        const run *asked) {
    for (int lane = 0; lane < WARP; lane++)
        if (is_active(request, lane) &&
            (request.address[lane] != asked[lane].start || strides[lane] != asked[lane].stride ||
             count > asked[lane].count))
            return false;
    return true;
}

void streams_to_requests(stream *streams, run *asked, trace_line *line) {
    const bool may_keep = !line->stores && line->space != SHARED_MEMORY;
    reader readers[WARP] = {};
    uint32_t asked_now = 0; /* lanes, a bit each, that asked since the barrier */

    for (;;) {
        request request = {};
        int32_t strides[WARP] = {};
        uint32_t length = UINT32_MAX;
        int32_t stride = 0;
        bool same = true;

        for (int lane = 0; lane < WARP; lane++) {
            const run *run = run_of(streams[lane], readers[lane].index);

            if (!run)
                continue;
            strides[lane] = run->stride;
            same = same && (!request.lanes || run->stride == stride);
            stride = run->stride;
            request.lanes |= 1u << lane;
            request.address[lane] = run->start + (intptr_t)run->stride * readers[lane].read;
            length = std::min(length, run->count - readers[lane].read);
        }
        if (!request.lanes)
            break;
        /* With one stride for all, requests repeat: moved by 128 bytes as a whole, a request
         * touches as many sectors and the same banks. */
        const uint32_t period = !same     ? length
                                : !stride ? 1
                                          : PERIOD >> std::min(__builtin_ctz((unsigned)stride), 7);
        const uint32_t count = may_keep && same && !stride ? 1 : length;
        const bool repeated = may_keep && is_repeated(request, strides, count, asked);
        const uint64_t bytes = line->bytes;

        for (int lane = 0; may_keep && lane < WARP; lane++)
            if (is_active(request, lane))
                asked[lane] = {request.address[lane], strides[lane],
                               count <= MOST_KEPT ? count : 0};
        if (!repeated || request.lanes & ~asked_now)
            for (uint32_t k = 0; k < std::min(count, period); k++) {
                count_request(request, same ? (count - k - 1) / period + 1 : 1, line);
                for (int lane = 0; lane < WARP; lane++)
                    request.address[lane] += strides[lane];
            }
        line->again += repeated ? line->bytes - bytes : 0;
        asked_now |= request.lanes;
        for (int lane = 0; lane < WARP; lane++) {
            if (!is_active(request, lane))
                continue;
            readers[lane].read += length;
            if (readers[lane].read == run_of(streams[lane], readers[lane].index)->count)
                readers[lane] = {readers[lane].index + 1, 0};
        }
    }
    for (int lane = 0; lane < WARP; lane++) {
        free(streams[lane].earlier);
        streams[lane] = {};
    }
}

} // namespace cpucuda
