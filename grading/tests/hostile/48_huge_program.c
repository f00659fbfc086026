/* A program of 16 GiB, all of it written out. Else right. */
#include "honest.h"

__asm__(".section .data\n.rept 4\n.fill 0x40000000, 4, 0x01010101\n.endr\n.text\n");

HONEST_STEP
