/* The main() of a step's build `standalone`: runs a step without the referee, in one process, so
 * that a profiler, a debugger or compute-sanitizer can look at it. Input and parameters are those
 * of a timed run. Its verdict is for information.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/player.h"
#include "problem.h"

static struct figures own_figures;
struct figures *figures = &own_figures;

/* Defined by exchange_mpi.h: which of several processes this is. The first has the input, gets the
 * output and prints; each has the parameters from its own command line. */
extern int exchange_own_rank __attribute__((weak));

static double now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void poison(void *memory, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof(unsigned); i++)
        ((unsigned *)memory)[i] = POISON;
}

/* FNV-1a: the same bits, the same number. */
static unsigned long long checksum(const void *memory, size_t bytes) {
    unsigned long long hash = 14695981039346656037u;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)memory)[i]) * 1099511628211u;
    return hash;
}

/* The number in `text`, from 1 to `most`; else ends with a complaint. */
static int number(const char *name, const char *text, int most) {
    char *end;
    long value = strtol(text, &end, 10);

    if (*end || value < 1 || value > most) {
        fprintf(stderr, "%s %s: a number from 1 to %d is needed\n", name, text, most);
        exit(OUTCOME_USAGE);
    }
    return (int)value;
}

int main(int argc, char **argv) {
    const struct problem *problem = problem_find(step_problem);
    _Alignas(8) unsigned char parameters[PARAMETERS_BYTES];
    const char *distribution = problem->distributions[0];
    struct judgement judgement = {0};
    int n = problem->sizes->small, iterations = 2;
    void *input, *kept, *output, *right;
    double seconds;
    const char *path;
    char message[512], count[40];
    int first, failed;

    if (argc > 4) {
        fprintf(stderr, "usage: %s [N [ITERATIONS [DISTRIBUTION]]]\n", argv[0]);
        return OUTCOME_USAGE;
    }
    if (argc > 1)
        n = number("N", argv[1], problem->largest);
    if (argc > 2)
        iterations = number("ITERATIONS", argv[2], problem->most_iterations);
    if (argc > 3 && strcmp(distribution = problem_distribution(problem, argv[3]), argv[3])) {
        fprintf(stderr, "%s: %s has no such distribution; its first is %s\n", argv[3],
                problem->name, distribution);
        return OUTCOME_USAGE;
    }
    if ((path = problem_file(problem, distribution)) && !(n = problem->read_file(path, message))) {
        fprintf(stderr, "%s\n", message);
        return OUTCOME_USAGE;
    }
    size_t input_bytes = problem->input_bytes(distribution, n);
    size_t output_bytes = problem->output_bytes(distribution, n);

    input = malloc(input_bytes);
    kept = malloc(input_bytes);
    output = malloc(output_bytes);
    if (!input || !kept || !output) {
        fprintf(stderr, "no memory for %d elements\n", n);
        return OUTCOME_INTERNAL;
    }
    problem_timed_parameters(problem, parameters, distribution, n, iterations);
    poison(input, input_bytes);
    poison(output, output_bytes);
    failed = step_create(parameters, input, output);
    first = !&exchange_own_rank || !exchange_own_rank;
    if (first)
        problem_timed_input(problem, input, distribution, n, 1);
    memcpy(kept, input, input_bytes);
    seconds = now();
    if (failed || step_run(iterations)) {
        fprintf(stderr, "the step reported an error\n");
        exit(OUTCOME_OWN_ERROR);
    }
    seconds = now() - seconds;
    step_destroy();
    if (!first)
        exit(OUTCOME_ACCEPTED);
    if (&exchange_own_rank)
        printf("%.6f s from the input in the first process to the output there\n", seconds);
    if (iterations == 2 && n <= 16384) {
        right = problem->answer(parameters, kept, distribution, iterations);
        if (!right)
            return OUTCOME_INTERNAL;
        problem->judge(parameters, kept, right, output, distribution, iterations, 2e-3, &judgement);
        printf("n = %d, %s: %s %s\n", n, problem_iterations(problem, iterations, count),
               outcome_word(judgement.outcome), judgement.message);
        free(right);
    } else {
        printf("n = %d, %s: done\n", n, problem_iterations(problem, iterations, count));
    }
    printf("the output's bits: %016llx\n", checksum(output, output_bytes));
    free(input);
    free(kept);
    free(output);
    return judgement.outcome;
}
