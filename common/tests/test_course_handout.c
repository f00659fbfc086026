/* `make handout`: what a learner's copy of the course has and has not, that its links lead
 * somewhere, and that the verbs work there. Run from the repository's root. */
#include "testing.h"
#include "course.h"

/* The copy under git, with what an exporter's clone may have and a step whose source is not called
 * nbody; build/whole is its export. */
static int enter_clone(void **state) {
    return enter_course(state) ||
           system(
               "mkdir -p steps/91_other solutions/91_other && "
               "cp steps/05_tiling/Makefile steps/91_other && sed '/^builds_on/d; "
               "s/^source = .*/source = other.cu/' steps/05_tiling/manifest "
               ">steps/91_other/manifest && "
               "cp solutions/05_tiling/nbody.cu solutions/91_other/other.cu && "
               "common/course/skeletons.sh && "
               "echo 'put aside' >steps/91_other/other.cu.1 && "
               "mkdir -p grading .ci docs/concepts && "
               "touch grading/a docs/instructor-guide.md docs/maintainer-guide.md .ci/run && "
               "printf '/build/\\n/results/\\n' >.gitignore && git init -q . && "
               "git add -A && git -c user.name=a -c user.email=a@b commit -qm all && "
               "echo 'mine' >>steps/05_tiling/nbody.cu && echo 'mine' >steps/05_tiling/mine && "
               "echo 'mine' >>steps/91_other/other.cu && "
               "echo '-mine' >>steps/09_ftz/flags && "
               "printf 'Edited.\\n[A\\nlink](../solutions/05_tiling/NOTES.md#a), ![no](no.svg), "
               "[yes](glossary.md#a) `a[i](b)`.\\n\\n```c\\na[i](b)\\n```\\n' >>docs/harness.md && "
               "rm docs/cpucuda.md && make -s handout OUT=build/whole >build/said");
}

TEST(test_what_is_left_out) {
    shell("grep -q \"build/whole: the course for learners, " STEPS " steps\" build/said");
    shell("cd build/whole && ! ls -d solutions grading .ci .github CONTRIBUTING.md common/tests "
          ".git results build "
          "docs/instructor-guide.md docs/maintainer-guide.md docs/house.md docs/cpucuda.md "
          "steps/05_tiling/mine "
          "2>/dev/null | grep .");
    shell("! find build/whole -name 'NOTES.md' -o -name 'leave_one_out*' -o -name 'other.cu.1' | "
          "grep .");
    /* Later skeletons hold it, and the last hints; the step's own does not. */
    shell("! grep -l '__shared__ float tile_x' build/whole/steps/05_tiling/nbody.cu "
          "build/whole/steps/.skeletons/05_tiling/nbody.cu");
    shell("cd build/whole && ls -d Makefile .gitignore README.md docs/harness.md "
          "docs/results/h200/h200.csv steps/05_tiling/manifest steps/05_tiling/README.md "
          "steps/05_tiling/hints.md steps/05_tiling/Makefile common/setup.sh >/dev/null");
    shell("[ -x build/whole/common/course/submit.sh ]");
    /* Marks of what a script filled in, hints, and kernels that hold what steps ask for. */
    shell("! grep -rnE '<!-- */?(=|part|prints|steps|hints)|<!--/-->|<details>' build/whole/steps "
          "build/whole/README.md build/whole/docs/concepts build/whole/docs/glossary.md");
    shell("! find build/whole/common -name '*.cu' -exec grep -l __shared__ {} + | grep .");
    shell("! grep -rlE 'NOTES\\.md' build/whole/steps build/whole/docs/*.md | grep .");
}

/* What is packed comes out as it was where it is built. */
TEST(test_packed_kernels) {
    shell("for file in problems/nbody/trusted.cu referee/machine/ceilings_gpu.cu; do "
          "[ ! -e build/whole/common/$file ] && "
          "make -s -C build/whole/common BUILD=../build/unpacked "
          "../build/unpacked/common/kernels/$file && "
          "cmp common/$file build/whole/build/unpacked/common/kernels/$file || exit 1; done; "
          "rm -r build/whole/build");
}

