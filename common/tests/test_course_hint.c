/* `make hint`: which hint, by the last check's failure; what it says first; how many are left. Run
 * from the repository's root. */
#include "testing.h"
#include "catalogue_of_steps.h"
#include "course.h"

/* The text of the hint in what was printed, to be freed. */
static char *hint_of(const char *printed) {
    const char *begin = strstr(printed, "\nHint ");
    const char *end;

    assert_non_null(begin);
    begin = strstr(begin + 1, "\n\n") + 2;
    end = strstr(begin, "\n\n");
    assert_non_null(end);
    return strndup(begin, (size_t)(end - begin));
}

/* The first hints of all failures of all steps differ, and say where. */
TEST_IN(begin_anew, NULL, test_first_hints_differ) {
    static const struct {
        const char *section, *result, *where, *text;
    } failures[] = {
        {"compile", "compile", "line 61", "nbody.cu:61: error: expected a ;"},
        {"access", "memory", "n = 257", "n = 257: heap-buffer-overflow"},
        {"result", "wrong", "n = 1023", "n = 1023: body 7 has 1, expected 2"},
        {"part 1", "unfinished", "line 27", "nbody.cu:27: part 1 is not written yet: Room."},
        {"idea", "idea", "line 33", "nbody.cu:33: it is missing"},
    };
    char *hints[5 * MOST_STEPS];
    int count = 0, step, other;
    size_t i;

    for (step = 0; step < catalogue.count; step++)
        for (i = 0; i < 5; i++) {
            const char *name = catalogue.steps[step].name;
            struct result result;

            if (!strcmp(name, "01_serial") && !strcmp(failures[i].section, "idea"))
                continue;
            add_check(name, failures[i].result, failures[i].where, failures[i].text);
            result = run("build/referee hint --step %s", name);
            assert_code(result, 0);
            assert_says(result.out, failures[i].where);
            assert_says(result.out, failures[i].section);
            assert_says(result.out, failures[i].text);
            assert_says(result.out, "Hint 1 of 3");
            hints[count] = hint_of(result.out);
            if (strcmp(failures[i].section, "part 1"))
                assert_says(hints[count], failures[i].where);
            for (other = 0; other < count; other++)
                if (!strcmp(hints[other], hints[count]))
                    fail_msg("%s, %s: another failure has this hint: %s", name, failures[i].section,
                             hints[count]);
            count++;
        }
    assert_int_equal(count, 5 * catalogue.count - 1);
    while (count--)
        free(hints[count]);
}

TEST_IN(begin_anew, NULL, test_levels) {
    static const char command[] = "make -s hint STEP=12";

    add_check("12_float4", "wrong", "n = 255", "n = 255: body 3");
    TELLS(command, "Hint 1 of 3 (result)", "2 more: make hint STEP=12");
    TELLS(command, "Hint 2 of 3 (result)", "1 more: make hint STEP=12");
    add_check("12_float4", "warp-mask", "line 7", "nbody.cu:7: __shfl_sync with mask 0x0000ffff");
    TELLS(command, "Hint 1 of 3 (lanes)", "which\nlanes does the mask name");
    add_check("12_float4", "wrong", "n = 255", "n = 255: body 3");
    TELLS(command, "Hint 1 of 3 (result)", "2 more: make hint STEP=12");
    TELLS(command, "Hint 2 of 3 (result)", "1 more: make hint STEP=12");
    /* The same again, with other numbers; hints and checks of another step. */
    add_check("12_float4", "wrong", "n = 255", "n = 255: body 4");
    add_check("11_pinned", "race", "line 5", "line 5");
    TELLS("make -s -C steps/11_pinned hint", "Hint 1 of 3 (access)");
    TELLS(command, "Hint 3 of 3 (result)", "These are all.\n");
    TELLS(command, "Hint 3 of 3 (result)", "These are all; you have seen this one before.");
    TELLS(command, "Hint 3 of 3 (result)", "seen this one before.");
    /* Another failure, and back. */
    add_check("12_float4", "race", "line 70", "line 70: a race");
    TELLS(command, "Hint 1 of 3 (access)");
    add_check("12_float4", "wrong", "n = 255", "n = 255: body 3");
    TELLS(command, "Hint 1 of 3 (result)");
    TELLS("grep -c hint results/journal.tsv", "11");
    TELLS("tail -n 1 results/journal.tsv", "hint\t12_float4\tresult\t1\t-\n");
}

