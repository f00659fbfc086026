/* What a step computes, as the referee sees it: inputs, right answers, comparison, work.
 * A problem is one struct of this type, listed in problems.c. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/counters.h"
#include "outcome.h"

/* From so many elements on a loop is worth waking threads: of fewer, one is done before others are
 * awake, and on a busy machine long before. */
enum { WORTH_THREADS = 4096 };

/* Decimals 1 to 9 and `later or never`. */
enum { DECIMALS = 10 };

/* The verdict on one output. */
struct judgement {
    enum outcome outcome;
    double error_l2, error_p99, error_max; /* against fp64; what the norm is, the problem says */
    long decimals[DECIMALS]; /* coordinates whose first wrong decimal is 1, 2, ..., 9, later */
    int first_wrong_decimal; /* 1 to 10; 0: this case has no decimals */
    char message[768];       /* what is wrong and where, the likely cause; empty if accepted */
};

/* Which sizes a case of the check has, and how it is run. */
enum case_kind {
    EACH,   /* each size from n to `to`, with iterations and parameters drawn from the seed */
    ONE_OF, /* an odd size between the two, drawn likewise */
    FIXED   /* size n, one run of two iterations with the parameters of set_parameters() */
};

/* A case of the check. `distribution` decides which of the problem's verdicts is asked. */
struct check_case {
    const char *distribution; /* NULL ends a list */
    int n, to;                /* to = 0: n alone */
    enum case_kind kind;
};

/* A number among the parameters that a check draws from the seed, its logarithm uniform; where it
 * is 0, it stays so. */
struct varied {
    const char *name; /* NULL ends a list */
    size_t offset;    /* into the parameters */
    double low, high;
    int is_double;   /* else it is a float */
    int is_accuracy; /* results are right to it: one that is right for another value tells nothing
                      */
};

/* The sizes of runs for which nobody has named one. */
struct sizes {
    int single;         /* of `make run` of a step */
    int variants;       /* at most, in a check on a CPU of variants other than the default */
    int small;          /* of all that a CPU runs which plays a GPU, and where there is no GPU */
    int on_cpu, on_gpu; /* at which a submission is compared */
    int with_errors;    /* the largest at which the right answer is quick to have */
    int beside;         /* the largest of a CPU's program that a GPU's one is compared with */
    const int *timed; /* host to host, 0 at the end: by `make bench`, and on a GPU by `make run` */
    int iterations;   /* of a run at one of these on a GPU; 0: as many as fill a run */
    const int
        *by_device;   /* by the device's clock, 0 at the end; the first of them for every variant */
    int device_alone; /* by which variants other than the default are timed alone */
};

/* What was seen of the large run of a check, for the step's technique. */
struct observed {
    int n, iterations;
    double cpu_seconds;       /* CPU time of the run, over all threads */
    double busiest_seconds;   /* CPU time of the thread that worked most */
    struct counters counters; /* of a step in CUDA C, from the trace build */
    int root_lanes;           /* of a step in C: floats of a root in its machine code; 0: unknown */
    const char *flags;        /* what the program was compiled with, as in players.tsv */
    const char *source;       /* as messages call it */
    /* Of as many iterations of the largest run, of any build so far, with one of the problem's
     * device_distributions, for a step that leaves it to its input how it computes; from cpucuda.
     */
    struct {
        int n;
        uint64_t rsqrtf_calls, other_roots, tensor_products;
    } soft;
};

struct technique;
struct snapshot;

/* A step's program under survey. */
struct surveyed {
    /* Runs it on n elements from `input`, which `output` may be, with these parameters. Returns 0,
     * or -1 if it failed; then the survey ends. */
    int (*run)(void *referee, const void *parameters, int n, int iterations, const void *input,
               void *output);
    /* Writes a figure down; a name of letters, digits and `_`. */
    void (*say)(void *referee, const char *name, double value, const char *unit);
    void *referee;                 /* the first argument of both */
    const struct snapshot *bodies; /* to be looked at, and nothing to be run; NULL: none */
};

/* One thing that can be watched. */
struct scene {
    const char *distribution; /* NULL ends a list */
    int n;
    double duration, dt; /* of the film, and of an iteration, in the problem's usual unit of time */
    double range;        /* half of what is shown to each side; 0: what holds nearly all */
};

/* Of a problem whose programs make elements and do not move them. */
struct making {
    /* The elements of a scene, by runs of the program. Returns 0, or -1 if that failed. */
    int (*make)(const struct surveyed *program, const char *distribution, int n, uint64_t seed,
                void *elements);
    int (*move)(const void *parameters, const void *in, void *out, int iterations); /* 0, or -1 */
    const char *mover;                            /* who does that */
    int (*dark)(const char *distribution, int n); /* so many of the first are not shown */
};

