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

/* The same bodies later, in the facts and as rings in the picture. */
TEST(a_galaxy_moves_and_stays_as_it_is) {
    char *facts, *said;

    assert_int_equal(run("build/referee galaxy --n 20000 --iterations 2 --results $D/moves"), 0);
    said = read_text("said");
    assert_non_null(strstr(said, "moved by 7.64 million years, "));
    facts = read_text("moves/galaxy-facts.csv");
    assert_non_null(strstr(facts, ",trusted,moved,years,7.63"));
    for (int k = 26; k < 40; k++) { /* 9 to 100 kpc, where there are hundreds of bodies */
        char name[64], *before, *after;

        snprintf(name, sizeof name, ",trusted,galaxy,halo_%d,", k);
        before = strstr(facts, name);
        snprintf(name, sizeof name, ",trusted,moved,halo_%d,", k);
        after = strstr(facts, name);
        assert_non_null(before);
        assert_non_null(after);
        double ratio = atof(after + strlen(name)) / atof(before + strlen(name) + 1);

        if (!(fabs(ratio - 1) < 0.15))
            fail_msg("bin %d: %g", k, ratio);
    }
    free(said);
    free(facts);
    if (system("command -v gnuplot >/dev/null") == 0)
        assert_int_equal(run("grep -q 'after 7.64 million years' $D/moves/galaxy-trusted.svg"), 0);
}

