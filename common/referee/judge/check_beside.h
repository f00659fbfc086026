/* Programs of a check that run beside each other, before their verdicts are asked for. */
#ifndef CHECK_BESIDE_H
#define CHECK_BESIDE_H

#include "check_program.h"

/* What was added, and the threads that check it. */
struct beside;

/* Nothing is added yet. NULL when memory is short. */
struct beside *beside_new(void);

/* Lets the program be checked as soon as a core is free. Of those that have not begun, builds with
 * ThreadSanitizer begin first, and then the first that was added. What is pointed to stays until
 * beside_end(). */
void beside_add(struct beside *beside, const struct programs *programs,
                const struct program *program, const struct options *options,
                struct observed *observed);

/* Begins with what was added, on all cores but those that are `busy`. While any are, a program that
 * does not answer is the last that is begun: what runs on the busy cores may be like it. */
void beside_begin(struct beside *beside, int busy);

/* check_program(), or what it returned of a program that was added. */
enum outcome beside_verdict(struct beside *beside, const struct programs *programs,
                            const struct program *program, const struct options *options,
                            struct verdict *verdict, struct observed *observed);

/* Waits for all that were begun; what has not begun never does. Frees it. */
void beside_end(struct beside *beside);

#endif
