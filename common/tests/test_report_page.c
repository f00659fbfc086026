/* The report page: what it says equals the record, of whatever kind that is; it has the pictures
 * that were drawn; nothing is loaded, nothing in a record becomes markup, and bad input leaves the
 * page as it was. */
#include "testing.h"
#include "page_dom.h"
#include "record_files.h"
#include "svg_picture.h"

#define PREDICT "printf 'time_utc\\tstep\\tspeedup\\tlimit\\twhen\\n"

static struct page_table table;
static char *h200; /* the page of that record with its pictures, once it was made */

static void show_h200(void) {
    need_gnuplot();
    if (h200)
        return;
    h200 = draw_page("h200");
    run("rm -rf $D/h200; mv $D/out $D/h200");
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

static void assert_shows(const char *page, const char *part) {
    if (!strstr(page, part))
        fail_msg("\"%s\" is not in the page", part);
}

/* A share as the page rounds it. */
static const char *percent(const char *share) {
    static char text[16];
    double value = 100 * atof(share);
    snprintf(text, sizeof text, value >= 10 ? "%.0f%%" : "%.2g%%", value);
    return *share ? text : "";
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

/* The rows of the ladder's steps, in both tables that have them, are the record's. */
static void assert_rates(const char *record, int steps, const char *const *sizes) {
    char row[LINE_BYTES], *fields[COLUMN_COUNT];
    for (int s = 0; s < steps; s++)
        for (int i = 0; sizes[i]; i++) {
            const char *step = ladder[s].step;
            assert_true(find_row(record, step, ladder[s].variant, sizes[i], row, fields));
            assert_cell(step, "n", sizes[i], "program", "solution");
            assert_cell(step, "n", sizes[i], "G/s", fields[COLUMN_rate_gps]);
            assert_cell(step, "n", sizes[i], "share of limit", percent(fields[COLUMN_limit_share]));
            assert_cell(step, "n", sizes[i], "× step before", fields[COLUMN_speedup_previous]);
            assert_cell(step, "n", sizes[i], "verdict", fields[COLUMN_verdict]);
        }
}

/* Steps stand in their order, the learner's program directly below the solution's, and what was
 * recorded elsewhere behind both. */
static void assert_order(void) {
    for (int r = 2; r < table.rows; r++) {
        int order = strcmp(table.text[r - 1][0], table.text[r][0]);
        assert_true(order <= 0);
        if (!strcmp(table.text[r][1], "yours"))
            assert_true(order == 0 && !strcmp(table.text[r - 1][1], "solution") &&
                        !strcmp(table.text[r - 1][2], table.text[r][2]));
        if (order == 0 && !strncmp(table.text[r - 1][1], "on ", 3))
            assert_true(strcmp(table.text[r][1], "solution") && strcmp(table.text[r][1], "yours"));
    }
}

static void test_rates(void **state) {
    (void)state;
    static const char *const sizes[] = {"30000", "65536", "131072", NULL};
    static const struct {
        const char *name;
        enum column column;
    } drawn[] = {{"G/s", COLUMN_rate_gps},
                 {"limit, G/s", COLUMN_limit_gps},
                 {"× serial", COLUMN_speedup_serial},
                 {"first wrong decimal", COLUMN_first_wrong_decimal},
                 {"run", COLUMN_run}};
    show_h200();
    char *record = read_text("results/h200.csv"), row[LINE_BYTES];
    char *zen5 = read_text("results/zen5.csv"), *fields[COLUMN_COUNT];
    read_table(h200, "rates-table", &table);
    assert_int_equal(table.rows, 1 + 3 * STEPS + 2 + 5); /* on zen5; 13 to 17 on another */
    assert_rates(record, STEPS, sizes);
    assert_order();
    assert_true(find_row(zen5, "02_openmp", "static", "30000", row, fields));
    assert_cell("02_openmp", "program", "on zen5", "G/s", fields[COLUMN_rate_gps]);
    assert_null(cell_of(&table, "03_cuda_naive", "program", "on h200-part-ii", "G/s"));
    assert_non_null(cell_of(&table, "16_tensor_cores", "program", "on h200-part-ii", "G/s"));
    read_table(h200, "ladder-table", &table);
    assert_int_equal(table.rows, 1 + 3 * STEPS);
    for (int s = 0; s < STEPS; s++)
        for (int i = 0; i < 3; i++) {
            assert_true(find_row(record, ladder[s].step, ladder[s].variant, sizes[i], row, fields));
            for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++)
                assert_cell(ladder[s].step, "n", sizes[i], drawn[k].name, fields[drawn[k].column]);
        }
    read_table(h200, "sizes-table", &table);
    assert_int_equal(table.rows, 1 + 12);
    assert_true(find_row(record, "12_float4", "float4", "8192", row, fields));
    assert_cell("8192", NULL, NULL, "G/s", fields[COLUMN_rate_gps]);
    read_table(h200, "closing-table", &table);
    char kept[64];
    assert_true(find_row(record, "12_float4", "without_tiling", "131072", row, fields));
    double without = atof(fields[COLUMN_rate_gps]);
    assert_true(find_row(record, "12_float4", "without_nothing", "131072", row, fields));
    snprintf(kept, sizeof kept, "%.1f%% (%.0f G/s)", 100 * without / atof(fields[COLUMN_rate_gps]),
             without);
    const char *shown = cell_of(&table, "n = 131072:  12_float4 without one of its ideas",
                                "program", "without tiling", "value");
    assert_true(shown && !strncmp(shown, kept, 5) && strstr(shown, strchr(kept, '(')));
    free(record), free(zen5);
}

/* Steps of other problems: rates without copies, what that is in bytes, and peers. */
static void test_primitives(void **state) {
    (void)state;
    static const struct {
        const char *step, *variant, *n, *bytes;
    } cases[] = {{"21_reduce", "chosen", "268435456", "4488"},
                 {"21_reduce", "peer_cub", "268435456", "4419"},
                 {"22_scan", "chosen", "268435456", "3635"},
                 {"23_radix_sort", "chosen", "134217728", "1502"},
                 {"24_spmv", "tiles", "16777216", "3552"},
                 {"24_spmv", "peer_cusparse", "16777216", "3005"}};
    run("cp $D/docs/results/h200-part-iii/*.csv $D/results");
    char *page = make_page("h200-part-iii", "h200");
    char *record = read_text("results/h200-part-iii.csv"), line[LINE_BYTES];
    read_table(page, "primitives-table", &table);
    assert_int_equal(table.rows, 1 + 4 + 4);
    assert_order();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *peer = strstr(cases[i].variant, "peer_");
        const char *program = peer ? peer + 5 : "solution", *rate;
        assert_non_null(rate = cell_of(&table, cases[i].step, "program", program, "G/s"));
        assert_cell(cases[i].step, "program", program, "GB/s", cases[i].bytes);
        /* A row by the device's clock has this rate. */
        int found = 0;
        for (const char *p = record; *p; p += strcspn(p, "\n") + 1) {
            char *cut[COLUMN_COUNT];
            snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
            found += split(line, ',', cut, COLUMN_COUNT) == COLUMN_COUNT &&
                     !strcmp(cut[COLUMN_step], cases[i].step) &&
                     !strcmp(cut[COLUMN_variant], cases[i].variant) &&
                     !strcmp(cut[COLUMN_n], cases[i].n) && !strcmp(cut[COLUMN_clock], "device") &&
                     !strcmp(cut[COLUMN_rate_gps], rate);
        }
        assert_true(found);
    }
    assert_shows(page,
                 "Fastest accepted program by elements per second: 21_reduce, variant chosen");
    assert_shows(page, "Fastest by keys per second: 23_radix_sort");
    read_table(page, "rates-table", &table);
    assert_non_null(cell_of(&table, "05_tiling", "program", "on h200", "G/s"));
    free(page), free(record);
}

