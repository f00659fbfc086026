/* The hints of the steps, steps/NN_name/hints.md, and the checks that they are for: what a check
 * writes down, what hints say of parts that are missing, and what they quote. Run from the
 * repository's root. */
#include "testing.h"
#include "catalogue_of_steps.h"
#include "course.h"

/* Every part of every step has three levels; none is empty or the one before. */
TEST_IN(begin_anew, NULL, test_every_part_has_hints) {
    int step, part;

    for (step = 0; step < catalogue.count; step++) {
        const char *name = catalogue.steps[step].name;
        struct result result = run("cat steps/%s/%s steps/%s/flags 2>/dev/null | awk -v "
                                   "want=parts -f common/referee/lesson/fences.awk | wc -l",
                                   name, catalogue.steps[step].source, name);
        int parts = atoi(result.out);

        assert_true(parts > 0);
        for (part = 1; part <= parts; part++) {
            result = run("awk '/^## / { on = $0 == \"## part %d\" } on && /^[123]\\. ./' "
                         "steps/%s/hints.md | cut -c1 | tr -d '\\n'",
                         part, name);
            if (strcmp(result.out, "123"))
                fail_msg("%s, part %d: its levels are \"%s\"", name, part, result.out);
        }
        result = run("grep -c '{where}' steps/%s/hints.md", name);
        assert_true(atoi(result.out) >= 3);
    }
}

/* The journal's own lines, from checks: what comes from a text without hands. */
TEST_IN(begin_anew, NULL, test_check_writes_where) {
    shell("printf 'int f(void) {\\n    return x;\\n}\\n' >steps/01_serial/nbody.c");
    assert_code(run("build/referee check --step 01 2>/dev/null"), 7);
    TELLS("cat results/journal.tsv",
          "check\t01_serial\tcompile\tline 2\tsteps/01_serial/nbody.c:2");
    shell("common/course/skeletons.sh 2>/dev/null; cp build/skeletons/steps/01_serial/nbody.c "
          "steps/01_serial");
    assert_code(run("build/referee check --step 01"), 39);
    TELLS("tail -n 1 results/journal.tsv", "check\t01_serial\tunfinished\tline 24\t",
          "steps/01_serial/nbody.c:24: part 1 is not written yet: ");
}

/* A fault of what is written decides, whichever part is missing; what comes for want of a part is
 * that part's. 03 with part 4 missing, and a fault in part 2 or 3. */
TEST_IN(begin_anew, NULL, test_faults_beside_a_missing_part) {
    static const struct {
        const char *sed, *result, *section;
    } faults[] = {
        {"", "unfinished", "part 4"},
        {"s/n \\* sizeof \\*in/n/", "copy", "access"},
        {"s/(device, parameters)/(host, parameters)/", "host-pointer", "access"},
        {"s/<<<blocks, threads>>>/<<<threads, 2000>>>/", "launch", "access"},
    };
    size_t i;

    for (i = 0; i < sizeof faults / sizeof *faults; i++) {
        shell("sed '/cudaFree(simulation->device)/d; %s' solutions/03_cuda_naive/nbody.cu "
              ">steps/03_cuda_naive/nbody.cu",
              faults[i].sed);
        shell("build/referee check --step 03 --seed 7 >build/said; [ $? != 0 ]");
        TELLS("tail -n 1 results/journal.tsv", faults[i].result);
        TELLS("build/referee hint --step 03", "Hint 1 of 3", faults[i].section);
    }
}

/* What the parts that are named come to while they are not written is what their hints say, and
 * such a check is unfinished. */
