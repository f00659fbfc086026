#include "picture.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The grid of densities has so many cells along an edge, the cube of so many spreads; the
 * percentile of the spread is that of a few elements. What is farther out than so many spreads is
 * not drawn, or 16 bits would show nothing of the others. */
enum { CELLS = 64, WIDTH_IN_SPREADS = 4, OF_FEW = 1001, FAR_IN_SPREADS = 32 };

/* An element as it is copied. */
struct sample {
    float place[AXES], speed;
};

struct painter {
    const struct server_functions *functions;
    struct server *server;
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t work;
    int busy; /* all below is the thread's, else the caller's */

    int count, n;
    double time;
    struct sample *samples; /* room for MOST_DOTS */
    struct picture_head *picture;
    float grid[CELLS][CELLS][CELLS];
};

static int ascending(const void *one, const void *other) {
    float a = *(const float *)one, b = *(const float *)other;

    return (a > b) - (a < b);
}

static int is_finite(const struct sample *sample) {
    return isfinite(sample->place[0]) && isfinite(sample->place[1]) && isfinite(sample->place[2]);
}

/* The centre, a median, and the spread, from a few samples at equal distances in the order. */
static void look_over(const struct painter *painter, struct picture_head *head) {
    float values[AXES + 1][OF_FEW];
    int stride = painter->count / OF_FEW + 1, few = 0;

    for (int axis = 0; axis <= AXES; axis++) {
        few = 0;
        for (int i = 0; i < painter->count; i += stride) {
            const struct sample *sample = &painter->samples[i];
            float squared = 0;

            for (int a = 0; a < AXES && axis == AXES; a++)
                squared += powf(sample->place[a] - head->centre[a], 2);
            if (is_finite(sample))
                values[axis][few++] = axis < AXES ? sample->place[axis] : sqrtf(squared);
        }
        qsort(values[axis], (size_t)few, sizeof(float), ascending);
        if (axis < AXES)
            head->centre[axis] =
                few ? (values[axis][few / 2] + values[axis][(few - 1) / 2]) / 2 : 0;
    }
    if (few)
        head->spread = fminf(values[AXES][(few - 1) * 9 / 10], 2 * values[AXES][few / 2]);
}

/* Leaves out samples that cannot be drawn; the cube holds the others. */
static void sift(struct painter *painter, struct picture_head *head) {
    float farthest = FAR_IN_SPREADS * head->spread;
    int kept = 0;

    head->half = 0;
    for (int i = 0; i < painter->count; i++) {
        const struct sample sample = painter->samples[i];
        float most = 0;

        for (int axis = 0; axis < AXES; axis++)
            most = fmaxf(most, fabsf(sample.place[axis] - head->centre[axis]));
        if (!is_finite(&sample) || most > farthest)
            continue;
        head->half = fmaxf(head->half, most);
        painter->samples[kept++] = sample;
    }
    head->left_out = (uint32_t)(painter->count - kept);
    head->dots = (uint32_t)kept;
    painter->count = kept;
}

/* Where a sample is in the grid: the cell that holds it and its seven neighbours above share it,
 * with these weights (cloud in cell). Returns 0 outside. */
static int place_in_grid(const struct picture_head *head, const struct sample *sample,
                         int cell[AXES], float above[AXES]) {
    float width = WIDTH_IN_SPREADS * head->spread / CELLS;

    for (int axis = 0; axis < AXES; axis++) {
        float at = CELLS / 2 + (sample->place[axis] - head->centre[axis]) / width;

        if (!(at >= 0 && at < CELLS - 1))
            return 0;
        cell[axis] = (int)at;
        above[axis] = at - (float)cell[axis];
    }
    return 1;
}

/* Adds the sample to the grid, or returns the grid's density where it is. */
static float share(struct painter *painter, const struct picture_head *head,
                   const struct sample *sample, float added) {
    int cell[AXES];
    float above[AXES], density = 0;

    if (!place_in_grid(head, sample, cell, above))
        return 0;
    for (int corner = 0; corner < 8; corner++) {
        int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
        float weight = (a ? above[0] : 1 - above[0]) * (b ? above[1] : 1 - above[1]) *
                       (c ? above[2] : 1 - above[2]);
        float *of_cell = &painter->grid[cell[0] + a][cell[1] + b][cell[2] + c];

        *of_cell += weight * added;
        density += weight * *of_cell;
    }
    return density;
}

