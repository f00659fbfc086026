/* What the programs of a check are run on, and what their runs say together. */
#ifndef CHECK_CASES_H
#define CHECK_CASES_H

#include "check.h"
#include "player_process.h"

/* Iterations of a run that is held against the oracle: the seed's. */
enum { CHECK_ITERATIONS = 2 };

/* An input with its right answer; kept, since all programs of a command get the same. */
struct task {
    const struct problem *problem;
    const char *distribution;
    int n;
    uint64_t seed;
    unsigned char parameters[PARAMETERS_BYTES];
    void *input, *answer;
    struct task *next;
};

/* NULL when memory is short. */
const struct task *task_get(const struct problem *problem, const char *distribution, int n,
                            uint64_t seed);

size_t task_input_bytes(const struct task *task);
size_t task_output_bytes(const struct task *task);

/* Seconds that so many iterations of any program handed in take at most. */
double task_seconds(const struct task *task, int iterations);

/* Whether of such a run only `soft` is kept: what is timed alone may also be what is observed. */
int is_soft(const struct problem *problem, const char *distribution);

int usable_cpus(void);
int is_build(const struct program *program, const char *build);

/* A player for all of the cases. `workers` and `seed` are for cpucuda. NULL: `message` (512
 * bytes) says why. */
struct player *cases_player(const struct program *program, const char *name,
                            const struct problem *problem, const struct check_case *cases,
                            int count, int workers, uint64_t seed, char *message);

/* Creates, runs and destroys a step's program on a task; judges the output. It may take
 * `patience` times as long as the slowest plain program. `observed` may be NULL. */
enum outcome task_run(struct player *player, const struct task *task, int patience,
                      double tolerance, struct judgement *judgement, struct observed *observed);

/* A case that is judged by decimals has its errors judged by nobody: they stay out. */
void keep_worst(struct verdict *verdict, const struct judgement *judgement);

/* What the cases said, put together. Told is the largest of the small sizes that failed, and of
 * equal ones the first: a learner can still count its bodies, and it is more than a tile, so that
 * its cause can be named. */
void conclude(struct verdict *verdict, const struct judgement *judgements,
              const struct check_case *cases, int count, const char *where);

#endif
