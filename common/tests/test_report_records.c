/* The report page of other records: of a machine without a GPU, of a learner, of another problem;
 * nothing in a record becomes markup, and bad input leaves the page as it was. */
#include "testing.h"
#include "report_page.h"
#include "svg_picture.h"

#define PREDICT "printf 'time_utc\\tstep\\tspeedup\\tlimit\\twhen\\n"

/* A record of a machine without a GPU: verdicts of CUDA steps, and beside them what teaches. Of
 * 02_openmp the row with all threads counts, though that with one comes last; the fastest program
 * is that of another problem with the same unit. */
TEST(test_without_gpu) {
    static const char *const sizes[] = {"30000", NULL};
    run("awk -F, -v OFS=, 'NR == 2 {run = $29} NR > 1 && $29 != run {next} $11 == \"02_openmp\" "
        "{$26 = \"\"} {print} $11 == \"01_serial\" && "
        "!done++ {$11 = \"13_cpu_simd\"; $12 = \"chosen\"; $20 = 13.4; $30 = \"nbody_masses\"; "
        "print; "
        "$30 = \"nbody\"; $11 = \"03_cuda_naive\"; $9 = "
        "\"cpucuda\"; $12 = 256; $17 = $18 = $19 = $20 = $21 = $22 = \"\"; print; $28 = \"race\"; "
        "$11 = \"04_soa\"; print; $12 = 1024; $28 = \"crashed\"; print}' "
        "$D/docs/results/two-cores/two-cores.csv >$D/results/two-cores.csv");
    char *page = make_page("two-cores", "h200"),
         *record = read_text("docs/results/two-cores/two-cores.csv");
    char *h200_record = read_text("docs/results/h200/h200.csv"), row[LINE_BYTES];
    char *fields[COLUMN_COUNT], said[128];
    assert_shows(page, "Fastest accepted program by interactions per second: 13_cpu_simd, variant "
                       "chosen (the solution), 13.4 G/s at n = 30000");
    read_table(page, "rates-table", &table);
    assert_rates(record, 2, sizes);
    assert_order();
    assert_cell("13_cpu_simd", NULL, NULL, "G/s", "13.4");
    assert_cell("04_soa", "program", "solution", "G/s", "");
    assert_cell("04_soa", "program", "solution", "verdict", "race");
    for (int s = 2; s < STEPS; s++) {
        char cost[64];
        assert_true(
            find_row(h200_record, ladder[s].step, ladder[s].variant, "131072", row, fields));
        read_table(page, "rates-table", &table);
        assert_cell(ladder[s].step, "program", "on h200", "G/s", fields[COLUMN_rate_gps]);
        snprintf(cost, sizeof cost, "cost-%s", ladder[s].step);
        read_table(page, cost, &table);
        const char *allowed = cell_of(&table, "issue slots", NULL, NULL, "allows, G/s");
        assert_true(allowed && near(atof(allowed), atof(fields[COLUMN_limit_gps])));
    }
    assert_step_says(page, "03_cuda_naive", "(cpucuda): its results were accepted.");
    assert_true(find_row(h200_record, "03_cuda_naive", "256", "131072", row, fields));
    snprintf(said, sizeof said, "Recorded on h200: %.0f G/s at n = 131072, %.0f%% of its",
             atof(fields[COLUMN_rate_gps]), 100 * atof(fields[COLUMN_limit_share]));
    assert_step_says(page, "03_cuda_naive", said);
    assert_step_says(page, "04_soa", "(cpucuda): its results were rejected (race).");
    assert_step_says(page, "05_tiling", "Global traffic fell 216 times against 04_soa");
    read_table(page, "cost-05_tiling", &table);
    assert_cell("bytes of global memory (make trace, h200)", NULL, NULL, "cost", "0.0556641");
    assert_shows(page, "without a GPU, CUDA C runs on the CPU");
    assert_null(strstr(page, "id=\"roofline\""));
    assert_null(strstr(page, "id=\"predictions\""));
    assert_null(strstr(page, "Yours"));
    free(page), free(record), free(h200_record);
    run("cp docs/results/two-cores/two-cores.csv $D/results");
}

/* Benches of one VARIANT= alone, before the step's own and after it, do not become its default; a
 * step that was timed at a size of its own has its row, and one without a manifest its place. */
