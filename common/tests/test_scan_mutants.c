/* Mutants of step 22, each rejected for its own reason. */
#include "testing.h"
#include "edited.h"

TEST(mutants_are_rejected_for_their_reason) {
    static const struct mutant mutants[] = {
        /* Whether a tile looks back so early depends on two workers: at one size it may never. */
        {"== this_pass + INCLUSIVE_PREFIX)", ">= this_pass)", 0, OUTCOME_WRONG,
         "Is an aggregate taken for an inclusive prefix"},
        /* The prefix of a warp: of 32 elements per thread, so of 1024. */
        {"w == warp ?", "w == warp - 1 ?", 3000, OUTCOME_WRONG,
         "1024 is a multiple of 1024, so the first of a warp with 32 elements per thread"},
        {"is_exclusive ? sum : with", "with", 999, OUTCOME_WRONG, "it is the inclusive scan"},
        {"found = before;", "found = Op::of(before, aggregate);", 0, OUTCOME_WRONG,
         "n = 1000 (ones): after 1 pass: 1000 of 1000 elements are wrong; the first, 0, is 1001 "
         "and "
         "should be 1: it is too large by the sum of elements 0 to 999: does the prefix"},
        /* Of all sizes that fail, the one with ones is told. */
        {"tile - 1; !prefixes", "tile - 2; !prefixes", 0, OUTCOME_WRONG,
         "n = 8193 (ones): after 1 pass"},
        {"n / TILE + (n % TILE > 0)", "max(n / TILE, 1)", 9000, OUTCOME_WRONG,
         "does the grid end at the last full block"},
        /* Words that the pass before left count as written: all cases, since it takes a tile that
           looks back before the one ahead of it has written. */
        {"tiles.pass = ++scan->made", "tiles.pass = 1", 0, OUTCOME_WRONG,
         "must count each earlier block exactly once"},
    };

    assert_rejected("22_scan", "solutions/22_scan/scan.cu", (struct edit)SPLICED("items.h"),
                    mutants, sizeof mutants / sizeof *mutants);
}

/* A race between blocks is not taken for something that an object leaves behind. */
TEST(what_does_not_wait_keeps_nothing) {
    static const struct edit edits[] = {
        SPLICED("items.h"),
        {"while (__any_sync(ALL_LANES, kind_of(status) < this_pass))", "while (0)"},
        {NULL}};
    const struct step *step = catalogue_find(&catalogue, "22_scan");
    static struct programs programs;
    static struct check check;

    for (uint64_t seed = 5; seed <= 8; seed++) {
        const struct options options = {
            .file = edited("solutions/22_scan/scan.cu", edits), .variant = "chosen", .seed = seed};

        assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
        assert_int_equal(check_step(&programs, &options, &check), 0);
        if (check.count == 1 && check.verdicts[0].skipped)
            skip(); /* no C++ compiler */
        assert_int_equal(check.outcome, OUTCOME_WRONG);
        if (verdict_says(&check.verdicts[0], "kept from one object to the next"))
            fail_msg("seed %d: \"%s\"", (int)seed, check.verdicts[0].message);
    }
}

TEST(mutants_of_hillis_and_steele_race) {
    static const struct mutant mutants[] = {
        {"__syncthreads(); /* all have read */", "", 300, OUTCOME_RACE, ""},
        {"__syncthreads(); /* all have written */", "", 300, OUTCOME_RACE, ""},
    };
    static const struct edit an_element_a_thread = {
        "", "#undef VECTOR\n#undef VECTORS\n#define VECTOR 1\n#define VECTORS 1\n"};

    assert_rejected("22_scan", "steps/22_scan/hillis_steele.cu", an_element_a_thread, mutants,
                    sizeof mutants / sizeof *mutants);
}

GROUP(read_catalogue_without_nvcc, NULL)
