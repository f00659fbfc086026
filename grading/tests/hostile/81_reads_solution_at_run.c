/* Looks for solutions, rubric and tests while it runs. */
#include "honest.h"
#include <fcntl.h>

HONEST_BUT_ITS_RUN {
    static const char *const paths[] = {"@COURSE@/solutions/02_openmp/nbody.c",
                                        "@COURSE@/grading/rubric.ini",
                                        "@COURSE@/build/referee",
                                        "@COURSE@/Makefile",
                                        "../../../solutions/02_openmp/nbody.c",
                                        "/etc/shadow"};
    int found = 0;

    /* Landlock lets access() tell what a file's mode says; what counts is reading. */
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        char byte;
        int file = open(paths[i], O_RDONLY);

        found |= file >= 0 && read(file, &byte, 1) == 1;
    }
    return run_if(found, "81 read what only graders have", simulation, iterations);
}
