/* Another problem takes a struct and a line of a table, a contract and a player's adapter, and a
 * step's folder: nothing else of the harness changes. This program is linked without nbody. */
#include "testing.h"
#include "referee/judge/check.h"
#include "course/explained.h"
#include "files.h"
#include "referee/measure/survey.h"
#include "referee/record/table.h"
#include "problems/technique.h"
#include "referee/timing/timing.h"

extern const struct problem toy_problem;
static struct problem toy; /* a copy, whose techniques a test may replace */
const struct problem *const problems[] = {&toy, NULL};

static const struct step step = {.name = "90_toy",
                                 .part = "III",
                                 .problem = "toy",
                                 .source = "toy.c",
                                 .expected = "accepted,forgetful=wrong",
                                 .tolerance = "0",
                                 .manifest = "variants = O2 forgetful\ntechnique = works\n"};
static struct programs programs;

/* A root of its own, whose steps/ is the toy's. */
static int enter_root(void **state) {
    struct options options = {.of = "steps"};

    (void)state;
    toy = toy_problem;
    mkdir("build/tests/toy", 0777);
    if (chdir("build/tests/toy"))
        return -1;
    unlink("steps");
    if (symlink("../../../common/tests/toy/steps", "steps"))
        return -1;
    return programs_choose(&programs, &step, &options, 0);
}

TEST(the_table_decides_which_problems_there_are) {
    assert_ptr_equal(problem_find("toy"), &toy);
    assert_null(problem_find("nbody"));
}

static const struct verdict *verdict_on(const struct check *check, const char *variant,
                                        const char *aspect) {
    for (int i = 0; i < check->count; i++)
        if (!strcmp(check->verdicts[i].variant, variant) &&
            !strcmp(check->verdicts[i].aspect, aspect))
            return &check->verdicts[i];
    fail_msg("no verdict on %s of %s", aspect, variant);
    return NULL;
}

TEST(a_check_has_all_its_parts) {
    static const char *const aspects[] = {"plain", "technique", "address"};
    static struct check check;
    const struct options options = {.seed = 1};
    const struct verdict *wrong;

    assert_int_equal(check_step(&programs, &options, &check), OUTCOME_ACCEPTED);
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++) {
        const struct verdict *verdict = verdict_on(&check, "O2", aspects[i]);

        assert_string_equal(verdict->message, "");
        assert_int_equal(verdict->outcome, OUTCOME_ACCEPTED);
        assert_false(verdict->skipped);
    }
    wrong = verdict_on(&check, "forgetful", "plain");
    assert_int_equal(wrong->outcome, OUTCOME_WRONG);
    assert_non_null(strstr(wrong->message, " iterations: number 0 is"));
    assert_int_equal(check.outcome, OUTCOME_ACCEPTED); /* it is expected to be rejected */
}

static double does_not(const struct observed *observed) {
    (void)observed;
    return 0;
}

static void say_flags(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512, "the idea is not there; flags %s", observed->flags);
}

static const struct technique *const lacking[] = {
    (const struct technique[]){
        {.name = "works", .measure = does_not, .say = say_flags, .unbounded = 1}, {NULL}},
    NULL};

/* Checks the default variant of `file`, which the step expects to be rejected, and as what. */
static void check_rejected(const char *file, const char *as, struct check *check) {
    static struct step rejected;
    const struct options options = {.file = file, .variant = "O2", .seed = 1};
    static struct programs built;

    rejected = step;
    snprintf(rejected.expected, sizeof rejected.expected, "%s", as);
    assert_int_equal(programs_choose(&built, &rejected, &options, 0), OUTCOME_ACCEPTED);
    assert_int_equal(check_step(&built, &options, check), OUTCOME_ACCEPTED);
}

