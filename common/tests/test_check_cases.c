/* The cases of a check as the seed draws them: how large they are, and that none is done twice. */
#include "testing.h"

#include <limits.h>

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

TEST(no_case_is_above_the_bound_or_done_twice) {
    for (const struct problem *const *problem = problems; *problem; problem++) {
        look_at(*problem, (*problem)->cases, (*problem)->sizes->variants);
        look_at(*problem, (*problem)->cases, INT_MAX);
        look_at(*problem, (*problem)->sanitizer_cases, INT_MAX);
    }
}

/* A size that two cases of one distribution have is told once. */
TEST(a_size_is_told_once) {
    static const struct check_case cases[] = {{"uniform", 1, 0, EACH},   {"uniform", 257, 0, EACH},
                                              {"uniform", 257, 0, EACH}, {"uniform", 1000, 0, EACH},
                                              {"uniform", 1, 0, EACH},   {"cube", 4096, 0, EACH},
                                              {"uniform", 1000, 0, EACH}};
    enum { COUNT = sizeof cases / sizeof *cases };
    struct judgement judgements[COUNT] = {0};
    static struct verdict verdict;

    for (int i = 0; i < COUNT; i++)
        judgements[i].outcome = cases[i].n > 1 ? OUTCOME_WRONG : OUTCOME_ACCEPTED;
    strcpy(judgements[3].message, "off");
    conclude_cases(&verdict, judgements, cases, COUNT, "");
    assert_string_equal(verdict.message,
                        "n = 1000 (uniform): off; also at n = 257, 4096 (cube); right at n = 1");
}

/* How many lengths the cases have, of `most` and below; of one kind of input, or of all. */
static int lengths(const struct check_case *cases, const char *distribution, int most) {
    char seen[2051] = {0};
    int count = 0;

    for (; cases->distribution; cases++)
        for (int n = cases->n; n <= (cases->kind == EACH ? ends_at(cases) : cases->n) && n <= most;
             n++) {
            if (distribution && !strcmp(cases->distribution, distribution))
                count += !seen[n]++;
            else if (!distribution)
                count++;
        }
    return count;
}

/* From 0 on every length in the plain build, and 36 to 60 cases with sanitizers. */
TEST(every_short_length_is_a_case) {
    static const struct {
        const char *problem, *distribution;
        int longest;
    } whole[] = {{"reduce", "integers", 2050},
                 {"scan", "sums", 2050},
                 {"radix_sort", "keys", 2050},
                 {"spmv", "surface", 300}};

    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const struct problem *problem = problem_find(whole[i].problem);

        assert_int_equal(lengths(problem->cases, whole[i].distribution, whole[i].longest),
                         whole[i].longest + 1);
        assert_in_range(lengths(problem->sanitizer_cases, NULL, INT_MAX), 36, 60);
    }
}

/* What a check draws is a double where the problem has one, and 0 where it has that. */
TEST(a_drawn_parameter_keeps_its_type_and_its_zero) {
    const struct problem *problem = problem_find("leapfrog");
    const struct varied *dt = problem->varied, *softening = dt + 1;
    int in_float = 0;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct task *bare = task_get(problem, "plummer", 20, seed, TASK_TWICE);
        const struct task *soft = task_get(problem, "soft", 20, seed, TASK_TWICE);
        double drawn = varied_value(dt, soft->parameters);

        assert_true(varied_value(softening, bare->parameters) == 0);
        assert_true(varied_value(softening, soft->parameters) >= softening->low);
        assert_true(varied_value(softening, soft->parameters) <= softening->high);
        assert_true(drawn >= dt->low && drawn <= dt->high);
        in_float += drawn == (double)(float)drawn;
    }
    assert_true(in_float < 3);
}
