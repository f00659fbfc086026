/* The report page: what a browser shows equals the record, of whatever kind that is; nothing is
 * loaded, nothing in a record becomes markup, and bad input leaves the page as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "page_dom.h"
#include "record_files.h"

#define PREDICT "printf 'time_utc\\tstep\\tspeedup\\tlimit\\twhen\\n"

static struct page_table table;
static char *h200; /* the page of that record, once it was loaded */

static void show_h200(void) {
    if (h200)
        return;
    make_page("h200", "zen5");
    h200 = show_page();
}

/* The fields of a line, cut apart in place; their number. */
static int split(char *line, char separator, char *fields[], int most) {
    int count = 0;
    for (char *p = line; p && count < most; count++) {
        fields[count] = p;
        if ((p = strchr(p, separator)))
            *p++ = 0;
    }
    return count;
}

/* The last row of a step's default variant at size n that has errors, from a record's own text. */
static int find_row(const char *record, const char *step, const char *variant, const char *n,
                    char row[LINE_BYTES], char *fields[COLUMN_COUNT]) {
    int found = 0;
    char line[LINE_BYTES];
    for (const char *p = record; *p; p += strcspn(p, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
        char *cut[COLUMN_COUNT];
        if (split(line, ',', cut, COLUMN_COUNT) == COLUMN_COUNT &&
            !strcmp(cut[COLUMN_step], step) && !strcmp(cut[COLUMN_variant], variant) &&
            !strcmp(cut[COLUMN_n], n) && *cut[COLUMN_error_p99]) {
            snprintf(row, LINE_BYTES, "%.*s", (int)strcspn(p, "\n"), p);
            found = 1;
        }
    }
    return found && split(row, ',', fields, COLUMN_COUNT) == COLUMN_COUNT;
}

/* The last value of a fact, as text. */
static const char *find_fact(const char *facts, const char *step, const char *variant,
                             const char *name) {
    static char value[CELL_BYTES];
    char start[CELL_BYTES];
    *value = 0;
    snprintf(start, sizeof start, ",%s,%s,%s,", step, variant, name);
    for (const char *p = facts; (p = strstr(p, start)); p++)
        snprintf(value, sizeof value, "%.*s", (int)strcspn(p + strlen(start), ","),
                 p + strlen(start));
    return value;
}

static void assert_cell(const char *name, const char *other, const char *value, const char *column,
                        const char *expected) {
    const char *cell = cell_of(&table, name, other, value, column);
    if (!cell || strcmp(cell, expected))
        fail_msg("%s, %s %s: \"%s\" is \"%s\", not \"%s\"", name, other ? other : "",
                 value ? value : "", column, cell ? cell : "not there", expected);
}

/* Before the record itself and the scripts, that is. */
static void assert_shows(const char *dom, const char *part) {
    const char *found = strstr(dom, part);
    if (!found || found > strstr(dom, "<footer>"))
        fail_msg("\"%s\" is not in the page", part);
}

static const struct {
    const char *step, *variant;
} ladder[] = {
    {"01_serial", "gcc_O3_native"},
    {"02_openmp", "static"},
    {"03_cuda_naive", "256"},
    {"04_soa", "256"},
    {"05_tiling", "soa"},
    {"06_unroll", "16"},
    {"07_device_integration", "16"},
    {"08_rsqrt", "16"},
    {"09_ftz", "16"},
    {"10_fp16", "seed"},
    {"11_pinned", "16"},
    {"12_float4", "float4"},
};
enum { STEPS = sizeof ladder / sizeof *ladder };

static void assert_rates(const char *record, int steps, const char *const *sizes) {
    char row[LINE_BYTES], *fields[COLUMN_COUNT];
    static const struct {
        const char *name;
        enum column column;
    } shown[] = {{"G/s", COLUMN_rate_gps},
                 {"limit, G/s", COLUMN_limit_gps},
                 {"share of limit", COLUMN_limit_share},
                 {"× step before", COLUMN_speedup_previous},
                 {"× serial", COLUMN_speedup_serial},
                 {"first wrong decimal", COLUMN_first_wrong_decimal},
                 {"verdict", COLUMN_verdict},
                 {"run", COLUMN_run}};
    for (int s = 0; s < steps; s++)
        for (int i = 0; sizes[i]; i++) {
            assert_true(find_row(record, ladder[s].step, ladder[s].variant, sizes[i], row, fields));
            for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
                assert_cell(ladder[s].step, "n", sizes[i], shown[k].name, fields[shown[k].column]);
        }
}

static void test_rates(void **state) {
    (void)state;
    static const char *const sizes[] = {"30000", "65536", "131072", NULL};
    show_h200();
    char *dom = h200, *record = text_of("results/h200.csv"), row[LINE_BYTES];
    char *zen5 = text_of("results/zen5.csv"), *fields[COLUMN_COUNT];
    read_table(dom, "ladder-table", &table);
    assert_int_equal(table.rows, 1 + 3 * STEPS);
    assert_rates(record, STEPS, sizes);
    assert_true(find_row(zen5, "02_openmp", "static", "30000", row, fields));
    assert_cell("02_openmp", "n", "30000", "zen5, G/s", fields[COLUMN_rate_gps]);
    assert_cell("02_openmp", "n", "65536", "zen5, G/s", "");
    assert_shows(dom, "of two runs: 01_serial and 02_openmp of 20261121T114536Z-808, the others");
    read_table(dom, "sizes-table", &table);
    assert_int_equal(table.rows, 1 + 12);
    assert_true(find_row(record, "12_float4", "float4", "8192", row, fields));
    assert_cell("8192", NULL, NULL, "G/s", fields[COLUMN_rate_gps]);
    read_table(dom, "ideas-table", &table);
    assert_true(find_row(record, "12_float4", "without_tiling", "131072", row, fields));
    assert_cell("tiling", NULL, NULL, "G/s", fields[COLUMN_rate_gps]);
    assert_string_equal(table.text[2][0], "rsqrt"); /* the greatest loss, below `nothing` */
    free(record), free(zen5);
}

static void test_facts(void **state) {
    (void)state;
    show_h200();
    char *dom = h200, *facts = text_of("results/h200-facts.csv"), row[LINE_BYTES];
    char *record = text_of("results/h200.csv"), *fields[COLUMN_COUNT];
    static const char *const shown[][2] = {
        {"global bytes an interaction", "trace_global_bytes_per_interaction"},
        {"shared bytes an interaction", "trace_shared_bytes_per_interaction"},
        {"sectors a request", "trace_varied_sectors_per_request"},
        {"wavefronts a request", "trace_shared_wavefronts_per_request"},
    };
    for (int s = 2; s < STEPS; s++) {
        read_table(dom, "memory-table", &table);
        for (int k = 0; k < 4; k++)
            assert_cell(ladder[s].step, NULL, NULL, shown[k][0],
                        find_fact(facts, ladder[s].step, ladder[s].variant, shown[k][1]));
        read_table(dom, "roofline-table", &table);
        assert_cell(ladder[s].step, NULL, NULL, "slots",
                    find_fact(facts, ladder[s].step, ladder[s].variant, "ncu_slots"));
        read_table(dom, "decimals-table", &table);
        assert_true(find_row(record, ladder[s].step, ladder[s].variant, "65536", row, fields));
        char *counts[10];
        assert_int_equal(split(fields[COLUMN_decimals], ':', counts, 10), 10);
        assert_cell(ladder[s].step, NULL, NULL, "2", counts[1]);
        assert_cell(ladder[s].step, NULL, NULL, "7", counts[6]);
        assert_cell(ladder[s].step, NULL, NULL, "later or never", counts[9]);
    }
    read_table(dom, "ceilings-table", &table);
    assert_cell("issue slots of the GPU", NULL, NULL, "as recorded",
                find_fact(facts, "", "", "ceiling_gpu_issue"));
    free(facts), free(record);
}

static void assert_step_says(const char *step, const char *part) {
    char start[64];
    snprintf(start, sizeof start, "<li id=\"step-%s\">", step);
    const char *item = strstr(h200, start), *said;
    assert_non_null(item);
    if (!(said = strstr(item, part)) || said > strstr(item, "</li>"))
        fail_msg("%s does not say \"%s\"", step, part);
}

/* A step's sentences say what the facts and the row say. */
static void test_sentences(void **state) {
    (void)state;
    show_h200();
    char *facts = text_of("results/h200-facts.csv"), row[LINE_BYTES], said[256];
    char *record = text_of("results/h200.csv"), *fields[COLUMN_COUNT];
    double before = atof(find_fact(facts, "04_soa", "256", "trace_global_bytes_per_interaction"));
    double here = atof(find_fact(facts, "05_tiling", "soa", "trace_global_bytes_per_interaction"));
    snprintf(said, sizeof said, "Global traffic fell %.0f times against 04_soa", before / here);
    assert_step_says("05_tiling", said);
    assert_true(find_row(record, "05_tiling", "soa", "131072", row, fields));
    snprintf(said, sizeof said, "%.0f G/s at n = 131072: %.2f times as fast as 04_soa",
             atof(fields[COLUMN_rate_gps]), atof(fields[COLUMN_speedup_previous]));
    assert_step_says("05_tiling", said);
    snprintf(said, sizeof said, "The limit is still issue slots, of which it uses %.0f%%.",
             100 * atof(fields[COLUMN_limit_share]));
    assert_step_says("05_tiling", said);
    assert_step_says("03_cuda_naive", "The limit is now issue slots"); /* no longer the CPU's */
    /* The ladder shows 02 of another run. */
    assert_step_says("03_cuda_naive", "which gave 3.11 G/s in the same run");
    assert_step_says("10_fp16", "Its results are rejected (decimals), as the course expects.");
    free(facts), free(record);
}

/* Every picture but those of a key says in words what it shows, and has its numbers in a table. */
static void assert_alternatives(const char *dom, int least) {
    int pictures = 0;
    for (const char *p = dom; (p = strstr(p, "<svg ")); p++) {
        char tag[4096];
        snprintf(tag, sizeof tag, "%.*s", (int)strcspn(p, ">"), p);
        if (strstr(tag, "aria-hidden=\"true\""))
            continue;
        const char *words = strstr(tag, "aria-label=\"");
        assert_non_null(strstr(tag, "role=\"img\""));
        assert_non_null(strstr(tag, "tabindex=\"0\""));
        assert_true(words && strcspn(words + 12, "\"") > 40);
        pictures++;
    }
    assert_in_range(pictures, least, 100);
    for (const char *p = dom; (p = strstr(p, "<figure>")); p++) {
        const char *folded = strstr(p, "<details>"), *end = strstr(p, "</figure>");
        assert_true(folded && folded < end && strstr(folded, "<table ") < end);
    }
}

/* Every id names one element. */
static void assert_ids(const char *dom) {
    char id[96];
    for (const char *p = dom; (p = strstr(p, " id=\"")); p++) {
        snprintf(id, sizeof id, "%.*s\"", (int)strcspn(p + 5, "\"") + 5, p);
        if (strstr(p + 1, id))
            fail_msg("twice:%s", id);
    }
}

static void test_alternatives(void **state) {
    (void)state;
    show_h200();
    assert_alternatives(h200, 5 + STEPS + 1);
    assert_ids(h200);
}

static void test_self_contained(void **state) {
    (void)state;
    make_page("h200", "zen5");
    char *page = text_of("out/report.html");
    assert_null(strstr(page, "src="));
    assert_null(strstr(page, "url("));
    assert_null(strstr(page, "@import"));
    assert_null(strstr(page, "https:"));
    assert_non_null(strstr(page, "default-src 'none'"));
    for (const char *p = page; (p = strstr(p, "href=")); p++)
        assert_int_equal(p[6], '#');
    for (const char *p = page; (p = strstr(p, "http:")); p++) /* a name, which nothing loads */
        assert_true(!strncmp(p, "http://www.w3.org/2000/svg'", 27));
    free(page);
}

/* A record of a machine without a GPU: verdicts of CUDA steps, and what is missing is said. Of
 * 02_openmp the row with all threads counts, though that with one comes last. */
static void test_without_gpu(void **state) {
    (void)state;
    static const char *const sizes[] = {"30000", NULL};
    run("awk -F, -v OFS=, '$11 == \"02_openmp\" {$26 = \"\"} {print} $11 == \"01_serial\" && "
        "!done++ {$11 = \"03_cuda_naive\"; $9 = "
        "\"cpucuda\"; $12 = 256; $17 = $18 = $19 = $20 = $21 = $22 = \"\"; print; $28 = \"race\"; "
        "$11 = \"04_soa\"; print}' $D/docs/results/zen5/zen5.csv >$D/results/zen5.csv");
    make_page("zen5", "h200");
    char *dom = show_page(), *record = text_of("docs/results/zen5/zen5.csv");
    read_table(dom, "ladder-table", &table);
    assert_int_equal(table.rows, 1 + 2);
    assert_rates(record, 2, sizes);
    assert_alternatives(dom, 1 + 1 + 4);
    assert_shows(dom, "and its results were accepted. Recorded on h200: 139 G/s at n = 30000.");
    assert_shows(dom, "and its results were rejected (race).");
    assert_shows(dom, "03_cuda_naive and 04_soa have no rate here: without a GPU");
    assert_shows(dom, "Not in this record: it takes the rates of CUDA steps on a GPU");
    assert_null(strstr(dom, "id=\"roofline-table\""));
    free(dom), free(record);
    run("cp docs/results/zen5/zen5.csv $D/results");
}

/* Benches of one VARIANT= alone, before the step's own and after it, do not become its default. */
static void test_default(void **state) {
    (void)state;
    run("awk -F, -v OFS=, '$11 == \"06_unroll\" && $12 == 16 && $14 == 30000 {kept = $0; $12 = 8; "
        "$29 = \"earlier\"; print; $0 = kept} {print} $11 == \"08_rsqrt\" {$12 = \"other\"; "
        "$29 = \"later\"; print}' $D/docs/results/h200/h200.csv >$D/results/lab.csv");
    make_page("lab", "h200");
    char *dom = show_page();
    read_table(dom, "ladder-table", &table);
    assert_cell("06_unroll", "n", "30000", "variant", "16");
    assert_cell("08_rsqrt", "n", "30000", "variant", "16");
    free(dom);
}

/* The learner's rows stand beside the solution's and are told apart; so do the predictions. */
static void test_student(void **state) {
    (void)state;
    run("awk -F, -v OFS=, '{print} $11 == \"05_tiling\" && $12 == \"soa\" {$13 = \"student\"; $20 "
        "= "
        "500.5; $23 = 0.75; print}' $D/docs/results/h200/h200.csv >$D/results/lab.csv; "
        "cp $D/results/h200-facts.csv $D/results/lab-facts.csv; "
        "printf "
        "'time_utc\\tstep\\tspeedup\\tlimit\\twhen\\nt1\\t05_tiling\\t3.25\\tmemory\\tbefore\\n"
        "t2\\t05_tiling\\t1.5\\tissue\\tlate\\nt0\\t01_serial\\t-\\trsqrt\\tbefore\\nt3\\t06_"
        "unroll\\t1.125\\t<b>&\"\\tlate\\n' "
        ">$D/results/predictions.tsv");
    make_page("lab", "h200");
    char *dom = show_page();
    run("rm $D/results/predictions.tsv");
    read_table(dom, "ladder-table", &table);
    assert_cell("05_tiling", "whose", "yours", "G/s", "500.5");
    assert_cell("05_tiling", "whose", "solution", "G/s", "264.992");
    read_table(dom, "roofline-table", &table);
    assert_cell("05_tiling", "whose", "yours", "G/s", "500.5");
    const char *picture = strstr(strstr(dom, "id=\"roofline\""), "role=\"img\"");
    const char *point = strstr(picture, "class=\"mark student full\"");
    assert_true(point && point < strstr(picture, "</svg>"));
    assert_shows(dom, "Yours: 501 G/s at n = 131072: 0.75 times as fast as 04_soa");
    read_table(dom, "predictions-table", &table);
    assert_cell("05_tiling", NULL, NULL, "your speed-up",
                "3.25"); /* before, though late came last */
    assert_cell("05_tiling", NULL, NULL, "made", "before");
    assert_cell("05_tiling", NULL, NULL, "measured", "0.75");
    assert_cell("05_tiling", NULL, NULL, "whose", "yours");
    assert_cell("05_tiling", NULL, NULL, "your limit", "the bandwidth of memory");
    assert_cell("05_tiling", NULL, NULL, "measured limit", "issue slots");
    assert_cell("01_serial", NULL, NULL, "your limit", "the CPU’s square roots");
    assert_cell("01_serial", NULL, NULL, "measured limit", "the CPU’s square roots");
    assert_cell("06_unroll", NULL, NULL, "made", "late");
    assert_cell("06_unroll", NULL, NULL, "your limit", "<b>&\"");
    assert_ids(dom);
    free(dom);
}

/* What a page says of N-body: all but the machine's runs. */
static char *said_of_nbody(const char *dom) {
    const char *from = strstr(dom, "<div id=\"summary\">"),
               *to = strstr(dom, "<section id=\"machine\"");
    assert_true(from && to);
    return strndup(from, (size_t)(to - from));
}

/* A step of another problem, in the record, its facts, the catalogue and the predictions: the
 * page's sections on N-body stay as they are, and its run is named among the others. */
static void test_other_problem(void **state) {
    (void)state;
    static const char as_reduce[] =
        "$11 = \"41_tree\"; $20 = 99999; $29 = \"later\"; $30 = \"reduce\"";
    run("cp $D/docs/results/h200/h200.csv $D/results/lab.csv; "
        "cp $D/docs/results/h200/h200-facts.csv $D/results/lab-facts.csv; " PREDICT
        "t1\\t05_tiling\\t3\\tmemory\\tbefore\\n' >$D/results/predictions.tsv");
    make_page("lab", "zen5");
    char *dom = show_page(), *before = said_of_nbody(dom);
    free(dom);
    run("cd $D/results; "
        "awk -F, -v OFS=, '$11 == \"12_float4\" {%s; print}' $D/docs/results/h200/h200.csv "
        ">>lab.csv; "
        "printf 'later,41_tree,plain,trace_global_bytes_per_element,4,B,trace\\n' >>lab-facts.csv; "
        "printf 't2\\t41_tree\\t2\\tmemory\\tbefore\\n' >>predictions.tsv",
        as_reduce);
    write_manifests(folder, "41_tree\tIII\treduce\treduce.cu\n");
    make_page("lab", "zen5");
    char *shown = show_page(), *after = said_of_nbody(shown);
    assert_string_equal(after, before);
    read_table(shown, "runs-table", &table);
    assert_cell("later", NULL, NULL, "steps", "1");
    free(shown), free(after), free(before);
    /* Nothing else in it. */
    run("sed -i '1p; /,reduce,/!d' $D/results/lab.csv");
    make_page("lab", "zen5");
    shown = show_page();
    assert_shows(shown, "This record has no rows of N-body.");
    assert_shows(shown, "Processor · NVIDIA H200 · measured until 20");
    free(shown);
    run("rm -r $D/steps/41_tree $D/results/predictions.tsv");
}

/* Text that means something in HTML, wherever a record may hold it. */
static void test_hostile(void **state) {
    (void)state;
    static const char text[] = "</pre></script><img src=x onerror=alert(1)>&amp;\"'<!--";
    char line[512];
    snprintf(line, sizeof line, "BEGIN {FS = OFS = \",\"} NR > 1 {$3 = $4 = $8 = $12 = t} {print}");
    run("awk -v t='%s' '%s' $D/results/zen5.csv >\"$D/results/a&b<c\\n\\\".csv\"",
        "</pre></script><img src=x onerror=alert(1)>&amp;\"'\\''<!--", line);
    make_page("a&b<c\\n\\\"", "h200");
    char *dom = show_page();
    assert_null(strstr(dom, "<img"));
    assert_non_null(strstr(dom, "<summary>a&amp;b&lt;c\\n\".csv, a row a measurement"));
    assert_shows(dom, "<h1 id=\"title\">N-body on a&amp;b&lt;c\\n\"</h1>");
    read_table(dom, "machine-table", &table);
    assert_cell("host", NULL, NULL, "value", text);
    assert_cell("CPU", NULL, NULL, "value", text);
    free(dom);
}

/* Refused with one line, and neither the page nor anything beside it has changed. */
static void assert_refused(const char *damage, int code, const char *part) {
    run("rm -rf $D/bad $D/out; mkdir $D/bad $D/out; echo old >$D/out/report.html; "
        "cp $D/results/zen5.csv $D/bad/b.csv; cp $D/results/zen5-facts.csv $D/bad/b-facts.csv; "
        "cd $D/bad; %s",
        damage);
    assert_int_equal(run("$D/common/report/pictures/draw.sh $D/bad/b.csv $D/out"), code);
    char *said = text_of("complained");
    if (count_lines(said) != 1 || !strstr(said, part))
        fail_msg("%s: \"%s\" is not the one line of:\n%s", damage, part, said);
    free(said);
    assert_int_equal(run("test \"$(ls -A $D/out)\" = report.html && "
                         "test \"$(cat $D/out/report.html)\" = old"),
                     0);
}

static void test_bad_input(void **state) {
    (void)state;
    assert_refused(": >b.csv", 13, "b.csv is empty");
    assert_refused("rm b.csv", 13, "b.csv is empty or not there");
    assert_refused("sed -i 1s/rate_gps/rate/ b.csv", 11, "another header");
    assert_refused("sed -i 1q b.csv", 13, "has no rows");
    assert_refused("sed -i 4s/,solution,/,/ b.csv", 13, "line 4 has the wrong number of fields");
    assert_refused("sed -i 3s/,30000,/,many,/ b.csv", 13,
                   "b.csv is damaged: line 3, n is no number");
    assert_refused("truncate -s -9 b.csv", 13, "cut off in its last line");
    assert_refused("sed -i 2s/,/,,/ b-facts.csv", 13, "b-facts.csv is damaged");
    assert_refused(PREDICT "a\\tb\\n' >predictions.tsv", 13, "predictions.tsv is damaged: line 2");
    assert_refused(PREDICT "a\\tb\\tfast\\td\\te\\n' >predictions.tsv", 13,
                   "line 2, speedup is no");
    assert_refused(PREDICT "a\\tb\\t2\\td\\te' >predictions.tsv", 13, "predictions.tsv is cut off");
    assert_refused("echo a >predictions.tsv", 11, "predictions.tsv has another header");
    assert_refused("mv $D/common/report/page/steps.js $D", 10, "report.html cannot be written");
    run("mv $D/steps.js $D/common/report/page");
}

/* draw.sh, which `make report` calls, writes the page before any picture. */
static void test_drawn(void **state) {
    (void)state;
    run("rm -rf $D/out");
    assert_int_equal(run("$D/common/report/pictures/draw.sh $D/results/zen5.csv $D/out"), 0);
    char *said = text_of("said"), *page = text_of("out/report.html");
    assert_non_null(strstr(said, "/out/report.html\n"));
    assert_non_null(strstr(page, "data-other=\"h200\""));
    assert_null(strstr(page, "data-other=\"zen5\"")); /* the record itself */
    free(said), free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),          cmocka_unit_test(test_facts),
        cmocka_unit_test(test_sentences),      cmocka_unit_test(test_alternatives),
        cmocka_unit_test(test_self_contained), cmocka_unit_test(test_without_gpu),
        cmocka_unit_test(test_default),        cmocka_unit_test(test_student),
        cmocka_unit_test(test_other_problem),  cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_bad_input),      cmocka_unit_test(test_drawn),
    };
    return cmocka_run_group_tests_name("report page", tests, make_tree, remove_tree);
}
