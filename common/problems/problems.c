#include "all.h"

const struct problem *const problems[] = {ALL_PROBLEMS, NULL};
