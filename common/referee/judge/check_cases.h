/* What the programs of a check are run on, and what their runs say together. */
#ifndef CHECK_CASES_H
#define CHECK_CASES_H

#include "referee/machine/machine.h"
#include "referee/play/player_process.h"
#include "verdict.h"

/* Iterations of a run of a fixed case, and of errors in a record; the most of any other. */
enum { FIXED_ITERATIONS = 2, TASK_ITERATIONS = 5, MOST_RUNS = 2 };

/* How often an object is run before it is destroyed. */
enum task_kind {
    TASK_FIXED, /* once, FIXED_ITERATIONS */
    TASK_SHORT, /* once, one iteration */
    TASK_ONCE,  /* once, one iteration or two */
    TASK_TWICE  /* twice, up to TASK_ITERATIONS, another number each time; parameters are drawn */
};

/* What one object of a step's program is created with and run on, with the right answers; kept,
 * since all programs of a command get the same. All follows from the seed. */
struct task {
    const struct problem *problem;
    const char *distribution;
    int n;
    uint64_t seed;
    enum task_kind kind;
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    int run_count;
    struct run {
        int iterations;
        void *input, *answer;
    } runs[MOST_RUNS];
    struct task *next;
};

/* NULL when memory is short. */
const struct task *task_get(const struct problem *problem, const char *distribution, int n,
                            uint64_t seed, enum task_kind kind);

/* The kind for a size of that case, in a build that takes `slowness` times as long as the plain
 * one: what is cheap is run twice. */
enum task_kind task_kind_of(const struct problem *problem, const struct check_case *one, int n,
                            int slowness);

/* The size of the case that is run after n: each up to `to`, or if there are very many the edges of
 * warps and blocks and about MOST_BETWEEN others, drawn from the seed. */
enum { MOST_BETWEEN = 64 };
int case_next(const struct check_case *one, int n, uint64_t seed);

/* The cases of a build, up to MOST_CASES, with a size for each that leaves it to the seed. None is
 * above `most`; what would be becomes the largest, which grading counts apart. No size is there
 * twice unless `wanted` has it twice. */
void cases_drawn(const struct check_case *wanted, uint64_t seed, int most,
                 struct check_case *cases);

size_t task_input_bytes(const struct task *task);
size_t task_output_bytes(const struct task *task);

/* Seconds that so many iterations of any program handed in take at most. */
double task_seconds(const struct task *task, int iterations);

/* Whether of such a run only `soft` is kept: what is timed alone may also be what is observed. */
int is_soft(const struct problem *problem, const char *distribution);

int is_build(const struct program *program, const char *build);

/* A player for all of the cases. `workers` and `seed` are for cpucuda. NULL: `message` (512
 * bytes) says why. */
struct player *cases_player(const struct program *program, const char *name,
                            const struct problem *problem, const struct check_case *cases,
                            int count, int workers, uint64_t seed, char *message);

/* Creates an object of a step's program, runs it as the task says up to the first wrong output, and
 * destroys it; judges the outputs. A run may take `patience` times as long as the slowest plain
 * program. `observed`, which may be NULL, gets what was seen of the last run. */
enum outcome task_run(struct player *player, const struct task *task, int patience,
                      double tolerance, struct judgement *judgement, struct observed *observed);

/* A case that is judged by decimals has its errors judged by nobody: they stay out. */
void keep_worst(struct verdict *verdict, const struct judgement *judgement);

/* The index of the case that is told, -1: none failed. It is the largest of the small sizes that
 * failed, and of equal ones the first: a learner can still count its bodies, and it is more than a
 * tile, so that its cause can be named. */
int case_told(const struct judgement *judgements, const struct check_case *cases, int count);

/* What the cases said, put together. */
void conclude_cases(struct verdict *verdict, const struct judgement *judgements,
                    const struct check_case *cases, int count, const char *where);

#endif