TEST_IN(begin_anew, NULL, test_until_then) {
    static const struct {
        const char *step, *source;
        int part;
        const char *result;
    } missing[] = {
        {"03_cuda_naive", "nbody.cu", 2, "copy"},
        {"03_cuda_naive", "nbody.cu", 4, "unfreed"},
        {"07_device_integration", "nbody.cu", 4, "order"},
        {"11_pinned", "nbody.cu", 1, "memory"},
        {"11_pinned", "nbody.cu", 2, "crashed"},
        {"23_radix_sort", "sort.cu", 1, "memory"},
        {"23_radix_sort", "sort.cu", 3, "memory"},
        {"23_radix_sort", "sort.cu", 4, "memory"},
        {"24_spmv", "spmv.cu", 1, "memory"},
        {"24_spmv", "spmv.cu", 2, "memory"},
        {"43_tree_steps", "orbits.cu", 2, "own-error"},
    };
    const int count = sizeof missing / sizeof *missing;
    struct result said = run("cat steps/*/hints.md | grep -c '^Until then: [a-z-]*$'");
    char named[80];
    int i;

    assert_int_equal(atoi(said.out),
                     count + 1); /* and one, of a scan, that waits for its time limit */
    for (i = 0; i < count; i++) {
        const char *step = missing[i].step, *source = missing[i].source;

        shell("awk -v part=%d '$0 ~ \"end of part \" part { inside = 0 } "
              "inside && /until solved:/ { print \"/* until solved */\"; stub = 1; next } "
              "inside && stub && /^ *\\*\\/$/ { print \"/* end of until solved */\"; stub = 0 } "
              "!inside || stub { print } $0 ~ \"/[*] part \" part \",\" { inside = 1 }' "
              "solutions/%s/%s >steps/%s/%s",
              missing[i].part, step, source, step, source);
        snprintf(named, sizeof named, ": part %d is not written yet: ", missing[i].part);
        said = run("NVCC= build/referee check --step %s --seed 7 --json 1 --variant "
                   "$(sed -n 's/^variants = \\([^ ]*\\).*/\\1/p' steps/%s/manifest)",
                   step, step);
        assert_code(said, OUTCOME_UNFINISHED);
        assert_says(said.out, named);
        snprintf(named, sizeof named, "\"outcome\": \"%s\"", missing[i].result);
        assert_says(strstr(said.out, "verdicts"), named);
    }
    /* The part comes first, and no text that any program gets that lacks it. */
    said = run("NVCC= build/referee check --step 24 --seed 7");
    assert_code(said, OUTCOME_UNFINISHED);
    assert_says(strchr(said.out, '\n'), "part 2 is not written yet");
    assert_says(said.out, "not right yet\n");
    assert_null(strstr(said.out, "n = "));
}

/* What hints quote, in "...", and what a section of the course is for, is what the check or the
 * handout says; numbers apart. */
TEST_IN(begin_anew, NULL, test_quotes) {
    struct result said;

    shell("cat common/problems/*.[ch] common/problems/*/*.c common/referee/*/*.c "
          "common/cpucuda/*/*.[ch]* | tr '\\n' ' ' | sed 's/\" *\"//g; s/%%[.0-9]*[dsg]/#/g; "
          "s/  */ /g' | tr A-Z a-z >build/messages");
    said =
        run("for file in steps/*/hints.md common/referee/lesson/hints.md; do "
            "  tr '\\n' ' ' <$file | sed 's/  */ /g' | tr A-Z a-z >build/hints; "
            "  tr '\\n' ' ' <${file%%hints.md}README.md 2>/dev/null | tr A-Z a-z >build/handout; "
            "  { grep -oE '\"[a-z][^\"`]+\"' build/hints | tr -d '\"'; "
            "    sed -n 's/^If it says: //p' $file; } | while IFS= read -r quote; do "
            "    echo \"$quote\" >>build/quotes; "
            "    grep -qF \"$quote\" build/messages build/handout || "
            "    grep -qF \"$(echo \"$quote\" | sed 's/[0-9][0-9]*/#/g')\" build/messages || "
            "    echo \"$file: $quote\"; "
            "  done; "
            "done");
    assert_string_equal(said.out, "");
    shell("[ $(wc -l <build/quotes) -ge 12 ]");
}

static int enter(void **state) {
    return read_catalogue(state) || enter_course(state);
}

GROUP(enter, leave_tree)
