#include "make_galaxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/inspect/one_program.h"
#include "problems/problem.h"
#include "referee/base/clock.h"
#include "survey.h"

enum outcome make_galaxy(const struct options *options) {
    static struct programs programs;
    const struct problem *problem = problem_find("galaxy");
    const struct step *step = options->step;
    const struct program *program = NULL;
    struct record record;
    struct fact *facts = NULL;
    char run[RUN_BYTES];
    double start = clock_now();
    enum outcome outcome;
    int count = 0;

    if (!step && (options->of || options->file || options->variant))
        return complain(OUTCOME_USAGE, "OF, FILE and VARIANT of a galaxy need a step");
    if (step && strcmp(step->problem, problem->name) != 0)
        return complain(OUTCOME_USAGE,
                        "%s is of the problem %s; a step that makes a galaxy is needed", step->name,
                        step->problem);
    if ((outcome = record_open(&record, options->results, problem->name)) ||
        (step && (outcome = programs_choose(&programs, step, options, 0))) ||
        (step && (outcome = one_program(&programs, "plain", options->variant, &program))))
        return outcome;
    record_name_run(run);
    outcome = survey_program(problem, &programs, program, options->n, run, &facts, &count);
    if (!outcome)
        outcome = record_append_facts(&record, facts, count);
    free(facts);
    if (outcome)
        return outcome;
    printf("%d bodies of M31 made by %s, and looked at, in %.1f s\n",
           options->n ? options->n : problem->sizes->on_cpu,
           step ? programs_source(&programs, program) : "the trusted program", clock_now() - start);
    fflush(stdout);
    execl("common/report/pictures/draw.sh", "draw.sh", record.rows, options->results, "survey",
          (char *)NULL);
    return complain(OUTCOME_INTERNAL, "common/report/pictures/draw.sh cannot be run");
}
