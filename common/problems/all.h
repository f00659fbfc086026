/* Every problem of the course. */
#ifndef ALL_PROBLEMS_H
#define ALL_PROBLEMS_H

#include "cluster/cluster_problem.h"
#include "galaxy/galaxy_problem.h"
#include "grape/grape_problem.h"
#include "jerk/jerk_problem.h"
#include "leapfrog/leapfrog_problem.h"
#include "nbody/nbody_problem.h"
#include "orbits/orbits_problem.h"
#include "radix_sort/sort_problem.h"
#include "reduce/reduce_problem.h"
#include "scan/scan_problem.h"
#include "spmv/spmv_problem.h"
#include "tree/tree_problem.h"
#include "walk/walk_problem.h"

#define ALL_PROBLEMS                                                                               \
    &nbody_problem, &nbody_masses_problem, &reduce_problem, &scan_problem, &radix_sort_problem,    \
        &spmv_problem, &leapfrog_problem, &jerk_problem, &cluster_problem, &grape_problem,         \
        &tree_problem, &walk_problem, &orbits_problem, &galaxy_problem

#endif
