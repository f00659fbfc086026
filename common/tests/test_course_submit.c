/* `make submit`: what is packed, that the same content gives the same bytes, and that nothing is
 * lost. Run from the repository's root, in a copy that is no git checkout. */
#include "testing.h"
#include "course.h"

/* What a command prints is just that. */
static void prints(const char *command, const char *text) {
    struct result result = run("%s", command);

    assert_code(result, 0);
    assert_string_equal(result.out, text);
}

TEST_IN(begin_anew, NULL, test_ids) {
    static const char *const bad[] = {
        "-a",    ".a",   "a/b",
        "'a b'", "../a", "a\\;b",
        "''",    "\\$a", "a123456789b123456789c123456789d123456789e123456789f123456789g"};
    size_t i;

    solve("05_tiling");
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_one_line(run("build/referee submit --student %s", bad[i]), 3,
                        "STUDENT=", "60 letters, digits, '.', '_' and '-'");
    assert_one_line(run("build/referee submit"), 3, "needs your id", "make submit STUDENT=");
    prints("ls | grep -c submission- || true", "0\n");
    TELLS("make -s submit STUDENT=Anna_3.b-4", "submission-Anna_3.b-4.tar.gz:\n");
}

TEST_IN(begin_anew, NULL, test_nothing) {
    shell("build/referee predict --step 06 --predict_speedup 2 --predict_limit lds >/dev/null");
    assert_one_line(run("build/referee submit --student a"), 14, "nothing to submit",
                    "as it was handed out");
    assert_int_not_equal(access("submission-a.tar.gz", F_OK), 0);
}

TEST_IN(begin_anew, NULL, test_layout) {
    solve("01_serial");
    accept("01_serial");
    shell("sed 's/$/\\r/; 1i /* \xc3\xa4\xc3\xb6 */' solutions/05_tiling/nbody.cu "
          ">steps/05_tiling/nbody.cu");
    shell("cp steps/05_tiling/nbody.cu build/crlf.cu");
    solve("09_ftz"); /* nbody.cu as it was, flags not */
    shell("printf 'step\\tquestion\\tanswer\\n01\\t1\\t3.5\\n\\n05_tiling\\t6\\t1.02 \\r\\n' "
          ">answers.tsv");
    shell("build/referee predict --step 06 --predict_speedup 2 --predict_limit lds >/dev/null");
    TELLS("build/referee submit --student anna", "submission-anna.tar.gz:\n", "01_serial/nbody.c ",
          " bytes, accepted\n", "09_ftz/flags ", "not accepted yet: 05_tiling 09_ftz\n");
    prints("tar tf submission-anna.tar.gz",
           "anna/\nanna/01_serial/\nanna/01_serial/nbody.c\nanna/05_tiling/\n"
           "anna/05_tiling/nbody.cu\nanna/09_ftz/\nanna/09_ftz/flags\nanna/09_ftz/nbody.cu\n"
           "anna/answers.tsv\nanna/manifest.tsv\nanna/predictions.tsv\n");
    shell("mkdir build/out && tar xf submission-anna.tar.gz -C build/out");
    shell("cmp build/crlf.cu build/out/anna/05_tiling/nbody.cu");
    shell("cmp steps/09_ftz/flags build/out/anna/09_ftz/flags");
    shell("cmp answers.tsv build/out/anna/answers.tsv");
    shell("cmp results/predictions.tsv build/out/anna/predictions.tsv");
    /* The manifest's sums and sizes are the files'. */
    shell("cd build/out/anna && awk -F'\\t' 'NR > 1 { print $4 \"  \" ($1 == \"-\" ? \"\" : $1 "
          "\"/\") $2 }' manifest.tsv | sha256sum -c --quiet");
    shell("cd build/out/anna && awk -F'\\t' 'NR > 1 { print $3, ($1 == \"-\" ? \"\" : $1 \"/\") $2 "
          "}' manifest.tsv | while read -r bytes file; do [ $(wc -c <$file) = $bytes ] || exit 1; "
          "done");
    prints("cut -f1,2,5 build/out/anna/manifest.tsv",
           "step\tfile\tstate\n01_serial\tnbody.c\taccepted\n05_tiling\tnbody.cu\tnot accepted\n"
           "09_ftz\tnbody.cu\tnot accepted\n09_ftz\tflags\tnot accepted\n-\tanswers.tsv\t-\n"
           "-\tpredictions.tsv\t-\n");
    shell("rm -r build/out");
}

TEST_IN(begin_anew, NULL, test_same_bytes) {
    solve("01_serial");
    solve("05_tiling");
    TELLS("build/referee submit --student anna", "05_tiling");
    shell("mv submission-anna.tar.gz build/first && touch -d 2001-01-01 steps/0[15]*/nbody.c* && "
          "chmod go-r steps/05_tiling/nbody.cu");
    TELLS("umask 077 && sleep 1 && TZ=Asia/Tokyo LC_ALL=C build/referee submit --student anna",
          "05_tiling");
    shell("cmp build/first submission-anna.tar.gz");
    /* The same once more leaves it alone. */
    TELLS("build/referee submit --student anna", "05_tiling");
    assert_int_not_equal(access("submission-anna.tar.gz.1", F_OK), 0);
}

