/* Solutions that are read in minutes: prints how many lines each has without its fences, and in how
 * many a step of the ladder differs from the one it builds on; and fails if they grow. */
#include "testing.h"
#include "catalogue_of_steps.h"

enum { IN_PART_I = 120, LATER = 250, CHANGED = 40 };

/* The one that changes more: 12 has two ideas, vectors in the place of arrays and a grid that fits
 * the GPU, with a tile of its own size. Either by itself would be below 40. */
static const struct allowance {
    const char *step;
    int lines, changed;
} allowances[] = {{"12_float4", IN_PART_I, 56}};

/* The number that a command of the shell prints. */
__attribute__((format(printf, 1, 2))) static int number(const char *format, ...) {
    char command[1024];
    va_list arguments;
    FILE *output;
    int value;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_non_null(output = popen(command, "r"));
    assert_int_equal(fscanf(output, "%d", &value), 1);
    pclose(output);
    return value;
}

#define PLAIN "awk -v want=plain -f common/referee/lesson/fences.awk solutions/%s/%s"

TEST(solutions_are_short) {
    int too_long = 0;

    print_message("step                    lines  of at most  changed  of at most\n");
    for (int s = 0; s < catalogue.count; s++) {
        const struct step *step = &catalogue.steps[s];
        const struct step *before =
            *step->builds_on ? catalogue_find(&catalogue, step->builds_on) : NULL;
        int is_first = !strcmp(step->part, "I"), changed = 0;
        struct allowance most = {step->name, is_first ? IN_PART_I : LATER, CHANGED};
        int lines = number(PLAIN " | wc -l", step->name, step->source);

        for (size_t a = 0; a < sizeof allowances / sizeof *allowances; a++)
            if (!strcmp(step->name, allowances[a].step))
                most = allowances[a];
        print_message("%-22s %6d %11d", step->name, lines, most.lines);
        if (is_first && before && strstr(step->source, ".cu") && strstr(before->source, ".cu")) {
            changed = number("t=$(mktemp -d) && " PLAIN " >$t/a && " PLAIN
                             " >$t/b; diff $t/a $t/b | grep -c '^[<>]'; rm -r $t",
                             before->name, before->source, step->name, step->source);
            print_message(" %8d %11d", changed, most.changed);
        }
        print_message("\n");
        too_long += lines > most.lines || changed > most.changed;
    }
    assert_int_equal(too_long, 0);
}

GROUP(read_catalogue, NULL)