/* What a page that is read before a step quotes of it, or of a later one, need not be predicted. */
TEST(test_no_page_gives_away) {
    shell("for step in 01 02 03 04 05 06 07; do "
          "sed '/^!\\[/q' steps/${step}_*/README.md | grep -o 'concepts/[a-z-]*' | sort -u | "
          "while read -r page; do for later in 03 04 05 06 07 08; do [ $later -lt $step ] || "
          "! grep -nE \"(rate_gps|speedup_previous)\\(${later}_\" docs/$page.md || "
          "{ echo \"step $step: $page\"; exit 1; }; done || exit 1; done || exit 1; done");
}

TEST(test_skeletons) {
    shell("common/course/skeletons.sh build/derived && cd build/derived && for file in "
          "steps/*/nbody.* steps/09_ftz/flags steps/91_other/other.cu; do "
          "cmp $file ../whole/$file && cmp $file ../whole/steps/.skeletons/${file#steps/} || exit "
          "1; done");
    shell("[ $(ls -d build/whole/steps/.skeletons/* | wc -l) = " STEPS " ]");
    shell("! ls build/whole/steps/.skeletons/*/README.md 2>/dev/null | grep .");
    shell(
        "tail -n 1 steps/05_tiling/nbody.cu | grep -q mine"); /* the exporter's own is as it was */
}

/* Every link of every text in the copy that is no address leads to a file. */
static void links_lead_somewhere(const char *copy) {
    shell("cd %s && find . -name '*.md' | while read -r text; do grep -o '](\\([^)]*\\))' $text | "
          "sed 's/^](//; s/)$//; s/[ #].*//' | grep -v '^[a-z]*:' | grep . | while read -r target; "
          "do [ -e $(dirname $text)/$target ] || echo $text: $target; done; done | grep -v '^b$' "
          ">../links; ! grep -v ': b$' ../links",
          copy);
}

TEST(test_texts) {
    links_lead_somewhere("build/whole");
    shell("! grep -rl 'Why the numbers are what they are' build/whole/steps");
    shell("! grep -n 'complete -->\\|make test\\|`solutions/`\\|OF=' "
          "build/whole/README.md");
    shell("grep -q 'common/setup.sh && make next' build/whole/README.md");
    shell("tail -n 7 build/whole/docs/harness.md | grep -v '^$' >build/tail && printf "
          "'Edited.\\nA\\nlink, no, [yes](glossary.md#a) `a[i](b)`.\\n```c\\na[i](b)\\n```\\n' | "
          "diff - "
          "build/tail");
    /* Else they are as they were. */
    shell("cmp docs/exit-codes.md build/whole/docs/exit-codes.md");
}

TEST(test_a_range) {
    TELLS("make -s handout OUT=build/part STEPS=01-05", "5 steps");
    shell("! ls build/part/common/kit/sort.h build/part/common/kit/third_law.h 2>/dev/null");
    shell("ls build/whole/common/kit/sort.h build/whole/common/kit/third_law.h >/dev/null");
    shell("[ \"$(ls build/part/steps | tr '\\n' ' ')\" = '01_serial 02_openmp 03_cuda_naive 04_soa "
          "05_tiling ' ] && [ $(ls build/part/steps/.skeletons | wc -l) = 5 ]");
    links_lead_somewhere("build/part");
    shell("grep -q '\\[05_tiling\\](steps' build/part/README.md && ! grep 06_unroll "
          "build/part/README.md");
    shell("cp build/referee build/part && cd build/part && ./referee progress | tail -n 1 | grep "
          "-q ^05_tiling");
}

/* A step that somebody is writing, of which git knows nothing yet. */
TEST(test_a_step_not_added) {
    struct result result;

    shell("mkdir steps/92_new solutions/92_new && "
          "cp steps/05_tiling/Makefile steps/05_tiling/manifest steps/05_tiling/hints.md "
          "steps/92_new && "
          "cp solutions/05_tiling/nbody.cu solutions/92_new");
    result = run("make -s handout OUT=build/unadded");
    assert_code(result, 0);
    assert_says(result.err, "92_new is left out: git tracks no file of it");
    assert_int_equal(count_lines(result.err), 1);
    shell("! grep -r 92_new build/unadded/steps && ! ls -d build/unadded/steps/92_new 2>/dev/null");
    shell("rm -r steps/92_new solutions/92_new "
          "build/unadded");
}

