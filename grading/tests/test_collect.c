/* collect(): what is taken from which form, and whose it is. Run from the repository's root. */
#include "testing.h"
#include "submissions.h"

TEST_IN(begin_folder, end_folder, test_packed) {
    struct made made;
    char *before;

    pack(&made, "anna-3", "five");
    add_text(&made, "anna-3/09_ftz/nbody.cu", "nine");
    add_text(&made, "anna-3/09_ftz/flags", "# part 1\n-ftz=true\n# end\n");
    add_text(&made, "anna-3/answers.tsv", "05\t1\tsix\n");
    add_text(&made, "anna-3/predictions.tsv", "then\t05\t2\n");
    finish_in(&made, "homework (1).tar.gz");
    gather();
    assert_int_equal(submissions, 1);
    assert_found("@anna-3 () [] homework (1).tar.gz\n"
                 "+05_tiling anna-3/05_tiling/nbody.cu \"five\"\n"
                 "+09_ftz anna-3/09_ftz/nbody.cu \"nine\" {# part 1\n-ftz=true\n# end\n}\n"
                 "+answers 05\t1\tsix\n\n+predictions then\t05\t2\n\n=");
    assert_not_found("\n!");
    before = strdup(found);
    assert_int_equal(gather_only("09"), 0); /* a submission is the same whatever is graded */
    assert_string_equal(found, before);
    free(before);
}

/* Each format and filter, with a name that tells the step in one of the forms that do. */
TEST_IN(begin_folder, end_folder, test_formats) {
    static const struct {
        int format, filter;
        const char *name, *path, *step;
    } forms[] = {
        {ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, "a.zip", "work/05_tiling/nbody.cu", "05_tiling"},
        {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, "b.tar", "05/nbody.cu", "05_tiling"},
        {ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_GZIP, "c.tgz", "6-unroll/nbody.cu",
         "06_unroll"},
        {ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_BZIP2, "d.tar.bz2", "05_Tiling.cu", "05_tiling"},
        {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_XZ, "e.TAR.XZ", "x/y/nbody_05.cu", "05_tiling"},
        {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_ZSTD, "f.tar.zst", "nbody_02.c", "02_openmp"},
        {ARCHIVE_FORMAT_7ZIP, ARCHIVE_FILTER_NONE, "g.7z", "\xc3\xbc/01_serial/nbody.c",
         "01_serial"},
        {ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, "h.zip", "05\\nbody.cu", "05_tiling"},
    };
    struct made made;
    char line[256];
    size_t i;

    setlocale(LC_CTYPE, "C.UTF-8"); /* so that libarchive writes the umlaut */
    for (i = 0; i < sizeof forms / sizeof *forms; i++) {
        begin(&made, forms[i].format, forms[i].filter);
        add_text(&made, forms[i].path, forms[i].name);
        finish_in(&made, forms[i].name);
    }
    setlocale(LC_CTYPE, "C");
    gather();
    assert_int_equal(submissions, sizeof forms / sizeof *forms);
    for (i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(line, sizeof line, "@%c () [] %s\n+%s %s \"%s\"\n=", forms[i].name[0],
                 forms[i].name, forms[i].step, i == 7 ? "05/nbody.cu" : forms[i].path,
                 forms[i].name);
        assert_found(line);
    }
}

TEST_IN(begin_folder, end_folder, test_folders) {
    put("anna/05_tiling/nbody.cu", "five");
    put("anna/04/nbody.cu", "four");
    put("anna/README.md", "nothing");
    put("J\xc3\xb6rg M\xc3\xbcller/steps/06_unroll/nbody.cu", "six");
    put("O'Brien/nbody_03.cu", "three");
    put("notes.txt", "the instructor's");
    gather();
    assert_int_equal(submissions, 3);
    assert_found("@anna () [] anna\n+04_soa 04/nbody.cu \"four\"\n+05_tiling 05_tiling/nbody.cu "
                 "\"five\"\n=");
    assert_found("@Joerg_Mueller-");
    assert_found(" (J\xc3\xb6rg M\xc3\xbcller) [] J\xc3\xb6rg M\xc3\xbcller\n+06_unroll");
    assert_found("@O_Brien-");
}

TEST_IN(begin_folder, end_folder, test_one_plain_source) {
    struct made made;

    begin_zip(&made);
    add_text(&made, "nbody.cu", "plain");
    finish_in(&made, "anna.zip");
    assert_int_equal(gather_only("05"), 0);
    assert_found("@anna () [] anna.zip\n+05_tiling nbody.cu \"plain\"\n=");
    assert_int_equal(gather_only("02"), 0); /* which is in C */
    assert_found("!nbody.cu: no name tells which step");
    assert_int_equal(gather_only(NULL), 0);
    assert_found("!nbody.cu: no name tells which step");
    begin_zip(&made);
    add_text(&made, "nbody.cu", "plain");
    add_text(&made, "old/nbody.cu", "older");
    finish_in(&made, "anna.zip");
    assert_int_equal(gather_only("05"), 0);
    assert_found("!nbody.cu: no name");
    assert_found("!old/nbody.cu: no name");
    assert_not_found("\n+");
}

