/* The cycle model of step 15: the paper's equation 7 gives its table 2; a fit finds the parameters
 * that made-up times came from; rows of a record are the right ones. From the repository's root. */
#include "testing.h"
#include "files.h"
#include "referee/record/record.h"

static struct record record;

#define FERMI                                                                                      \
    "# N_core 32\\n# N_SM 14\\n# B_SM 2\\n# T_tot 256\\n# clock 1.15e9\\n"                         \
    "# C_acc 1:0 2:17 4:20 8:34 16:45\\n"

/* What a command says; it has to end well. */
static void say(const char *words, char *said, size_t size) {
    FILE *out = popen(words, "r");
    size_t length;

    assert_non_null(out);
    length = fread(said, 1, size - 1, out);
    said[length] = 0;
    if (pclose(out))
        fail_msg("%s: %s", words, said);
}

/* The number behind the last tab of the line that begins so. */
static double number_of(const char *said, const char *line) {
    const char *at = said;
    size_t length = strlen(line);

    while (at && strncmp(at, line, length))
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at)
        fail_msg("no line %s in: %s", line, said);
    at += strcspn(at, "\n");
    while (at[-1] != '\t')
        at--;
    return atof(at);
}

static void near(double x, double expected, double tolerance) {
    if (!(fabs(x / expected - 1) <= tolerance))
        fail_msg("%g, expected %g", x, expected);
}

/* Table 2 of the paper, with the figures of its section 5; its first row leaves out the last of 293
 * rounds, which is half a per cent. */
TEST(test_table_2) {
    static const struct {
        const char *row, *C_ker;
        double seconds, tolerance;
    } rows[] = {{"1048576\t1048576\t1\t", "4827", 37.3, 0.005},
                {"524288\t524288\t16\t", "4827", 12.7, 0.003},
                {"256\t256\t16\t", "4827", 1.02e-5, 0.001},
                {"524288\t256\t16\t", "1206", 8.25e-3, 0.001}};
    char words[512], said[2048];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(
            words, sizeof words,
            "mkdir -p build/tests && printf '" FERMI "%s1\\n' >build/tests/model.tsv && "
            "common/report/pictures/model.sh build/tests/model.tsv build/tests C_cal=17.5 L=381 "
            "C_ker=%s",
            rows[i].row, rows[i].C_ker);
        say(words, said, sizeof said);
        near(number_of(said, rows[i].row), rows[i].seconds, rows[i].tolerance);
    }
}

/* The four times themselves: two starts of a kernel that differ four times, as the paper says. */
TEST(test_fit_of_table_2) {
    char said[2048];

    say("printf '" FERMI "1048576\\t1048576\\t1\\t37.3\\n524288\\t524288\\t16\\t12.7\\n"
        "256\\t256\\t16\\t1.02e-5\\n524288\\t256\\t16\\t8.25e-3\\n' >build/tests/model.tsv && "
        "common/report/pictures/model.sh build/tests/model.tsv build/tests",
        said, sizeof said);
    near(number_of(said, "C_cal\t"), 17.5, 0.01);
    near(number_of(said, "L\t"), 381, 0.01);
    if (number_of(said, "C_ker\t") < 1206 || number_of(said, "C_ker\t") > 4827)
        fail_msg("C_ker: %s", said);
}

/* By hand, 4 multiprocessors of 32 lanes and one block at once: 2 rounds of n / 32 (L + 256 C_cal /
 * T_sub) and of C_ker + 2 L + C_acc. */
TEST(test_one_block_at_once) {
    char said[2048];

    say("printf '# N_core 32\\n# N_SM 4\\n# B_SM 1\\n# clock 1e9\\n# C_acc 2:30\\n"
        "1024\\t64\\t2\\t1\\n' >build/tests/model.tsv && common/report/pictures/model.sh "
        "build/tests/model.tsv build/tests C_cal=10 L=100 C_ker=1000",
        said, sizeof said);
    near(number_of(said, "1024\t64\t2\t"),
         2 * (2 * (100 + 128 * 10.0) + 1000 + 2 * 100 + 30) * 1e-9, 1e-3);
}

/* The fifth column: the model is of `exchange`, whose times others are divided by where n and the
 * threads per body are the same and n_i is n_j; with `run`, rows of facts. */