/* A class's repository gets an instalment; a student who has committed work merges it with the
 * commands of the guide. */
TEST(test_merging_an_instalment) {
    shell("rm -rf build/class build/student && common/course/export.sh build/class 01-02 && "
          "cd build/class && git init -q -b main . && git config user.name a && "
          "git config user.email a@b && git add -A && git commit -qm 'Steps 01 and 02'");
    shell("git clone -q build/class build/student && cd build/student && "
          "git config user.name s && git config user.email s@b && "
          "echo mine >>steps/01_serial/nbody.c && git commit -qam early");
    shell("common/course/export.sh build/next 01-03 && cp -R build/next/. build/class && "
          "cd build/class && git add -A && git commit -qm 'Step 03'");
    shell("echo more >>build/student/steps/01_serial/nbody.c && "
          "sed -n '/^### When more steps come/,$ s/^    \\(git .*\\)/\\1/p' docs/student-guide.md "
          ">build/merge && [ $(wc -l <build/merge) = 2 ] && cd build/student && sh -e ../merge "
          ">/dev/null && ls steps/03_cuda_naive/nbody.cu >/dev/null && "
          "tail -n 1 steps/01_serial/nbody.c | grep -q more");
    shell("rm -rf build/class build/student build/next");
}

TEST(test_refused) {
    static const struct {
        const char *arguments;
        int code;
        const char *wrong, *right;
    } bad[] = {
        {"", 3, "needs a folder", "make handout OUT=../course"},
        {"build/whole", 3, "OUT=build/whole is not empty", "new or empty"},
        {"Makefile", 3, "OUT=Makefile is a file", "new or empty"},
        {"build/new ''", 3, "STEPS=", "STEPS=03-09"},
        {"build/new 1to5", 3, "STEPS=1to5", "STEPS=03-09"},
        {"build/new 01-", 3, "STEPS=01-", "STEPS=03-09"},
        {"build/new 01-99", 4, "no step 99", "steps/ lists"},
        {"build/new 05-01", 3, "STEPS=05-01", "behind its end"},
        {"build/new 06-09", 3, "06_unroll builds on 05_tiling", "earlier step"},
        {"/proc/new", 10, "OUT=/proc/new", "cannot be written"},
    };
    size_t i;

    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_one_line(run("common/course/export.sh %s", bad[i].arguments), bad[i].code,
                        bad[i].wrong, bad[i].right);
    assert_int_not_equal(access("build/new", F_OK), 0);
    shell("mkdir build/empty");
    TELLS("common/course/export.sh build/empty 01-02", "2 steps");
    shell("mv .git build/git");
    assert_one_line(run("common/course/export.sh build/new"), 14, "no git checkout", "clone");
    shell("mv build/git .git");
    shell("mkdir build/inner && cp -a Makefile common steps solutions build/inner");
    assert_one_line(run("cd build/inner && common/course/export.sh ../new"), 14,
                    "no git checkout of its own", "clone");
    shell("mv solutions build/kept");
    assert_one_line(run("common/course/export.sh build/new"), 14, "for learners", "solutions/");
    shell("mv build/kept solutions && rm -rf build/empty");
}

/* The export with what would be built there, so that the test is quick. */
static void go_learning(void) {
    shell("[ -d build/whole/build ] || { cp -a build/whole build/course && mkdir -p "
          "build/course/build && cp -a build/common build/referee build/cuda_to_cpp "
          "build/course/build && find build/course/build -exec touch {} + && rm -rf build/whole && "
          "mv build/course build/whole; }");
}