/* Another mistake of the same class begins anew, and so does the first when it is back. */
TEST_IN(begin_anew, NULL, test_another_place) {
    static const char command[] = "build/referee hint --step 12";

    add_check("12_float4", "race", "line 61", "line 61: a race");
    TELLS(command, "Hint 1 of 3 (access)", "line 61");
    TELLS(command, "Hint 2 of 3 (access)");
    add_check("12_float4", "race", "line 70", "line 70: a race");
    TELLS(command, "Hint 1 of 3 (access)", "line 70");
    add_check("12_float4", "barrier", "line 70", "line 70: a barrier");
    TELLS(command, "Hint 1 of 3 (access)");
    add_check("12_float4", "race", "line 61", "line 61: a race");
    TELLS(command, "Hint 1 of 3 (access)", "line 61");
    /* An unfinished part is the same one, wherever the check failed. */
    add_check("12_float4", "wrong", "n = 2", "n = 2: wrong; a: part 1 is not written yet: Room");
    TELLS(command, "Hint 1 of 3 (part 1)");
    add_check("12_float4", "unfinished", "line 27", "a: part 1 is not written yet: Room");
    TELLS(command, "Hint 2 of 3 (part 1)");
    add_check("12_float4", "wrong", "n = 2", "n = 2: wrong");
    add_check("12_float4", "unfinished", "line 27", "a: part 1 is not written yet: Room");
    TELLS(command, "Hint 1 of 3 (part 1)");
}

/* A part's hints come while the part is not written, and the failure is from a run of it. */
TEST_IN(begin_anew, NULL, test_parts) {
    static const char text[] = "n = 2: wrong; a: part 1 is not written yet: Room";

    add_check("12_float4", "wrong", "n = 2", text);
    TELLS("build/referee hint --step 12", "Hint 1 of 3 (part 1)", "(n = 2)");
    TELLS("build/referee hint --step 12", "Hint 2 of 3 (part 1)");
    /* The part that is unfinished now, whatever the check said then. */
    shell("sed -i '/part 1, /a tile[0] = 1;' steps/12_float4/nbody.cu");
    TELLS("build/referee hint --step 12", "Hint 1 of 3 (part 2)");
    shell("sed -i 's/$/\\r/' steps/12_float4/nbody.cu");
    TELLS("build/referee hint --step 12", "Hint 2 of 3 (part 2)");
    shell("sed 's/$/\\r/' steps/12_float4/hints.md >build/hints.md && cp steps/12_float4/hints.md "
          "build/kept.md && cp build/hints.md steps/12_float4/hints.md");
    TELLS("build/referee hint --step 12", "Hint 3 of 3 (part 2)");
    shell("cp build/kept.md steps/12_float4/hints.md");
    /* A source that does not compile has another problem. */
    add_check("12_float4", "compile", "line 9", "nbody.cu:9: error");
    TELLS("build/referee hint --step 12", "(compile)");
    /* All are written now. */
    solve("12_float4");
    add_check("12_float4", "wrong", "n = 2", text);
    TELLS("build/referee hint --step 12", "(result)");
    add_check("12_float4", "unfinished", "line 2", text);
    assert_one_line(run("build/referee hint --step 12"), 14, "no unfinished part any more",
                    "make check STEP=12");
}

TEST_IN(begin_anew, NULL, test_states) {
    assert_one_line(run("build/referee hint --step 12"), 14, "12_float4 was not checked yet",
                    "make check STEP=12");
    solve("12_float4");
    add_check("12_float4", "wrong", "n = 2", "n = 2");
    accept("12_float4");
    assert_one_line(run("build/referee hint --step 12"), 14, "12_float4 is accepted", "");
    shell("echo >>steps/12_float4/nbody.cu");
    assert_one_line(run("build/referee hint --step 12"), 14, "changed since", "make check STEP=12");
    add_event("2020", "check", "12_float4", "wrong", "-", "bodies differ");
    TELLS("build/referee hint --step 12", "The source has changed since; `make check STEP=12`",
          "the place that the message names");
    assert_one_line(run("build/referee hint"), 3, "hint needs a step", "make hint STEP=");
    add_check("01_serial", "idea", "-", "none");
    assert_one_line(run("build/referee hint --step 01"), 14, "has no hints for this failure (idea)",
                    "docs/exit-codes.md");
    shell("echo half >>results/journal.tsv");
    assert_one_line(run("build/referee hint --step 12"), 13, "journal.tsv:7 is cut off or damaged",
                    "mend or remove that line");
}

/* Every outcome that a check can have leads to a hint, but for a few. */
TEST_IN(begin_anew, NULL, test_outcomes) {
    static const char without[] = "flooded closed forked forbidden protocol inconclusive unchecked "
                                  "missing-call machine-code ";
    char none[256] = "", word[32];
    int code;
    FILE *codes;

    solve("12_float4");
    codes = popen("build/referee codes", "r");
    assert_non_null(codes);
    while (fscanf(codes, "%d %31s %*[^\n]", &code, word) == 2) {
        struct result result;

        if ((code < 20 && code != 7) || code >= 60 || !strcmp(word, "unfinished"))
            continue;
        add_check("12_float4", word, "line 5", "line 5: so");
        result = run("build/referee hint --step 12");
        if (result.code) {
            assert_int_equal(result.code, 14);
            assert_says(result.err, "its own message and docs/exit-codes.md");
            sprintf(none + strlen(none), "%s ", word);
        }
    }
    pclose(codes);
    assert_string_equal(none, without);
}