TEST(test_other_kernels) {
    static const char *const facts[] = {
        "a-1,15_threads_per_body,exchange_4,model_C_cal,10,cycles,kernels.tsv\n",
        "a-1,15_threads_per_body,exchange_4,C_acc,30,cycles,kernels.tsv\n",
        "a-1,15_threads_per_body,block_8,seconds_1024_1024,5e-5,s,kernels.tsv\n",
        "a-1,15_threads_per_body,exchange_16,seconds_512_256,1e-5,s,kernels.tsv\n",
        "a-1,15_threads_per_body,exchange_4,block_softening_last_ratio_1024,3,1,kernels.tsv\n"};
    char said[4096], *ratios;

    say("printf '# C_acc 4:30\\n1024\\t1024\\t4\\t1e-5\\texchange\\n"
        "1024\\t1024\\t4\\t2e-5\\tblock\\n1024\\t1024\\t4\\t3e-5\\tblock_softening_last\\n"
        "1024\\t1024\\t8\\t5e-5\\tblock\\n512\\t256\\t16\\t1e-5\\texchange\\n"
        "512\\t256\\t16\\t7e-5\\tblock\\n' >build/tests/kernels.tsv && "
        "common/report/pictures/model.sh "
        "build/tests/kernels.tsv build/tests C_cal=10 L=100 C_ker=1000 run=a-1 "
        "step=15_threads_per_body",
        said, sizeof said);
    ratios = strstr(said, "T_sub\tn\tkernel\tratio\n");
    assert_non_null(ratios);
    assert_int_equal(strncmp(strchr(ratios, '\n') + 1,
                             "4\t1024\tblock\t2\n4\t1024\tblock_softening_last\t3\nbuild/", 48),
                     0);
    *ratios = 0;
    assert_null(strstr(said, "\t2e-5"));
    assert_null(strstr(said, "block"));
    say("cat build/tests/model-facts.csv", said, sizeof said);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!strstr(said, facts[i]))
            fail_msg("no %s in: %s", facts[i], said);
    if (!system("command -v gnuplot >/dev/null 2>&1"))
        say("grep -q 'T_sub = 4' build/tests/ratios.svg", said, sizeof said);
}

enum { C_CAL = 15, LATENCY = 600, C_KER = 2500 };

/* A record whose times are the model's: rows of the referee's clock, of another run, variant and
 * source would spoil the fit. */
static void add_times(const char *run, const char *clock, const char *variant, const char *source,
                      double factor) {
    static const int sizes[] = {256, 1024, 4096, 16384, 65536};
    static const int threads[] = {1, 2, 4, 8, 16};
    char words[1024], said[512], name[64];
    static struct row row;

    for (int i = 0; i < 25; i++) {
        int n = sizes[i / 5], T_sub = threads[i % 5];

        snprintf(words, sizeof words,
                 "printf '%d\\t%d\\t%d\\t1\\n' | awk -v task=predict -v N_core=128 -v N_SM=132 "
                 "-v B_SM=5 -v T_tot=256 -v clock=1.5e9 -v C_acc=2:40 -v C_cal=%d -v L=%d -v "
                 "C_ker=%d -f common/report/pictures/model.awk",
                 n, n, T_sub, C_CAL, LATENCY, C_KER);
        say(words, said, sizeof said);
        snprintf(name, sizeof name, variant, T_sub);
        memset(&row, 0, sizeof row);
        row_set(&row, COLUMN_time_utc, "2025-01-01T00:00:00Z");
        row_set(&row, COLUMN_backend, "cuda");
        row_set(&row, COLUMN_step, "15_threads_per_body");
        row_set(&row, COLUMN_variant, "%s", name);
        row_set(&row, COLUMN_source, "%s", source);
        row_set(&row, COLUMN_n, "%d", n);
        row_set(&row, COLUMN_iterations, "10");
        row_set(&row, COLUMN_seconds_median, "%g", 10 * factor * atof(strrchr(said, '\t') + 1));
        row_set(&row, COLUMN_verdict, "accepted");
        row_set(&row, COLUMN_run, "%s", run);
        row_set(&row, COLUMN_clock, "%s", clock);
        row_set(&row, COLUMN_sm_mhz, "1500");
        assert_int_equal(record_append(&record, &row, 1), OUTCOME_ACCEPTED);
    }
}

TEST(test_fit_of_a_record) {
    char words[512], said[8192], results[96];

    make_folder(folder);
    snprintf(results, sizeof results, "%s/results", folder);
    assert_int_equal(record_open(&record, results, "made"), OUTCOME_ACCEPTED);
    add_times("a", "device", "exchange_%d", "solution", 3);
    add_times("b", "referee", "exchange_%d", "solution", 2);
    add_times("b", "device", "exchange_%d", "solution", 1);
    add_times("b", "device", "shuffle_%d", "solution", 2);
    add_times("b", "device", "exchange_%d", "student", 2);
    snprintf(words, sizeof words, "common/report/pictures/model.sh %s/made.csv %s C_acc=2:40",
             results, folder);
    say(words, said, sizeof said);
    near(number_of(said, "C_cal\t"), C_CAL, 0.001);
    near(number_of(said, "L\t"), LATENCY, 0.001);
    near(number_of(said, "C_ker\t"), C_KER, 0.001);
    assert_true(number_of(said, "error\t") < 0.001);
    if (!system("command -v gnuplot >/dev/null 2>&1"))
        assert_non_null(strstr(said, "/model.svg"));
    remove_folder(folder);
}
