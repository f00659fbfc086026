/* The survey of `walk`: what it says of a program whose errors are known, and what is drawn of it.
 */
#include "testing.h"
#include "problems/walk/walk_problem.h"
#include "scratch.h"

enum { FIGURES = 256 };

static struct {
    char name[40];
    double value;
} said[FIGURES];
static int count, runs;

/* Forces of direct summation, of which body i's is too large by i / n of the accuracy in the second
 * pass, and by three times that of the angle in the first one. */
static int run_known(void *referee, const void *memory, int n, int passes, const void *input,
                     void *output) {
    const struct walk_parameters *parameters = memory;
    struct walk_force *out = output;
    static struct pulled *right[3];
    double most = passes == 2 ? parameters->accuracy : 3 * parameters->angle;

    (void)referee;
    runs++;
    assert_in_range(passes, 1, 2);
    if (!right[passes])
        right[passes] = walk_answer(parameters, input, "plummer", passes);
    for (int i = 0; i < n; i++) {
        double scale = 1 + most * (i + 1) / n;
        const double *a = right[passes][i].a;

        out[i] = (struct walk_force){
            (float)(a[0] * scale), (float)(a[1] * scale), (float)(a[2] * scale), 30, 12, n};
    }
    return 0;
}

static void say(void *referee, const char *name, double value, const char *unit) {
    (void)referee, (void)unit;
    assert_in_range(count, 0, FIGURES - 1);
    snprintf(said[count].name, sizeof said[count].name, "%s", name);
    said[count++].value = value;
}

static double value_of(const char *name) {
    for (int k = 0; k < count; k++)
        if (!strcmp(said[k].name, name))
            return said[k].value;
    fail_msg("%s was not said", name);
    return 0;
}

static void assert_is(const char *name, double wanted) {
    if (!(fabs(value_of(name) / wanted - 1) < 0.02))
        fail_msg("%s is %g, not %g", name, value_of(name), wanted);
}

TEST(errors_are_those_of_the_program) {
    const struct surveyed program = {run_known, say, NULL, NULL};

    assert_int_equal(walk_survey(&program), 0);
    assert_int_equal(runs, 20 + 12);
    assert_is("accuracy_01_p01", 0.005);
    assert_is("accuracy_09_p50", 0x1p-10);
    assert_is("accuracy_09_p90", 0.9 * 0x1p-9);
    assert_is("accuracy_09_p99", 0.99 * 0x1p-9);
    assert_is("accuracy_09_max", 0x1p-9);
    assert_is("accuracy_12_max", 0x1p-12);
    assert_is("accuracy_20_parts", 42);
    assert_is("angle_02_max", 1.5);
    assert_is("angle_12_p50", 1.5 / 64);
    assert_in_range(1e9 * value_of("direct_p50"), 100, 3000);
    assert_true(value_of("direct_max") > value_of("direct_p50"));
}

TEST(curves_are_drawn) {
    FILE *facts;
    char path[96];

    if (system("command -v gnuplot >/dev/null"))
        skip();
    snprintf(path, sizeof path, "%s/r-facts.csv", folder);
    assert_non_null(facts = fopen(path, "w"));
    fprintf(facts, "run,step,variant,name,value,unit,source\n");
    for (int k = 0; k < count; k++)
        fprintf(facts, "1,42_tree_walk,two,%s,%g,,survey\n", said[k].name, said[k].value);
    fclose(facts);
    assert_int_equal(
        run("common/report/pictures/draw.sh $D/r.csv $D survey && grep -q 'all pairs in "
            "float' $D/errors-42.svg && grep -q 'opening angle' $D/errors-42.svg"),
        0);
}

GROUP(make_scratch, end_folder)