static void test_facts(void **state) {
    (void)state;
    show_h200();
    char *facts = read_text("results/h200-facts.csv"), row[LINE_BYTES], *counts[10];
    char *record = read_text("results/h200.csv"), *fields[COLUMN_COUNT];
    static const char *const shown[][2] = {
        {"bytes of global memory (make trace, here)", "trace_global_bytes_per_interaction"},
        {"bytes of shared memory (make trace, here)", "trace_shared_bytes_per_interaction"},
        {"sectors per request whose lanes differ (make trace, here)",
         "trace_varied_sectors_per_request"},
        {"wavefronts per request (make trace, here)", "trace_shared_wavefronts_per_request"},
    };
    for (int s = 2; s < STEPS; s++) {
        char cost[64];
        snprintf(cost, sizeof cost, "cost-%s", ladder[s].step);
        read_table(h200, cost, &table);
        for (int k = 0; k < 4; k++) {
            const char *counted = find_fact(facts, ladder[s].step, ladder[s].variant, shown[k][1]);
            if (*counted)
                assert_cell(shown[k][0], NULL, NULL, "cost", counted);
            else
                assert_null(cell_of(&table, shown[k][0], NULL, NULL, "cost"));
        }
        read_table(h200, "roofline-table", &table);
        assert_cell(ladder[s].step, NULL, NULL, "slots",
                    find_fact(facts, ladder[s].step, ladder[s].variant, "ncu_slots"));
        double issued = atof(cell_of(&table, ladder[s].step, NULL, NULL, "ceiling ÷ slots, G/s")) *
                        atof(cell_of(&table, ladder[s].step, NULL, NULL, "slots"));
        assert_true(near(issued, atof(find_fact(facts, "", "", "ceiling_gpu_issue")) / 1e9));
        double part = atof(cell_of(&table, ladder[s].step, NULL, NULL, "G/s")) *
                      atof(cell_of(&table, ladder[s].step, NULL, NULL, "slots")) / issued;
        assert_true(fabs(100 * part - atof(cell_of(&table, ladder[s].step, NULL, NULL, "share"))) <
                    1);
    }
    read_table(h200, "decimals-08-table", &table);
    assert_int_equal(table.rows, 3);
    for (int s = 6; s <= 7; s++) {
        assert_true(find_row(record, ladder[s].step, ladder[s].variant, "65536", row, fields));
        assert_int_equal(split(fields[COLUMN_decimals], ':', counts, 10), 10);
        assert_cell(ladder[s].step, NULL, NULL, "2", counts[1]);
        assert_cell(ladder[s].step, NULL, NULL, "7", counts[6]);
        assert_cell(ladder[s].step, NULL, NULL, "later", counts[9]);
    }
    read_table(h200, "ceilings-table", &table);
    assert_cell("issue slots", NULL, NULL, "as recorded",
                find_fact(facts, "", "", "ceiling_gpu_issue"));
    /* The manifest's costs, and what the ceilings of the row's run allow at that. */
    read_table(h200, "cost-05_tiling", &table);
    assert_int_equal(table.rows, 1 + 4 + 4);
    assert_cell("issue slots", NULL, NULL, "cost", "36.75");
    assert_cell("issue slots", NULL, NULL, "allows, G/s", "902");
    assert_true(find_row(record, "05_tiling", "soa", "131072", row, fields));
    assert_true(near(902, atof(fields[COLUMN_limit_gps])));
    free(facts), free(record);
}

