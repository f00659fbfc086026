/* Names a shell as the interpreter that the kernel loads the program with. */
#include "honest.h"

__asm__(".section .interp,\"a\",@progbits\n.asciz \"/bin/sh\"\n.text\n");

HONEST_STEP
