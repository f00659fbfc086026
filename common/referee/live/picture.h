/* Pictures of what moves: a thread that makes them, so that nothing waits for it. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdint.h>

#include "referee/inspect/moving.h"
#include "server.h"

/* Of more elements every second, third ... is drawn, so that there are no more than these. */
enum { MOST_DOTS = 1 << 17 };

/* A picture is a head and then dots, in the byte order of this machine, which is that of every
 * browser: little-endian. */
struct picture_head {
    uint32_t dots, n;
    double time;
    float centre[3], half; /* of a cube that holds all dots */
    float spread; /* how far from the centre most dots are: the 90th percentile, or if that is less
                     twice the median */
    uint32_t left_out; /* not drawn since they are at no finite place or far from all others */
};

struct dot {
    uint16_t place[3];      /* in the cube: 0 and 65535 are its faces */
    uint8_t speed, density; /* 255 for three times the root mean square, and for the densest */
};

struct painter;

/* NULL: no memory or thread. The painter gives its pictures to the server. */
struct painter *painter_start(const struct server_functions *functions, struct server *server);

/* Has a picture painted of the elements as they are now, at that time; they are copied. Returns 0
 * if the last one is not finished, or memory is short. */
int painter_paint(struct painter *painter, const struct moving *moving, double time);

#endif
