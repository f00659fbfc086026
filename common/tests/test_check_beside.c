/* Programs of a check that run beside each other: whose verdict is whose, and when they end. Those
 * of step 01 stand for all. */
#include "testing.h"

#include <dirent.h>
#include <sys/resource.h>

#include "referee/judge/check_beside.h"
#include "referee/judge/check_cases.h"
#include "files.h"

static struct catalogue catalogue;
static struct programs programs; /* those whose compiler there is */

static int build(void **state) {
    const struct options options = {.of = "solutions"};
    int count = 0;

    (void)state;
    if (catalogue_read(&catalogue, "steps") ||
        programs_choose(&programs, catalogue_find(&catalogue, "01_serial"), &options, 1) ||
        programs_build(&programs, "plain", NULL))
        return -1;
    for (int i = 0; i < programs.count; i++)
        if (is_build(&programs.list[i], "plain"))
            programs.list[count++] = programs.list[i];
    programs.count = count;
    return 0;
}

/* The size of the only case of a program's verdict, which is that of the program. */
static int size_of_verdict(struct beside *beside, const struct program *program,
                           const struct options *options) {
    struct verdict verdict;

    assert_int_equal(beside_verdict(beside, &programs, program, options, &verdict, NULL), 0);
    assert_string_equal(verdict.variant, program->variant);
    assert_int_equal(verdict.outcome, OUTCOME_ACCEPTED);
    assert_int_equal(verdict.case_count, 1);
    return verdict.cases[0].n;
}

/* The same programs in two checks at other sizes, asked for from the last to the first. */
TEST(every_check_has_its_own_verdicts) {
    const struct options first = {.n = 100, .seed = 1}, second = {.n = 101, .seed = 1};
    struct beside *one = beside_new(), *other = beside_new();

    assert_true(one && other && programs.count > 2);
    for (int i = 1; i < programs.count; i++) {
        beside_add(one, &programs, &programs.list[i], &first, NULL);
        beside_add(other, &programs, &programs.list[i], &second, NULL);
    }
    beside_begin(one, 0);
    beside_begin(other, 0);
    for (int i = programs.count - 1; i > 0; i--) {
        assert_int_equal(size_of_verdict(one, &programs.list[i], &first), 100);
        assert_int_equal(size_of_verdict(other, &programs.list[i], &second), 101);
    }
    /* The first was not added, and is checked now. */
    assert_int_equal(size_of_verdict(one, programs.list, &second), 101);
    beside_end(one);
    assert_int_equal(size_of_verdict(other, &programs.list[1], &second), 101);
    beside_end(other);
}

static int threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    assert_non_null(tasks);
    for (const struct dirent *entry; (entry = readdir(tasks));)
        count += *entry->d_name != '.';
    closedir(tasks);
    return count;
}

/* Nothing runs on behind the end, whether it was waited for or not. The system may list a thread
 * that was joined for a moment more. */
TEST(the_end_leaves_no_thread) {
    const struct options options = {.n = 10000, .seed = 1};
    struct beside *beside = beside_new();
    int before = threads();

    assert_non_null(beside);
    for (int i = 0; i < programs.count; i++)
        beside_add(beside, &programs, &programs.list[i], &options, NULL);
    beside_begin(beside, 0);
    usleep(50000); /* they have begun */
    beside_end(beside);
    for (int i = 0; i < 10 && threads() != before; i++)
        usleep(10000);
    assert_int_equal(threads(), before);
}

/* The seconds of CPU time of all programs that have ended. */
static double used_by_programs(void) {
    struct rusage usage;

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
}

/* What has not begun when the end comes never does: of 32 programs that run for seconds, those that
 * the threads have begun with. */
TEST(the_end_leaves_programs_unrun) {
    const struct options one = {.n = 8000, .seed = 1};
    struct beside *beside = beside_new();
    struct verdict verdict;
    double before = used_by_programs(), of_one;

    assert_non_null(beside);
    assert_int_equal(check_program(&programs, programs.list, &one, &verdict, NULL), 0);
    of_one = used_by_programs() - before;
    for (int i = 0; i < 32; i++)
        beside_add(beside, &programs, programs.list, &one, NULL);
    before = used_by_programs();
    beside_begin(beside, 0);
    beside_end(beside);
    assert_true(used_by_programs() - before < 8 * of_one);
}

GROUP(build, NULL)