TEST_IN(begin_anew, NULL, test_long_texts_are_cut) {
    char text[700] = "line 55: ";
    struct result result;

    while (strlen(text) < 600)
        strcat(text, "\xc3\xa4"); /* two bytes each */
    solve("12_float4");
    add_check("12_float4", "wrong", "line 5", text);
    result = run("build/referee hint --step 12 | iconv -f utf-8 -t utf-8");
    assert_code(result, 0);
    assert_says(result.out, "\xc3\xa4 ...\n");
    assert_null(strstr(result.out, text));
}

/* Other guesses at the cause of wrong results are another failure, whatever their numbers. */
TEST_IN(begin_anew, NULL, test_another_guess) {
    static const char command[] = "build/referee hint --step 12";

    add_check("12_float4", "wrong", "n = 1000",
              "by 0.1; it is the last body: n - 1?; also at n = 2");
    TELLS(command, "Hint 1 of 3 (result)");
    add_check("12_float4", "wrong", "n = 1000",
              "by 0.2; it is the last body: n - 1?; also at n = 9");
    TELLS(command, "Hint 2 of 3 (result)");
    add_check("12_float4", "wrong", "n = 1000", "by 0.1; is v += dt F missing?; also at n = 2");
    TELLS(command, "Hint 1 of 3 (result)");
    add_check("12_float4", "idea", "n = 4096", "n = 4096: an interaction takes 12.5 bytes");
    TELLS(command, "Hint 1 of 3 (idea)");
    add_check("12_float4", "idea", "n = 4096", "n = 4096: an interaction takes 13 bytes");
    TELLS(command, "Hint 2 of 3 (idea)");
    add_check("12_float4", "idea", "n = 4096", "n = 4096: 2 copies in an iteration");
    TELLS(command, "Hint 1 of 3 (idea)");
}

/* What the compiler says of names, types and arguments has a first hint of its own. */
TEST_IN(begin_anew, NULL, test_compiler_hints) {
    static const struct {
        const char *error, *hint;
    } errors[] = {
        {"cannot convert float* to float", "Two types do not fit together"},
        {"too few arguments to function f", "how many arguments"},
        {"struct float4 has no member named v", "Which type is it?"},
        {"hidden was not declared in this scope", "does not know that name"},
        {"redeclaration of int i", "declared twice"},
        {"expected ; before }", "Go by"},
    };
    size_t i;

    for (i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct result result;
        char text[160], where[32];

        snprintf(text, sizeof text, "nbody.cu:%zu: error: %s", i + 9, errors[i].error);
        snprintf(where, sizeof where, "line %zu", i + 9);
        add_check("04_soa", "compile", where, text);
        result = run("build/referee hint --step 04");
        assert_code(result, 0);
        assert_says(result.out, "Hint 1 of 3 (compile)");
        assert_says(result.out, errors[i].hint);
        if (strcmp(errors[i].hint, "Go by") && strstr(hint_of(result.out), ";"))
            fail_msg("speaks of `;`: %s", result.out);
    }
}

/* What trials said of wrong results has hints of its own, in every step that has none. */
TEST_IN(begin_anew, NULL, test_trials) {
    static const struct {
        const char *text, *section, *hint;
    } trials[] = {
        {"off; right after 1 and 2 iterations, wrong after 3: what is", "iterations",
         "3 iterations"},
        {"off; right in the first run of an object, wrong in the second: what", "runs", "create"},
        {"off; does the program keep what it takes for the same input, by", "kept", "outlives"},
        {"off; right as the only object of its process: is something kept from one object to the "
         "next, or",
         "kept", "outlives"},
        {"off; right with dt 0.01, wrong with 0.02: is it a constant, or left out?", "parameters",
         "names a parameter"},
        {"off; the result is the same with dt 0.01 and 0.02: is it a constant, or left out?",
         "parameters", "names a parameter"},
        {"off; the result is that of softening 0.2, and 0.1 was asked for: is it used twice?",
         "parameters", "names a parameter"},
        {"off; right with dt 0.01 and softening 1, wrong with 1 and 2: are they constants?",
         "parameters", "names a parameter"},
        {"off; it was not the same when it was run again: does the order of threads matter?",
         "result", "small n are right"},
        {"off; only the last body", "result", "small n are right"},
    };
    char section[40];
    size_t i;

    solve("12_float4");
    for (i = 0; i < sizeof trials / sizeof *trials; i++) {
        add_check("12_float4", "wrong", "n = 1000", trials[i].text);
        snprintf(section, sizeof section, "Hint 1 of 3 (%s)", trials[i].section);
        TELLS("build/referee hint --step 12", section, trials[i].hint);
        /* An access that is named beside it is another failure. */
        add_check("12_float4", "memory", "n = 1000", trials[i].text);
        TELLS("build/referee hint --step 12", "Hint 1 of 3 (access)");
    }
}

static int enter(void **state) {
    return read_catalogue(state) || enter_course(state);
}

GROUP(enter, leave_tree)
