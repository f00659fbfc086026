/* Pairs of similar sources: copies are found however they are dressed up, and what comes from the
 * course is nobody's copy. Run from the repository's root. */
#include "testing.h"

#include <ctype.h>

#include "export.h"
#include "sample_book.h"
#include "skeleton.h"
#include "tokens.h"

/* Hands in a source for a student. Entries are numbered from 1. */
static void hand_in(sqlite3 *book, const char *student, const char *step, const char *source) {
    char *sql = sqlite3_mprintf(
        "INSERT INTO submission VALUES (NULL, %Q, '', '', '%lld', '', '');"
        "INSERT INTO entry VALUES (NULL, last_insert_rowid(), %Q, '', %Q, NULL);"
        "INSERT OR REPLACE INTO total VALUES (%Q, %Q, last_insert_rowid(), 0, 0, 0, 0, '')",
        student, (long long)random(), step, source, student, step);

    book_run(book, sql);
    sqlite3_free(sql);
}

/* The pairs as `1-2 5-9`. */
static const char *pairs(sqlite3 *book) {
    static char found[4096];
    sqlite3_stmt *query;

    *found = 0;
    assert_int_equal(similar_find(book, &catalogue), 0);
    sqlite3_prepare_v2(book, "SELECT one, other FROM similar ORDER BY one, other", -1, &query,
                       NULL);
    while (sqlite3_step(query) == SQLITE_ROW)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%d-%d", *found ? " " : "",
                 sqlite3_column_int(query, 0), sqlite3_column_int(query, 1));
    sqlite3_finalize(query);
    return found;
}

/* Appends code that nobody else would write, of `count` statements. */
static void write_own(char *code, int count) {
    static const char *const operators[] = {"+", "*",  "-",     "/",       "& ~",
                                            "^", "<<", "? b :", ", d[1] ="};

    for (; count > 0; count--) {
        int terms = 2 + (int)(random() % 4);

        code += strlen(code);
        code += sprintf(code, random() % 3 ? "c = a" : "if (a) b = a");
        for (; terms > 0; terms--)
            code += sprintf(code, random() % 3 ? " %s a" : " %s f(a, 3)", operators[random() % 9]);
        strcpy(code, ";\n");
    }
}

/* The text of a solution and room for more. */
static char *solution(const char *step) {
    char path[96], *text, *roomy;

    snprintf(path, sizeof path, "solutions/%s", step);
    text = read_file(path, NULL);
    assert_non_null(text);
    roomy = malloc(2 * strlen(text) + 65536);
    strcpy(roomy, text);
    free(text);
    return roomy;
}

/* Other names, numbers and layout. */
static void dress_up(const char *text, char *dressed, char letter) {
    for (; *text; text++)
        if (*text == 'a' && strchr(" ,)(;-", text[1]))
            dressed += sprintf(dressed, "mine_%c\n\t", letter);
        else if (*text == '3' && text[1] == ')')
            dressed += sprintf(dressed, "0x%c\n", letter % 6 + 'a');
        else
            *dressed++ = *text;
    *dressed = 0;
}

/* A class in which all write code of their own, behind the step's solution unless that is NULL. */
static sqlite3 *own_class(const char *step, const char *source, int count, int statements) {
    sqlite3 *book = book_open();
    char student[32];
    int i;

    srandom(7);
    for (i = 0; i < count; i++) {
        char *text = source ? solution(source) : calloc(1, 65536);

        write_own(text + strlen(text), statements);
        snprintf(student, sizeof student, "student%02d", i);
        hand_in(book, student, step, text);
        free(text);
    }
    return book;
}

