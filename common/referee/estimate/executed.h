/* Programs executed by their machine code, and what that counted. */
#ifndef EXECUTED_H
#define EXECUTED_H

#include "machine_code.h"
#include "referee/build/programs.h"

/* The program in the build `sass`, and the machine code that it executes. */
struct executable {
    const char *sass, *cubin;
    const char *title;   /* of step and variant, for messages */
    int multiprocessors; /* that it is told of where few blocks are executed */
};

/* Of a launch with more blocks, that many are executed and stand for all. */
enum { BLOCKS_EXECUTED = 2 };

/* Whether the program comes to the same verdict by its machine code as by C++, on a small input
 * whose blocks are all executed. If not, an instruction is executed wrongly, which is said. */
enum outcome executed_agrees(const struct executable *of, int n);

/* Runs that many iterations of n elements by the machine code; with `blocks` 0 kernels are only
 * listed. What was counted lies beside the program, and is not counted anew. */
enum outcome executed_count(const struct executable *of, int n, int iterations, int blocks,
                            struct machine_code *code);

#endif
