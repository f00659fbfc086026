/* `bench --resume 1`: what the record has is not measured again, and what lacks is measured beside
 * what it is compared with. With a GPU, which a library plays. */
#define OWN_MAIN
#include "testing.h"
#include "gpu_tree.h"
#include "referee/machine/ceilings.h"
#include "referee/machine/machine.h"

#define RESUME "bench --resume 1 --of solutions"

static const enum column speed[] = {COLUMN_seconds_median, COLUMN_rate_gps, COLUMN_threads};
static const enum column speedups[] = {COLUMN_speedup_serial, COLUMN_speedup_previous};
static const enum column errors[] = {COLUMN_error_l2, COLUMN_error_p99, COLUMN_error_max};

/* The record anew, of these rows without number `left_out`; -1: of all. */
static void write_rows(struct row *rows, int count, int left_out) {
    struct record record;

    remove("results/pc.csv");
    assert_int_equal(record_open(&record, "results", "pc"), OUTCOME_ACCEPTED);
    for (int i = 0; i < count; i++)
        if (i != left_out)
            assert_int_equal(record_append(&record, &rows[i], 1), OUTCOME_ACCEPTED);
}

/* On a busy machine rows say so, and would be measured again: now none does. */
static void calm(struct row *rows, int count) {
    for (int i = 0; i < count; i++)
        row_set(&rows[i], COLUMN_verdict, "accepted");
}

/* The rows that a bench of these steps adds to a record of those `count` without number `left_out`;
 * to be freed. */
static struct row *added(const char *steps, struct row *rows, int count, int left_out, int *more) {
    int kept = left_out < 0 ? count : count - 1, now, code;
    char arguments[160];
    struct row *all;

    write_rows(rows, count, left_out);
    snprintf(arguments, sizeof arguments, RESUME " %s" BENCH, steps);
    code = referee_goes_on(arguments, &all, &now);
    assert_true(code == OUTCOME_ACCEPTED || code == OUTCOME_INCONCLUSIVE);
    *more = now - kept;
    memmove(all, all + kept, (size_t)*more * sizeof *all);
    return all;
}

/* What a bench of these steps measures where nothing lacks. */
static void bench_whole(const char *steps, struct row **rows, int *count) {
    char arguments[160];
    int more;

    snprintf(arguments, sizeof arguments, RESUME " %s" BENCH, steps);
    assert_int_equal(referee(arguments, rows, count), 0);
    calm(*rows, *count);
    free(added(steps, *rows, *count, -1, &more));
    assert_int_equal(more, 0);
}

enum { TRIES = 10 };

/* As added(), and so many rows: the last is compared with the others. */
static struct row *added_beside(const char *steps, struct row *rows, int count, int left_out,
                                int expected) {
    struct row *all = NULL, *last;
    int tries = 0, more;

    do {
        free(all);
        all = added(steps, rows, count, left_out, &more);
        if (more != expected)
            fail_msg("%s without row %d: %d rows, not %d", steps, left_out, more, expected);
        last = &all[more - 1];
    } while (++tries < TRIES && ((more > 1 && !*field(last, COLUMN_speedup_serial)) ||
                                 (more > 2 && !*field(last, COLUMN_speedup_previous))));
    return all;
}

/* Each program of a whole record in turn, default variants and others, programs by the device's
 * clock and without a part: it alone is measured again, and what it is compared with is timed. */
TEST(test_one_row_is_missing) {
    static const struct {
        const char *step, *variant, *clock;
        int more; /* itself, what it builds on, the first of the chain */
    } cases[] = {
        {"04_soa", "256", "referee", 3},       {"04_soa", "without_tiling", "referee", 2},
        {"03_cuda_naive", "256", "device", 1}, {"02_openmp", "static", "referee", 2},
        {"01_serial", "O3", "referee", 1},
    };
    struct row *rows, *more;
    int count, i, j, k;

    setenv("DEVICE", "boasts_a_little", 1);
    bench_whole("--ablate 1", &rows, &count);
    for (i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        for (j = 0; strcmp(field(&rows[j], COLUMN_step), cases[i].step) ||
                    strcmp(field(&rows[j], COLUMN_variant), cases[i].variant) ||
                    strcmp(field(&rows[j], COLUMN_clock), cases[i].clock);
             j++)
            assert_true(j + 1 < count);
        more = added_beside("--ablate 1", rows, count, j, cases[i].more);
        for (k = 0; k < cases[i].more; k++) {
            FILLED(&more[k], speed);
            if (k < cases[i].more - 1)
                EMPTY(&more[k], errors);
        }
        k = cases[i].more - 1;
        assert_string_equal(field(&more[k], COLUMN_step), cases[i].step);
        assert_string_equal(field(&more[k], COLUMN_variant), cases[i].variant);
        assert_string_equal(field(&more[k], COLUMN_clock), cases[i].clock);
        assert_true(*field(&more[k], COLUMN_error_l2));
        assert_string_equal(field(&more[k], COLUMN_limit_gps), field(&rows[j], COLUMN_limit_gps));
        if (cases[i].more == 3)
            FILLED(&more[k], speedups);
        if (cases[i].more == 2)
            assert_true(*field(&more[k], COLUMN_speedup_serial));
        free(more);
    }
    free(rows);
    unsetenv("DEVICE");
}

