/* Sources that an instructor should read: those with words that a step has no use for, and that
 * work on checkers, traces or the compiler. They are no proof, and nothing is taken off for them.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "text.h"
#include "writers.h"

/* Names that begin so, or signs. */
static const char *const words[] = {
    "no_sanitize",
    "disable_sanitizer",
    "no_instrument",
    "__asan",
    "__tsan",
    "__ubsan",
    "__sanitizer",
    "__msan",
    "cpucuda",
    "CPUCUDA",
    "own_figures",
    "traced",
    "asm",
    "__asm",
    "constructor",
    "__CONCAT",
    "##",
    "%:%:",
    "dlsym",
    "syscall",
    "environ",
    "getenv",
    "/proc",
    "INPUT_FD",
};

/* Without comments and what joins lines; the caller frees it. */
static char *code_of(const char *source) {
    char *code = malloc(strlen(source) + 1), *to = code;
    const char *at = source;

    if (!code)
        abort();
    while (*at) {
        if (!strncmp(at, "\\\n", 2)) {
            at += 2;
        } else if (!strncmp(at, "//", 2)) {
            at += strcspn(at, "\n");
        } else if (!strncmp(at, "/*", 2)) {
            const char *end = strstr(at + 2, "*/");

            at = end ? end + 2 : at + strlen(at);
            *to++ = ' ';
        } else {
            *to++ = *at++;
        }
    }
    *to = 0;
    return code;
}

/* Whether the word stands where a name begins. */
static int holds(const char *code, const char *word) {
    const char *at = code;

    for (; (at = strstr(at, word)); at++)
        if (!isalpha((unsigned char)*word) || at == code || !isalnum((unsigned char)at[-1]))
            return 1;
    return 0;
}

static int find_words(const char *source, char found[256]) {
    char *code = code_of(source);
    size_t i;

    *found = 0;
    for (i = 0; i < sizeof words / sizeof *words; i++)
        if (holds(code, words[i]) && strlen(found) + strlen(words[i]) + 3 < 256) {
            strcat(found, *found ? ", " : "");
            strcat(found, words[i]);
        }
    free(code);
    return *found != 0;
}

enum outcome write_odd_words(const struct page *page, sqlite3 *book) {
    static const char *const headings[] = {"student", "step", "words"};
    sqlite3_stmt *entries = graded_query(
        book, "SELECT submission.student, entry.step, CAST(entry.source AS TEXT) FROM entry "
              "JOIN submission ON submission.id = entry.submission WHERE submission.student <> '*' "
              "ORDER BY submission.student, entry.step, entry.id");
    int count = 0;

    if (!entries)
        return OUTCOME_GRADEBOOK;
    page_heading(page, 2, "words", "Sources to read");
    while (sqlite3_step(entries) == SQLITE_ROW) {
        const char *source = (const char *)sqlite3_column_text(entries, 2);
        char found[256], *student, *step;

        if (!source || !find_words(source, found))
            continue;
        if (!count++) {
            page_paragraph(page, "They hold words that a step has no use for and that can make "
                                 "memory, races, idea or traffic look better than they are. "
                                 "Nothing was taken off for them.");
            page_table(page, "Words of sources", 3, headings);
        }
        student = graded_text(entries, 0);
        step = graded_text(entries, 1);
        page_row(page, 3, headings, (const char *const[]){student, step, found});
        free(student);
        free(step);
    }
    sqlite3_finalize(entries);
    if (count)
        page_table_end(page);
    else
        page_paragraph(page, "None.");
    return OUTCOME_ACCEPTED;
}
