/* The catalogue: how it is read, and that steps/catalogue.tsv is whole. Run from the repository's
 * root. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "catalogue.h"
#include "files.h"
#include "problem.h"

#define HEADER "step\tpart\tproblem\tsource\tbuilds_on\texpected\ttolerance_l2\ttitle\n"
#define FIRST  "01_serial\tI\tnbody\tnbody.c\t-\taccepted\t1e-4\tOne thread\n"
#define SECOND                                                                                     \
    "02_openmp\tI\tnbody\tnbody.c\t01_serial\taccepted,seed=rejected\t1e-3,a=2e-4\tMore\n"

static struct catalogue catalogue;
static char folder[64], path[96];

static int begin(void **state) {
    (void)state;
    if (make_folder(folder))
        return -1;
    snprintf(path, sizeof path, "%s/catalogue.tsv", folder);
    return 0;
}

static int end(void **state) {
    (void)state;
    return remove_folder(folder);
}

static void test_good(void **state) {
    const struct step *step;

    (void)state;
    write_file(path, HEADER FIRST "\n" SECOND);
    assert_int_equal(catalogue_read(&catalogue, path), OUTCOME_ACCEPTED);
    assert_int_equal(catalogue.count, 2);
    step = &catalogue.steps[1];
    assert_string_equal(step->name, "02_openmp");
    assert_string_equal(step->part, "I");
    assert_string_equal(step->problem, "nbody");
    assert_string_equal(step->source, "nbody.c");
    assert_string_equal(step->builds_on, "01_serial");
    assert_string_equal(step->expected, "accepted,seed=rejected");
    assert_string_equal(step->tolerance, "1e-3,a=2e-4");
    assert_string_equal(step->title, "More");
    assert_string_equal(catalogue.steps[0].builds_on, "");
    /* Lines that end as on another system, and a last one that does not end. */
    write_file(path, HEADER "01_serial\tI\tnbody\tnbody.c\t-\taccepted\t1e-4\tOne thread\r\n"
                            "02_openmp\tI\tnbody\tnbody.c\t01_serial\taccepted\t1e-4\tTwo");
    assert_int_equal(catalogue_read(&catalogue, path), OUTCOME_ACCEPTED);
    assert_int_equal(catalogue.count, 2);
    assert_string_equal(catalogue.steps[0].title, "One thread");
    assert_string_equal(catalogue.steps[1].title, "Two");
}

/* Refused in one line that names `place`. */
static void assert_damaged(const char *text, const char *place) {
    struct kept_stderr kept;
    enum outcome outcome;
    char said[2048], expected[128];

    write_file(path, text);
    kept = catch_stderr();
    outcome = catalogue_read(&catalogue, path);
    caught_stderr(kept, said, sizeof said);
    snprintf(expected, sizeof expected, "%s%s", path, place);
    assert_int_equal(outcome, OUTCOME_INTERNAL);
    assert_int_equal(count_lines(said), 1);
    assert_non_null(strstr(said, expected));
}

static void test_damaged(void **state) {
    char many[MOST_STEPS * 80 + 200] = HEADER;
    struct kept_stderr kept;
    enum outcome outcome;
    char said[2048];
    int i;

    (void)state;
    assert_damaged("", ":");
    assert_damaged(FIRST SECOND, ":1:");
    assert_damaged("step,part,problem,source,builds_on,expected,tolerance_l2,title\n", ":1:");
    assert_damaged(HEADER FIRST "02_openmp\tI\tnbody\tnbody.c\t-\taccepted\t1e-4\n", ":3:");
    assert_damaged(HEADER "01_serial\tI\tnbody\tnbody.c\t-\taccepted\t1e-4\ttitle\tmore\n" SECOND,
                   ":2:");
    assert_damaged(HEADER "01_serial\tI\t\tnbody.c\t-\taccepted\t1e-4\ttitle\n" SECOND, ":2:");
    assert_damaged(HEADER "01_serial I nbody nbody.c - accepted 1e-4 title\n", ":2:");
    assert_damaged(HEADER "a_name_that_is_longer_than_its_field_is_wide\tI\tnbody\tnbody.c\t-\t"
                          "accepted\t1e-4\ttitle\n",
                   ":2:");
    for (i = 1; i <= MOST_STEPS + 1; i++)
        sprintf(many + strlen(many), "%02d_step\tI\tnbody\tnbody.c\t-\taccepted\t1e-4\ttitle\n", i);
    assert_damaged(many, ":66:");
    *strstr(many, "65_step") = 0;
    write_file(path, many);
    assert_int_equal(catalogue_read(&catalogue, path), OUTCOME_ACCEPTED);
    assert_int_equal(catalogue.count, MOST_STEPS);

    kept = catch_stderr();
    outcome = catalogue_read(&catalogue, "no/such/catalogue.tsv");
    caught_stderr(kept, said, sizeof said);
    assert_int_equal(outcome, OUTCOME_INTERNAL);
    assert_int_equal(count_lines(said), 1);
    assert_non_null(strstr(said, "no/such/catalogue.tsv"));
}

