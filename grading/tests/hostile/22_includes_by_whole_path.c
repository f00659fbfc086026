/* The solution by its whole path. Nothing else. */
#include "@COURSE@/solutions/02_openmp/nbody.c"
