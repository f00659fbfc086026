/* Brackets and launches 8000 deep, for the rewriter. It does not compile. */
#include "nbody.h"

@BRACKETS@
