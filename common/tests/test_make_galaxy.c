/* `make galaxy`: the picture of the trusted program's galaxy and of a step's, and what it refuses.
 */
#include "testing.h"
#include "scratch.h"
#include "problems/outcome.h"

TEST(a_galaxy_is_made_and_drawn) {
    char *facts, *said;

    if (system("command -v gnuplot >/dev/null"))
        skip();
    assert_int_equal(run("build/referee galaxy --n 3000 --results $D/out"), 0);
    facts = read_text("out/galaxy-facts.csv");
    assert_non_null(strstr(facts, ",trusted,galaxy,halo_20,"));
    said = read_text("said");
    assert_non_null(strstr(said, "3000 bodies of M31 made by the trusted program"));
    assert_non_null(strstr(said, "out/galaxy-trusted.svg"));
    assert_int_equal(run("grep -q 'disk.s bodies' $D/out/galaxy-trusted.svg"), 0);
    free(facts);
    free(said);
    assert_int_equal(run("build/referee galaxy --step 44 --of solutions --n 1 --results $D/out"),
                     0);
    assert_int_equal(run("grep -q 'disk.s bodies' $D/out/galaxy-44.svg"), 0);
}

TEST(what_makes_no_galaxy_is_refused) {
    char *said;

    assert_int_equal(run("build/referee galaxy --step 44 --results $D/out"), OUTCOME_UNFINISHED);
    said = read_text("said");
    assert_non_null(strstr(said, "no galaxy is made: steps/44_galaxy/galaxy.c:"));
    free(said);
    assert_int_equal(run("build/referee galaxy --step 02 --of solutions --results $D/out"),
                     OUTCOME_USAGE);
    assert_int_equal(run("build/referee galaxy --of solutions --results $D/out"), OUTCOME_USAGE);
}

GROUP(make_scratch, end_folder)
