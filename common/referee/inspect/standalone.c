#include "standalone.h"

#include <stdio.h>
#include <string.h>

#include "one_program.h"
#include "problems/problem.h"
#include "referee/base/json.h"

enum { EXAMPLES = 3 };

/* How to look at the program; %s is its path. */
static const struct {
    const char *backend, *lines[EXAMPLES];
} examples[] = {
    {"mpi",
     {"mpirun -n 2 %s 4096 2", "mpirun -n 5 --oversubscribe %s 1000 2",
      "mpirun -n 4 -H one:2,other:2 %s 1048576 10"}},
    {"cuda",
     {"compute-sanitizer --tool memcheck %s 1000 1", "compute-sanitizer --tool racecheck %s 1000 1",
      "ncu --set full %s 30000 1"}},
    {"cpucuda", {"%s 4096 1", "CPUCUDA_SEED=1 %s 257 2", "CPUCUDA_SEED=1 gdb --args %s 257 1"}},
    {"cpu", {"%s 16384 1", "gdb --args %s 257 1", "perf stat %s 16384 10"}},
};

/* The examples of the program's backend, line by line; JSON: strings of an array. */
static void print_examples(const struct program *program, int json) {
    char line[640];
    size_t i;
    int k;

    /* Of several processes, whatever they run on. */
    int several = strstr(program->flags, "-DEXCHANGE_MPI") != NULL;

    for (i = 0; strcmp(examples[i].backend, several ? "mpi" : program->backend); i++)
        ;
    for (k = 0; k < EXAMPLES; k++) {
        const char *place = strstr(examples[i].lines[k], "%s");

        snprintf(line, sizeof line, "%.*s%s%s", (int)(place - examples[i].lines[k]),
                 examples[i].lines[k], program->path, place + 2);
        if (json)
            print_json("%s", line);
        else
            printf("  %s\n", line);
    }
}

enum outcome standalone_program(const struct options *options) {
    const struct step *step = options->step;
    static struct programs programs;
    const struct problem *problem = problem_find(step->problem);
    const struct program *program;
    enum outcome outcome;

    if ((outcome = programs_choose(&programs, step, options, 0)) ||
        (outcome = one_program(&programs, "standalone", options->variant, &program)))
        return outcome;
    if (!program)
        return complain(OUTCOME_INTERNAL, "%s: standalone needs a compiler, which is not installed",
                        step->name);
    if (options->backend && strcmp(options->backend, program->backend))
        return complain(
            OUTCOME_USAGE,
            "BACKEND=%s: standalone is built for backend %s on this machine; leave it out",
            options->backend, program->backend);
    if (options->json) {
        const char *distribution = problem->distributions[0];
        int n = problem->sizes->on_gpu;

        print_json("{ step=%s source=%s variant=%s backend=%s program=%s on_gpu=%d work=%.0f "
                   "per=%s examples=[",
                   step->name, programs_source(&programs, program), program->variant,
                   program->backend, program->path, n, problem->work(distribution, n),
                   problem->per);
        print_examples(program, 1);
        print_json("] }");
        return OUTCOME_ACCEPTED;
    }
    printf("%s: %s%s, variant %s, backend %s, without the referee\n", step->name,
           programs_source(&programs, program), programs_why(&programs, program), program->variant,
           program->backend);
    printf("usage: %s [N [ITERATIONS [DISTRIBUTION]]]  (else %d %s, 2 iterations, the problem's "
           "first)\n",
           program->path, problem->sizes->small, problem->element);
    print_examples(program, 0);
    return OUTCOME_ACCEPTED;
}
