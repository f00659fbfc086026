/* What commands print with JSON=1, for programs. Run from the repository's root. */
#include "testing.h"

#include <limits.h>
#include <math.h>

#include "command.h"
#include "record_files.h"
#include "referee/base/json.h"

TEST(test_json_checker) {
    static const char *const good[] = {
        "{}",       " [1, -0.5e+3,\n0] ",        "{\"a\\\"\": [null, true]}",
        "\"\\\\\"", "[[], {\"\": \"\\u00e9\"}]", "0"};
    static const char *const bad[] = {
        "",   "{",   "[1,]", "{\"a\" 1}", "{a: 1}", "[nan]",    "[inf]", "\"\\q\"", "\"\n\"",
        "01", "1 2", "[1}",  "-",         "\"\\\"", "{\"a\":}", "1.",    "[1 2]",   "\"a"};
    size_t i;

    for (i = 0; i < sizeof good / sizeof *good; i++)
        if (!is_json(good[i]))
            fail_msg("refused: %s", good[i]);
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is_json(bad[i]))
            fail_msg("taken: %s", bad[i]);
}

/* Commas, line ends and what no JSON could hold. */
TEST(test_json_writer) {
    int before = catch_stdout();
    char *text;

    print_json("{ text=%s count=%d many=%lu rate=%.3g", "\"\\\n\xc3\xa9\xff", -3, ULONG_MAX, 2.5);
    print_json("neither=%g nor=%.2e yes=%c no=%c %s=[", (double)NAN, -(double)INFINITY, 2, 0,
               "a b");
    print_json("%s %d { one=null", "word", 4);
    print_json("} { } ] empty=[ ] last=true }");
    print_json("[ ]");
    text = caught_stdout(before);
    assert_string_equal(text, "{\"text\": \"\\\"\\\\\\u000a\xc3\xa9?\", \"count\": -3, "
                              "\"many\": 18446744073709551615, \"rate\": 2.5, \"neither\": null, "
                              "\"nor\": null, \"yes\": true, \"no\": false, \"a b\": [\"word\", "
                              "4,\n    {\"one\": null},\n    {}], \"empty\": [], \"last\": true}\n"
                              "[]\n");
    free(text);
}

/* A step that is wrong in ways that no number in JSON can hold, in a file that no string can. */
TEST(test_json_of_failures) {
    static const struct {
        const char *value;
        int code;
    } wrong[] = {{"0.0f / 0.0f", 31}, {"3e38f", 32}};
    const char *format =
        "#include \"nbody.h\"\nstruct simulation { struct parameters p; struct body *out; };\n"
        "static struct simulation s;\n"
        "struct simulation *simulation_create(const struct parameters *p, const struct body *in,\n"
        "struct body *out) { (void)in; s.p = *p; s.out = out; return &s; }\n"
        "int simulation_run(struct simulation *t, int k) { volatile float v = %s; (void)k;\n"
        "for (int i = 0; i < 6 * t->p.n; i++) ((float *)t->out)[i] = v; return 0; }\n"
        "void simulation_destroy(struct simulation *t) { (void)t; }\n";
    char source[1024];
    size_t i;

    setenv("F", "build/a \"b\\ \t.c", 1);
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct result result;

        snprintf(source, sizeof source, format, wrong[i].value);
        write_file(getenv("F"), source);
        result = run("build/referee check --step 02 --variant dynamic --json 1 --file \"$F\"");
        assert_json(result, wrong[i].code);
        assert_says(result.out, "build/a \\\"b\\\\ \\u0009.c");
    }
}

TEST(test_json_of_run_and_bench) {
    struct result result = run("build/referee run --step 02 --json 1 " SMALL);
    char header[] = ROWS_HEADER, *name, *rest = header, key[64];
    const char *at;

    assert_json(result, 0);
    assert_string_equal(result.err, "");
    assert_says(result.out, "\"seconds\": ");

    /* The columns of the record, all and in order; also where compilers are missing. */
    run("mkdir build/path && IFS=: && for d in $PATH; do ln -s \"$d\"/* build/path "
        "2>/dev/null; done; rm -f build/path/clang*");
    result =
        run("PATH=$PWD/build/path build/referee bench --step 01 --n 64 --iterations 2 --json 1 "
            "--machine pc --results build/r");
    assert_json(result, 0);
    assert_says(result.err, "recorded in build/r/pc.csv");
    assert_null(strchr(result.err, '\r'));
    at = result.out;
    while ((name = strsep(&rest, ","))) {
        snprintf(key, sizeof key, "\"%s\": ", name);
        at = text_from(at, key);
    }
    result = run("build/referee report --json 1 --machine pc --results build/r");
    assert_json(result, 0);
}

GROUP(enter_tree, leave_tree)
