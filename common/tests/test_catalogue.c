/* The catalogue: how manifests are read, and that those of steps/ are whole. Run from the
 * repository's root. */
#include "testing.h"

#include <dirent.h>

#include "referee/build/catalogue.h"
#include "files.h"
#include "referee/build/manifest.h"
#include "problems/problem.h"

#define FIRST  "01_serial\tI\tnbody\tnbody.c\t-\taccepted\t1e-4\tOne thread\n"
#define SECOND "02_openmp\tI\tnbody\tnbody.c\t01_serial\taccepted\t1e-3\tMore\n"

static struct catalogue catalogue;
static char steps[80];

static int begin(void **state) {
    (void)state;
    snprintf(steps, sizeof steps, "%s/steps", make_folder(folder) ? "" : folder);
    return *folder ? 0 : -1;
}

static void write_manifest(const char *text) {
    char path[128];

    snprintf(path, sizeof path, "mkdir -p %s/05_tiling", steps);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof path, "%s/05_tiling/manifest", steps);
    write_file(path, text);
}

TEST_IN(begin, end_folder, test_good) {
    const struct step *step;
    char value[MOST_VALUE];

    write_manifests(folder, SECOND FIRST);
    write_manifest("# a comment\n\ntitle =  Bodies, in  tiles \t# and why\r\n  # another\n"
                   "part = II\nproblem=nbody\nsource = nbody.cu\nbuilds_on = 02_openmp\n"
                   "expected = accepted,aos=decimals\ntolerance = 1e-3,aos=2e-4\n"
                   "variants = soa aos\nvariant_soa =\nvariant_aos = -DSTRIDE=6 -DX\n"
                   "with_aos = mpi");
    assert_int_equal(catalogue_read(&catalogue, steps), OUTCOME_ACCEPTED);
    assert_int_equal(catalogue.count, 3);
    assert_string_equal(catalogue.steps[0].name, "01_serial");
    assert_string_equal(catalogue.steps[0].builds_on, "");
    assert_string_equal(catalogue.steps[1].name, "02_openmp");
    step = &catalogue.steps[2];
    assert_string_equal(step->name, "05_tiling");
    assert_string_equal(step->part, "II");
    assert_string_equal(step->problem, "nbody");
    assert_string_equal(step->source, "nbody.cu");
    assert_string_equal(step->builds_on, "02_openmp");
    assert_string_equal(step->expected, "accepted,aos=decimals");
    assert_string_equal(step->tolerance, "1e-3,aos=2e-4");
    assert_string_equal(step->title, "Bodies, in  tiles");
    assert_true(manifest_value(step->manifest, "variant_aos", value));
    assert_string_equal(value, "-DSTRIDE=6 -DX");
    assert_true(manifest_value(step->manifest, "variant_soa", value));
    assert_string_equal(value, "");
    assert_false(manifest_value(step->manifest, "variant", value));
    assert_false(manifest_value(NULL, "title", value));
}

/* Refused in one line that names the manifest, a line of it and what is wrong there. */
static void assert_wrong(const char *text, int line, const char *why) {
    char expected[256];

    write_manifest(text);
    snprintf(expected, sizeof expected, "error: %s/05_tiling/manifest:%d: %s\n", steps, line, why);
    ASSERT_COMPLAINS(catalogue_read(&catalogue, steps), OUTCOME_INTERNAL, expected);
}

#define MOST_OF_IT                                                                                 \
    "title = t\npart = I\nproblem = nbody\nsource = nbody.cu\n"                                    \
    "tolerance = 1\nvariants = a\nvariant_a =\n"
#define WHOLE "expected = accepted\n" MOST_OF_IT

