/* What one unit of work of a step costs, by its manifest: its rate can be no higher than the least
 * of measured ceiling / cost. */
#ifndef COST_H
#define COST_H

struct problem;

/* Of a resource that ceilings.h measures. */
struct cost {
    char resource[24];
    double amount;
};

enum { MOST_COSTS = 6 };

/* Reads the value of such a line. Returns how many resources it names; -1 if it is wrong, and
 * `message` (512 bytes) says why. It is a word on where the amounts come from (counted in machine
 * code, executed as ncu counts, formula), and pairs of a resource and an amount: a sum of numbers,
 * of quantities of the problem for inputs of that distribution, and of products NUMBER*QUANTITY. */
int cost_read(const struct problem *problem, const char *value, const char *distribution,
              struct cost costs[MOST_COSTS], char *message);

#endif