static void assert_step_says(const char *page, const char *step, const char *part) {
    char start[64];
    snprintf(start, sizeof start, "<article id=\"step-%s\">", step);
    const char *item = strstr(page, start), *said;
    assert_non_null(item);
    if (!(said = strstr(item, part)) || said > strstr(item, "</article>"))
        fail_msg("%s does not say \"%s\"", step, part);
}

/* A step's sentences say what the facts and the row say. */
static void test_sentences(void **state) {
    (void)state;
    show_h200();
    char *facts = read_text("results/h200-facts.csv"), row[LINE_BYTES], said[256];
    char *record = read_text("results/h200.csv"), *fields[COLUMN_COUNT];
    double before = atof(find_fact(facts, "04_soa", "256", "trace_global_bytes_per_interaction"));
    double here = atof(find_fact(facts, "05_tiling", "soa", "trace_global_bytes_per_interaction"));
    snprintf(said, sizeof said,
             "Global traffic fell %.0f times against 04_soa, to 0.056 B per interaction.",
             before / here);
    assert_step_says(h200, "05_tiling", said);
    assert_true(find_row(record, "05_tiling", "soa", "131072", row, fields));
    snprintf(said, sizeof said,
             "%.0f G/s at n = 131072: %.2f times as fast as 04_soa in the same run.",
             atof(fields[COLUMN_rate_gps]), atof(fields[COLUMN_speedup_previous]));
    assert_step_says(h200, "05_tiling", said);
    snprintf(said, sizeof said, "The limit is still issue slots, of which it uses %.0f%%.",
             100 * atof(fields[COLUMN_limit_share]));
    assert_step_says(h200, "05_tiling", said);
    assert_step_says(h200, "03_cuda_naive",
                     "The limit is now issue slots"); /* no longer the CPU's */
    assert_step_says(h200, "10_fp16",
                     "Its results are rejected (decimals), as the course expects.");
    free(facts), free(record);
}

