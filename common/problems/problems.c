#include "problem.h"

#include "nbody/nbody_problem.h"
#include "radix_sort/sort_problem.h"
#include "reduce/reduce_problem.h"
#include "scan/scan_problem.h"
#include "spmv/spmv_problem.h"

const struct problem *const problems[] = {&nbody_problem,
                                          &nbody_masses_problem,
                                          &reduce_problem,
                                          &scan_problem,
                                          &radix_sort_problem,
                                          &spmv_problem,
                                          NULL};
