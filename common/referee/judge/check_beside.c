#include "check_beside.h"

#include <pthread.h>
#include <stdlib.h>

#include "check_cases.h"

/* Each program of a CUDA step has a thread for each core, but not always something for them to do,
 * and with ThreadSanitizer it has one. More than a few at once only wait for each other. */
enum { MOST_AT_ONCE = 4 };

struct job {
    const struct programs *programs;
    const struct program *program;
    const struct options *options;
    struct observed *observed;
    struct verdict verdict;
    enum outcome outcome;
    int is_done;
};

struct beside {
    struct job jobs[MOST_VERDICTS];
    int count, begun, thread_count;
    pthread_t threads[MOST_AT_ONCE];
    pthread_mutex_t mutex; /* of `begun` and of the jobs' `is_done` */
    pthread_cond_t one_is_done;
};

struct beside *beside_new(void) {
    struct beside *beside = calloc(1, sizeof *beside);

    if (beside) {
        pthread_mutex_init(&beside->mutex, NULL);
        pthread_cond_init(&beside->one_is_done, NULL);
    }
    return beside;
}

static void *work(void *argument) {
    struct beside *beside = argument;

    pthread_mutex_lock(&beside->mutex);
    while (beside->begun < beside->count) {
        struct job *job = &beside->jobs[beside->begun++];

        pthread_mutex_unlock(&beside->mutex);
        job->outcome =
            check_program(job->programs, job->program, job->options, &job->verdict, job->observed);
        pthread_mutex_lock(&beside->mutex);
        job->is_done = 1;
        pthread_cond_broadcast(&beside->one_is_done);
    }
    pthread_mutex_unlock(&beside->mutex);
    return NULL;
}

void beside_add(struct beside *beside, const struct programs *programs,
                const struct program *program, const struct options *options,
                struct observed *observed) {
    if (beside->count < MOST_VERDICTS)
        beside->jobs[beside->count++] = (struct job){programs, program, options, observed};
}

void beside_begin(struct beside *beside) {
    int most = usable_cpus() < MOST_AT_ONCE ? usable_cpus() : MOST_AT_ONCE;

    while (most > 1 && beside->thread_count < most && beside->thread_count < beside->count &&
           !pthread_create(&beside->threads[beside->thread_count], NULL, work, beside))
        beside->thread_count++;
    if (!beside->thread_count)
        beside->count = 0;
}

enum outcome beside_verdict(struct beside *beside, const struct programs *programs,
                            const struct program *program, const struct options *options,
                            struct verdict *verdict, struct observed *observed) {
    struct job *job = beside->jobs, *end = job + beside->count;

    while (job < end && job->program != program)
        job++;
    if (job == end)
        return check_program(programs, program, options, verdict, observed);
    pthread_mutex_lock(&beside->mutex);
    while (!job->is_done)
        pthread_cond_wait(&beside->one_is_done, &beside->mutex);
    pthread_mutex_unlock(&beside->mutex);
    *verdict = job->verdict;
    return job->outcome;
}

void beside_end(struct beside *beside) {
    pthread_mutex_lock(&beside->mutex);
    beside->begun = beside->count;
    pthread_mutex_unlock(&beside->mutex);
    while (beside->thread_count)
        pthread_join(beside->threads[--beside->thread_count], NULL);
    pthread_cond_destroy(&beside->one_is_done);
    pthread_mutex_destroy(&beside->mutex);
    free(beside);
}