/* Only its results are expected to be: the other builds and the idea are looked at all the same. */
TEST(a_rejected_variant_is_clean_and_has_its_idea) {
    static const char right[] = "steps/90_toy/toy.c", wrong[] = "wrong.c";
    static struct check check;
    FILE *file = fopen(wrong, "w");

    assert_non_null(file);
    fprintf(file, "#define FORGET\n#include \"steps/90_toy/toy.c\"\n");
    fclose(file);
    check_rejected(wrong, "wrong", &check);
    assert_int_equal(check.outcome, OUTCOME_ACCEPTED);
    assert_int_equal(verdict_on(&check, "O2", "plain")->outcome, OUTCOME_WRONG);
    assert_int_equal(verdict_on(&check, "O2", "technique")->outcome, OUTCOME_ACCEPTED);
    assert_int_equal(verdict_on(&check, "O2", "address")->outcome, OUTCOME_ACCEPTED);
    assert_string_equal(verdict_on(&check, "O2", "address")->message, "");
    check_rejected(right, "wrong", &check);
    assert_int_equal(check.outcome, OUTCOME_EXPECTED);
    /* Wrong in another way than the step is about. */
    check_rejected(wrong, "not-finite", &check);
    assert_int_equal(check.outcome, OUTCOME_WRONG);
    toy.techniques = lacking;
    check_rejected(wrong, "wrong", &check);
    assert_int_equal(check.outcome, OUTCOME_IDEA);
    check_rejected(right, "wrong", &check);
    assert_int_equal(verdict_on(&check, "O2", "plain")->outcome, OUTCOME_EXPECTED);
    assert_int_equal(check.outcome, OUTCOME_IDEA);
    assert_non_null(strstr(verdict_on(&check, "O2", "technique")->message, " -O2"));
    toy.techniques = toy_problem.techniques;
}

static double sees_the_largest_size(const struct observed *observed) {
    return observed->n == 100000;
}

static void say_size(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512, "n = %d was seen", observed->n);
}

static const struct technique *const largest[] = {
    (const struct technique[]){
        {.name = "works", .measure = sees_the_largest_size, .say = say_size, .unbounded = 1},
        {NULL}},
    NULL};

/* Also where the computation alone is timed with the same distribution. */
TEST(the_largest_run_is_observed) {
    static const char *const device_distributions[] = {"drawn", NULL};
    static struct check check;
    const struct options options = {.variant = "O2", .seed = 1};

    toy.techniques = largest;
    toy.device_distributions = device_distributions;
    assert_int_equal(check_step(&programs, &options, &check), OUTCOME_ACCEPTED);
    assert_string_equal(verdict_on(&check, "O2", "technique")->message, "");
    toy = toy_problem;
}

static struct contender *open_variant(const char *variant, int iterations, struct timing *timing) {
    const struct program *program;

    assert_int_equal(programs_build(&programs, "plain", NULL), OUTCOME_ACCEPTED);
    assert_non_null(program = programs_find(&programs, variant, "plain"));
    return contender_open(&(struct subject){.programs = &programs,
                                            .program = program,
                                            .distribution = "drawn",
                                            .n = 10000,
                                            .iterations = iterations,
                                            .threads = 1},
                          timing);
}

TEST(a_right_step_is_timed) {
    struct timing timing;
    struct contender *contender = open_variant("O2", 0, &timing);

    assert_non_null(contender);
    time_isolated(contender, 1, 3, &timing);
    contender_close(contender);
    assert_int_equal(timing.outcome, OUTCOME_ACCEPTED);
    assert_true(timing.iterations > 10); /* it takes many to fill a run */
    assert_true(timing.median > 0);
}

TEST(a_wrong_step_fails_when_timed) {
    static struct step strict; /* expects every variant to be right */
    struct timing timing;
    struct contender *contender;

    strict = step;
    strcpy(strict.expected, "accepted");
    programs.step = &strict;
    contender = open_variant("forgetful", 10, &timing);
    programs.step = &step;
    assert_non_null(contender);
    time_isolated(contender, 1, 3, &timing);
    contender_close(contender);
    assert_int_equal(timing.outcome, OUTCOME_TIMED_OUTPUT);
    assert_non_null(strstr(timing.message, "number 0 is"));
}

