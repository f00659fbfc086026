/* The parts of the program that programs.mk builds; a part prints what is wrong. */
#ifndef TESTS_H
#define TESTS_H

void test_conversions(void);
void test_arithmetic(void);
void test_functions(void);
void test_comparisons(void);
void test_pairs(void);
void test_threads(void);

/* Ends the program: a shuffle (0 to 3) with a mask that leaves the caller out. */
void make_mistake(int operation);

#endif
