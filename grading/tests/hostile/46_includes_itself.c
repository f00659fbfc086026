/* Includes itself. */
#include __FILE__
#include "nbody.c"
#include "steps/02_openmp/nbody.c"