static uint8_t byte_of(float part) {
    return (uint8_t)(255 * fminf(fmaxf(part, 0), 1)); /* of NaN 0 */
}

static void draw_dots(struct painter *painter) {
    struct picture_head *head = painter->picture;
    struct dot *dots = (struct dot *)(head + 1);
    float squares = 0, fastest, densest = 1;

    memset(painter->grid, 0, sizeof painter->grid);
    for (int i = 0; i < painter->count; i++) {
        squares += powf(painter->samples[i].speed, 2);
        share(painter, head, &painter->samples[i], 1);
    }
    for (int i = 0; i < painter->count; i++)
        densest = fmaxf(densest, share(painter, head, &painter->samples[i], 0));
    fastest = 3 * sqrtf(squares / (float)(painter->count ? painter->count : 1));
    for (int i = 0; i < painter->count; i++) {
        const struct sample *sample = &painter->samples[i];

        for (int axis = 0; axis < AXES; axis++) {
            float at = (sample->place[axis] - head->centre[axis]) / head->half;

            dots[i].place[axis] = (uint16_t)lrintf(fminf(fmaxf(32767.5f * (1 + at), 0), 65535));
        }
        dots[i].speed = byte_of(sample->speed / fastest);
        dots[i].density = byte_of(log1pf(share(painter, head, sample, 0)) / log1pf(densest));
    }
}

static void *paint(void *of_painter) {
    struct painter *painter = of_painter;
    struct picture_head *head = painter->picture;

    for (;;) {
        pthread_mutex_lock(&painter->lock);
        while (!painter->busy)
            pthread_cond_wait(&painter->work, &painter->lock);
        pthread_mutex_unlock(&painter->lock);
        *head = (struct picture_head){.n = (uint32_t)painter->n, .time = painter->time};
        look_over(painter, head);
        sift(painter, head);
        draw_dots(painter);
        painter->functions->show(painter->server, head,
                                 sizeof *head + head->dots * sizeof(struct dot));
        pthread_mutex_lock(&painter->lock);
        painter->busy = 0;
        pthread_mutex_unlock(&painter->lock);
    }
    return NULL;
}

struct painter *painter_start(const struct server_functions *functions, struct server *server) {
    struct painter *painter = calloc(1, sizeof *painter);

    if (!painter)
        return NULL;
    painter->functions = functions;
    painter->server = server;
    painter->samples = malloc(MOST_DOTS * sizeof *painter->samples);
    painter->picture = malloc(sizeof *painter->picture + MOST_DOTS * sizeof(struct dot));
    pthread_mutex_init(&painter->lock, NULL);
    pthread_cond_init(&painter->work, NULL);
    if (!painter->samples || !painter->picture ||
        pthread_create(&painter->thread, NULL, paint, painter))
        return NULL;
    return painter;
}

static void copy_samples(struct painter *painter, const struct moving *moving) {
    const struct motion *motion = moving->problem->motion;
    int n = moving->scene.n, stride = (n + MOST_DOTS - 1) / MOST_DOTS;

    painter->count = 0;
    for (int i = 0; i < n; i += stride) {
        struct sample *sample = &painter->samples[painter->count++];
        double squared = 0;

        for (int axis = 0; axis < AXES; axis++) {
            double v = moving_coordinate(moving, i, motion->velocity, axis);

            sample->place[axis] = (float)moving_coordinate(moving, i, motion->position, axis);
            squared += v * v;
        }
        sample->speed = (float)sqrt(squared);
    }
}

int painter_paint(struct painter *painter, const struct moving *moving, double time) {
    int busy;

    pthread_mutex_lock(&painter->lock);
    busy = painter->busy;
    pthread_mutex_unlock(&painter->lock);
    if (busy)
        return 0;
    copy_samples(painter, moving);
    painter->n = moving->scene.n;
    painter->time = time;
    pthread_mutex_lock(&painter->lock);
    painter->busy = 1;
    pthread_cond_signal(&painter->work);
    pthread_mutex_unlock(&painter->lock);
    return 1;
}
