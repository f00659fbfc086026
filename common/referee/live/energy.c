#define _GNU_SOURCE
#include "energy.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "problems/stars/invariants.h"
#include "referee/base/clock.h"

enum { REST = 50 };

/* CPU seconds of this thread. */
static double worked(void) {
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct energy_thread {
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t work;
    int busy;
    double not_before; /* by clock_now() */
    int age, age_of_work;
    struct energy last;

    /* The thread's while it is busy, else the caller's. */
    struct star *stars;
    int n, room;
    double softening, time;
};

static void *sum(void *of_thread) {
    struct energy_thread *thread = of_thread;

    setpriority(PRIO_PROCESS, 0, 19); /* of this thread and those it starts */
    for (;;) {
        struct invariants sums;
        double begin;
        int failed;

        pthread_mutex_lock(&thread->lock);
        while (!thread->busy)
            pthread_cond_wait(&thread->work, &thread->lock);
        pthread_mutex_unlock(&thread->lock);
        begin = worked();
        failed = stars_invariants(thread->stars, thread->n, thread->softening, &sums);
        pthread_mutex_lock(&thread->lock);
        if (!failed && thread->age == thread->age_of_work) {
            double unit = sums.mass * sums.mass, first = thread->last.first;

            if (!thread->last.known)
                first = stars_energy(&sums) / unit;
            thread->last =
                (struct energy){1, sums.kinetic / unit, sums.potential / unit, thread->time, first};
        }
        thread->not_before = clock_now() + REST * (worked() - begin);
        thread->busy = 0;
        pthread_mutex_unlock(&thread->lock);
    }
    return NULL;
}

struct energy_thread *energy_start(void) {
    struct energy_thread *thread = calloc(1, sizeof *thread);

    if (!thread)
        return NULL;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->work, NULL);
    return pthread_create(&thread->thread, NULL, sum, thread) ? NULL : thread;
}

static int copy_stars(struct energy_thread *thread, const struct moving *moving) {
    const struct motion *motion = moving->problem->motion;

    if (moving->scene.n > thread->room) {
        free(thread->stars);
        thread->stars = malloc((size_t)moving->scene.n * sizeof *thread->stars);
        thread->room = thread->stars ? moving->scene.n : 0;
    }
    thread->n = moving->scene.n;
    for (int i = 0; i < thread->n && thread->stars; i++) {
        struct star *star = &thread->stars[i];

        star->mass = motion->has_mass ? moving_coordinate(moving, i, 0, 0) : 1;
        for (int axis = 0; axis < AXES; axis++) {
            star->x[axis] = moving_coordinate(moving, i, motion->position, axis);
            star->v[axis] = moving_coordinate(moving, i, motion->velocity, axis);
        }
    }
    return thread->stars != NULL;
}

void energy_sum(struct energy_thread *thread, const struct moving *moving, double softening,
                double time) {
    int is_time;

    if (moving->scene.n > MOST_SUMMED)
        return;
    pthread_mutex_lock(&thread->lock);
    is_time = !thread->busy && clock_now() >= thread->not_before &&
              !(thread->last.known && thread->last.time == time);
    pthread_mutex_unlock(&thread->lock);
    if (!is_time || !copy_stars(thread, moving))
        return;
    thread->softening = softening;
    thread->time = time;
    pthread_mutex_lock(&thread->lock);
    thread->age_of_work = thread->age;
    thread->busy = 1;
    pthread_cond_signal(&thread->work);
    pthread_mutex_unlock(&thread->lock);
}

void energy_forget(struct energy_thread *thread) {
    pthread_mutex_lock(&thread->lock);
    thread->age++;
    thread->not_before = 0;
    thread->last = (struct energy){0};
    pthread_mutex_unlock(&thread->lock);
}

struct energy energy_last(struct energy_thread *thread) {
    struct energy last;

    pthread_mutex_lock(&thread->lock);
    last = thread->last;
    pthread_mutex_unlock(&thread->lock);
    return last;
}
