/* The cases of a check as the seed draws them: how large they are, and that none is done twice. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "problems/problem.h"
#include "referee/judge/check_cases.h"

enum { SEEDS = 2000 };

static int ends_at(const struct check_case *one) {
    return one->to ? one->to : one->n;
}

/* Whether two cases have a size in common. */
static int meet(const struct check_case *a, const struct check_case *b) {
    return !strcmp(a->distribution, b->distribution) && a->n <= ends_at(b) && b->n <= ends_at(a);
}

/* How many pairs of cases have a size in common; of what is still to be drawn none does. */
static int pairs_that_meet(const struct check_case *cases) {
    int pairs = 0;

    for (int i = 0; cases[i].distribution; i++)
        for (int j = 0; j < i; j++)
            pairs +=
                cases[i].kind != ONE_OF && cases[j].kind != ONE_OF && meet(&cases[i], &cases[j]);
    return pairs;
}

static void look_at(const struct problem *problem, const struct check_case *wanted, int most) {
    int pairs = pairs_that_meet(wanted);

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct check_case cases[MOST_CASES + 1] = {0};
        int largest = 0;

        cases_drawn(wanted, seed, most, cases);
        for (int i = 0; cases[i].distribution; i++) {
            if (cases[i].n > most || ends_at(&cases[i]) > most)
                fail_msg("%s, seed %d: case %d, %s, goes from %d to %d, above %d", problem->name,
                         (int)seed, i, cases[i].distribution, cases[i].n, cases[i].to, most);
            largest = ends_at(&cases[i]) > largest ? ends_at(&cases[i]) : largest;
            cases[i].kind = EACH;
        }
        if (most < INT_MAX)
            assert_int_equal(largest, most);
        if (pairs_that_meet(cases) > pairs)
            fail_msg("%s, seed %d, at most %d: a size is there twice", problem->name, (int)seed,
                     most);
    }
}

static void no_case_is_above_the_bound_or_done_twice(void **state) {
    (void)state;
    for (const struct problem *const *problem = problems; *problem; problem++) {
        look_at(*problem, (*problem)->cases, (*problem)->sizes->variants);
        look_at(*problem, (*problem)->cases, INT_MAX);
        look_at(*problem, (*problem)->sanitizer_cases, INT_MAX);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_case_is_above_the_bound_or_done_twice),
    };

    return cmocka_run_group_tests_name("cases of a check", tests, NULL, NULL);
}