/* How a problem's elements move; those of its output are those of its input, later. G = 1. */
struct motion {
    const struct scene *scenes; /* the first is the default */
    size_t element;             /* bytes */
    size_t position, velocity;  /* where an element has its three coordinates of each */
    int is_double;              /* else they are floats */
    int has_mass;               /* an element begins with its mass, a double; else each is 1 */
    int softening_is_squared;   /* the parameter `softening` of `varied` is; else it is a length */

    const struct making *making; /* NULL: programs move their input */

    /* Parameters of a run whose iterations last `dt`; of `making`, for its move(). */
    void (*set_parameters)(void *parameters, const char *distribution, int n, double dt);
};

struct problem {
    const char *name;
    const char *unit;                 /* what the rate counts, in the plural: "interactions" */
    const char *per;                  /* one of it: "interaction" */
    const char *element;              /* what input and output are made of, in the plural */
    const char *iteration;            /* what a run repeats: "pass"; NULL: "iteration" */
    const char *error;                /* what error_l2 is, in a formula; NULL: always 0 */
    const char *function;             /* a source that lacks it is of another problem; NULL: any */
    const char *const *distributions; /* NULL at the end; the first is the default */
    /* Where the computation is also timed without the rest, by the device's own clock and without
     * copies, as other programs' authors do; NULL: nowhere. What is timed then is called
     * `kernel_only`. */
    const char *const *device_distributions;
    const char *kernel_only;
    /* The one whose cases have decimals; NULL: none has. */
    const char *decimals_distribution;
    const struct sizes *sizes;
    int largest;             /* the largest n a run may have */
    size_t parameters_bytes; /* at most PARAMETERS_BYTES of player.h */
    double slowest_rate; /* slower than any program handed in, units per second: sets time limits */
    double least_work;   /* units in whose time an iteration of the fewest elements runs on a CPU */
    int least_iterations; /* of a timed run; 0: one */
    int most_iterations;  /* after which an output still tells a right program from a wrong one */

    /* Of a run's buffers. */
    size_t (*input_bytes)(const char *distribution, int n);
    size_t (*output_bytes)(const char *distribution, int n);

    /* The cases of a check: of the plain build, of the builds with sanitizers, and of the one that
     * counts what the step's idea is about. Its first n is that of other traces too. */
    const struct check_case *cases, *sanitizer_cases, *trace_cases;

    /* Units of work in one iteration. */
    double (*work)(const char *distribution, int n);

    /* Parameters of a run of `iterations` iterations. */
    void (*set_parameters)(void *parameters, const char *distribution, int n, int iterations);

    /* Those of a timed run, where they are others; NULL: nowhere. */
    void (*set_timed_parameters)(void *parameters, const char *distribution, int n, int iterations);

    /* Makes of an input that of a timed run, where they differ; NULL: nowhere. */
    void (*quicken)(void *input, const char *distribution, int n);

    /* What a check draws of the parameters; NULL: nothing. */
    const struct varied *varied;

    /* n elements drawn from `distribution`; the same seed gives the same bytes everywhere. */
    void (*generate)(void *input, const char *distribution, int n, uint64_t seed);

    /* Makes an input of a check, of 3 elements or more, tell more: what a program may have kept of
     * the object's last input, `before`, by its first and last element alone does not fit. `before`
     * is NULL in the first run. NULL: there is no such thing. */
    void (*sharpen)(void *input, const void *before, const char *distribution, int n);

    /* The right answer after `iterations` iterations, for judge(); the caller frees it. NULL when
     * memory is short. */
    void *(*answer)(const void *parameters, const void *input, const char *distribution,
                    int iterations);

    /* Of an input that the user has in a file: reads it and returns its size n, and from then on
     * the functions here take the distribution "file:PATH" with that n. Else 0, and `message` (512
     * bytes) says what is wrong with the file. NULL: there are no such files. */
    int (*read_file)(const char *path, char *message);

    /* The full verdict on an output of `iterations` iterations. `tolerance` is the step's
     * tolerance_l2. */
    void (*judge)(const void *parameters, const void *input, const void *answer, const void *output,
                  const char *distribution, int iterations, double tolerance,
                  struct judgement *judgement);

    /* Sets to zero, in an input of n elements, what an iteration adds to: the output is then what
     * was added, without its rounding to what was there. NULL: there is no such thing. */
    void (*bring_to_rest)(void *input, int n);