TEST(test_default) {
    run("awk -F, -v OFS=, '$11 == \"07_device_integration\" {$14 = 16384} "
        "$11 == \"06_unroll\" && $12 == 16 && $14 == 30000 {kept = $0; $12 = 8; "
        "$20 = 1; "
        "$29 = \"earlier\"; print; $0 = kept} {print} $11 == \"08_rsqrt\" {$12 = \"other\"; $20 = "
        "2; "
        "$29 = \"later\"; print} $11 == \"01_serial\" {$11 = \"00_own\"; print}' "
        "$D/docs/results/h200/h200.csv >$D/results/lab.csv");
    char *page = make_page("lab", "h200"), *record = read_text("docs/results/h200/h200.csv");
    char row[LINE_BYTES], *fields[COLUMN_COUNT];
    read_table(page, "rates-table", &table);
    assert_order();
    assert_string_equal(table.text[1][0], "00_own");
    assert_true(find_row(record, "06_unroll", "16", "30000", row, fields));
    assert_cell("06_unroll", "n", "30000", "G/s", fields[COLUMN_rate_gps]);
    assert_true(find_row(record, "08_rsqrt", "16", "30000", row, fields));
    assert_cell("08_rsqrt", "n", "30000", "G/s", fields[COLUMN_rate_gps]);
    assert_cell("07_device_integration", NULL, NULL, "n", "16384"); /* no size of the ladder's */
    assert_true(find_row(record, "07_device_integration", "16", "131072", row, fields));
    assert_cell("07_device_integration", NULL, NULL, "G/s", fields[COLUMN_rate_gps]);
    free(page), free(record);
}

/* The learner's rows stand beside the solution's and are told apart; so do the predictions. */
TEST(test_student) {
    run("awk -F, -v OFS=, '{print} $11 == \"05_tiling\" && $12 == \"soa\" {$13 = \"student\"; $20 "
        "= "
        "500.5; $23 = 0.75; print}' $D/docs/results/h200/h200.csv >$D/results/lab.csv; "
        "cp $D/results/h200-facts.csv $D/results/lab-facts.csv; "
        "printf "
        "'time_utc\\tstep\\tspeedup\\tlimit\\twhen\\nt1\\t05_tiling\\t3.25\\tmemory\\tbefore\\n"
        "t2\\t05_tiling\\t1.5\\tissue\\tlate\\nt0\\t01_serial\\t-\\trsqrt\\tbefore\\nt3\\t06_"
        "unroll\\t1.125\\t<b>&\"\\tlate\\n' "
        ">$D/results/predictions.tsv");
    need_gnuplot();
    char *dom = draw_page("lab");
    run("rm $D/results/predictions.tsv");
    read_table(dom, "rates-table", &table);
    assert_cell("05_tiling", "program", "yours", "G/s", "500.5");
    char *record = read_text("docs/results/h200/h200.csv"), row[LINE_BYTES], *fields[COLUMN_COUNT],
         said[80];
    assert_true(find_row(record, "05_tiling", "soa", "30000", row, fields));
    assert_cell("05_tiling", "program", "solution", "G/s", fields[COLUMN_rate_gps]);
    assert_order();
    assert_int_equal(table.rows, 1 + 3 * (STEPS + 5) - 4 + 2 + 3 + 3);
    read_table(dom, "roofline-table", &table);
    assert_cell("05_tiling, yours", NULL, NULL, "G/s", "500.5");
    snprintf(said, sizeof said, ">05_tiling, yours: %.1f, 500<",
             atof(cell_of(&table, "05_tiling, yours", NULL, NULL, "slots")));
    assert_shows(dom, said); /* a name in the roofline */
    assert_step_says(dom, "05_tiling",
                     "Yours: 500 G/s at n = 131072: 0.75 times as fast as 04_soa");
    assert_true(find_row(record, "05_tiling", "soa", "131072", row, fields));
    snprintf(said, sizeof said, "That is %.0f%% of the solution’s rate.",
             100 * 500.5 / atof(fields[COLUMN_rate_gps]));
    assert_step_says(dom, "05_tiling", said);
    read_table(dom, "predictions-table", &table);
    assert_cell("05_tiling", NULL, NULL, "your speed-up",
                "3.25"); /* before, though late came last */
    assert_cell("05_tiling", NULL, NULL, "made", "before");
    assert_cell("05_tiling", NULL, NULL, "measured", "0.75");
    assert_cell("05_tiling", NULL, NULL, "whose", "yours");
    assert_cell("05_tiling", NULL, NULL, "your limit", "bytes of memory");
    assert_cell("05_tiling", NULL, NULL, "measured limit", "issue slots");
    assert_cell("01_serial", NULL, NULL, "your limit", "square roots of the CPU");
    assert_cell("01_serial", NULL, NULL, "measured limit", "square roots of the CPU");
    assert_cell("06_unroll", NULL, NULL, "made", "late");
    assert_cell("06_unroll", NULL, NULL, "your limit", "<b>&\"");
    assert_ids(dom);
    free(dom), free(record);
}

