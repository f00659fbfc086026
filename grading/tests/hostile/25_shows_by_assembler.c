/* Has the assembler's errors show a file's lines. Else right. */
#include "honest.h"

__asm__(".include \"@CANARIES@/secret\"");

HONEST_STEP
