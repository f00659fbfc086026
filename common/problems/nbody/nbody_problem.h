/* The parts of the problem `nbody`, as they see each other. */
#ifndef NBODY_PROBLEM_H
#define NBODY_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "nbody.h"
#include "problems/problem.h"
#include "problems/sorted.h"

extern const struct problem nbody_problem, nbody_masses_problem;

/* WORTH_THREADS of bodies, each of which meets all. */
enum { NBODY_WORTH_THREADS = 512 };

/* distributions.c */

void nbody_generate(void *input, const char *distribution, int n, uint64_t seed);

/* The edge of the cube of `uniform`, in distances of neighbours. */
double nbody_edge(int n);

/* True where lengths, velocities and dt are those of Henon units, rescaled to unit masses. */
int nbody_in_henon_units(const char *distribution);

/* oracle.c: the right answer, in double. */

/* Arrays of n bodies, followed by zeros up to a multiple of ORACLE_PADDING; of masses by ones where
 * all are 1, so that such a zero attracts if a program takes it for a body. */
struct oracle {
    int n;
    double *x, *y, *z, *vx, *vy, *vz, *m;
};

/* The largest tile or block of the steps. */
enum { ORACLE_PADDING = 1024 };

/* How many doubles the arrays of n bodies take. */
size_t oracle_doubles(int n);

/* Puts the arrays into `memory` (oracle_doubles(n) of them) and the bodies into the arrays.
 * `masses` is NULL where all are 1. */
void oracle_start(struct oracle *oracle, double *memory, const struct body *in, const float *masses,
                  int n);

/* v += dt F, where the first `sources` bodies attract: n of them, unless a fault is imitated; up to
 * the padding, for a program that takes the zeros in its last tile for bodies. */
void oracle_kick(struct oracle *oracle, const struct parameters *parameters, int sources);

/* x += dt v */
void oracle_drift(struct oracle *oracle, const struct parameters *parameters);

void oracle_run(struct oracle *oracle, const struct parameters *parameters, int iterations);

/* reference.c: what the plain serial loop in float gives for masses of 1, bit for bit; 0 when
 * memory is short. */
int nbody_reference(const struct parameters *parameters, const struct body *in, struct body *out,
                    int iterations);

/* trusted.c: returns 0, or -1 if memory is short */

int nbody_trusted_with(const struct parameters *parameters, const struct body *in,
                       const float *masses, struct body *out, int iterations);

/* answer.c */

struct answer {
    int iterations;
    const float *masses;          /* of the input; NULL where all are 1 */
    struct oracle oracle;         /* after `iterations` iterations */
    const struct body *reference; /* the same from nbody_reference(); NULL unless `cube` */
    double memory[];
};

void *nbody_answer_with(const struct parameters *parameters, const struct body *in,
                        const float *masses, const char *distribution, int iterations);

/* decimals.c: the verdict of the homework report that Part I follows. */

/* The smallest k from 1 to 9 with |a - b| >= 10^-k, or 10 for later or never. */
int first_wrong_decimal(float a, float b);

/* Fills decimals and first_wrong_decimal, which is the smallest k by which more than 1% of the 3 n
 * coordinates are wrong. */
void nbody_decimals(const struct body *reference, const struct body *out, int n,
                    struct judgement *judgement);

/* errors.c: how far an output is from what is right, body by body. */

struct errors {
    int n;
    double *kick, *kick_error;   /* |v_ref - v_in| and |v - v_ref| */
    double *drift, *drift_error; /* |x_ref - x_in| and |x - x_ref| */
    double kick_median, drift_median;
    double kick_l2;     /* sqrt(sum of squared errors / sum of squared changes) */
    double position_l2; /* the same, relative to |x_ref| */
    double *relative;   /* errors of velocity, in any order */
};

/* NULL when memory is short; free() frees it. */
struct errors *errors_of(const struct oracle *right, const struct body *in, const struct body *out);

/* error / change, or the error itself where nothing changes. */
double relative_error(double error, double change);

/* A body's error, relative to its own change or to the median body's where that is larger. */
double body_error(double error, double change, double median_change);

/* finite.c */

/* True if the floats of an output are all written and finite; else the judgement says what is not.
 */
int nbody_all_finite(const struct body *out, int n, struct judgement *judgement);

/* judge.c, judge_timed.c */

void nbody_judge(const void *parameters, const void *input, const void *answer, const void *output,
                 const char *distribution, int iterations, double tolerance,
                 struct judgement *judgement);
void nbody_judge_timed(const void *parameters, const void *input, const void *trusted,
                       const void *output, double tolerance, struct judgement *judgement);

/* problem.c: of both problems. */
#define NBODY_ERROR        "|v - v_ref| / |v_ref - v_in| against fp64"
#define NBODY_SLOWEST_RATE 5e7
/* Beyond, a body moves so little in an iteration that the force of the one before would do. */
enum { NBODY_MOST_ITERATIONS = 1000 };
extern const struct check_case nbody_trace_cases[];
extern const struct varied nbody_varied[];
void nbody_sharpen(void *input, const void *before, const char *distribution, int n);
extern const struct sizes nbody_sizes, nbody_masses_sizes;
extern const struct motion nbody_motion; /* without masses */
void nbody_quicken(void *input, const char *distribution, int n);
size_t nbody_bodies_bytes(const char *distribution, int n);

/* sampled.c: every velocity of the bodies becomes 0. */
void nbody_bring_to_rest(void *input, int n);

/* |v - v_ref| / |v_ref - v_in| over the first bodies, after one iteration; -1 when
 * memory is short. */
double nbody_sampled_error(const struct parameters *parameters, const struct body *in,
                           const float *masses, const struct body *out);

/* diagnosis.c: the likely cause of a wrong output, in words that end a sentence begun with "...: ";
 * `is_wrong` says which bodies are off, `text` starts empty and stays so if nothing fits. */
void nbody_diagnose(const struct parameters *parameters, const struct body *in,
                    const struct answer *answer, const struct body *out,
                    const unsigned char *is_wrong, char *text, size_t size);

/* imitation.c: programs with a known fault, imitated in double, and compared with an output. The
 * name of the fault whose result the output has, or NULL. */
const char *nbody_imitated_fault(const struct parameters *parameters, const struct body *in,
                                 const struct answer *answer, const struct body *out);

/* Whether `out` is what `iterations` iterations make of `in`, for most bodies. */
int nbody_is_state_after(const struct parameters *parameters, const struct body *in,
                         const float *masses, const struct body *out, int iterations);

/* masses.c: whether masses differ in the distribution. */
int nbody_has_masses(const char *distribution);

/* `masses` is 1 where masses differ, `hard` where the softening is too small for tensor cores
 * beside lengths (plummer reaches too far out); else 0. */
double nbody_quantity(const char *name, const char *distribution);

#endif