/* Every picture says in words what it shows, and has its numbers in a table. */
static int assert_alternatives(const char *page) {
    int pictures = 0;
    for (const char *p = page; (p = strstr(p, "<svg ")); p++) {
        const char *words = strstr(p, "aria-label=\""), *end = strchr(p, '>');
        assert_true(strstr(p, "role=\"img\"") < end);
        assert_true(words < end && strcspn(words + 12, "\"") > 30);
        pictures++;
    }
    for (const char *p = page; (p = strstr(p, "<figure>")); p++) {
        const char *picture = strstr(p, "</svg>"), *end = strstr(p, "</figure>");
        const char *numbers = strstr(p, "<tbody><tr>");
        if (!numbers)
            numbers = strstr(p, "<tbody>\n<tr>");
        assert_true(picture && picture < end && numbers > picture && numbers < end);
        pictures--;
    }
    assert_int_equal(pictures, 0);
    return occurrences(page, "<figure>");
}

/* Every id names one element, and what a picture refers to is there. */
static void assert_ids(const char *page) {
    char id[160];
    for (const char *p = page; (p = strstr(p, " id=")); p++) {
        snprintf(id, sizeof id, "%.*s%c", (int)strcspn(p + 5, p[4] == '\'' ? "'" : "\"") + 5, p,
                 p[4]);
        if (strstr(p + 1, id))
            fail_msg("twice:%s", id);
    }
    for (const char *p = page; (p = strstr(p, "href=")); p++) {
        assert_true(p[6] == '#');
        int length = (int)strcspn(p + 7, "'\"");
        snprintf(id, sizeof id, " id=%c%.*s%c", p[5], length, p + 7, p[5]);
        if (!strstr(page, id))
            fail_msg("not there:%s", id);
    }
}

