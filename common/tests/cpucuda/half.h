/* The parts of the program that test_half.c builds; a part prints what is wrong. */
#ifndef TESTS_H
#define TESTS_H

void test_conversions(void);
void test_arithmetic(void);
void test_functions(void);
void test_comparisons(void);
void test_pairs(void);
void test_threads(void);

#endif
