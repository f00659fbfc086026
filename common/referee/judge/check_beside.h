/* Programs of a check that run beside each other, before their verdicts are asked for. */
#ifndef CHECK_BESIDE_H
#define CHECK_BESIDE_H

#include "check_program.h"

/* What was added, and the threads that check it. */
struct beside;

/* Nothing is added yet. NULL when memory is short. */
struct beside *beside_new(void);

/* Lets the program be checked as soon as a core is free; the first that were added begin first.
 * What is pointed to stays until beside_end(). */
void beside_add(struct beside *beside, const struct programs *programs,
                const struct program *program, const struct options *options,
                struct observed *observed);

/* Begins with what was added. */
void beside_begin(struct beside *beside);

/* check_program(), or what it returned of a program that was added. */
enum outcome beside_verdict(struct beside *beside, const struct programs *programs,
                            const struct program *program, const struct options *options,
                            struct verdict *verdict, struct observed *observed);

/* Waits for all that were begun; what has not begun never does. Frees it. */
void beside_end(struct beside *beside);

#endif
