#include "spmv_problem.h"

int spmv_idea(const char *step, const struct observed *observed, char *message) {
    (void)step, (void)observed, (void)message;
    return -1;
}
