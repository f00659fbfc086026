/* The assembler reads a file that never ends. */
#include "honest.h"

__asm__(".section .rodata\n.incbin \"/dev/zero\"\n.text\n");

HONEST_STEP