/* Masses in solar masses, in place of units in which G is 1. */
TEST(bodies_in_other_units_are_not_moved) {
    char *said;

    assert_int_equal(run("build/referee galaxy --n 50 --results $D/units --to $D/u.txt && awk "
                         "'!/#/ { $1 *= 1e12 } { print }' $D/u.txt >$D/v.txt && build/referee "
                         "galaxy --from $D/v.txt --results $D/units"),
                     0);
    said = read_text("said");
    assert_non_null(strstr(said, "50 bodies read from "));
    assert_non_null(strstr(said, "or steps would be below a 256th of 3.8 million"));
    free(said);
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

/* Bodies go through all formats that are here, and what is drawn of them is what is drawn of those
 * that were made. */
TEST(bodies_are_written_and_read) {
    const char *last = "a.txt";
    char *said;

    assert_int_equal(run("build/referee galaxy --n 3000 --results $D/made --to $D/a.txt"), 0);
    said = read_text("said");
    assert_non_null(strstr(said, "/a.txt\n"));
    free(said);
    for (int k = access("build/lib/gadget.so", R_OK) ? 1 : 0; k < 2; k++) {
        const char *next = k ? "b.txt" : "b.hdf5";

        assert_int_equal(
            run("build/referee galaxy --from $D/%s --to $D/%s --results $D/read", last, next), 0);
        last = next;
    }
    said = read_text("said");
    assert_non_null(strstr(said, "3000 bodies read from "));
    free(said);
    assert_int_equal(run("cmp $D/a.txt $D/b.txt"), 0);
    assert_int_equal(run("for f in made read; do cut -d, -f 4- $D/$f/galaxy-facts.csv | sort -u "
                         ">$D/$f/facts; done; cmp $D/made/facts $D/read/facts && "
                         "grep -q ,file,galaxy,halo_20, $D/read/galaxy-facts.csv"),
                     0);
}

/* A tipsy file has one kind of stars: those of M31 are known by their number, others are the
 * disk's. */
TEST(stars_of_m31_are_told_apart) {
    static const char draw[] = "rm -f $D/t/*.csv; build/referee galaxy --results $D/t --from $D";

    assert_int_equal(run("build/referee galaxy --n 3000 --results $D/t --to $D/t.tipsy && cut -d, "
                         "-f 4,5 $D/t/galaxy-facts.csv | grep -c ^bulge >$D/right"),
                     0);
    assert_int_equal(run("%s/t.tipsy && cut -d, -f 4,5 $D/t/galaxy-facts.csv | grep -c ^bulge | "
                         "cmp - $D/right",
                         draw),
                     0);
    /* One more, and they are any bodies. */
    assert_int_equal(run("build/referee galaxy --from $D/t.tipsy --results $D/t --to $D/t.txt && "
                         "sed -i 's/# 3000/# 3001/; $p' $D/t.txt && build/referee galaxy --from "
                         "$D/t.txt --results $D/t --to $D/t.tipsy && %s/t.tipsy",
                         draw),
                     0);
    assert_int_equal(run("grep -q ,disk_ $D/t/galaxy-facts.csv && ! grep -q ,bulge_ "
                         "$D/t/galaxy-facts.csv"),
                     0);
}

/* A former file stays whole while a new one is written, and after a failure, wherever in the new
 * one that is. */
TEST(a_full_disk_loses_nothing) {
    static const char *const names[] = {"c.tipsy", "c.txt", "c.hdf5"};
    static const char write[] = "exec build/referee galaxy --n 50 --results $D/small --to $D";

    for (int k = 0; k < (access("build/lib/gadget.so", R_OK) ? 2 : 3); k++) {
        const char *name = names[k];
        struct stat whole;
        char path[96];

        snprintf(path, sizeof path, "%s/%s", folder, name);
        assert_int_equal(run("%s/%s", write, name), 0);
        assert_int_equal(stat(path, &whole), 0);
        assert_int_equal(run("echo former >$D/%s", name), 0);
        for (int blocks = 1; 512 * blocks < whole.st_size; blocks++) {
            char *said;
            int code = run("trap '' XFSZ; ulimit -f %d; %s/%s", blocks, write, name);

            said = read_text("said");
            if (code != OUTCOME_RESULTS || occurrences(said, "\n") != 1 ||
                !strstr(said, " cannot be written: File too large"))
                fail_msg("%s, %d blocks of %ld bytes: %d, %s", name, blocks, (long)whole.st_size,
                         code, said);
            free(said);
            assert_int_equal(run("[ \"$(cat $D/%s*)\" = former ]", name), 0);
        }
        run("ulimit -f 1; %s/%s", write, name); /* a signal ends it */
        assert_int_equal(run("[ \"$(cat $D/%s)\" = former ]", name), 0);
    }
}

TEST(files_that_are_wrong_are_refused) {
    static const struct {
        const char *words;
        enum outcome outcome;
        const char *phrase;
    } wrong[] = {
        {"--from no.txt", OUTCOME_INPUT, "error: no.txt: No such file"},
        {"--from README.md", OUTCOME_USAGE, "ends in .tipsy, .txt or .hdf5"},
        {"--n 9 --to m31.dat", OUTCOME_USAGE, "ends in .tipsy, .txt or .hdf5"},
        {"--n 9 --to no/m31.txt", OUTCOME_RESULTS, "no/m31.txt cannot be written: No such file"},
        {"--from a.txt --n 9", OUTCOME_USAGE, "FROM=a.txt: the bodies are in a file; leave N out"},
        {"--from a.txt --step 44 --of solutions", OUTCOME_USAGE, "leave STEP out"},
        {"--from ''", OUTCOME_USAGE, "FROM=: a value is needed"},
        {"--to ''", OUTCOME_USAGE, "TO=: a value is needed"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char *said;

        assert_int_equal(run("build/referee galaxy --results $D/out %s", wrong[k].words),
                         wrong[k].outcome);
        said = read_text("said");
        if (!strstr(said, wrong[k].phrase) || occurrences(said, "\n") != 1)
            fail_msg("%s: %s", wrong[k].words, said);
        free(said);
    }
    assert_int_equal(run("head -c 500 /dev/urandom >$D/x.tipsy; build/referee galaxy --results "
                         "$D/out --from $D/x.tipsy"),
                     OUTCOME_INPUT);
    run("echo no HDF5 >$D/x.hdf5; build/referee galaxy --results $D/out --from $D/x.hdf5");
    char *said = read_text("said");
    if (occurrences(said, "\n") != 1 || !strstr(said, "x.hdf5: "))
        fail_msg("%s", said);
    free(said);
    assert_int_equal(run("build/referee check --step 02 --to x.txt"), OUTCOME_USAGE);
}

GROUP(make_scratch, end_folder)
