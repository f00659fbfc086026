/* `make skeletons`: what is tracked is what the solutions give; every skeleton compiles without a
 * warning, runs, and fails its check with the line of its first part; a fence that is not whole is
 * named. Run from the repository's root. */
#include "testing.h"

#include <limits.h>

#include "course.h"

static char repository[PATH_MAX];

static int enter(void **state) {
    return !getcwd(repository, sizeof repository) || enter_course(state);
}

/* The repository's own skeletons and handouts. A learner's edits there are no drift: then git's
 * version counts. */
TEST_IN(begin_anew, NULL, test_nothing_has_drifted) {
    shell("here=$PWD; cd '%s' && common/course/skeletons.sh $here/build/derived && cd "
          "$here/build/derived && find steps -type f | while read -r file; do cmp -s $file "
          "'%s'/$file || { cd '%s' && git show HEAD:$file 2>/dev/null | cmp -s - "
          "$here/build/derived/$file && [ ${file##*.} != md ] || { echo \"$file is not what "
          "\\`make skeletons\\` writes\" >&2; exit 1; }; cd $here/build/derived; }; done",
          repository, repository, repository);
    shell(EACH_SOURCE("[ -s build/derived/steps/$step/$source ] || exit 1"));
}

/* What the compilers said of the step's default variant, and of others whose code differs. */
TEST_IN(begin_anew, NULL, test_skeletons_fail_their_checks) {
    static const struct {
        const char *step, *source, *variants; /* the last for nvcc */
    } steps[] = {{"01_serial", "nbody.c", ""},
                 {"02_openmp", "nbody.c", ""},
                 {"03_cuda_naive", "nbody.cu", "256"},
                 {"04_soa", "nbody.cu", "256"},
                 {"05_tiling", "nbody.cu", "soa"},
                 {"06_unroll", "nbody.cu", "16"},
                 {"07_device_integration", "nbody.cu", "16"},
                 {"08_rsqrt", "nbody.cu", "16"},
                 {"09_ftz", "nbody.cu", "16"},
                 {"10_fp16", "nbody.cu", "seed"},
                 {"11_pinned", "nbody.cu", "16"},
                 {"12_float4", "nbody.cu", "float4 float3"},
                 {"14_register_blocking", "nbody.cu", "chosen"},
                 {"17_multi_gpu", "nbody.cu", "all no_overlap one"},
                 {"21_reduce", "reduce.cu", "chosen in_order"}};
    int nvcc = !system("command -v nvcc >/dev/null 2>&1");
    size_t i;

    for (i = 0; i < sizeof steps / sizeof *steps; i++) {
        const char *step = steps[i].step, *source = steps[i].source;
        struct result result = run("NVCC= build/referee check --step %s --n 257 2>&1", step);
        char line[160];

        if (!result.code)
            fail_msg("the skeleton of %s is accepted:\n%s", step, result.out);
        snprintf(line, sizeof line, "steps/%s/%s:", step,
                 !strcmp(step, "09_ftz") ? "flags" : source);
        assert_says(result.out, line);
        assert_says(result.out, ": part 1 is not written yet: ");
        if (nvcc && *steps[i].variants)
            shell("out=$PWD/build/steps/%s && cd steps/%s && SOURCE=%s SHOWN=%s make "
                  "-s players NAME=%s OUT=$out PROBLEM=$(sed -n 's/^problem = //p' "
                  "manifest) BUILDS=cubin VARIANTS='%s' "
                  "ARCH=sm_90 && [ $(ls $out/*/cubin | wc -l) = $(echo %s | wc -w) ]",
                  step, step, source, source, source, steps[i].variants, steps[i].variants);
        shell("! grep -hE '(:[0-9]+:|[(][0-9]+[)]:) *(warning|error)' build/steps/%s/*/*.log",
              step);
    }
}

/* Puts the solution back that a case has edited. */
static void edit_solution(const char *step, const char *sed) {
    shell("cp -a '%s'/solutions/%s/nbody.c* solutions/%s && sed -i '%s' solutions/%s/nbody.c*",
          repository, step, step, sed, step);
}