/* The copy of an entry as another student's. */
static void copy_entry(sqlite3 *book, int entry, const char *student, const char *step, int dress) {
    sqlite3_stmt *query;
    char *copy;

    sqlite3_prepare_v2(book, "SELECT source FROM entry WHERE id = ?1", -1, &query, NULL);
    sqlite3_bind_int(query, 1, entry);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    copy = malloc(32 * (size_t)sqlite3_column_bytes(query, 0) + 1);
    if (dress)
        dress_up((const char *)sqlite3_column_text(query, 0), copy, 'z');
    else
        strcpy(copy, (const char *)sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    hand_in(book, student, step, copy);
    free(copy);
}

/* Debian 13 has none. */
static int has_tool(void) {
    return system("command -v sim_text >/dev/null") == 0;
}

TEST(test_a_copy_is_found) {
    sqlite3 *book = own_class("05_tiling", "05_tiling/nbody.cu", 12, 40);
    sqlite3_stmt *query;

    if (!has_tool())
        skip();
    assert_string_equal(pairs(book), "");
    copy_entry(book, 4, "copyist", "05_tiling", 1);
    assert_string_equal(pairs(book), "4-13");
    sqlite3_prepare_v2(book, "SELECT share, usual, step FROM similar", -1, &query, NULL);
    sqlite3_step(query);
    assert_true(sqlite3_column_double(query, 0) > 0.9 && sqlite3_column_double(query, 1) < 0.5);
    assert_string_equal((const char *)sqlite3_column_text(query, 2), "05_tiling");
    sqlite3_finalize(query);
    /* found anew, not twice */
    assert_string_equal(pairs(book), "4-13");
    sqlite3_close(book);
}

/* Of two who alone have code of their own, among others or not, a copy is told from a program of
 * one's own. */
TEST(test_two_alone) {
    int others;

    if (!has_tool())
        skip();
    for (others = 0; others <= 6; others += 6) {
        sqlite3 *book = own_class("05_tiling", "05_tiling/nbody.cu", 1, 40);
        char student[32];
        int i;

        for (i = 0; i < others; i++) {
            char *text = solution("05_tiling/nbody.cu");

            snprintf(student, sizeof student, "other%d", i);
            hand_in(book, student, "05_tiling", text);
            free(text);
        }
        copy_entry(book, 1, "copyist", "05_tiling", 1);
        assert_string_equal(pairs(book), others ? "1-8" : "1-2");
        sqlite3_close(book);
    }
    {
        sqlite3 *book = own_class("05_tiling", "05_tiling/nbody.cu", 2, 40);

        assert_string_equal(pairs(book), "");
        sqlite3_close(book);
    }
}

/* In short steps everybody writes the same lines; and nobody writes the solution itself. */
TEST(test_right_answers_are_no_copies) {
    static const char *const steps[][2] = {{"06_unroll", "06_unroll/nbody.cu"},
                                           {"08_rsqrt", "08_rsqrt/nbody.cu"},
                                           {"02_openmp", "02_openmp/nbody.c"},
                                           {"05_tiling", "05_tiling/nbody.cu"}};
    size_t i;

    for (i = 0; i < 4; i++) {
        sqlite3 *book = book_open();
        char *text = solution(steps[i][1]), *dressed = malloc(32 * strlen(text));
        char student[32];
        int k;

        for (k = 0; k < 40; k++) {
            snprintf(student, sizeof student, "student%02d", k);
            dress_up(text, dressed, (char)('a' + k % 26));
            hand_in(book, student, steps[i][0], dressed);
        }
        assert_string_equal(pairs(book), "");
        sqlite3_close(book);
        free(text);
        free(dressed);
    }
}

/* Nor is what was given to all, the skeleton and the predecessor's solution, and what everybody has
 * to come to, the step's own, a copy in a class that writes other things. */
TEST(test_what_was_given_is_no_copy) {
    static const char *const given[][3] = {
        {"10_fp16", "10_fp16/nbody.cu", "steps/10_fp16/nbody.cu"},
        {"12_float4", "12_float4/nbody.cu", "solutions/11_pinned/nbody.cu"},
        {"05_tiling", NULL, "solutions/05_tiling/nbody.cu"},
        {"06_unroll", NULL, "solutions/06_unroll/nbody.cu"},
        {"12_float4", NULL, "solutions/12_float4/nbody.cu"}};
    size_t i;

    for (i = 0; i < sizeof given / sizeof *given; i++) {
        sqlite3 *book = own_class(given[i][0], given[i][1], 8, 40);
        char *text = read_file(given[i][2], NULL);

        hand_in(book, "one", given[i][0], text);
        hand_in(book, "other", given[i][0], text);
        assert_string_equal(pairs(book), "");
        free(text);
        sqlite3_close(book);
    }
}

/* Where all took the same lines from somewhere, that is the class's level; who shares more stands
 * out. */
TEST(test_the_class_has_a_level) {
    sqlite3 *book = book_open();
    char common[8192] = "", student[32];
    int i;

    if (!has_tool())
        skip();
    srandom(9);
    write_own(common, 30);
    for (i = 0; i < 12; i++) {
        char source[16384];

        strcpy(source, common);
        write_own(source + strlen(source), 20);
        snprintf(student, sizeof student, "student%02d", i);
        hand_in(book, student, "05_tiling", source);
    }
    assert_string_equal(pairs(book), "");
    copy_entry(book, 7, "copyist", "05_tiling", 0);
    assert_string_equal(pairs(book), "7-13");
    sqlite3_close(book);
    /* where all are the same, nobody stands out */
    book = book_open();
    for (i = 0; i < 6; i++) {
        snprintf(student, sizeof student, "student%02d", i);
        hand_in(book, student, "05_tiling", common);
    }
    assert_string_equal(pairs(book), "");
    sqlite3_close(book);
}

TEST(test_what_is_compared) {
    sqlite3 *book = own_class("05_tiling", "05_tiling/nbody.cu", 10, 40);

    /* with other steps: not; a few lines: not; an earlier attempt: not, nor the solutions */
    copy_entry(book, 2, "elsewhere", "06_unroll", 0);
    hand_in(book, "short1", "05_tiling", "int f(int a) { return a > 3 ? a * 7 : -a; }");
    hand_in(book, "short2", "05_tiling", "int f(int a) { return a > 3 ? a * 7 : -a; }");
    copy_entry(book, 3, "repentant", "05_tiling", 0);
    hand_in(book, "repentant", "05_tiling", "int own;");
    copy_entry(book, 5, "*", "05_tiling", 0);
    assert_string_equal(pairs(book), "");
    sqlite3_close(book);
}

/* Sources are anybody's bytes. */
TEST(test_any_bytes) {
    sqlite3 *book = own_class("05_tiling", "05_tiling/nbody.cu", 3, 40);
    char command[96];

    hand_in(book, "open comment", "05_tiling", "int a; /* never closed");
    hand_in(book, "open string", "05_tiling", "char *a = \"never closed\\");
    hand_in(book, "empty", "05_tiling", "");
    hand_in(book, "bytes", "05_tiling", "\x01\xff\xfe ? / \\ #### @@@ $(rm) `x` / | -- -F\n/\n");
    book_run(book, "INSERT INTO submission VALUES (99, 'null', '', '', '', '', '');"
                   "INSERT INTO entry VALUES (99, 99, '05_tiling', '', x'00414200', NULL);"
                   "INSERT INTO total VALUES ('null', '05_tiling', 99, 0, 0, 0, 0, '')");
    assert_string_equal(pairs(book), "");
    snprintf(command, sizeof command, "! ls -d /tmp/course-similar.%d.* 2>/dev/null",
             (int)getpid());
    assert_int_equal(system(command), 0);
    sqlite3_close(book);
}

/* Without the tool: one line, and no old pairs. */
TEST(test_without_the_tool) {
    sqlite3 *book = own_class("05_tiling", "05_tiling/nbody.cu", 8, 40);
    char *path = strdup(getenv("PATH")), said[512];
    struct kept_stderr kept;

    copy_entry(book, 4, "copyist", "05_tiling", 0);
    if (has_tool())
        assert_string_equal(pairs(book), "4-9");
    setenv("PATH", "/nonexistent", 1);
    kept = catch_stderr();
    assert_string_equal(pairs(book), "");
    caught_stderr(kept, said, sizeof said);
    setenv("PATH", path, 1);
    assert_int_equal(count_lines(said), 1);
    assert_non_null(strstr(said, "similarity-tester is not installed"));
    free(path);
    sqlite3_close(book);
}

/* Takes the lines out that hold nothing but a comment which begins so. */
static void drop_lines(char *text, const char *begin) {
    char *line = text, *to = text;

    while (*line) {
        size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);

        if (strncmp(line + strspn(line, " "), begin, strlen(begin)) != 0) {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = 0;
}

/* Another name for each; `void` stays what it is, and so does the letter of 1.f. */
static void rename_all(const char *text, char *renamed) {
    char before = ' ', earlier = ' ';

    for (; *text; earlier = before, before = *text++) {
        if ((isalpha((unsigned char)*text) || *text == '_') && strncmp(text, "void", 4) != 0 &&
            !isalnum((unsigned char)before) && before != '_' && before != '\\' &&
            !(before == '.' && isdigit((unsigned char)earlier) && *text == 'f'))
            *renamed++ = 'q';
        *renamed++ = *text;
    }
    *renamed = 0;
}

/* Fences, comments, layout and names make no code of an untouched skeleton. */
TEST(test_skeletons) {
    struct catalogue courses;
    int i;

    assert_int_equal(catalogue_read(&courses, "steps"), OUTCOME_ACCEPTED);
    for (i = 0; i < courses.count; i++) {
        const struct step *step = &courses.steps[i];
        char path[128], *text, *renamed;

        snprintf(path, sizeof path, "steps/%s/%s", step->name, step->source);
        text = read_file(path, NULL);
        renamed = malloc(2 * strlen(text) + 1);
        assert_true(skeleton_is(step, text, ""));
        drop_lines(text, "/* part ");
        drop_lines(text, "/* end of part ");
        drop_lines(text, "/* until solved ");
        assert_true(skeleton_is(step, text, "# part 1, 1 line: The flag.\n# end of part 1\n"));
        rename_all(text, renamed);
        assert_true(skeleton_is(step, renamed, ""));
        assert_false(skeleton_is(step, text, "--use_fast_math"));
        free(text);
        snprintf(path, sizeof path, "solutions/%s/%s", step->name, step->source);
        text = read_file(path, NULL);
        if (strcmp(step->name, "09_ftz")) /* whose part is in the file `flags` */
            assert_false(skeleton_is(step, text, ""));
        free(text);
        free(renamed);
    }
    assert_true(tokens_same_code("a = b; b = c;", "x = y; y = z;"));
    assert_true(tokens_same_code("a = b;", "/* c */ a\n= b;; (void)q;"));
    assert_false(tokens_same_code("a = b; b = c;", "x = y; x = z;"));
    assert_false(tokens_same_code("x = y; x = z;", "a = b; b = c;"));
    assert_false(tokens_same_code("a = 1;", "a = 2;"));
    assert_false(tokens_same_code("a = b;", "a = b; c();"));
}