TEST_IN(begin, end_folder, test_wrong) {
    static const char no_line[] = "a line is `name = value` of at most 511 bytes, without $";
    char value[MOST_VALUE + 128];

    assert_wrong(WHOLE "colour = blue\n", 9, "there is no setting `colour`");
    assert_wrong(WHOLE "VARIANT_b =\n", 9, "there is no setting `VARIANT_b`");
    assert_wrong("part = I\n", 1, "`title` is missing");
    assert_wrong("title =\npart = I\n", 2, "`title` is missing");
    assert_wrong("title = t\npart = I\nproblem = nbody\nsource = nbody.cu\nexpected = accepted\n"
                 "tolerance = 1\n",
                 6, "`variants` is missing");
    assert_wrong("variants = a b\nvariant_a = -O1\n", 1,
                 "b has no flags: a line `variant_b = FLAGS` is needed");
    assert_wrong(WHOLE "without = nothing\n", 9,
                 "nothing has no flags: a line `without_nothing = FLAGS` is needed");
    assert_wrong(WHOLE "peers_c = one\npeers_cuda = two\npeer_one =\n", 10,
                 "two has no flags: a line `peer_two = FLAGS` is needed");
    assert_wrong(WHOLE "variant_b =\n", 9, "variant_b: `variants` names no such variant");
    assert_wrong(WHOLE "cost_cuda_b = formula fma 1\n", 9,
                 "cost_cuda_b: `variants` names no such variant");
    assert_wrong(WHOLE "source_b = b.cu\n", 9, "source_b: `variants` names no such variant");
    assert_wrong(WHOLE "standalone_mpi =\n", 9,
                 "standalone_mpi: `standalone` names no such variant");
    assert_wrong(WHOLE "part = II\n", 9, "`part` is set twice, in line 3 before");
    assert_wrong(WHOLE "flags\n", 9, no_line);
    assert_wrong(WHOLE "flags -O3 = x\n", 9, no_line);
    assert_wrong(WHOLE "= x\n", 9, no_line);
    assert_wrong(WHOLE "flags = $(OTHER)\n", 9, no_line);
    snprintf(value, sizeof value, "%sflags = %0*d\n", WHOLE, MOST_VALUE, 0);
    assert_wrong(value, 9, no_line);
}

/* What only the step's problem, or the referee's ceilings, can know. */
TEST_IN(begin, end_folder, test_values) {
    assert_wrong("title = t\npart = I\nproblem = nobody\nsource = nbody.cu\nexpected = accepted\n"
                 "tolerance = 1\nvariants = a\nvariant_a =\n",
                 3, "problem: there is no such problem");
    assert_wrong("expected = rejected\n" MOST_OF_IT, 1,
                 "expected: rejected is none of accepted, wrong, decimals, not-finite");
    assert_wrong("expected = accepted,a=late\n" MOST_OF_IT, 1,
                 "expected: late is none of accepted, wrong, decimals, not-finite");
    assert_wrong(WHOLE "cost_cuda = guessed gpu_fma 3\n", 9,
                 "cost_cuda: `guessed`: a cost begins with counted, executed or formula");
    assert_wrong(WHOLE "cost_cpu_a = formula fma 3 colour 1\n", 9,
                 "cost_cpu_a: there is no resource `colour`, of which a ceiling is measured");
    assert_wrong(WHOLE "cost_cpu =\n", 9,
                 "cost_cpu: ``: a cost begins with counted, executed or formula");
    assert_wrong(WHOLE "cost_cpu = formula\n", 9,
                 "cost_cpu: a resource and an amount are needed behind the first word");
    assert_wrong(WHOLE "cost_cpu = formula fma 3*colours\n", 9,
                 "cost_cpu: fma `3*colours`: an amount above 0 is needed, such as 8 or 8+12*NAME");
    assert_wrong(WHOLE "cost_cpu = formula fma\n", 9,
                 "cost_cpu: fma ``: an amount above 0 is needed, such as 8 or 8+12*NAME");
    assert_wrong(WHOLE "technique = colours <= 5\n", 9,
                 "technique: the problem nbody has no technique `colours`");
    assert_wrong(WHOLE "technique = other_roots = 0, sectors_per_request\n", 9,
                 "technique: sectors_per_request wants <=, >=, > or = and a number behind it");
    assert_wrong(WHOLE "technique = other_roots < 1\n", 9,
                 "technique: other_roots wants <=, >=, > or = and a number behind it");
    assert_wrong(
        WHOLE "technique = global_bytes_per_interaction <= 24\n", 9,
        "technique: global_bytes_per_interaction wants <=, >=, > or = and a number/threads "
        "behind it");
    assert_wrong(WHOLE "technique = denormals_flushed = 1\n", 9,
                 "technique: denormals_flushed is wanted alone, without a bound");
    write_manifest(WHOLE
                   "cost_cuda = formula gpu_fma 3+0.5*masses-0.5*hard gpu_mufu 1\n"
                   "technique = other_roots = 0, global_bytes_per_interaction <= 24/threads\n");
    assert_int_equal(catalogue_read(&catalogue, steps), OUTCOME_ACCEPTED);
}