static char *part_of(const char *page, const char *from, const char *to) {
    const char *begin = strstr(page, from), *end = begin ? strstr(begin, to) : NULL;
    assert_non_null(end);
    return strndup(begin, (size_t)(end - begin));
}

/* A step of another problem, in the record, its facts, the catalogue and the predictions: what is
 * said of N-body stays as it is, and the step has a row and a part of its own. */
TEST(test_other_problem) {
    static const char *const parts[][2] = {{"<table id=\"rates-table\"", "</table>"},
                                           {"<article id=\"step-01", "<article id=\"step-21"},
                                           {"<table id=\"ceilings", "</table>"}};
    static const char as_reduce[] =
        "$11 = \"91_tree\"; $12 = \"plain\"; $20 = 999.5; $29 = \"later\"; $30 = \"reduce\"; "
        "$34 = \"device\"";
    char *before[3];
    run("cp $D/docs/results/h200/h200.csv $D/results/lab.csv; "
        "cp $D/docs/results/h200/h200-facts.csv $D/results/lab-facts.csv; " PREDICT
        "t1\\t05_tiling\\t3\\tmemory\\tbefore\\n' >$D/results/predictions.tsv");
    char *page = make_page("lab", "two-cores");
    for (int i = 0; i < 3; i++)
        before[i] = part_of(page, parts[i][0], parts[i][1]);
    assert_null(strstr(page, "91_tree"));
    free(page);
    run("cd $D/results; "
        "awk -F, -v OFS=, '$11 == \"12_float4\" {%s; print}' $D/docs/results/h200/h200.csv "
        ">>lab.csv; "
        "printf 'later,91_tree,plain,trace_global_bytes_per_element,4,B,trace\\n' >>lab-facts.csv; "
        "printf 't2\\t91_tree\\t2\\tmemory\\tbefore\\n' >>predictions.tsv",
        as_reduce);
    write_manifests(folder, "91_tree\tIII\treduce\treduce.cu\n");
    page = make_page("lab", "two-cores");
    for (int i = 0; i < 3; i++) {
        char *after = part_of(page, parts[i][0], parts[i][1]);
        assert_string_equal(after, before[i]);
        free(after), free(before[i]);
    }
    read_table(page, "primitives-table", &table);
    assert_cell("91_tree", NULL, NULL, "G/s", "999.5");
    read_table(page, "cost-91_tree", &table);
    assert_cell("bytes of global memory (make trace, here)", NULL, NULL, "cost", "4");
    assert_shows(page, "Cost per element");
    read_table(page, "predictions-table", &table);
    assert_cell("91_tree", NULL, NULL, "your speed-up", "2");
    read_table(page, "runs-table", &table);
    assert_cell("later", NULL, NULL, "steps", "1");
    free(page);
    /* Nothing else in it. */
    run("sed -i '1p; /,91_tree,/!d' $D/results/lab.csv");
    run("sed -i '$p; $s/^[^,]*/2020-01-01T00:00:00Z/' $D/results/lab.csv");
    page = make_page("lab", "two-cores");
    assert_shows(page, "Fastest accepted program by elements per second: 91_tree");
    assert_shows(page, "Processor · NVIDIA H200 · measured until 202");
    assert_null(strstr(page, "measured until 2020"));
    free(page);
    run("rm -r $D/steps/91_tree $D/results/predictions.tsv");
}

