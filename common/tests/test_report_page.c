/* The report page of a published record: what it says equals the record, it has the pictures that
 * were drawn, and nothing is loaded. */
#include "testing.h"
#include "report_page.h"
#include "svg_picture.h"

static char *h200; /* the page of that record with its pictures, once it was made */

static void show_h200(void) {
    need_gnuplot();
    if (h200)
        return;
    h200 = draw_page("h200");
    run("rm -rf $D/h200; mv $D/out $D/h200");
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

TEST(test_rates) {
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
    char *two_cores = read_text("results/two-cores.csv"), *fields[COLUMN_COUNT];
    read_table(h200, "rates-table", &table);
    /* 13 to 17 too, of which four lack a size, two peers of 12, and 01, 02 and 13 on two-cores. */
    assert_int_equal(table.rows, 1 + 3 * (STEPS + 5) - 4 + 2 + 3);
    assert_rates(record, STEPS, sizes);
    assert_order();
    assert_true(find_row(two_cores, "02_openmp", "static", "131072", row, fields));
    assert_cell("02_openmp", "program", "on two-cores", "G/s", fields[COLUMN_rate_gps]);
    assert_null(cell_of(&table, "03_cuda_naive", "program", "on two-cores", "G/s"));
    read_table(h200, "ladder-table", &table);
    assert_int_equal(table.rows, 1 + 3 * (STEPS + 5) - 4);
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
    free(record), free(two_cores);
}

/* Steps of other problems: rates without copies, what that is in bytes, and peers. */
TEST(test_primitives) {
    static const struct {
        const char *step, *variant, *n;
        double bytes; /* per element, key or nonzero, by the step's manifest */
    } cases[] = {
        {"21_reduce", "chosen", "268435456", 4},  {"21_reduce", "peer_cub", "268435456", 4},
        {"22_scan", "chosen", "268435456", 8},    {"23_radix_sort", "chosen", "134217728", 36},
        {"24_spmv", "tiles", "16777216", 9.7143}, {"24_spmv", "peer_cusparse", "16777216", 9.7143}};
    run("cd $D/results; awk -F, 'NR == 1 || $10 == \"III\"' h200.csv >lab.csv; "
        "cp h200-facts.csv lab-facts.csv");
    char *page = make_page("lab", "h200");
    char *record = read_text("results/lab.csv"), line[LINE_BYTES];
    read_table(page, "primitives-table", &table);
    assert_int_equal(table.rows, 1 + 4 + 5 + 7); /* peers, and steps of h200 */
    assert_order();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *peer = strstr(cases[i].variant, "peer_");
        const char *program = peer ? peer + 5 : "solution", *rate;
        assert_non_null(rate = cell_of(&table, cases[i].step, "program", program, "G/s"));
        const char *bytes = cell_of(&table, cases[i].step, "program", program, "GB/s");
        assert_true(bytes && fabs(atof(bytes) - cases[i].bytes * atof(rate)) <= 1);
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

TEST(test_facts) {
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
    assert_true(find_row(record, "05_tiling", "soa", "131072", row, fields));
    assert_true(near(atof(cell_of(&table, "issue slots", NULL, NULL, "allows, G/s")),
                     atof(fields[COLUMN_limit_gps])));
    free(facts), free(record);
}

/* A step's sentences say what the facts and the row say. */
TEST(test_sentences) {
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

/* The page has the pictures that were drawn, each as it was drawn. */
TEST(test_pictures) {
    show_h200();
    int figures = assert_alternatives(h200);
    assert_int_equal(run("cat $D/h200/*.svg >$D/all.svg; ls $D/h200/*.svg | wc -l"), 0);
    char *count = read_text("said"), *all = read_text("all.svg");
    assert_int_equal(figures, atoi(count));
    assert_in_range(figures, 80, 90);
    static const char *const parts[] = {"<use ", "<path ", "<text>", "<polygon ", "</svg>"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_int_equal(occurrences(h200, parts[i]), occurrences(all, parts[i]));
    assert_ids(h200);
    free(count), free(all);
}

TEST(test_self_contained) {
    show_h200();
    static const char *const loads[] = {"<script", "src=", "url(", "@import", "http:", "https:"};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (strstr(h200, loads[i]))
            fail_msg("%s is in the page", loads[i]);
    assert_non_null(strstr(h200, "default-src 'none'; style-src 'unsafe-inline'\""));
}

/* Every step of the catalogue is there, with a rate of this record or of a published one, if there
 * is one that has the step. */
TEST(test_all_steps) {
    show_h200();
    run("$D/common/report/steps.sh $D | sed 1d | cut -f1");
    char *steps = read_text("said");
    int count = 0;
    for (char *step = strtok(steps, "\n"); step; step = strtok(NULL, "\n")) {
        const char *rate;
        if (run("cat docs/results/*/*.csv | grep -q ',%s,'", step)) {
            print_message("%s is in no record yet\n", step);
            assert_step_says(h200, step, "<h3>");
            continue;
        }
        assert_step_says(h200, step, "G/s at n = ");
        read_table(h200, "rates-table", &table);
        if (!(rate = cell_of(&table, step, NULL, NULL, "G/s"))) {
            read_table(h200, "primitives-table", &table);
            rate = cell_of(&table, step, NULL, NULL, "G/s");
        }
        if (!rate || !(atof(rate) > 0))
            fail_msg("%s has no rate", step);
        count++;
    }
    assert_true(count >= 26);
    free(steps);
}

/* A browser has nothing to complain of, and finds all pictures and tables. */
TEST(test_browser) {
    show_h200();
    char *dom = show_page("h200/report.html");
    assert_int_equal(occurrences(dom, "<svg "), occurrences(h200, "<svg "));
    assert_int_equal(occurrences(dom, "<use "), occurrences(h200, "<use "));
    assert_int_equal(occurrences(dom, "<table "), occurrences(h200, "<table "));
    free(dom);
}

GROUP(make_tree, end_folder)
