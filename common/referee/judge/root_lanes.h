/* What a step's program in C does at a time. */
#ifndef ROOT_LANES_H
#define ROOT_LANES_H

/* The floats of which the program's machine code takes square roots at a time, at most: 16 with
 * AVX-512, 4 in a register of 16 bytes, 1 without vectors; estimates count as roots. 0 if there is
 * no such instruction, or no objdump to see it. */
int root_lanes(const char *program);

/* The same of one line as objdump prints it, for x86-64 or aarch64. */
int root_lanes_of(const char *line);

#endif
