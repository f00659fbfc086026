/* The solution by a path from the step's folder or the root, where compilers run. Nothing else. */
#include "solutions/02_openmp/nbody.c"
