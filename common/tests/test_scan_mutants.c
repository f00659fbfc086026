/* Mutants of step 22, each rejected for its own reason. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "referee/judge/check.h"
#include "files.h"
#include "catalogue_of_steps.h"

/* The text with `to` in the place of `from`; frees it. */
static char *with(char *text, const char *from, const char *to) {
    char *at = text ? strstr(text, from) : NULL, *changed;

    if (!at)
        fail_msg("there is no \"%s\"", from);
    assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    free(text);
    return changed;
}

/* Writes the file with an edit, and items.h in its place; FILE= of the referee. */
static const char *edited(const char *file, const char *from, const char *to) {
    static const char path[] = "build/tests/scan.cu";
    char *text = read_file(file, NULL), *kit = read_file("common/kit/items.h", NULL);

    assert_non_null(kit);
    if (text && strstr(text, "#include \"items.h\"\n"))
        text = with(text, "#include \"items.h\"\n", kit);
    else /* as its variant, an element a thread */
        text = with(text, "#include",
                    "#undef VECTOR\n#undef VECTORS\n#define VECTOR 1\n"
                    "#define VECTORS 1\n#include");
    text = with(text, from, to);
    write_file(path, text);
    free(text);
    free(kit);
    return path;
}

#define STEP          "solutions/22_scan/scan.cu"
#define HILLIS_STEELE "steps/22_scan/hillis_steele.cu"

static void mutants_are_rejected_for_their_reason(void **state) {
    static const struct {
        const char *file, *from, *to;
        int n;
        enum outcome outcome;
        const char *phrase;
    } mutants[] = {
        {HILLIS_STEELE, "__syncthreads(); /* all have read */", "", 300, OUTCOME_RACE, ""},
        {HILLIS_STEELE, "__syncthreads(); /* all have written */", "", 300, OUTCOME_RACE, ""},
        /* Whether a tile looks back so early depends on two workers: at one size it may never. */
        {STEP, "status_of(w) == prefix", "status_of(w) >= aggregate", 0, OUTCOME_WRONG,
         "its aggregate, taken for that"},
        {STEP, "is_exclusive ? sum : with", "with", 999, OUTCOME_WRONG, "it is the inclusive scan"},
        {STEP, "n / TILE + (n % TILE > 0)", "max(n / TILE, 1)", 9000, OUTCOME_WRONG,
         "does the grid end at the last full block"},
        /* Words that the pass before left count as written: all cases, since it takes a tile that
           looks back before the one ahead of it has written. */
        {STEP, "tiles.pass = ++scan->made", "tiles.pass = 1", 0, OUTCOME_WRONG,
         "does not count every block before it, once"},
    };
    static struct programs programs;
    static struct check check;

    (void)state;
    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        const struct options options = {.file =
                                            edited(mutants[m].file, mutants[m].from, mutants[m].to),
                                        .variant = "chosen",
                                        .n = mutants[m].n,
                                        .seed = 1};
        const struct step *step = catalogue_find(&catalogue, "22_scan");
        int said = 0;

        assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
        assert_int_equal(check_step(&programs, &options, &check), 0);
        if (check.count == 1 && check.verdicts[0].skipped)
            skip(); /* no C++ compiler */
        for (int v = 0; v < check.count; v++)
            said = said || strstr(check.verdicts[v].message, mutants[m].phrase);
        for (int c = 0; c < check.verdicts[0].case_count; c++)
            said = said || strstr(check.verdicts[0].cases[c].message, mutants[m].phrase);
        if (check.outcome != mutants[m].outcome || !said)
            fail_msg("mutant %zu: outcome %d, \"%s\"", m, check.outcome, check.verdicts[0].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutants_are_rejected_for_their_reason),
    };

    return cmocka_run_group_tests_name("scan_mutants", tests, read_catalogue_without_nvcc, NULL);
}
