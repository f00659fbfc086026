#include "check_beside.h"

#include <pthread.h>

#include "check_cases.h"

/* Each program of a CUDA step has a thread for each core, but not always something for them to do,
 * and with ThreadSanitizer it has one. More than a few at once only wait for each other. */
enum { MOST_AT_ONCE = 4 };

static struct job {
    const struct programs *programs;
    const struct program *program;
    const struct options *options;
    struct observed *observed;
    struct verdict verdict;
    enum outcome outcome;
    int is_done;
} jobs[MOST_VERDICTS];
static int count, begun, thread_count;
static pthread_t threads[MOST_AT_ONCE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_is_done = PTHREAD_COND_INITIALIZER;

static void *work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (begun < count) {
        struct job *job = &jobs[begun++];

        pthread_mutex_unlock(&mutex);
        job->outcome =
            check_program(job->programs, job->program, job->options, &job->verdict, job->observed);
        pthread_mutex_lock(&mutex);
        job->is_done = 1;
        pthread_cond_broadcast(&one_is_done);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

void beside_add(const struct programs *programs, const struct program *program,
                const struct options *options, struct observed *observed) {
    if (count < MOST_VERDICTS)
        jobs[count++] = (struct job){programs, program, options, observed};
}

void beside_begin(void) {
    int most = usable_cpus() < MOST_AT_ONCE ? usable_cpus() : MOST_AT_ONCE;

    while (most > 1 && thread_count < most && thread_count < count &&
           !pthread_create(&threads[thread_count], NULL, work, NULL))
        thread_count++;
    if (!thread_count)
        count = 0;
}

enum outcome beside_verdict(const struct programs *programs, const struct program *program,
                            const struct options *options, struct verdict *verdict,
                            struct observed *observed) {
    int i;

    for (i = 0; i < count && jobs[i].program != program; i++)
        ;
    if (i == count)
        return check_program(programs, program, options, verdict, observed);
    pthread_mutex_lock(&mutex);
    while (!jobs[i].is_done)
        pthread_cond_wait(&one_is_done, &mutex);
    pthread_mutex_unlock(&mutex);
    *verdict = jobs[i].verdict;
    return jobs[i].outcome;
}

void beside_end(void) {
    pthread_mutex_lock(&mutex);
    begun = count;
    pthread_mutex_unlock(&mutex);
    while (thread_count)
        pthread_join(threads[--thread_count], NULL);
    count = begun = 0;
}