TEST(a_timed_run_has_the_least_iterations) {
    struct timing timing;
    struct contender *contender;

    toy.least_iterations = 70000;
    toy.most_iterations = 70000;
    contender = open_variant("O2", 0, &timing);
    toy = toy_problem;
    assert_non_null(contender);
    toy.most_iterations = 70000;
    time_isolated(contender, 1, 1, &timing);
    toy = toy_problem;
    contender_close(contender);
    assert_int_equal(timing.iterations, 70000);
}

/* Two runs of a size and one of a larger one. */
static int survey(const struct surveyed *program) {
    struct {
        int n;
        uint32_t addend;
    } parameters = {2, 5}; /* as toy.h has them */
    uint32_t numbers[100] = {10, 20}, output[100];

    if (program->run(program->referee, &parameters, 2, 1, numbers, numbers) ||
        program->run(program->referee, &parameters, 2, 2, numbers, output))
        return -1;
    program->say(program->referee, "twice_and_twice", output[1], "numbers");
    parameters.n = 100;
    if (program->run(program->referee, &parameters, 100, 1, numbers, output))
        return -1;
    program->say(program->referee, "last", output[99], "numbers");
    return 0;
}

static int survey_that_fails(const struct surveyed *program) {
    program->say(program->referee, "nothing", 0, "numbers");
    return -1;
}

TEST(a_survey_becomes_facts) {
    struct fact *facts;
    int count;

    toy.survey = survey;
    assert_int_equal(programs_build(&programs, "plain", NULL), OUTCOME_ACCEPTED);
    assert_int_equal(survey_program(&toy, &programs, programs_find(&programs, "O2", "plain"),
                                    "a run", &facts, &count),
                     OUTCOME_ACCEPTED);
    assert_int_equal(count, 2);
    assert_string_equal(facts[0].field[0], "a run");
    assert_string_equal(facts[0].field[1], "90_toy");
    assert_string_equal(facts[0].field[2], "O2");
    assert_string_equal(facts[0].field[3], "twice_and_twice");
    assert_int_equal(atof(facts[0].field[4]), 4 * 45 + 3 * 5);
    assert_string_equal(facts[0].field[5], "numbers");
    assert_string_equal(facts[1].field[3], "last");
    assert_int_equal(atof(facts[1].field[4]), 5);
    free(facts);
    toy.survey = survey_that_fails;
    assert_int_equal(survey_program(&toy, &programs, programs_find(&programs, "O2", "plain"),
                                    "a run", &facts, &count),
                     OUTCOME_INTERNAL);
    free(facts);
    toy = toy_problem;
    assert_int_equal(survey_program(&toy, &programs, programs_find(&programs, "O2", "plain"),
                                    "a run", &facts, &count),
                     OUTCOME_ACCEPTED);
    assert_int_equal(count, 0);
}

/* Machine code is counted by an interaction's square root; what is known without it is said. */
TEST(explain_has_its_words) {
    static struct explained explained;
    static struct origins origins;
    const struct options options = {.seed = 1};
    char *text;
    int before;

    explained.programs = programs;
    assert_int_equal(explained_build(&explained, &options, &origins), OUTCOME_ACCEPTED);
    assert_int_equal(origins.note_count, 1);
    assert_string_equal(origins.notes[0], "machine code is not counted: the loop is found by its "
                                          "square root, and no number takes one");
    figure_set(&explained, FIGURE_rate, 2, origin_letter(&origins, "here"));
    before = catch_stdout();
    explained_print(&explained, NULL, &origins);
    text = caught_stdout(before);
    assert_non_null(strstr(text, "\n  rate, 10^9 numbers/s "));
    assert_null(strstr(text, "interaction"));
    free(text);
}