TEST_IN(begin, end_folder, test_steps) {
    static const char too_long[] = "01_a_name_that_is_longer_than_its_field_is_wide\tI\tnbody\n";
    char many[MOST_STEPS * 16] = "";
    int i;

    ASSERT_COMPLAINS(catalogue_read(&catalogue, "no/such"), OUTCOME_INTERNAL,
                     "no/such: no step's manifest is there");
    write_manifests(folder, too_long);
    ASSERT_COMPLAINS(catalogue_read(&catalogue, steps), OUTCOME_INTERNAL,
                     "a step's name has at most 39 bytes");
    assert_int_equal(remove_folder(steps), 0);
    for (i = 1; i <= MOST_STEPS; i++)
        sprintf(many + strlen(many), "%02d_step\n", i);
    write_manifests(folder, many);
    assert_int_equal(catalogue_read(&catalogue, steps), OUTCOME_ACCEPTED);
    assert_int_equal(catalogue.count, MOST_STEPS);
    write_manifests(folder, "65_step\n");
    ASSERT_COMPLAINS(catalogue_read(&catalogue, steps), OUTCOME_INTERNAL, "more than 64 steps");
}

TEST_IN(begin, end_folder, test_find) {
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

    write_manifests(folder, FIRST SECOND);
    assert_int_equal(catalogue_read(&catalogue, steps), OUTCOME_ACCEPTED);
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
TEST_IN(begin, end_folder, test_end) {
    static const char gpu[] = "03_gpu\tI\tnbody\tnbody.cu\t-\taccepted\t2e-3\tthree\n",
                      others[] = "04_c\tI\tnbody\tnbody.c\t-\taccepted\t2e-3\tfour\n"
                                 "05_scan\tI\tscan\tscan.cu\t-\taccepted\t2e-3\tfive\n"
                                 "06_two\tII\tnbody\tnbody.cu\t-\taccepted\t2e-3\tsix\n";

    write_manifests(folder, FIRST);
    write_manifests(folder, others);
    assert_int_equal(catalogue_read(&catalogue, steps), OUTCOME_ACCEPTED);
    assert_null(catalogue_end(&catalogue));
    write_manifests(folder, gpu);
    assert_int_equal(catalogue_read(&catalogue, steps), OUTCOME_ACCEPTED);
    assert_non_null(catalogue_end(&catalogue));
    assert_string_equal(catalogue_end(&catalogue)->name, "03_gpu");
}

TEST(test_cell) {
    const char *cell = "1e-4,seed=0.5,seed_2=3e-3,fast=2e-3";

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

/* Whether the step has the variant. */
static int has_variant(const struct step *step, const char *variant) {
    char name[128], value[MOST_VALUE];

    snprintf(name, sizeof name, "variant_%s", variant);
    return manifest_value(step->manifest, name, value);
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
        if (assert_one)
            assert_one(step, sign ? sign + 1 : part);
    }
}

static void assert_tolerance(const struct step *step, const char *value) {
    char *rest;
    double tolerance = strtod(value, &rest);
    /* Above 1 only where the decimals are to reject it, as for half precision. */
    double most = strcmp(step->expected, "accepted") ? 20 : 1;
    int exact = strncmp(step->problem, "nbody", 5) != 0; /* may be: with integers */

    if (rest == value || *rest ||
        !((tolerance > 0 || (exact && tolerance == 0)) && tolerance < most))
        fail_msg("%s: tolerance %s", step->name, value);
}

/* A step's Makefile has nothing of its own. */
static void assert_makefile(const struct step *step) {
    char path[128], *text;

    snprintf(path, sizeof path, "steps/%s/Makefile", step->name);
    text = read_file(path, NULL);
    assert_non_null(text);
    assert_string_equal(text, "include manifest\ninclude ../../common/mk/step.mk\n");
    free(text);
}

TEST(test_the_course) {
    int i, folders = 0;
    struct dirent *entry;
    DIR *all;

    assert_int_equal(catalogue_read(&catalogue, "steps"), OUTCOME_ACCEPTED);
    assert_true(catalogue.count >= 2);
    for (i = 0; i < catalogue.count; i++) {
        const struct step *step = &catalogue.steps[i], *before;

        assert_makefile(step);
        assert_file("solutions/%s/%s", step, step->source);
        assert_non_null(problem_find(step->problem));
        assert_cell(step, step->expected, NULL);
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
    assert_non_null(all = opendir("steps"));
    while ((entry = readdir(all)))
        folders += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
    closedir(all);
    assert_int_equal(folders, catalogue.count);
}
