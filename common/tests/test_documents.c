/* The texts: every marked number is the record's, every link of the course leads to a file. Runs in
 * a copy of the repository. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "command.h"

static const char texts[] = "$(find . -name '*.md' -not -path './build/*')";

static void fill(const char *text, int expected) {
    char command[256];
    FILE *file = fopen("build/text.md", "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command, "common/report/fill.sh build/text.md 2>build/text.err");
    assert_int_equal(system(command) != 0, expected);
}

static void expect_text(const char *expected) {
    char *text = read_file("build/text.md", NULL);

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static int make_record(void **state) {
    if (enter_tree(state))
        return -1;
    return system("mkdir -p docs/results/toy && cd docs/results/toy && "
                  "echo step,variant,n,threads,rate_gps,seconds_median,iterations,error_p99,run,"
                  "backend >toy.csv && "
                  "echo 01,a,10,1,4,6,3,1e-6,r,cpu >>toy.csv && "
                  "echo 01,a,10,8,30,6,2,1e-6,r,cpu >>toy.csv && "
                  "echo 01,a,10,2,9,6,2,,r,cpu >>toy.csv && "
                  "echo 02,b,10,1,2,5,5,1e-6,r,cpu >>toy.csv && "
                  "echo run,step,variant,name,value,unit,source >toy-facts.csv && "
                  "echo r,,,ceiling,64,x,measured >>toy-facts.csv && "
                  "echo r,02,b,own,0.5,x,step >>toy-facts.csv && "
                  /* A run of another step, in which 01 and 02 were there for a comparison. */
                  "echo 01,a,10,1,5,6,3,,s,cpu >>toy.csv && "
                  "echo 02,b,10,1,3,5,5,,s,cpu >>toy.csv && "
                  "echo 03,c,10,1,7,5,5,1e-6,s,cuda >>toy.csv && "
                  "echo s,,,ceiling,32,x,measured >>toy-facts.csv && "
                  "echo s,,,ceiling_gpu,16,x,measured >>toy-facts.csv && "
                  "echo s,02,b,own,0.25,x,step >>toy-facts.csv && "
                  "echo s,03,c,own,0.125,x,step >>toy-facts.csv && "
                  "echo t,03,c,later,8,x,step >>toy-facts.csv");
}

static void test_numbers_are_filled(void **state) {
    (void)state;
    fill("a <!--= toy %.1f rate_gps(01 a 10) -->?<!--/--> b <!--= toy %s rate_gps(01 a 10 1) "
         "-->?<!--/-->\n",
         0);
    expect_text(
        "a <!--= toy %.1f rate_gps(01 a 10) -->30.0<!--/--> b <!--= toy %s rate_gps(01 a 10 "
        "1) -->4<!--/-->\n");
    fill("<!--= toy %.2f fact(ceiling) / 32 / rate_gps(02 b 10) * fact(own 02 b) -->?<!--/-->.\n",
         0);
    expect_text("<!--= toy %.2f fact(ceiling) / 32 / rate_gps(02 b 10) * fact(own 02 b) "
                "-->0.50<!--/-->.\n");
    fill("<!--= toy %.3f fact(own 03 c) / fact(ceiling_gpu) * 16 * fact(later 03 c) -->?<!--/-->\n",
         0);
    expect_text("<!--= toy %.3f fact(own 03 c) / fact(ceiling_gpu) * 16 * fact(later 03 c) "
                "-->1.000<!--/-->\n");
    fill("<!--= toy %.1f seconds(01 a 10 1) -->?<!--/-->\n", 0);
    expect_text("<!--= toy %.1f seconds(01 a 10 1) -->2.0<!--/-->\n");
}

static void test_what_no_record_has_is_refused(void **state) {
    static const char *const bad[] = {
        "<!--= toy %.1f rate_gps(03 a 10) -->1<!--/-->\n",
        "<!--= toy %.1f rate(01 a 10) -->1<!--/-->\n",
        "<!--= toy %.1f fact(nothing) -->1<!--/-->\n",
        "<!--= moon %.1f rate_gps(01 a 10) -->1<!--/-->\n",
        "<!--= toy %.1f rate_gps(01 a 10) -->1\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *said;

        fill(bad[i], 1);
        expect_text(bad[i]);
        said = read_file("build/text.err", NULL);
        assert_non_null(strstr(said, "build/text.md:1: "));
        free(said);
    }
}

static void test_a_changed_number_is_found(void **state) {
    (void)state;
    fill("x <!--= toy %.1f rate_gps(01 a 10) -->30.0<!--/-->\n", 0);
    assert_int_equal(system("common/report/fill.sh --check build/text.md"), 0);
    assert_int_equal(system("sed -i 's/30[.]0/30.1/' build/text.md"), 0);
    assert_int_not_equal(system("common/report/fill.sh --check build/text.md 2>/dev/null"), 0);
}

static void test_the_texts_hold_the_records_numbers(void **state) {
    char command[256];

    (void)state;
    snprintf(command, sizeof command, "common/report/fill.sh --check %s", texts);
    assert_int_equal(system(command), 0);
}

static void test_tables_are_the_records(void **state) {
    (void)state;
    assert_int_equal(system("for folder in docs/results/*/; do name=$(basename $folder); "
                            "[ $name = toy ] || build/referee report --results docs/results/"
                            "$name --machine $name | sed '/svg/d' | "
                            "diff -u docs/results/$name/table.txt - || exit 1; done"),
                     0);
}

static void test_links_lead_somewhere(void **state) {
    char command[512];

    (void)state;
    snprintf(
        command, sizeof command,
        "for text in %s; do grep -o '](\\([^)]*\\))' \"$text\" | sed 's/^](//; s/)$//; s/#.*//' | "
        "while read -r link; do case $link in http*|'') ;; *) [ -e \"$(dirname \"$text\")/$link\" "
        "] "
        "|| { echo \"$text: $link\"; exit 1; } ;; esac; done || exit 1; done",
        texts);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_filled),
        cmocka_unit_test(test_what_no_record_has_is_refused),
        cmocka_unit_test(test_a_changed_number_is_found),
        cmocka_unit_test(test_the_texts_hold_the_records_numbers),
        cmocka_unit_test(test_tables_are_the_records),
        cmocka_unit_test(test_links_lead_somewhere),
    };
    return cmocka_run_group_tests(tests, make_record, leave_tree);
}
