/* Pragmas that read files and switch warnings, optimisation and headers. Else right. */
#pragma GCC dependency "@CANARIES@/secret"
#pragma GCC system_header
#pragma GCC optimize("O3,fast-math")
#pragma GCC diagnostic ignored "-Wall"
#pragma redefine_extname simulation_run main
#include "honest.h"

HONEST_STEP
