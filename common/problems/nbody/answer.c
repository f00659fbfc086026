#include "nbody_problem.h"

#include <stdlib.h>
#include <string.h>

void *nbody_answer_with(const struct parameters *p, const struct body *in, const float *masses,
                        const char *distribution, int iterations) {
    int with_reference = !strcmp(distribution, "cube");
    size_t doubles = oracle_doubles(p->n) * sizeof(double);
    size_t bodies = with_reference ? (size_t)p->n * sizeof(struct body) : 0;
    struct answer *answer = malloc(sizeof *answer + doubles + bodies);
    if (!answer)
        return NULL;

    answer->iterations = iterations;
    answer->masses = masses;
    answer->reference = NULL;
    oracle_start(&answer->oracle, answer->memory, in, masses, p->n);
    oracle_run(&answer->oracle, p, iterations);
    if (with_reference) {
        struct body *reference = (struct body *)((char *)answer->memory + doubles);
        if (!nbody_reference(p, in, reference, iterations)) {
            free(answer);
            return NULL;
        }
        answer->reference = reference;
    }
    return answer;
}
