/* Brackets and launches 20000 deep, for the rewriter. It does not compile. */
#include "nbody.h"

@BRACKETS@