/* A step's source has the name that the catalogue says. */
TEST_IN(begin_folder, end_folder, test_other_source) {
    put("anna/91_other/other.cu", "by folder");
    put("ben/other_91.cu", "by number");
    put("carl/91_other.cu", "by step");
    put("dora/Other-1.cu", "alone");
    put("dora/nbody_05.cu", "five");
    put("emil/91_other/nbody.cu", "another's name");
    put("emil/nbody_91.cu", "another's name");
    put("emil/05/other.cu", "another's name");
    put("emil/other_05.cu", "another's name");
    put("emil/other.c", "another kind");
    put("emil/others.cu", "another's name");
    put("fred/other.cu", "one");
    put("fred/old/other.cu", "two");
    put("gus/nbody.cu", "many steps'");
    gather();
    assert_found("@anna () [] anna\n+91_other 91_other/other.cu \"by folder\"\n=");
    assert_found("@ben () [] ben\n+91_other other_91.cu \"by number\"\n=");
    assert_found("@carl () [] carl\n+91_other 91_other.cu \"by step\"\n=");
    assert_found("@dora () [] dora\n+05_tiling nbody_05.cu \"five\"\n+91_other Other-1.cu "
                 "\"alone\"\n=");
    assert_not_found("another");
    assert_found("!91_other/nbody.cu: only the step's own file is taken, 91_other/other.cu");
    assert_found("!nbody_91.cu: only the step's own file is taken, 91_other/other.cu");
    assert_found("!05/other.cu: only the step's own file is taken, 05_tiling/nbody.cu");
    assert_found("!other_05.cu: only the step's own file is taken, 05_tiling/nbody.cu");
    assert_found("!other.c: no name tells which step this is");
    assert_found("!old/other.cu: old/other.cu and other.cu are both for 91_other");
    assert_found("!others.cu: no name tells which step this is");
    assert_found("@gus () [] gus\n!nbody.cu: no name tells which step this is");
    assert_int_equal(gather_only("05"), 0);
    assert_found("@dora () [] dora\n+05_tiling nbody_05.cu \"five\"\n+91_other");
    assert_found("@gus () [] gus\n+05_tiling nbody.cu");
    assert_int_equal(gather_only("91"), 0);
    assert_found("@gus () [] gus\n!nbody.cu: no name tells which step this is");
}

/* As browsers, desktops and platforms call a second file of a name. */
TEST_IN(begin_folder, end_folder, test_copies) {
    static const char *const names[] = {"nbody (1).cu", "nbody(2).cu",     "nbody-1.cu",
                                        "nbody 2.cu",   "nbody copy.cu",   "nbody - Copy (3).cu",
                                        "nbody+(1).cu", "NBODY_copy 2.CU", "nbody.cu"};
    static const char *const numbered[] = {"05 (1).cu", "05_tiling-2.cu", "nbody_05 (1).cu",
                                           "nbody-05.cu", "nbody 05 copy.cu"};
    char path[64];
    size_t i;

    for (i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "s%zu/05_tiling/%s", i, names[i]);
        put(path, "five");
        snprintf(path, sizeof path, "lone%zu/%s", i, names[i]);
        put(path, "five");
    }
    for (i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        snprintf(path, sizeof path, "n%zu/%s", i, numbered[i]);
        put(path, "five");
    }
    put("two/05_tiling/nbody.cu", "one");
    put("two/05_tiling/nbody (1).cu", "two");
    put("any/homework.cu", "five");
    put("told/05_tiling/nbody.cu", "five");
    put("told/helper.cu", "more");
    put("several/homework.cu", "one");
    put("several/other one.cu", "two");
    assert_int_equal(gather_only("05"), 0);
    for (i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "@%s%zu () [] %s%zu\n+05_tiling ", i % 2 ? "s" : "lone", i / 2,
                 i % 2 ? "s" : "lone", i / 2);
        assert_found(path);
    }
    for (i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        snprintf(path, sizeof path, "@n%zu () [] n%zu\n+05_tiling ", i, i);
        assert_found(path);
    }
    assert_found("are both for 05_tiling, and neither is taken");
    assert_found("@any () [] any\n+05_tiling homework.cu");
    assert_found("@told () [] told\n+05_tiling 05_tiling/nbody.cu \"five\"\n!helper.cu: no name");
    assert_found("@several () [] several\n!homework.cu: no name tells which step this is");
}

