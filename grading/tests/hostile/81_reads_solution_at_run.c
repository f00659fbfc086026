/* Looks for solutions, rubric and tests while it runs. */
#include "honest.h"

HONEST_CREATE
int simulation_run(struct simulation *simulation, int iterations) {
    static const char *const paths[] = {"@COURSE@/solutions/02_openmp/nbody.c",
                                        "@COURSE@/grading/rubric.ini",
                                        "@COURSE@/build/referee",
                                        "@COURSE@/Makefile",
                                        "../../../solutions/02_openmp/nbody.c",
                                        "/etc/shadow"};
    int found = 0;

    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
        found |= access(paths[i], R_OK) == 0;
    return run_if(found, "81 read what only graders have", simulation, iterations);
}
HONEST_DESTROY
