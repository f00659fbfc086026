/* Variants that a step's manifest lists as `races` are checked for races too, though only the
 * default has that otherwise: the solution's are right, and without what orders threads they race.
 */
#include "testing.h"

#include <glob.h>

#include "command.h"
#include "edited.h"

#define FILE_PATH "build/without_fences.cu"

/* Checks the variant; the outcome of its race check must be that word. */
static void race_check_ends(const char *step, const char *variant, const char *file,
                            const char *outcome) {
    struct result result =
        run("NVCC= build/referee check --step %.2s --variant %s --n 257 --seed 1 --json 1 %s", step,
            variant, file);
    char wanted[200];

    snprintf(wanted, sizeof wanted,
             "\"variant\": \"%s\", \"aspect\": \"races\", \"outcome\": \"%s\"", variant, outcome);
    if (!strstr(result.out, wanted))
        fail_msg("%s, %s: not %s but %s%s", step, variant, wanted, result.out, result.err);
}

/* The solution without what orders its threads, which may stand in a header of the kit. */
static void write_without_fences(const char *step) {
    static const char fence[] = "__threadfence();",
                      grid_wide[] = "cooperative_groups::this_grid().sync();";
    static const struct edit launches = SPLICED("launches.h"), grid = SPLICED("grid_barrier.h");
    struct result found =
        run("sed -n 's,^source = ,solutions/%s/,p' steps/%s/manifest", step, step);
    char *source, *at;

    found.out[strcspn(found.out, "\n")] = 0;
    source = edit_text(edit_text(read_file(found.out, NULL), &launches), &grid);
    assert_non_null(strstr(source, fence));
    while ((at = strstr(source, fence)))
        memset(at, ' ', strlen(fence) - 1);
    while ((at = strstr(source, grid_wide)))
        memset(at, ' ', strlen(grid_wide) - 1);
    write_file(FILE_PATH, source);
    free(source);
}

/* FILE= takes the place of the step's source; a variant's own is edited where it stands, in this
 * test's copy of the course. */
static const char *without_order(const char *step, const char *variant) {
    struct result result =
        run("own=$(sed -n 's,^source_%s = ,solutions/%s/,p' steps/%s/manifest) && [ \"$own\" ] && "
            "sed -i 's/__threadfence();/;/; s/__syncwarp();/;/' \"$own\"",
            variant, step, step);

    return result.code ? "--file " FILE_PATH : "--of solutions";
}

TEST(test_variants) {
    int count = 0;
    size_t i;
    glob_t makefiles;

    assert_int_equal(glob("steps/*/manifest", 0, NULL, &makefiles), 0);
    for (i = 0; i < makefiles.gl_pathc; i++) {
        char *text = read_file(makefiles.gl_pathv[i], NULL), *line = strstr(text, "\nraces = "),
             *variant, *rest, step[64];

        sscanf(makefiles.gl_pathv[i], "steps/%63[^/]", step);
        if (line) {
            line += strlen("\nraces = ");
            line[strcspn(line, "\n")] = 0;
            write_without_fences(step);
            for (variant = strtok_r(line, " ", &rest); variant;
                 variant = strtok_r(NULL, " ", &rest), count++) {
                race_check_ends(step, variant, "--of solutions", "accepted");
                race_check_ends(step, variant, without_order(step, variant), "race");
            }
        }
        free(text);
    }
    globfree(&makefiles);
    assert_int_not_equal(count, 0);
}

GROUP(enter_tree, leave_tree)