static int fact_count(void) {
    struct record record;
    struct fact *facts;
    int count;

    assert_int_equal(record_open(&record, "results", "pc"), OUTCOME_ACCEPTED);
    assert_int_equal(record_read_facts(&record, &facts, &count), OUTCOME_ACCEPTED);
    free(facts);
    return count;
}

/* What the machine can do at most is not measured again either; without the facts it is. */
TEST(test_facts_are_kept) {
    struct row *rows, *more;
    int count, none, facts;

    bench_whole("--step 04 --variant 256", &rows, &count);
    facts = fact_count();
    assert_true(facts >= CPU_CEILINGS + GPU_CEILINGS);
    free(added("--step 04 --variant 256", rows, count, -1, &none));
    assert_int_equal(none, 0);
    assert_int_equal(fact_count(), facts);
    more = added("--step 03 --variant 1024", rows, count, -1, &none);
    assert_true(none > 0);
    assert_string_equal(field(&more[none - 1], COLUMN_limit_gps),
                        field(&rows[2], COLUMN_limit_gps));
    assert_int_equal(remove("results/pc-facts.csv"), 0);
    free(added("--step 04 --variant 256", rows, count, 2, &none));
    assert_true(fact_count() >= CPU_CEILINGS + GPU_CEILINGS);
    free(more);
    free(rows);
}

/* Of two rows the second one is edited: whether its program is measured again, and the first one's
 * beside it. */
TEST(test_what_counts) {
    static const struct {
        enum column column;
        const char *value;
        int again;
    } cases[] = {
        {COLUMN_verdict, "accepted", 0},
        {COLUMN_verdict, "wrong:expected", 0},
        {COLUMN_host, "another-123456", 0},
        {COLUMN_commit, "0123456789ab", 0},
        {COLUMN_rate_gps, "1e-3", 0},
        {COLUMN_verdict, "accepted:busy", 1},
        {COLUMN_verdict, "accepted:clock", 1},
        {COLUMN_verdict, "wrong", 1},
        {COLUMN_verdict, "inconclusive", 1},
        {COLUMN_source, "student", 1},
        {COLUMN_n, "512", 1},
        {COLUMN_distribution, "plummer", 1},
        {COLUMN_clock, "device", 1},
        {COLUMN_threads, "7", 1},
        {COLUMN_backend, "cuda", 1},
        {COLUMN_variant, "O1", 1},
        {COLUMN_step, "02_openmp", 1},
        {COLUMN_error_l2, "", 1}, /* there for a comparison */
        {COLUMN_speedup_serial, "", 1},
        {COLUMN_speedup_previous, "", 0}, /* there is nothing before */
    };
    struct row *rows, *more, kept;
    struct machine machine;
    char host[80];
    int count, more_count;

    assert_int_equal(referee(RESUME " --step 01" BENCH, &rows, &count), 0);
    assert_int_equal(count, 2);
    calm(rows, count);
    kept = rows[1];
    assert_string_equal(field(&kept, COLUMN_variant), "O0");
    machine_describe(&machine);
    snprintf(host, sizeof host, "%s-%s", machine.host, machine.id);
    assert_int_equal(strlen(machine.id), 6);
    assert_string_equal(field(&kept, COLUMN_host), host);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rows[1] = kept;
        row_set(&rows[1], cases[i].column, "%s", cases[i].value);
        more = added("--step 01", rows, count, -1, &more_count);
        if (more_count != 2 * cases[i].again)
            fail_msg("column %d is %s: %d rows", (int)cases[i].column, cases[i].value, more_count);
        if (more_count) {
            assert_string_equal(field(&more[0], COLUMN_variant), "O3");
            assert_string_equal(field(&more[1], COLUMN_variant), "O0");
            assert_true(*field(&more[1], COLUMN_speedup_serial));
            EMPTY(&more[0], errors);
            FILLED(&more[1], errors);
        }
        free(more);
    }
    free(rows);
}

/* A row of before, when it was there for another's comparison, is measured again for its own; what
 * is there for a comparison now is not. */
TEST(test_a_row_without_its_comparison) {
    static const enum column lacks[] = {COLUMN_speedup_previous, COLUMN_speedup_serial};
    struct row *rows, *more, kept;
    int count;

    bench_whole("--step 04 --variant 256", &rows, &count);
    assert_int_equal(count, 3);
    FILLED(&rows[2], speedups);
    assert_string_equal(field(&rows[1], COLUMN_speedup_previous), "");
    kept = rows[2];
    for (int i = 0; i < 2; i++) {
        rows[2] = kept;
        row_set(&rows[2], lacks[i], "%s", "");
        more = added_beside("--step 04 --variant 256", rows, count, -1, 3);
        FILLED(&more[2], speedups);
        free(more);
    }
    free(rows);
}

int main(int argc, char **argv) {
    (void)argc;
    play_tree(argv);
    return run_listed(enter_tree, end_folder);
}
