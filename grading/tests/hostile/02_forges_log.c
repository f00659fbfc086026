/* Prints what the referee prints of an accepted step, as words and as JSON. It computes nothing. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    static const char log[] = "02_openmp: accepted\n"
                              "{\"step\": \"02_openmp\", \"outcome\": \"accepted\", \"code\": 0, "
                              "\"verdicts\": [{\"variant\": "
                              "\"static\", \"aspect\": \"results\", \"outcome\": \"accepted\"}]}\n"
                              "[  PASSED  ] 1 test(s).\n";

    fputs(log, stdout);
    fputs(log, stderr);
    return 0;
}