/* Its errors have no decimals. */
TEST(the_table_has_its_words) {
    static struct row row;
    char *text;
    int before;

    row_set(&row, COLUMN_run, "r");
    row_set(&row, COLUMN_problem, "toy");
    row_set(&row, COLUMN_error_l2, "2e-7");
    row_set(&row, COLUMN_verdict, "accepted");
    before = catch_stdout();
    table_print(&row, 1);
    text = caught_stdout(before);
    assert_non_null(strstr(text, "\n2.0e-07            accepted\n"));
    assert_null(strstr(text, "G/s")); /* nothing was timed */
    free(text);
    row_set(&row, COLUMN_seconds_median, "1");
    row_set(&row, COLUMN_iterations, "1");
    before = catch_stdout();
    table_print(&row, 1);
    text = caught_stdout(before);
    assert_non_null(strstr(text, "G/s: 10^9 numbers per second;"));
    free(text);
}

/* As on a machine without a GPU: C is timed, CUDA C is not. The steps were taken in another order.
 */
TEST(the_table_leaves_out_what_it_has_not) {
    static struct row rows[4];
    static const char *const steps[] = {"17_multi_gpu", "01_serial", "14_register_blocking",
                                        "13_cpu_simd"};
    char *text, *line;
    int before, i;

    for (i = 0; i < 4; i++) {
        int timed = i % 2;

        row_set(&rows[i], COLUMN_run, "r");
        row_set(&rows[i], COLUMN_problem, "toy");
        row_set(&rows[i], COLUMN_step, "%s", steps[i]);
        row_set(&rows[i], COLUMN_variant, timed ? "clang_O3_native" : "a_variant_of_20_byte");
        row_set(&rows[i], COLUMN_backend, timed ? "cpu" : "cpucuda");
        row_set(&rows[i], COLUMN_n, "1000000");
        row_set(&rows[i], COLUMN_error_l2, "1.6e-4");
        row_set(&rows[i], COLUMN_first_wrong_decimal, "4");
        row_set(&rows[i], COLUMN_verdict, i == 3 ? "decimals:expected:busy:clock" : "accepted");
        if (!timed)
            continue;
        row_set(&rows[i], COLUMN_seconds_median, "0.1234");
        row_set(&rows[i], COLUMN_iterations, "1");
        row_set(&rows[i], COLUMN_threads, "16");
        row_set(&rows[i], COLUMN_repeats, i == 3 ? "10" : "1");
        row_set(&rows[i], COLUMN_seconds_min, "0.122");
        row_set(&rows[i], COLUMN_seconds_max, "0.126");
        row_set(&rows[i], COLUMN_rate_gps, "99.9");
        row_set(&rows[i], COLUMN_limit_share, "0.123");
        row_set(&rows[i], COLUMN_limit_name, "rsqrt");
        row_set(&rows[i], COLUMN_speedup_serial, "16");
    }
    before = catch_stdout();
    table_print(rows, 4);
    text = caught_stdout(before);
    for (line = text; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 100);
    assert_null(strstr(text, "x before "));
    line = strstr(
        text,
        "\nstep        variant               n threads iteration within  G/s share of limit "
        "x serial spoilt by\n01_serial   clang_O3_native 1000000      16    123 ms      - 99.9 ");
    assert_non_null(line);
    line = strstr(
        line, "\n13_cpu_simd clang_O3_native 1000000      16    123 ms   2.1% 99.9 12.3% of rsqrt "
              "  16.00x busy:clock\n\niteration: ");
    assert_non_null(line);
    line = strstr(line, "\n01_serial            clang_O3_native      cpu     1000000 1.6e-04, "
                        "decimal 4 accepted\n13_cpu_simd          clang_O3_native      cpu     "
                        "1000000 1.6e-04, decimal 4 decimals:expected\n");
    assert_non_null(line);
    line = strstr(line, "\n14_register_blocking a_variant_of_20_byte cpucuda ");
    assert_non_null(line);
    assert_non_null(strstr(line, "\n17_multi_gpu         a_variant_of_20_byte cpucuda "));
    free(text);
}

GROUP(enter_root, NULL)