static void test_find(void **state) {
    static const char *const second[] = {"2", "02", "002", "02_openmp"};
    static const char *const none[] = {"2x",
                                       "0x2",
                                       "",
                                       "0",
                                       "-2",
                                       "3",
                                       "02_",
                                       "openmp",
                                       "02_OPENMP",
                                       "2.0",
                                       "02_openmp ",
                                       "1_serial",
                                       "18446744073709551618",
                                       "_"};
    size_t i;

    (void)state;
    write_file(path, HEADER FIRST SECOND);
    assert_int_equal(catalogue_read(&catalogue, path), OUTCOME_ACCEPTED);
    for (i = 0; i < sizeof second / sizeof *second; i++)
        assert_ptr_equal(catalogue_find(&catalogue, second[i]), &catalogue.steps[1]);
    for (i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(catalogue_find(&catalogue, none[i]));
    assert_ptr_equal(catalogue_find(&catalogue, "1"), &catalogue.steps[0]);
}

static void assert_value(const char *cell, const char *variant, const char *expected) {
    char value[32];

    cell_value(cell, variant, value);
    assert_string_equal(value, expected);
}

/* Of other problems, other parts and the CPU's steps none ends the ladder. */
static void test_end(void **state) {
    static const char gpu[] = "03_gpu\tI\tnbody\tnbody.cu\t-\taccepted\t2e-3\tthree\n",
                      others[] = "04_c\tI\tnbody\tnbody.c\t-\taccepted\t2e-3\tfour\n"
                                 "05_scan\tI\tscan\tscan.cu\t-\taccepted\t2e-3\tfive\n"
                                 "06_two\tII\tnbody\tnbody.cu\t-\taccepted\t2e-3\tsix\n";
    char text[1024];

    (void)state;
    snprintf(text, sizeof text, "%s%s%s%s", HEADER, FIRST, gpu, others);
    write_file(path, text);
    assert_int_equal(catalogue_read(&catalogue, path), OUTCOME_ACCEPTED);
    assert_non_null(catalogue_end(&catalogue));
    assert_string_equal(catalogue_end(&catalogue)->name, "03_gpu");
    write_file(path, HEADER FIRST);
    assert_int_equal(catalogue_read(&catalogue, path), OUTCOME_ACCEPTED);
    assert_null(catalogue_end(&catalogue));
}

static void test_cell(void **state) {
    const char *cell = "1e-4,seed=0.5,seed_2=3e-3,fast=2e-3";

    (void)state;
    assert_value("accepted", "any", "accepted");
    assert_value(cell, "plain", "1e-4");
    assert_value(cell, "seed", "0.5");
    assert_value(cell, "seed_2", "3e-3");
    assert_value(cell, "fast", "2e-3");
    assert_value(cell, "fas", "1e-4");
    assert_value(cell, "see", "1e-4");
    assert_value(cell, "2", "1e-4");
    assert_value(cell, "", "1e-4");
    assert_value("1e-4,xfast=9", "fast", "1e-4");
    /* A value that is too long is cut, not written past its end. */
    assert_value("0123456789012345678901234567890123456789", "a",
                 "0123456789012345678901234567890");
}

static void assert_file(const char *format, const struct step *step, const char *name) {
    char file[256];

    snprintf(file, sizeof file, format, step->name, name);
    if (access(file, R_OK))
        fail_msg("%s is missing", file);
}

/* Whether the Makefile of the step names the variant. */
static int has_variant(const struct step *step, const char *variant) {
    char file[256], line[128], *text;
    int found;

    snprintf(file, sizeof file, "steps/%s/Makefile", step->name);
    text = read_file(file, NULL);
    snprintf(line, sizeof line, "\nVARIANT_%s =", variant);
    found = strstr(text, line) || !strncmp(text, line + 1, strlen(line) - 1);
    free(text);
    return found;
}

/* Every part of a cell but the first is variant=value, of a variant that there is. */
static void assert_cell(const struct step *step, const char *cell,
                        void (*assert_one)(const struct step *, const char *)) {
    char copy[128], *rest = copy, *part = copy;
    int first = 1;

    snprintf(copy, sizeof copy, "%s", cell);
    for (; (part = strsep(&rest, ",")); first = 0) {
        char *sign = strchr(part, '=');

        assert_int_equal(sign != NULL, !first);
        if (sign) {
            *sign = 0;
            if (!has_variant(step, part))
                fail_msg("%s has no variant %s", step->name, part);
        }
        assert_one(step, sign ? sign + 1 : part);
    }
}

static void assert_expected(const struct step *step, const char *value) {
    if (strcmp(value, "accepted") && strcmp(value, "rejected"))
        fail_msg("%s: expected %s", step->name, value);
}

static void assert_tolerance(const struct step *step, const char *value) {
    char *rest;
    double tolerance = strtod(value, &rest);
    /* Above 1 only where the decimals are to reject it, as for half precision. */
    double most = !strcmp(step->expected, "rejected") ? 100 : 1;
    int exact = strncmp(step->problem, "nbody", 5) != 0; /* may be: with integers */

    if (rest == value || *rest ||
        !((tolerance > 0 || (exact && tolerance == 0)) && tolerance < most))
        fail_msg("%s: tolerance %s", step->name, value);
}

static void test_the_course(void **state) {
    int i, folders = 0;
    struct dirent *entry;
    DIR *steps;

    (void)state;
    assert_int_equal(catalogue_read(&catalogue, "steps/catalogue.tsv"), OUTCOME_ACCEPTED);
    assert_true(catalogue.count >= 2);
    for (i = 0; i < catalogue.count; i++) {
        const struct step *step = &catalogue.steps[i], *before;

        assert_file("steps/%s/%s", step, "Makefile");
        assert_file("solutions/%s/%s", step, step->source);
        assert_non_null(problem_find(step->problem));
        assert_cell(step, step->expected, assert_expected);
        assert_cell(step, step->tolerance, assert_tolerance);
        assert_ptr_equal(catalogue_find(&catalogue, step->name), step);
        assert_int_equal(strspn(step->name, "0123456789"), 2);
        assert_int_equal(step->name[2], '_');
        assert_true(!i || atoi(step->name) > atoi(catalogue.steps[i - 1].name));
        if (!*step->builds_on) { /* the first of its problem */
            for (before = catalogue.steps; before < step; before++)
                assert_string_not_equal(before->problem, step->problem);
            continue;
        }
        /* With masses a step may build on one without them. */
        before = catalogue_find(&catalogue, step->builds_on);
        assert_non_null(before);
        assert_string_equal(step->builds_on, before->name);
        assert_true(before < step);
        /* The same problem, or that with more to it: nbody_masses after nbody. */
        assert_false(strncmp(step->problem, before->problem, strlen(before->problem)));
    }
    /* And no folder is forgotten. */
    assert_non_null(steps = opendir("steps"));
    while ((entry = readdir(steps)))
        folders += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
    closedir(steps);
    assert_int_equal(folders, catalogue.count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_good, begin, end),
        cmocka_unit_test_setup_teardown(test_damaged, begin, end),
        cmocka_unit_test_setup_teardown(test_find, begin, end),
        cmocka_unit_test_setup_teardown(test_end, begin, end),
        cmocka_unit_test(test_cell),
        cmocka_unit_test(test_the_course),
    };

    return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