/* Text that means something in HTML, wherever a record may hold it. */
TEST(test_hostile) {
    static const char text[] = "</pre></script><img src=x onerror=alert(1)>&amp;\"'<!--";
    char line[512];
    snprintf(line, sizeof line, "BEGIN {FS = OFS = \",\"} NR > 1 {$3 = $4 = $8 = $12 = t} {print}");
    run("awk -v t='%s' '%s' $D/results/two-cores.csv >\"$D/results/a&b<c\\n\\\".csv\"",
        "</pre></script><img src=x onerror=alert(1)>&amp;\"'\\''<!--", line);
    char *dom = make_page("a&b<c\\n\\\"", "h200");
    assert_null(strstr(dom, "<img"));
    assert_null(strstr(dom, "<script"));
    assert_shows(dom, "<h1>N-body on a&amp;b&lt;c\\n&quot;</h1>");
    read_table(dom, "machine-table", &table);
    assert_cell("host", NULL, NULL, "value", text);
    assert_cell("cpu", NULL, NULL, "value", text);
    free(dom);
}

/* Refused with one line, and neither the page nor the pictures beside it have changed. */
static void assert_refused(const char *damage, int code, const char *part) {
    run("rm -rf $D/bad $D/out; mkdir $D/bad $D/out; cd $D/out; "
        "for f in ladder.svg report.html variants-01.svg; do echo old >$f; done; "
        "cp $D/results/two-cores.csv $D/bad/b.csv; cp $D/results/two-cores-facts.csv "
        "$D/bad/b-facts.csv; "
        "cd $D/bad; %s",
        damage);
    assert_int_equal(run("$D/common/report/pictures/draw.sh $D/bad/b.csv $D/out"), code);
    char *said = read_text("said");
    if (count_lines(said) != 1 || !strstr(said, part))
        fail_msg("%s: \"%s\" is not the one line of:\n%s", damage, part, said);
    free(said);
    assert_int_equal(run("cd $D/out && test \"$(echo $(ls -A))\" = "
                         "'ladder.svg report.html variants-01.svg' && "
                         "test \"$(echo $(cat *))\" = 'old old old'"),
                     0);
}

TEST(test_bad_input) {
    assert_refused(": >b.csv", 13, "b.csv is empty");
    assert_refused("rm b.csv", 13, "b.csv is empty or not there");
    assert_refused("sed -i 1s/rate_gps/rate/ b.csv", 11, "another header");
    assert_refused("sed -i 's/,energy_j//; s/,$//' b.csv", 11, "another header");
    assert_refused("sed -i 1q b.csv", 13, "has no rows");
    assert_refused("sed -i '5s/$/,1/' b.csv", 13, "line 5 has the wrong number of fields");
    assert_refused("sed -i 4s/,solution,/,/ b.csv", 13, "line 4 has the wrong number of fields");
    assert_refused("sed -i 3s/,30000,/,many,/ b.csv", 13,
                   "b.csv is damaged: line 3, n is no number");
    assert_refused("truncate -s -9 b.csv", 13, "cut off in its last line");
    assert_refused("truncate -s -1 b.csv", 13, "cut off in its last line");
    assert_refused("sed -i 2s/,/,,/ b-facts.csv", 13, "b-facts.csv is damaged");
    assert_refused(PREDICT "a\\tb\\n' >predictions.tsv", 13, "predictions.tsv is damaged: line 2");
    assert_refused(PREDICT "a\\tb\\tfast\\td\\te\\n' >predictions.tsv", 13,
                   "line 2, speedup is no");
    assert_refused(PREDICT "a\\tb\\t2\\td\\te' >predictions.tsv", 13, "predictions.tsv is cut off");
    assert_refused("echo a >predictions.tsv", 11, "predictions.tsv has another header");
    /* The pictures are drawn by then. */
    run("rm -rf $D/out; mkdir $D/out; echo old >$D/out/report.html; "
        "mv $D/common/report/page/page.css $D");
    assert_int_equal(run("$D/common/report/pictures/draw.sh $D/results/two-cores.csv $D/out"), 10);
    assert_int_equal(
        run("test \"$(cat $D/out/report.html)\" = old && ! ls -A $D/out | grep '^[.]r'"), 0);
    run("mv $D/page.css $D/common/report/page");
}

GROUP(make_tree, end_folder)
