/* Variants that a step's manifest lists as `races` are checked for races too, though only the
 * default has that otherwise: the solution's are right, and without fences and __syncwarp() they
 * race. */
#include "testing.h"

#include <glob.h>

#include "command.h"

#define FILE_PATH "build/without_order.cu"

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

/* The solution without its fences and without what orders lanes. */
static void write_without_order(const char *step) {
    static const char *const calls[] = {"__threadfence();", "__syncwarp();"};
    struct result found =
        run("sed -n 's,^source = ,solutions/%s/,p' steps/%s/manifest", step, step);
    char *source, *at;
    unsigned i;

    found.out[strcspn(found.out, "\n")] = 0;
    source = read_file(found.out, NULL);
    for (i = 0; i < sizeof calls / sizeof *calls; i++)
        while ((at = strstr(source, calls[i])))
            memset(at, ' ', strlen(calls[i]) - 1);
    write_file(FILE_PATH, source);
    free(source);
}

static void test_variants(void **state) {
    int count = 0;
    size_t i;
    glob_t makefiles;

    (void)state;
    assert_int_equal(glob("steps/*/manifest", 0, NULL, &makefiles), 0);
    for (i = 0; i < makefiles.gl_pathc; i++) {
        char *text = read_file(makefiles.gl_pathv[i], NULL), *line = strstr(text, "\nraces = "),
             *variant, *rest, step[64];

        sscanf(makefiles.gl_pathv[i], "steps/%63[^/]", step);
        if (line) {
            line += strlen("\nraces = ");
            line[strcspn(line, "\n")] = 0;
            write_without_order(step);
            for (variant = strtok_r(line, " ", &rest); variant;
                 variant = strtok_r(NULL, " ", &rest), count++) {
                race_check_ends(step, variant, "--of solutions", "accepted");
                race_check_ends(step, variant, "--file " FILE_PATH, "race");
            }
        }
        free(text);
    }
    globfree(&makefiles);
    assert_int_not_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants),
    };

    return cmocka_run_group_tests(tests, enter_tree, leave_tree);
}
