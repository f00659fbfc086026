/* The parts of the problem `spmv`, as they see each other. */
#ifndef SPMV_PROBLEM_H
#define SPMV_PROBLEM_H

#include "problems/technique.h"
#include "protocol/spmv_layout.h"

extern const struct problem spmv_problem;

/* The most rows there may be. */
enum { SPMV_MOST_ROWS = 1 << 26 };

/* matrices.c: the distributions, NULL at the end. */
extern const char *const spmv_distributions[];

/* Nonzeros of the matrix of n rows; the same for every seed. */
double spmv_nonzeros(const char *distribution, int n);

/* Fills in the arrays that `matrix` points to. */
void spmv_generate(const struct csr_matrix *matrix, const char *distribution, uint64_t seed);

/* file.c: reads a Matrix Market file (matrix_market.h), scales it and keeps it until another is
 * read; as read_file of problem.h. */
int spmv_read_file(const char *path, char *message);

/* Of the matrix that was read. */
double spmv_nonzeros_of_file(void);
void spmv_copy_of_file(const struct csr_matrix *matrix);

/* What `passes` passes come to, in double: y, and what an error of each is held against, the same
 * sums over absolute values. */
struct spmv_answer {
    double *y, *magnitudes; /* behind this struct, in one piece of memory */
};

struct spmv_answer *spmv_answer(const struct csr_matrix *matrix, const float *x, int passes);

/* judge.c */
void spmv_judge(const void *parameters, const void *input, const void *answer, const void *output,
                const char *distribution, int iterations, double tolerance,
                struct judgement *judgement);
void spmv_judge_timed(const void *parameters, const void *input, const void *trusted,
                      const void *output, double tolerance, struct judgement *judgement);

/* diagnose.c: the likely cause of a wrong `y` of so many passes, in words that end a sentence begun
 * with "...: "; else nothing. */
void spmv_diagnose(const struct csr_matrix *matrix, const float *x, const float *y, int passes,
                   char *text, size_t size);

/* techniques.c */
extern const struct technique *const spmv_techniques[];

#endif
