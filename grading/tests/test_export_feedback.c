/* The pages that students and the instructor read: all that a student needs is there, nothing that
 * no student may see, and no word of a submission becomes markup. Run from the repository's root.
 */
#include "testing.h"
#include "exported_book.h"
#include "graded.h"

static void assert_holds(const char *name, const char *part) {
    char *text = file(name);

    if (!strstr(text, part))
        fail_msg("\"%s\" is not in %s:\n%s", part, name, text);
    free(text);
}

static void assert_lacks(const char *name, const char *part) {
    char *text = file(name);

    if (strcasestr(text, part))
        fail_msg("\"%s\" is in %s:\n%s", part, name, strcasestr(text, part));
    free(text);
}

TEST(test_what_a_student_reads) {
    static const char *const parts[] = {
        "zoë: 5.8 of 10 points, 58%.",
        "3 of 5 points.",
        "1.5 of 3",
        "wrong at n = 2: body 1, x is 0.5 and should be 0.25",
        "3.5 points were earned. Handed in 2 days late: 10% off per day.",
        "attempt 1, handed in at 2026-11-22T09:00:00Z",
        "<td>inconclusive</td>",
        "another program slowed this one down; it will be measured again",
        "<td>left out</td>",
        "counts neither way",
        "make check STEP=05",
        "steps/05_tiling/nbody.cu",
        "the inputs are drawn anew each time",
        "The numbers are wrong at n = 257.", /* the hint, with its place */
    };
    size_t i;

    for (i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_holds("feedback/zoë.html", parts[i]);
    assert_holds("feedback/zoë.md", "The numbers are wrong at n = 257.");
    assert_holds("feedback/zoë.md", "| small | 1.5 of 3 | wrong at n = 2: body 1");
    assert_holds("feedback/zoë.md", "should be 0.25<br>(and at n = 257) |");
    assert_holds("feedback/zoë.md", "    make check STEP=05\n");
    assert_holds("feedback/max%2F..%2Fx.html", "its path leads out of the archive");
    assert_holds("feedback/max%2F..%2Fx.html", "No step has been graded.");
    assert_holds("feedback/=1+1.html", "<p>Not handed in.</p>");
    assert_lacks("feedback/anna.html", "A hint");
    assert_lacks("feedback/anna.html", "counts neither way");
}

/* A long reason is told once, in its first row; a short one, and one that goes on otherwise,
 * always.
 */
TEST(test_a_reason_is_told_once) {
    char own[64], path[128], *text;
    sqlite3 *book = book_sample();

    assert_int_equal(make_folder(own), 0);
    book_run(book,
             "INSERT INTO grade SELECT 7, 4, 'edges', 0, 9, 'earned', explanation FROM grade WHERE "
             "entry = 7 AND position = 1;"
             "INSERT INTO grade SELECT 7, 5, 'large', 0, 9, 'earned', explanation FROM grade WHERE "
             "entry = 7 AND position = 1;"
             "INSERT INTO grade SELECT 7, 6, 'idea', 0, 9, 'earned', explanation || ' too' FROM "
             "grade WHERE entry = 7 AND position = 1;"
             "INSERT INTO grade VALUES (7, 7, 'races', 0, 9, 'earned', 'compiled');");
    assert_int_equal(export_all(book, &catalogue, own), 0);
    sqlite3_close(book);
    snprintf(path, sizeof path, "%s/feedback/zoë.md", own);
    text = read_file(path, NULL);
    assert_non_null(strstr(text, "| edges | 0 of 9 | As for small. |"));
    assert_non_null(strstr(text, "| large | 0 of 9 | As for small. |"));
    assert_non_null(strstr(text, "| idea | 0 of 9 | wrong at n = 2: body 1"));
    assert_non_null(strstr(text, "| races | 0 of 9 | compiled |"));
    assert_non_null(strstr(text, "| small | 1 of 3 | wrong at n = 2: body 1"));
    free(text);
    remove_folder(own);
}

/* Nothing that students wrote is markup, in either form. */
TEST(test_nothing_breaks_out) {
    static const char *const pages[] = {"feedback/=1+1.html", "class.html", "feedback/zoë.html"};
    size_t i;

    for (i = 0; i < sizeof pages / sizeof *pages; i++) {
        assert_lacks(pages[i], "<script");
        assert_lacks(pages[i], "<img");
        assert_holds(pages[i], "default-src 'none'");
    }
    assert_holds("feedback/=1+1.html",
                 "&lt;/pre&gt;&lt;script&gt;alert(2)&lt;/script&gt;&quot; &amp; ");
    assert_holds("feedback/=1+1.html", "&lt;img src=x onerror=alert(1)&gt;/nbody.cu");
    assert_lacks("feedback/=1+1.md", "<script");
    assert_lacks("feedback/=1+1.md", "<img");
    assert_lacks("feedback/=1+1.md", "</pre");
    assert_holds("feedback/=1+1.md", "\\[link\\](javascript:x) \\|");
    assert_holds("feedback/=1+1.md", "a link: \\`x\\` \\| y");
}

/* Answers come back beside what their questions ask for, in the questions' order. */
TEST(test_answers) {
    assert_holds("feedback/anna.md",
                 "| question | answer | form that the handout asks for |\n| --- | --- | --- |\n"
                 "| 2 | many | a whole number from ");
    assert_holds("feedback/anna.md",
                 "| 6 | 1.02 | as given |\n| 77 | 1 | there is no such question |\n");
    assert_holds("feedback/anna.md", "| 1 | 2.5 | as given |\n");
}

TEST(test_what_no_student_sees) {
    static const char *const pages[] = {
        "feedback/=1+1.html", "feedback/=1+1.md",     "feedback/zoë.html",  "feedback/zoë.md",
        "feedback/anna.md",   "gradescope/zoë.json",  "classroom/zoë.json", "feedback/anna.html",
        "junit.xml",          "gradescope/=1+1.json", "classroom/=1+1.json"};
    static const char *const hidden[] = {
        SECRET_SEED, "course-grading", "c0ffee", "\"referee\"", "0.83", "83%", "similar"};
    size_t i, k;

    for (i = 0; i < sizeof pages / sizeof *pages; i++)
        for (k = 0; k < sizeof hidden / sizeof *hidden; k++)
            assert_lacks(pages[i], hidden[k]);
    assert_lacks("feedback/zoë.html", "anna");
    assert_lacks("feedback/zoë.md", "anna");
    assert_lacks("feedback/anna.html", "zo");
}

TEST(test_what_the_instructor_reads) {
    static const char *const parts[] = {
        /* handed in, accepted, share, mean, failures */
        "<th scope=\"row\">01_serial</th><td class=\"number\">2</td><td class=\"number\">1</td>"
        "<td class=\"number\">50%</td><td class=\"number\">78%</td><td>unfinished 1</td>"
        "<td class=\"number\">0</td><td class=\"number\">0</td>",
        "<td>compile 1, wrong 1</td><td class=\"number\">1</td><td class=\"number\">1</td>",
        "from 0 to 100: 1 0 0 0 0 0 1 0 0 1\"",
        /* of 3 and 1.5; of 3, 0 and 1; what is inconclusive counts neither way */
        "<th scope=\"row\">small</th><td class=\"number\">2.25 of 3</td>"
        "<td class=\"number\">1.33 of 3</td>",
        "<th scope=\"row\">speed</th><td class=\"number\">–</td>"
        "<td class=\"number\">2.5 of 5</td>",
        "<th scope=\"row\">traffic</th><td class=\"number\">–</td>"
        "<td class=\"number\">not counted</td>",
        "<th scope=\"row\"><a href=\"feedback/anna.html\">anna</a></th>"
        "<td><a href=\"feedback/zo%C3%AB.html\">zoë</a></td><td>05_tiling</td>"
        "<td class=\"number\">83%</td><td class=\"number\">12%</td>",
        "<a href=\"feedback/max%252F..%252Fx.html\">max/../x</a>",
        "<th scope=\"row\">host, CPU</th><td>c1</td><td class=\"number\">2</td>"
        "<td class=\"number\">6</td>",
        "SHA-256 of the rubric: abc123",
    };
    size_t i;

    for (i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_holds("class.html", parts[i]);
    assert_lacks("class.html", SECRET_SEED);
}

/* A page needs nothing but itself, and a browser's parser finds nothing to mend but SVG, which it
 * does not know. */
TEST(test_pages_stand_alone) {
    static const char *const pages[] = {"feedback/zoë.html", "feedback/=1+1.html", "class.html"};
    size_t i;

    for (i = 0; i < sizeof pages / sizeof *pages; i++) {
        char command[512];

        assert_lacks(pages[i], "src=\"");
        assert_lacks(pages[i], "url(");
        assert_lacks(pages[i], "@import");
        assert_holds(pages[i], "prefers-color-scheme: dark");
        assert_holds(pages[i], "name=\"viewport\"");
        assert_holds(pages[i], "<html lang=\"en\">");
        assert_holds(pages[i], "<th scope=\"col\"");
        assert_holds(pages[i], "<th scope=\"row\"");
        snprintf(command, sizeof command,
                 "! xmllint --html --noout '%s/%s' 2>&1 | grep 'error' | "
                 "grep -Ev 'Tag (main|figure|figcaption|svg|rect|text|path) invalid'",
                 folder, pages[i]);
        assert_int_equal(system(command), 0);
    }
}

static void assert_hint(const char *outcome, const char *result, const char *part) {
    char *hint = graded_hint(catalogue_find(&catalogue, "05"), outcome, result);

    if (*part ? !strstr(hint, part) : *hint)
        fail_msg("%s %s: %s", outcome, result, hint);
    free(hint);
}

/* The hint is the first one for the way in which the check failed. */
TEST(test_hints) {
    assert_hint("compile", "{\"words\": \"nbody.cu:61:3: error: e\"}",
                "The compiler gave up at line 61.");
    assert_hint("compile", "{\"words\": \"nbody.cu:12: warning: w\\nnbody.cu:61:3: error: e\"}",
                "The compiler gave up at line 61.");
    assert_hint("compile", "{\"words\": \"ld: nbody.cu:3: undefined reference to `f'\"}",
                "common/include/nbody.h");
    assert_hint("race",
                "{\"referee\": {\"verdicts\": [{\"outcome\": \"race\", \"message\": "
                "\"nbody.cu:70\"}]}}",
                "what the message says about line 70");
    assert_hint("wrong", "{}", "wrong at the place that the message names");
    assert_hint("idea", "{}", "right, but at ");
    assert_hint("unfinished", "{\"referee\": {\"note\": \"a.cu:1: part 3 is not written yet: x\"}}",
                "How many bodies has each?");
    assert_hint("wrong", "{\"referee\": {\"note\": \"a.cu:1: part 5 is not written yet: x\"}}",
                "Thread 0 has loaded slot 0");
    /* A fault that is named wins over a missing part, unless that is what the part's lack does. */
    assert_hint("race",
                "{\"referee\": {\"note\": \"a.cu:1: part 3 is not written yet: x\", \"verdicts\": "
                "[{\"outcome\": \"race\", \"message\": \"nbody.cu:70\"}]}}",
                "what the message says about line 70");
    assert_hint("compile",
                "{\"referee\": {\"note\": \"a.cu:1: part 3 is not written yet: x\"}, "
                "\"words\": \"nbody.cu:61:3: error: `f' was not declared\"}",
                "line 61: The compiler does not know that name.");
    /* What is the same in every step, and is in the course's own hints. */
    assert_hint("warp-mask", "{}", "lanes of a warp meet");
    assert_hint(
        "wrong",
        "{\"referee\": {\"verdicts\": [{\"outcome\": \"wrong\", \"message\": \"n = 257: off; "
        "right in the first run of an object, wrong in the second: what\"}]}}",
        "created once and run more than once");
    assert_hint("accepted", "{}", "");
    assert_hint("forbidden", "{}", "");
    assert_hint("compile", "no JSON at all", "The compiler gave up at the place that");
}

/* Words that work on checkers are told, wherever a preprocessor would find them; the course's own
 * sources have none. */
TEST(test_odd_words) {
    static const struct {
        const char *source, *words;
    } odd[] = {
        {"#if defined(__SANITIZE_THREAD__) || __has_feature(x)",
         "__SANITIZE_THREAD__, __has_feature"},
        {"#ifdef __OPTIMIZE__\n#elif __GNUC__ > 3\n#endif", "__OPTIMIZE__, __GNUC__"},
        {"int n = sizeof(__BASE_FILE__); char *c = __clang_version__;",
         "__BASE_FILE__, __clang_version__"},
        {"# ifndef MINE\n#define OWN 1\n#if OWN > 0", "#if MINE"},
        {"#ifdef THREADS\nint a = THREADS; /* #ifdef __clang__ */", ""},
        {"extern int __tsan_read4 __attribute__((weak));", "__tsan_read4, weak"},
        {"char *a = \"//\", *b = get\\\nenv(\"x\"), *c = \"/proc/self/maps\";", "getenv, /proc"},
        {"char *text = \"asm clock getenv\"; int my_clock, clocks;", ""},
        {"int t = clock() + sysconf(3) + (uintptr_t)&t % 7;", "clock, sysconf, uintptr_t"},
        {"#if __CUDA_ARCH__ < 800\n#endif\n_Pragma(\"unroll\")", "__CUDA_ARCH__, _Pragma"},
        {"__syncthreads(); __shfl_xor_sync(1, 2, 3); __half2 h; _Alignas(8) int i;", ""},
        {"#pragma GCC optimize(\"O0\")", "GCC"},
    };
    char other[64], path[128], *page;
    sqlite3 *book = book_sample();
    size_t k;
    int i;

    assert_int_equal(make_folder(other), 0);
    book_run(book, "UPDATE entry SET source = CAST('int a; /* asm */ // dlsym\n"
                   "__attribute__((no_sani\\\ntize(\"thread\"))) void f(void); int wasm;' AS BLOB) "
                   "WHERE id = 7");
    for (i = 0; i < catalogue.count; i++) {
        char source[128], *sql, *text;

        snprintf(source, sizeof source, "solutions/%s/%s", catalogue.steps[i].name,
                 catalogue.steps[i].source);
        text = read_file(source, NULL);
        sql = sqlite3_mprintf("INSERT INTO entry VALUES (%d, 8, %Q, 'x', CAST(%Q AS BLOB), NULL)",
                              100 + i, catalogue.steps[i].name, text);
        book_run(book, sql);
        sqlite3_free(sql);
        free(text);
    }
    book_run(book, "INSERT INTO submission VALUES (8, 'solver', '', '', '8', '', '')");
    for (k = 0; k < sizeof odd / sizeof *odd; k++) {
        char *sql = sqlite3_mprintf("INSERT INTO submission VALUES (%d, 'odd%02d', '', '', '%d', "
                                    "'', ''); INSERT INTO entry VALUES (%d, %d, '05_tiling', 'x', "
                                    "CAST(%Q AS BLOB), NULL)",
                                    50 + (int)k, (int)k, 50 + (int)k, 200 + (int)k, 50 + (int)k,
                                    odd[k].source);

        book_run(book, sql);
        sqlite3_free(sql);
    }
    assert_int_equal(export_all(book, &catalogue, other), OUTCOME_ACCEPTED);
    snprintf(path, sizeof path, "%s/class.html", other);
    page = read_file(path, NULL);
    page = strstr(page, "Sources to read");
    for (k = 0; k < sizeof odd / sizeof *odd; k++) {
        char row[256];

        snprintf(row, sizeof row,
                 *odd[k].words ? "odd%02d</th><td>05_tiling</td><td>%s</td>"
                               : "odd%02d</th><td>05_tiling%s",
                 (int)k, odd[k].words);
        if (!strstr(page, row) != !*odd[k].words)
            fail_msg("%s: not %s in %.4000s", odd[k].source, row, page);
    }
    assert_non_null(strstr(page, "zoë</th><td>05_tiling</td><td>no_sanitize</td>"));
    *strstr(page, "</table>") = 0;
    assert_null(strstr(page, "anna"));
    assert_null(strstr(page, "solver"));
    sqlite3_close(book);
    remove_folder(other);
}

/* A gradebook that cannot be read is said to be such, once. */
TEST(test_damaged) {
    char other[64];
    sqlite3 *book = book_sample();

    book_run(book, "DROP TABLE refusal");
    assert_int_equal(make_folder(other), 0);
    ASSERT_COMPLAINS(export_all(book, &catalogue, other), OUTCOME_GRADEBOOK, "refusal");
    sqlite3_close(book);
    remove_folder(other);
}

GROUP(enter, end_folder)