TEST_IN(begin_anew, NULL, test_former_ones_are_kept) {
    solve("01_serial");
    TELLS("build/referee submit --student anna", "01_serial");
    shell("cp submission-anna.tar.gz build/first && echo >>steps/01_serial/nbody.c");
    TELLS("build/referee submit --student anna", "kept as submission-anna.tar.gz.1\n");
    shell("cmp build/first submission-anna.tar.gz.1 && cp submission-anna.tar.gz build/second");
    shell("echo >>steps/01_serial/nbody.c");
    TELLS("build/referee submit --student anna", "kept as submission-anna.tar.gz.2\n");
    shell("cmp build/first submission-anna.tar.gz.1 && cmp build/second submission-anna.tar.gz.2");
}

TEST_IN(begin_anew, NULL, test_answers) {
    static const struct {
        const char *rows, *wrong, *right;
    } bad[] = {
        {"01\\t1", "answers.tsv:1: ", "a tab between"},
        {"01\\t1\\t2\\n01 2 3", "answers.tsv:2: ", "a tab between"},
        {"01\\t1\\t2\\t3", "answers.tsv:1: ", "a tab between"},
        {"step\\tquestion\\tanswer\\n\\n99\\t1\\t2", "answers.tsv:3: ", "no such step"},
        {"01\\tone\\t2", "answers.tsv:1: ", "whole number"},
        {"01\\t0\\t2", "answers.tsv:1: ", "whole number"},
        {"01\\t1\\t \\n", "answers.tsv:1: ", "the answer is empty"},
        {"01\\t6\\t2", "answers.tsv:1: ", "01_serial has questions 1 to 5"},
        {"01\\t1\\tsix", "answers.tsv:1: six is not", "a number from 0.01 to 1000"},
        {"01\\t1\\t3,5", "answers.tsv:1: 3,5 is not", "a number from"},
        {"01\\t1\\tnan", "answers.tsv:1: nan is not", "a number from"},
        {"01\\t1\\t1e9", "answers.tsv:1: 1e9 is not", "a number from"},
        {"03\\t1\\t2.5", "answers.tsv:1: 2.5 is not", "a whole number from 0 to 132"},
        {"02\\t5\\trace", "answers.tsv:1: race is not", "one of `results`, `memory`, `races`"},
    };
    struct result result;
    size_t i;

    solve("01_serial");
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        shell("printf '%s' >answers.tsv", bad[i].rows);
        assert_one_line(run("build/referee submit --student a"), 3, bad[i].wrong, bad[i].right);
    }
    shell("printf '01\t6\t2\n02\t1\n' >answers.tsv"); /* both are told */
    result = run("build/referee submit --student a");
    assert_code(result, 3);
    assert_says(result.err, "answers.tsv:1: 01_serial has questions");
    assert_says(result.err, "answers.tsv:2: step, question");
    assert_int_not_equal(access("submission-a.tar.gz", F_OK), 0);
    shell("printf '1\\t1\\t2' >answers.tsv && common/course/skeletons.sh; cp "
          "build/skeletons/steps/01_serial/nbody.c steps/01_serial");
    TELLS("build/referee submit --student a", "answers.tsv"); /* answers alone will do */
    shell("printf '02\\t5\\t RACES \\n03\\t1\\t7e0\\n04\\t5\\t-2\\n' >answers.tsv");
    TELLS("build/referee submit --student a", "answers.tsv");
}

/* Every question of every handout has a form that answers can be held against, and a wide range. */
TEST_IN(begin_anew, NULL, test_every_question_has_a_form) {
    shell(
        "for file in steps/*/README.md; do awk -v file=$file '"
        "/^## / { inside = $0 == \"## Questions\" } "
        "inside && /^[0-9]+\\. / { asked++ } "
        "inside && /^   \\*\\*Answer:\\*\\* / { answered++; sub(/^   [^ ]* /, \"\"); "
        "if (answered != asked || !(/^one of (`[^`]+`, )+`[^`]+`\\.$/ || "
        "/^a (whole )?number from -?[0-9.]+ to [0-9.]+[,.]/)) "
        "{ print file \": \" $0; bad = 1 } } "
        "END { exit bad || !asked || asked != answered }' $file || { echo $file; exit 1; }; done");
}

TEST_IN(begin_anew, NULL, test_cannot_be_written) {
    struct result result;

    solve("01_serial");
    shell("mkdir -p submission-a.tar.gz.new");
    result = run("build/referee submit --student a");
    assert_code(result, 10);
    assert_says(result.err, "error: submission-a.tar.gz cannot be written");
}

GROUP(enter_course, leave_tree)