TEST_IN(begin_anew, NULL, test_half_edited_solutions) {
    static const struct {
        const char *sed, *wrong;
    } cases[] = {
        {"/end of part 3/d", "part 4 begins inside part 3, which needs its `end of part 3` first"},
        {"/end of part 6/d", "part 6 begins here and has no `end of part 6`"},
        {"/part 3, 1 line/d", "part 3 ends here and began nowhere"},
        {"s/end of part 3/end of part 4/", "part 4 ends here and began nowhere"},
        {"0,/^ *\\*\\/$/{/^ *\\*\\/$/d}", "part 1 ends inside `until solved`"},
        {"s/part 2, /part 3, /",
         "part 3 follows part 1: a line `part 2, ...` is needed before it, as it was"},
        {"s/part 1, /part 2, /",
         "part 2 follows part 0: a line `part 1, ...` is needed before it, as it was"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result;

        edit_solution("05_tiling", cases[i].sed);
        result = run("common/course/skeletons.sh");
        assert_int_equal(strncmp(result.err, "solutions/05_tiling/nbody.cu:", 29), 0);
        assert_true(atoi(result.err + 29) >= 20);
        assert_one_line(result, 15, cases[i].wrong, "");
        shell("cmp steps/05_tiling/nbody.cu build/skeletons/steps/05_tiling/nbody.cu");
    }
    edit_solution("05_tiling", "");
    shell("common/course/skeletons.sh");
}

TEST_IN(begin_anew, NULL, test_half_edited_handouts) {
    shell("cp steps/05_tiling/README.md build/kept");
    shell("sed -i '/^<!-- .part 1 -->$/d' steps/05_tiling/README.md");
    assert_one_line(run("common/course/skeletons.sh"), 15,
                    "steps/05_tiling/README.md:", "the block part 1 has no end");
    shell("sed 's/^<!-- part 6 -->/<!-- part 7 -->/' build/kept >steps/05_tiling/README.md");
    assert_one_line(run("common/course/skeletons.sh"), 15,
                    "steps/05_tiling/README.md:", "the step has no part 7");
    shell("cp build/kept steps/05_tiling/README.md");
}

/* A learner's broken fence is told, and the check goes on. */
TEST_IN(begin_anew, NULL, test_half_edited_sources) {
    static const char command[] = "build/referee check --step 01 --n 2 --variant gcc_O0";
    struct result result;

    solve("01_serial");
    shell("sed -i '/end of part 1/d' steps/01_serial/nbody.c");
    TELLS(command, "steps/01_serial/nbody.c:", "part 2 begins inside part 1", "results   accepted",
          "01_serial gcc_O0 at n = 2 accepted; not checked: ");
    /* `until solved` that was left there is a part to be written still. */
    solve("01_serial");
    shell("sed -i '/end of part 2/i /* until solved */' steps/01_serial/nbody.c");
    result = run("%s", command);
    assert_code(result, 39);
    assert_says(result.out, "part 2 is not written yet");
    assert_says(result.out,
                "Your lines replace those from `until solved` to `end of until solved`.");
    /* A variant that needs another part alone does not wait for it; the others do. */
    shell("cp steps/01_serial/manifest build/kept && echo 'parts_gcc_O0 = 1' "
          ">>steps/01_serial/manifest");
    TELLS(command, "results   accepted", "01_serial gcc_O0 at n = 2 accepted; not checked: ");
    assert_code(run("build/referee check --step 01 --n 2 --variant gcc_O2"), 39);
    shell("cp build/kept steps/01_serial/manifest");
}

/* What a learner has written stays, with status 14. */
TEST_IN(begin_anew, NULL, test_edited_skeletons_stay) {
    shell("echo mine >steps/05_tiling/nbody.cu");
    assert_one_line(run("common/course/skeletons.sh"), 14,
                    "steps/05_tiling/nbody.cu has been "
                    "changed here",
                    "make reset");
    shell("grep -qx mine steps/05_tiling/nbody.cu");
}

GROUP(enter, leave_tree)
