#include "problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct problem *problem_find(const char *name) {
    for (const struct problem *const *problem = problems; *problem; problem++)
        if (!strcmp((*problem)->name, name))
            return *problem;
    return NULL;
}

int has_name(const char *const *names, const char *name) {
    while (names && *names && strcmp(*names, name))
        names++;
    return names && *names;
}

void problem_fit(const struct problem *problem, const char *distribution, int n,
                 size_t *input_bytes, size_t *output_bytes) {
    size_t in = problem->input_bytes(distribution, n), out = problem->output_bytes(distribution, n);

    *input_bytes = in > *input_bytes ? in : *input_bytes;
    *output_bytes = out > *output_bytes ? out : *output_bytes;
}

const char *problem_iteration(const struct problem *problem) {
    return problem && problem->iteration ? problem->iteration : "iteration";
}

const char *problem_iterations(const struct problem *problem, int count, char text[40]) {
    const char *one = problem_iteration(problem);

    snprintf(text, 40, "%d %s%s", count, one,
             count == 1                    ? ""
             : one[strlen(one) - 1] == 's' ? "es"
                                           : "s");
    return text;
}

void problem_timed_parameters(const struct problem *problem, void *parameters,
                              const char *distribution, int n, int iterations) {
    (problem->set_timed_parameters ? problem->set_timed_parameters : problem->set_parameters)(
        parameters, distribution, n, iterations);
}

void problem_timed_input(const struct problem *problem, void *input, const char *distribution,
                         int n, uint64_t seed) {
    problem->generate(input, distribution, n, seed);
    if (problem->quicken)
        problem->quicken(input, distribution, n);
}

double varied_value(const struct varied *one, const void *parameters) {
    const char *at = (const char *)parameters + one->offset;
    double value;
    float narrow;

    if (one->is_double) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

void varied_set(const struct varied *one, void *parameters, double value) {
    char *at = (char *)parameters + one->offset;
    float narrow = (float)value;

    if (one->is_double)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

const char *problem_file(const struct problem *problem, const char *distribution) {
    static const char prefix[] = "file:";
    size_t length = sizeof prefix - 1;

    return problem->read_file && !strncmp(distribution, prefix, length) && distribution[length]
               ? distribution + length
               : NULL;
}

const char *problem_distribution(const struct problem *problem, const char *asked) {
    return asked && (has_name(problem->distributions, asked) || problem_file(problem, asked))
               ? asked
               : problem->distributions[0];
}

void judge_as(struct judgement *judgement, enum outcome outcome, const char *format, ...) {
    va_list arguments;

    judgement->outcome = outcome;
    va_start(arguments, format);
    vsnprintf(judgement->message, sizeof judgement->message, format, arguments);
    va_end(arguments);
}

double work_per_element(const char *distribution, int n) {
    (void)distribution;
    return n;
}

double work_of_pairs(const char *distribution, int n) {
    (void)distribution;
    return (double)n * n;
}

size_t bytes_of_words(const char *distribution, int n) {
    (void)distribution;
    return (size_t)n * sizeof(uint32_t);
}

void keep_ends(void *array, const void *before, int n, size_t bytes) {
    size_t last = (size_t)(n - 1) * bytes;

    if (before) {
        memcpy(array, before, bytes);
        memcpy((char *)array + last, (const char *)before + last, bytes);
    }
}

void sharpen_words(void *input, const void *before, const char *distribution, int n) {
    (void)distribution;
    keep_ends(input, before, n, sizeof(uint32_t));
}

const struct trace_line *next_traced_line(const struct counters *counters,
                                          const struct trace_line *last) {
    const struct trace_line *next = last ? last + 1 : counters->lines;

    return next < counters->lines + counters->traced_lines ? next : NULL;
}

const struct interval *next_kernel(const struct counters *counters, const struct interval *last) {
    uint64_t i = last ? (uint64_t)(last - counters->intervals) + 1 : 0;

    for (; i < counters->interval_count && i < MOST_INTERVALS; i++)
        if (counters->intervals[i].kind == KERNEL)
            return &counters->intervals[i];
    return NULL;
}

const struct interval *most_roots(const struct counters *counters) {
    const struct interval *most = NULL, *kernel = NULL;

    while ((kernel = next_kernel(counters, kernel)))
        if (!most || kernel->roots > most->roots)
            most = kernel;
    return most;
}