TEST(test_verbs_there) {
    static const char *const missing[] = {"test", "soak", "skeletons", "handout OUT=x", "record"};
    static const char *const verbs[] = {"check", "check --step 01", "bench", "run --step 01",
                                        "explain --step 02"};
    struct result result;
    size_t i;

    go_learning();
    for (i = 0; i < sizeof missing / sizeof *missing; i++) {
        result = run("cd build/whole && make -s %s 2>&1 | grep -v '^make'", missing[i]);
        assert_int_equal(count_lines(result.out), 1);
        assert_says(result.out, "error: this copy of the course is for learners");
    }
    assert_one_line(run("cd build/whole && build/referee check"), 6, "no step of yours is accepted",
                    "make check STEP=01");
    for (i = 0; i < sizeof verbs / sizeof *verbs; i++)
        assert_one_line(run("cd build/whole && build/referee %s --of solutions", verbs[i]), 6,
                        "OF=solutions: this copy of the course has no solutions", "leave OF out");
    assert_one_line(run("cd build/whole && build/referee diff --step 02"), 6,
                    "01_serial: this copy of the course has no solutions", "make check STEP=01");
    assert_one_line(run("cd build/whole && build/referee bench --step 12 --ablate 1"), 3,
                    "ABLATE=1: this copy of the course has no solutions", "leave it out");
    assert_one_line(run("cd build/whole && build/referee submit --student a"), 14,
                    "nothing to submit", "answers.tsv");
    TELLS("cd build/whole && make -s progress", "01_serial              not begun", "12_float4 ");
    TELLS("cd build/whole && make -s next", "steps/01_serial/nbody.c:24: part 1");
    result = run("cd build/whole && make -s help ALL=1");
    assert_code(result, 0);
    assert_says(result.out, "make predict");
    assert_says(result.out, "with STEP=02 (FILE=path) ");
}

/* A learner's way through the first step there: from a failed check to the next step. */
TEST(test_first_step_there) {
    struct result result;

    go_learning();
    result = run("cd build/whole && build/referee check --step 01");
    assert_code(result, 39);
    assert_says(result.out, "steps/01_serial/nbody.c:24: part 1 is not written yet: ");
    TELLS("cd build/whole && build/referee hint --step 01", "Hint 1 of 3 (part 1)");
    /* As it comes from an editor of Windows. */
    shell("sed 's/$/\\r/; 1i /* \xc3\xa4\xc3\xb6\xe2\x80\x94 */' solutions/01_serial/nbody.c "
          ">build/whole/steps/01_serial/nbody.c");
    TELLS("cd build/whole && build/referee check --step 01", "01_serial accepted\n");
    assert_one_line(run("cd build/whole && build/referee hint --step 01"), 14, "is accepted",
                    "nothing is left");
    TELLS("cd build/whole && build/referee next", "02_openmp: not begun\n");
    TELLS("cd build/whole && build/referee submit --student a", "01_serial/nbody.c ",
          ", accepted\n");
    result = run("cd build/whole && build/referee diff --step 02");
    assert_code(result, 0);
    assert_says(result.out, "--- results/passed/01_serial/nbody.c\n+++ steps/02_openmp/nbody.c\n");
    assert_null(strstr(result.out, "part 1"));
    assert_says(result.out, "\n #include <math.h>\n"); /* though their lines end otherwise */
    /* Parts are seen through the line ends, here as there. */
    shell("sed 's/$/\\r/' build/whole/steps/.skeletons/05_tiling/nbody.cu "
          ">build/whole/steps/05_tiling/nbody.cu");
    TELLS("cd build/whole && build/referee progress", "part 1 of 6");
    shell("sed 's/$/\\r/; 1i /* \xc3\xa4\xc3\xb6\xe2\x80\x94 */' solutions/05_tiling/nbody.cu "
          ">build/whole/steps/05_tiling/nbody.cu");
    TELLS("cd build/whole && build/referee check --step 05 --n 257 --variant soa",
          "05_tiling soa at n = 257 accepted; not checked: other sizes\n");
    TELLS("cd build/whole && build/referee progress", "05_tiling              not checked yet");
}

GROUP(enter_clone, leave_tree)