TEST_IN(begin_folder, end_folder, test_litter) {
    struct made made;

    begin_zip(&made);
    add_text(&made, "w/05_tiling/nbody.cu", "five");
    add_text(&made, "__MACOSX/w/05_tiling/._nbody.cu", "litter");
    add_text(&made, "__MACOSX/w/05_tiling/nbody.cu", "litter");
    add_text(&made, "w/05_tiling/._nbody.cu", "litter");
    add_text(&made, "w/.DS_Store", "litter");
    add_text(&made, "w/Thumbs.db", "litter");
    add_text(&made, "w/results/passed/05_tiling/nbody.cu", "litter");
    add_text(&made, "w/build/steps/05_tiling/nbody.cu", "litter");
    add_text(&made, "w/.git/05_tiling/nbody.cu", "litter");
    add_any(&made, "w/build/05_tiling/nbody.cu", AE_IFLNK, "litter", NULL, 0);
    finish_in(&made, "anna.zip");
    put("ben/05_tiling/nbody.cu", "five");
    put("ben/05_tiling/._nbody.cu", "litter");
    put("ben/results/passed/05_tiling/nbody.cu", "litter");
    put(".DS_Store", "litter");
    gather();
    assert_int_equal(submissions, 2);
    assert_found("@anna () [] anna.zip\n+05_tiling w/05_tiling/nbody.cu \"five\"\n=");
    assert_found("@ben () [] ben\n+05_tiling 05_tiling/nbody.cu \"five\"\n=");
}

TEST_IN(begin_folder, end_folder, test_several_attempts) {
    struct made made;

    pack(&made, "anna", "third");
    finish_in(&made, "submission-anna.tar.gz");
    pack(&made, "anna", "second");
    finish_in(&made, "submission-anna.tar.gz.10");
    pack(&made, "anna", "first");
    finish_in(&made, "submission-anna.tar.gz.2");
    gather();
    assert_int_equal(submissions, 3);
    assert_true(strstr(found, "first") < strstr(found, "second"));
    assert_true(strstr(found, "second") < strstr(found, "third"));
    assert_not_found("\n!");
}

/* Which of two archives with one id inside counts is decided by what the student cannot choose, or
 * said. */
TEST_IN(begin_folder, end_folder, test_ids_of_others) {
    struct made made;

    pack(&made, "anna", "forged");
    finish_in(&made, "aaa.tar.gz");
    pack(&made, "anna", "honest");
    finish_in(&made, "submission-anna.tar.gz");
    gather();
    assert_found("\"honest\"");
    assert_not_found("\"forged\"");
    assert_found("!aaa.tar.gz: claims the id anna, as submission-anna.tar.gz does, which counts");
    /* Neither name says so. */
    rename(in_place("submission-anna.tar.gz"), in_place("bbb.tar.gz"));
    gather();
    assert_found("!bbb.tar.gz: claims the id anna, as aaa.tar.gz does");
    assert_found("\"forged\"");
    assert_not_found("\"honest\"");
}

TEST_IN(begin_folder, end_folder, test_folder_names_its_student) {
    struct made made;

    pack(&made, "anna", "forged");
    finish(&made);
    write_deep(in_place("ben/submission-anna.tar.gz"), made.bytes, made.used);
    free(made.bytes);
    pack(&made, "anna", "honest");
    finish(&made);
    write_deep(in_place("anna/submission-anna.tar.gz"), made.bytes, made.used);
    free(made.bytes);
    gather();
    assert_found("\"honest\"");
    assert_not_found("\"forged\"");
    assert_found("!ben/submission-anna.tar.gz: claims the id anna");
}

TEST_IN(begin_folder, end_folder, test_times) {
    put("anna/05/nbody.cu", "five");
    put("ben/05/nbody.cu", "five");
    put("times.tsv", "student\ttime_utc\r\nanna\t2026-11-20T01:02:03Z\r\n");
    gather();
    assert_found("@anna () [2026-11-20T01:02:03Z] anna\n");
    assert_found("@ben () [] ben\n");
    put("times.tsv", "anna\tyesterday\n");
    ASSERT_COMPLAINS(gather_only(NULL), OUTCOME_SUBMISSIONS,
                     "times.tsv:1: a student's id, a tab and a time such as");
}

TEST_IN(begin_folder, end_folder, test_nothing) {
    ASSERT_COMPLAINS(gather_only(NULL), OUTCOME_SUBMISSIONS,
                     "holds no submission: an archive for each student");
    ASSERT_COMPLAINS(collect("/nonexistent", course(), NULL, write_down, NULL), OUTCOME_SUBMISSIONS,
                     "/nonexistent is no folder that can be read");
}

/* The same content has the same sum, in whatever form it comes. */
TEST_IN(begin_folder, end_folder, test_sums) {
    struct made made;
    char first[65], *at;

    begin_zip(&made);
    add_text(&made, "a/05_tiling/nbody.cu", "five");
    finish_in(&made, "anna.zip");
    put("ben/nbody_05.cu", "five");
    put("carl/nbody_06.cu", "five");
    put("dora/nbody_05.cu", "five!");
    put("emil/nbody_05.cu", "five");
    put("emil/answers.tsv", "05\t1\ta\n");
    gather();
    at = strstr(found, "\n=") + 2;
    memcpy(first, at, 64);
    first[64] = 0;
    assert_non_null(at = strstr(at, first));
    assert_non_null(at = strstr(at + 1, first));
    assert_null(strstr(at + 1, first));
}
