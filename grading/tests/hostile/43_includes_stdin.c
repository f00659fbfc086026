/* A compiler that waits for somebody to type; else right. */
#include "/dev/stdin"
#include "honest.h"

HONEST_STEP
