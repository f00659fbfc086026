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
