#include "check_beside.h"

#include <pthread.h>
#include <stdlib.h>

#include "check_cases.h"

/* Each program of a CUDA step has a thread for each core, but not always something for them to do,
 * and with ThreadSanitizer it has one. More than a few at once only wait for each other. */
enum { MOST_AT_ONCE = 4, MOST_THREADS = 2 * MOST_AT_ONCE };

struct job {
    const struct programs *programs;
    const struct program *program;
    const struct options *options;
    struct observed *observed;
    struct verdict verdict;
    enum outcome outcome;
    int is_begun, is_done;
};

struct beside {
    struct job jobs[MOST_VERDICTS];
    int count, busy, working; /* cores that others have; threads that have not ended */
    int thread_count;
    pthread_t threads[MOST_THREADS];
    pthread_mutex_t mutex; /* of all but `threads` and their count */
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

/* The next to begin with; NULL: none is left. Under the mutex. */
static struct job *next_job(struct beside *beside) {
    struct job *job, *next = NULL;

    for (job = beside->jobs; job < beside->jobs + beside->count; job++)
        if (!job->is_begun &&
            (!next || (is_build(job->program, "thread") && !is_build(next->program, "thread"))))
            next = job;
    return next;
}

/* Checks the job's program. Under the mutex, which is free meanwhile. */
static void do_job(struct beside *beside, struct job *job) {
    job->is_begun = 1;
    pthread_mutex_unlock(&beside->mutex);
    job->outcome =
        check_program(job->programs, job->program, job->options, &job->verdict, job->observed);
    pthread_mutex_lock(&beside->mutex);
    job->is_done = 1;
    pthread_cond_broadcast(&beside->one_is_done);
}

static void *work(void *argument) {
    struct beside *beside = argument;
    struct job *job = NULL;

    pthread_mutex_lock(&beside->mutex);
    while (!(job && beside->busy && job->verdict.outcome == OUTCOME_HUNG) &&
           (job = next_job(beside)))
        do_job(beside, job);
    beside->working--;
    pthread_cond_broadcast(&beside->one_is_done);
    pthread_mutex_unlock(&beside->mutex);
    return NULL;
}

void beside_add(struct beside *beside, const struct programs *programs,
                const struct program *program, const struct options *options,
                struct observed *observed) {
    pthread_mutex_lock(&beside->mutex);
    if (beside->count < MOST_VERDICTS)
        beside->jobs[beside->count++] = (struct job){programs, program, options, observed};
    pthread_mutex_unlock(&beside->mutex);
}

void beside_begin(struct beside *beside, int busy) {
    int cores = usable_cpus(), most = cores < MOST_AT_ONCE ? cores : MOST_AT_ONCE;

    if (cores - busy < most)
        most = cores - busy;
    pthread_mutex_lock(&beside->mutex);
    beside->busy = busy;
    while (cores > 1 && beside->working < most && beside->thread_count < MOST_THREADS &&
           !pthread_create(&beside->threads[beside->thread_count], NULL, work, beside)) {
        beside->thread_count++;
        beside->working++;
    }
    pthread_mutex_unlock(&beside->mutex);
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
    while (beside->working && !job->is_done)
        pthread_cond_wait(&beside->one_is_done, &beside->mutex);
    if (!job->is_done)
        do_job(beside, job);
    pthread_mutex_unlock(&beside->mutex);
    *verdict = job->verdict;
    return job->outcome;
}

void beside_end(struct beside *beside) {
    struct job *job;

    pthread_mutex_lock(&beside->mutex);
    while ((job = next_job(beside)))
        job->is_begun = 1;
    pthread_mutex_unlock(&beside->mutex);
    while (beside->thread_count)
        pthread_join(beside->threads[--beside->thread_count], NULL);
    pthread_cond_destroy(&beside->one_is_done);
    pthread_mutex_destroy(&beside->mutex);
    free(beside);
}
