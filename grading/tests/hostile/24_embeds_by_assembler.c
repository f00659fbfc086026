/* The assembler puts a solution and a secret into the program, which looks at them. */
#include "honest.h"

__asm__(".section .rodata\n"
        "embedded: .incbin \"@COURSE@/solutions/02_openmp/nbody.c\"\n"
        ".incbin \"@CANARIES@/secret\"\n"
        ".byte 0\n"
        ".text\n");
extern const char embedded[];

HONEST_BUT_ITS_RUN {
    return run_if(embedded[0] != 0, "24 embedded a solution", simulation, iterations);
}