    /* The error_l2 of an output of one iteration that is too large for answer(), over a sample of
     * its elements; negative when memory is short. NULL: answer() is quick at any size. */
    double (*sampled_error)(const void *parameters, const void *input, const void *output);

    /* The trusted program: as fast as this machine can, checked against the oracle by tests.
     * Returns 0, or -1 if memory is short. */
    int (*trusted)(const void *parameters, const void *input, void *output, int iterations);

    /* The verdict on a timed run's output, against the trusted program's. `tolerance` as above. */
    void (*judge_timed)(const void *parameters, const void *input, const void *trusted,
                        const void *output, double tolerance, struct judgement *judgement);

    /* What `make bench` finds out about a program beside its time, by runs of its own: figures that
     * become facts. Returns 0, or -1 if a run failed. NULL: nothing. */
    int (*survey)(const struct surveyed *program);
    int survey_is_small; /* enough for a CPU that plays a GPU, and not about times */

    /* What film and live show; NULL: nothing moves. */
    const struct motion *motion;

    /* What costs of steps are sums of, beside numbers (cost.h): a quantity per unit of work on that
     * distribution; NAN if there is none of that name. NULL: there are none. */
    double (*quantity)(const char *name, const char *distribution);

    /* What technique checks can ask for (technique.h): tables, each ended by one without a name,
     * NULL at the end; NULL: nothing. */
    const struct technique *const *techniques;
};

/* The bytes an output holds before a run: a signalling NaN. A float that still has them was never
 * written; arithmetic on it gives the quiet NaN with the same payload. */
#define POISON          0xffa0deadu
#define POISON_COMPUTED 0xffe0deadu

/* The same of memory that cudaMalloc made, and of shared memory, on a CPU that plays a GPU. */
#define POISON_DEVICE          0xffa0deaeu
#define POISON_DEVICE_COMPUTED 0xffe0deaeu
#define POISON_SHARED          0xffa0deafu
#define POISON_SHARED_COMPUTED 0xffe0deafu

/* The parameters and an input of a timed run. */
void problem_timed_parameters(const struct problem *problem, void *parameters,
                              const char *distribution, int n, int iterations);
void problem_timed_input(const struct problem *problem, void *input, const char *distribution,
                         int n, uint64_t seed);

/* All problems, NULL at the end. */
extern const struct problem *const problems[];

/* The problem of that name, or NULL. */
const struct problem *problem_find(const char *name);

/* Whether a list that ends with NULL has the name; NULL: an empty list. */
int has_name(const char *const *names, const char *name);

/* Raises the bytes of buffers to what a run takes. */
void problem_fit(const struct problem *problem, const char *distribution, int n,
                 size_t *input_bytes, size_t *output_bytes);

/* "pass", and so many of them: "3 passes"; iterations for NULL. */
const char *problem_iteration(const struct problem *problem);
const char *problem_iterations(const struct problem *problem, int count, char text[40]);

/* Reads and writes the number that `one` says. */
double varied_value(const struct varied *one, const void *parameters);
void varied_set(const struct varied *one, void *parameters, double value);

/* The path of a distribution "file:PATH" if the problem reads such files, else NULL. */
const char *problem_file(const struct problem *problem, const char *distribution);

/* The next line of a trace behind `last`, and the next launch of a kernel; the first one for NULL.
 * NULL at the end. */
const struct trace_line *next_traced_line(const struct counters *counters,
                                          const struct trace_line *last);
const struct interval *next_kernel(const struct counters *counters, const struct interval *last);

/* The launch that takes most roots, in N-body that of the forces; NULL: there is none. */
const struct interval *most_roots(const struct counters *counters);

/* Says why an output is not accepted. */
__attribute__((format(printf, 3, 4))) void judge_as(struct judgement *judgement,
                                                    enum outcome outcome, const char *format, ...);

/* `work` of one unit for each element, and for each pair, an element with itself included. */
double work_per_element(const char *distribution, int n);
double work_of_pairs(const char *distribution, int n);

/* Members of a problem whose input is n words of 4 bytes: the bytes of as many, and `sharpen`. */
size_t bytes_of_words(const char *distribution, int n);
void sharpen_words(void *input, const void *before, const char *distribution, int n);

/* Gives an array the first and the last of its n elements of so many bytes that `before` has; NULL:
 * it keeps its own. */
void keep_ends(void *array, const void *before, int n, size_t bytes);

/* The distribution that was asked for if the problem has it, else its default. */
const char *problem_distribution(const struct problem *problem, const char *asked);

#endif
