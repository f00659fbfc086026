/* What one unit of work of a step costs, by its manifest: its rate can be no higher than the least
 * of measured ceiling / cost. */
#ifndef COST_H
#define COST_H

#include "catalogue.h"
#include "problems/problem.h"

/* Of a resource that ceilings.h measures. */
struct cost {
    char resource[24];
    double amount;
};

enum { MOST_COSTS = 6 };

/* What a variant costs on the backend with inputs of that distribution: of the line
 * `cost_BACKEND_VARIANT`, else `cost_BACKEND`. Returns how many resources; 0 if nobody has counted.
 */
int step_costs(const struct step *step, const char *variant, const char *backend,
               const char *distribution, struct cost costs[MOST_COSTS]);

/* Whether the value of such a line is none; `message` (512 bytes) says why. It is a word on where
 * the amounts come from (counted in machine code, executed as ncu counts, formula), and pairs of a
 * resource and an amount: a sum of numbers, of quantities of the problem, and of products
 * NUMBER*QUANTITY. */
int cost_wrong(const struct problem *problem, const char *value, char *message);

#endif