/* The page has the pictures that were drawn, each as it was drawn. */
static void test_pictures(void **state) {
    (void)state;
    show_h200();
    int figures = assert_alternatives(h200);
    assert_int_equal(run("cat $D/h200/*.svg >$D/all.svg; ls $D/h200/*.svg | wc -l"), 0);
    char *count = read_text("said"), *all = read_text("all.svg");
    assert_int_equal(figures, atoi(count));
    assert_in_range(figures, 30, 40);
    static const char *const parts[] = {"<use ", "<path ", "<text>", "<polygon ", "</svg>"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_int_equal(occurrences(h200, parts[i]), occurrences(all, parts[i]));
    assert_ids(h200);
    free(count), free(all);
}

static void test_self_contained(void **state) {
    (void)state;
    show_h200();
    static const char *const loads[] = {"<script", "src=", "url(", "@import", "http:", "https:"};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (strstr(h200, loads[i]))
            fail_msg("%s is in the page", loads[i]);
    assert_non_null(strstr(h200, "default-src 'none'; style-src 'unsafe-inline'\""));
}

/* Every step of the catalogue is there, with a rate of this record or of a published one. */
static void test_all_steps(void **state) {
    (void)state;
    show_h200();
    run("$D/common/report/steps.sh $D | sed 1d | cut -f1");
    char *steps = read_text("said");
    int count = 0;
    for (char *step = strtok(steps, "\n"); step; step = strtok(NULL, "\n"), count++) {
        const char *rate;
        assert_step_says(h200, step, "G/s at n = ");
        read_table(h200, "rates-table", &table);
        if (!(rate = cell_of(&table, step, NULL, NULL, "G/s"))) {
            read_table(h200, "primitives-table", &table);
            rate = cell_of(&table, step, NULL, NULL, "G/s");
        }
        if (!rate || !(atof(rate) > 0))
            fail_msg("%s has no rate", step);
    }
    assert_true(count >= 21);
    free(steps);
}

/* A browser has nothing to complain of, and finds all pictures and tables. */
static void test_browser(void **state) {
    (void)state;
    show_h200();
    char *dom = show_page("h200/report.html");
    assert_int_equal(occurrences(dom, "<svg "), occurrences(h200, "<svg "));
    assert_int_equal(occurrences(dom, "<use "), occurrences(h200, "<use "));
    assert_int_equal(occurrences(dom, "<table "), occurrences(h200, "<table "));
    free(dom);
}

/* A record of a machine without a GPU: verdicts of CUDA steps, and beside them what teaches. Of
 * 02_openmp the row with all threads counts, though that with one comes last; the fastest program
 * is that of another problem with the same unit. */
static void test_without_gpu(void **state) {
    (void)state;
    static const char *const sizes[] = {"30000", NULL};
    run("awk -F, -v OFS=, '$11 == \"02_openmp\" {$26 = \"\"} {print} $11 == \"01_serial\" && "
        "!done++ {$11 = \"13_cpu_simd\"; $12 = \"chosen\"; $20 = 13.4; $30 = \"nbody_masses\"; "
        "print; "
        "$30 = \"nbody\"; $11 = \"03_cuda_naive\"; $9 = "
        "\"cpucuda\"; $12 = 256; $17 = $18 = $19 = $20 = $21 = $22 = \"\"; print; $28 = \"race\"; "
        "$11 = \"04_soa\"; print; $12 = 1024; $28 = \"crashed\"; print}' "
        "$D/docs/results/zen5/zen5.csv >$D/results/zen5.csv");
    char *page = make_page("zen5", "h200"), *record = read_text("docs/results/zen5/zen5.csv");
    char *h200_record = read_text("docs/results/h200/h200.csv"), row[LINE_BYTES];
    char *fields[COLUMN_COUNT];
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
    assert_step_says(page, "03_cuda_naive", "Recorded on h200: 579 G/s at n = 131072, 64% of its");
    assert_step_says(page, "04_soa", "(cpucuda): its results were rejected (race).");
    assert_step_says(page, "05_tiling", "Global traffic fell 216 times against 04_soa");
    read_table(page, "cost-05_tiling", &table);
    assert_cell("bytes of global memory (make trace, h200)", NULL, NULL, "cost", "0.0556641");
    assert_shows(page, "without a GPU, CUDA C runs on the CPU");
    assert_null(strstr(page, "id=\"roofline\""));
    assert_null(strstr(page, "id=\"predictions\""));
    assert_null(strstr(page, "Yours"));
    free(page), free(record), free(h200_record);
    run("cp docs/results/zen5/zen5.csv $D/results");
}

/* Benches of one VARIANT= alone, before the step's own and after it, do not become its default; a
 * step that was timed at a size of its own has its row, and one without a manifest its place. */
static void test_default(void **state) {
    (void)state;
    run("awk -F, -v OFS=, '$11 == \"07_device_integration\" {$14 = 16384} "
        "$11 == \"06_unroll\" && $12 == 16 && $14 == 30000 {kept = $0; $12 = 8; "
        "$20 = 1; "
        "$29 = \"earlier\"; print; $0 = kept} {print} $11 == \"08_rsqrt\" {$12 = \"other\"; $20 = "
        "2; "
        "$29 = \"later\"; print} $11 == \"01_serial\" {$11 = \"00_own\"; print}' "
        "$D/docs/results/h200/h200.csv >$D/results/lab.csv");
    char *page = make_page("lab", "h200");
    read_table(page, "rates-table", &table);
    assert_order();
    assert_string_equal(table.text[1][0], "00_own");
    assert_cell("06_unroll", "n", "30000", "G/s", "267.144");
    assert_cell("08_rsqrt", "n", "30000", "G/s", "797.941");
    assert_cell("07_device_integration", NULL, NULL, "n", "16384"); /* no size of the ladder's */
    assert_cell("07_device_integration", NULL, NULL, "G/s", "702.112");
    free(page);
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
    need_gnuplot();
    char *dom = draw_page("lab");
    run("rm $D/results/predictions.tsv");
    read_table(dom, "rates-table", &table);
    assert_cell("05_tiling", "program", "yours", "G/s", "500.5");
    assert_cell("05_tiling", "program", "solution", "G/s", "264.992");
    assert_order();
    assert_int_equal(table.rows, 1 + 3 * STEPS + 3 + 2 + 5);
    read_table(dom, "roofline-table", &table);
    assert_cell("05_tiling, yours", NULL, NULL, "G/s", "500.5");
    assert_shows(dom, ">05_tiling, yours: 36.8, 500<"); /* a name in the roofline */
    assert_step_says(dom, "05_tiling",
                     "Yours: 500 G/s at n = 131072: 0.75 times as fast as 04_soa");
    assert_step_says(dom, "05_tiling", "That is 75% of the solution’s rate.");
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
    free(dom);
}

static char *part_of(const char *page, const char *from, const char *to) {
    const char *begin = strstr(page, from), *end = begin ? strstr(begin, to) : NULL;
    assert_non_null(end);
    return strndup(begin, (size_t)(end - begin));
}

/* A step of another problem, in the record, its facts, the catalogue and the predictions: what is
 * said of N-body stays as it is, and the step has a row and a part of its own. */
static void test_other_problem(void **state) {
    (void)state;
    static const char *const parts[][2] = {{"<table id=\"rates-table\"", "</table>"},
                                           {"<article id=\"step-01", "<article id=\"step-21"},
                                           {"<table id=\"ceilings", "</table>"}};
    static const char as_reduce[] =
        "$11 = \"41_tree\"; $12 = \"plain\"; $20 = 999.5; $29 = \"later\"; $30 = \"reduce\"; "
        "$34 = \"device\"";
    char *before[3];
    run("cp $D/docs/results/h200/h200.csv $D/results/lab.csv; "
        "cp $D/docs/results/h200/h200-facts.csv $D/results/lab-facts.csv; " PREDICT
        "t1\\t05_tiling\\t3\\tmemory\\tbefore\\n' >$D/results/predictions.tsv");
    char *page = make_page("lab", "zen5");
    for (int i = 0; i < 3; i++)
        before[i] = part_of(page, parts[i][0], parts[i][1]);
    assert_null(strstr(page, "41_tree"));
    free(page);
    run("cd $D/results; "
        "awk -F, -v OFS=, '$11 == \"12_float4\" {%s; print}' $D/docs/results/h200/h200.csv "
        ">>lab.csv; "
        "printf 'later,41_tree,plain,trace_global_bytes_per_element,4,B,trace\\n' >>lab-facts.csv; "
        "printf 't2\\t41_tree\\t2\\tmemory\\tbefore\\n' >>predictions.tsv",
        as_reduce);
    write_manifests(folder, "41_tree\tIII\treduce\treduce.cu\n");
    page = make_page("lab", "zen5");
    for (int i = 0; i < 3; i++) {
        char *after = part_of(page, parts[i][0], parts[i][1]);
        assert_string_equal(after, before[i]);
        free(after), free(before[i]);
    }
    read_table(page, "primitives-table", &table);
    assert_cell("41_tree", NULL, NULL, "G/s", "999.5");
    read_table(page, "cost-41_tree", &table);
    assert_cell("bytes of global memory (make trace, here)", NULL, NULL, "cost", "4");
    assert_shows(page, "Cost per element");
    read_table(page, "predictions-table", &table);
    assert_cell("41_tree", NULL, NULL, "your speed-up", "2");
    read_table(page, "runs-table", &table);
    assert_cell("later", NULL, NULL, "steps", "1");
    free(page);
    /* Nothing else in it. */
    run("sed -i '1p; /,reduce,/!d' $D/results/lab.csv");
    page = make_page("lab", "zen5");
    assert_shows(page, "Fastest accepted program by elements per second: 41_tree");
    assert_shows(page, "Processor · NVIDIA H200 · measured until 20");
    free(page);
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
        "cp $D/results/zen5.csv $D/bad/b.csv; cp $D/results/zen5-facts.csv $D/bad/b-facts.csv; "
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

static void test_bad_input(void **state) {
    (void)state;
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
    assert_int_equal(run("$D/common/report/pictures/draw.sh $D/results/zen5.csv $D/out"), 10);
    assert_int_equal(
        run("test \"$(cat $D/out/report.html)\" = old && ! ls -A $D/out | grep '^[.]r'"), 0);
    run("mv $D/page.css $D/common/report/page");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),       cmocka_unit_test(test_primitives),
        cmocka_unit_test(test_facts),       cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_pictures),    cmocka_unit_test(test_self_contained),
        cmocka_unit_test(test_all_steps),   cmocka_unit_test(test_browser),
        cmocka_unit_test(test_without_gpu), cmocka_unit_test(test_default),
        cmocka_unit_test(test_student),     cmocka_unit_test(test_other_problem),
        cmocka_unit_test(test_hostile),     cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("report page", tests, make_tree, remove_scratch);
}
