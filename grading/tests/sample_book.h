/* A gradebook of an invented class in memory, with names and messages as nobody would wish for. For
 * tests that start in the repository's root. */
#ifndef SAMPLE_BOOK_H
#define SAMPLE_BOOK_H

#include <sqlite3.h>

#include "catalogue_of_steps.h"
#include "files.h"

/* What no student may see. */
#define SECRET_SEED "271828182845904"

static inline void book_run(sqlite3 *book, const char *sql) {
    char *error = NULL;

    if (sqlite3_exec(book, sql, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", error, sql);
}

/* An empty gradebook. */
static inline sqlite3 *book_open(void) {
    char *schema = read_file("grading/gradebook/schema.sql", NULL);
    sqlite3 *book;

    assert_int_equal(sqlite3_open(":memory:", &book), SQLITE_OK);
    book_run(book, schema);
    free(schema);
    assert_int_equal(read_catalogue(NULL), 0);
    return book;
}

/* Four students: one with full marks who once handed in less, one whose names and messages attack
 * every format, one late and with something left out, one of whom nothing could be taken. */
static const char sample_sql[] =
    "INSERT INTO meta VALUES ('secret', 'c0ffee');"
    "INSERT INTO submission VALUES"
    " (1, '*', '', 'solutions', 'x', '', '2026-11-21T10:00:00Z'),"
    " (2, 'anna', 'Anna Müller', 'anna.zip', 'a', '2026-11-20T10:00:00Z', '2026-11-21T10:00:00Z'),"
    " (3, 'anna', 'Anna Müller', 'anna_2.zip', 'b', '2026-11-20T12:00:00Z',"
    "  '2026-11-21T10:00:00Z'),"
    " (4, '=1+1', '=HYPERLINK(\"http://x.example\",\"Jörg, \"\"X\"\"\")', 'a/<b>.zip', 'c', '',"
    "  '2026-11-21T10:00:00Z'),"
    " (5, 'zoë', '-Zoë', 'zoë.tar.gz', 'd', '2026-11-22T09:00:00Z', '2026-11-22T10:00:00Z'),"
    " (6, 'max/../x', '', 'max.zip', 'e', '', '2026-11-21T10:00:00Z');"
    "INSERT INTO refusal VALUES"
    " (4, '<script>alert(1)</script>.cu', 'a link: `x` | y'),"
    " (6, '../../etc/passwd', 'its path leads out of the archive'),"
    " (6, 'nbody.cu', 'there is no step''s folder about it');"
    "INSERT INTO entry VALUES"
    " (1, 1, '05_tiling', 'solution', 'int solution;', NULL),"
    " (2, 2, '05_tiling', '05_tiling/nbody.cu', 'int early;', NULL),"
    " (3, 3, '05_tiling', '05_tiling/nbody.cu', 'int a;', NULL),"
    " (4, 3, '01_serial', '01_serial/nbody.c', 'int a;', NULL),"
    " (5, 4, '05_tiling', '<img src=x onerror=alert(1)>/nbody.cu', 'int a;', NULL),"
    " (6, 5, '01_serial', '01/nbody.c', 'int a;', NULL),"
    " (7, 5, '05_tiling', '05/nbody.cu', 'int a;', NULL);"
    "INSERT INTO answer VALUES"
    " (3, '05_tiling', '6', '1.02'), (3, '05_tiling', '2', 'many'), (3, '05_tiling', '77', '1'),"
    " (3, '01_serial', '1', '2.5'), (4, '05_tiling', '1', '<script>|`x`');"
    "INSERT INTO grade VALUES"
    " (3, 0, 'compiles', 2, 2, 'earned', 'compiled'),"
    " (3, 1, 'small', 3, 3, 'earned', 'right at n = 1 and 2'),"
    " (3, 2, 'speed', 5, 5, 'earned', '1.02 times as fast as the solution'),"
    " (4, 0, 'compiles', 2, 2, 'earned', 'compiled'),"
    " (4, 1, 'small', 3, 3, 'earned', 'right at n = 1 and 2'),"
    " (5, 0, 'compiles', 0, 2, 'earned', 'the compiler said: "
    "build/nbody.cu:12:3: error: \"</pre><script>alert(2)</script>\" & [link](javascript:x) | '),"
    " (5, 1, 'small', 0, 3, 'earned', 'nothing was run'),"
    " (5, 2, 'speed', 0, 5, 'earned', '-1+cmd|''/C calc''!A0'),"
    " (6, 0, 'compiles', 2, 2, 'earned', 'compiled'),"
    " (6, 1, 'small', 1.5, 3, 'earned',"
    "  'wrong at n = 2: body 1, x is 0.5 and should be 0.25'),"
    " (7, 0, 'compiles', 2, 2, 'earned', 'compiled'),"
    " (7, 1, 'small', 1, 3, 'earned',"
    "  'wrong at n = 2: body 1, x is 0.5 and should be 0.25\n(and at n = 257)'),"
    " (7, 2, 'speed', 0, 5, 'inconclusive',"
    "  'another program slowed this one down; it will be measured again'),"
    " (7, 3, 'traffic', 0, 4, 'left out', 'there is no trace of a result that is wrong');"
    "INSERT INTO measurement VALUES"
    " (1, 1, 'check', 0, '1', 2, 'host, CPU', 'c1', '2026-11-21T10:00:00Z', 2, 'accepted', '{}'),"
    " (2, 3, 'check', 0, '2', 2, 'host, CPU', 'c1', '2026-11-21T10:00:00Z', 2, 'accepted', '{}'),"
    " (3, 4, 'check', 0, '3', 2, 'host, CPU', 'c1', '2026-11-21T10:00:00Z', 2, 'accepted', '{}'),"
    " (4, 5, 'check', 0, '" SECRET_SEED "', 2, 'host, CPU', 'c1', '2026-11-21T10:00:00Z', 1.5,"
    "  'compile', '{\"seed\": \"" SECRET_SEED "\", \"outcome\": \"compile\", \"words\": \""
    "build/nbody.cu:12:3: error: no\", \"referee\": null}'),"
    " (5, 6, 'check', 0, '5', 2, 'host, CPU', 'c1', '2026-11-21T10:00:00Z', 2, 'unfinished',"
    "  '{\"referee\": {\"note\": \"x.c:9: part 2 is not written yet: The forces.\"}}'),"
    " (6, 7, 'check', 0, '6', 2, 'host, CPU', 'c1', '2026-11-21T10:00:00Z', 2, 'wrong',"
    "  '{\"referee\": {\"verdicts\": [{\"outcome\": \"accepted\", \"message\": \"n = 7\"},"
    "  {\"outcome\": \"wrong\", \"message\": \"n = 257: body 3\"}]}}');"
    "INSERT INTO total VALUES"
    " ('*', '05_tiling', 1, 10, 0, 10, 10, ''),"
    " ('anna', '01_serial', 4, 5, 0, 5, 5, ''),"
    " ('anna', '05_tiling', 3, 10, 0, 10, 10, ''),"
    " ('=1+1', '01_serial', NULL, 0, 0, 0, 5, ''),"
    " ('=1+1', '05_tiling', 5, 0, 0, 0, 10, ''),"
    " ('zoë', '01_serial', 6, 3.5, 2, 2.8, 5, 'Handed in 2 days late: 10% off per day.'),"
    " ('zoë', '05_tiling', 7, 3, 0, 3, 5, '');"
    "INSERT INTO rubric VALUES ('abc123', '[default]', '2026-11-21T11:00:00Z');"
    "INSERT INTO similar VALUES ('05_tiling', 3, 7, 0.83, 0.12);";

static inline sqlite3 *book_sample(void) {
    sqlite3 *book = book_open();

    book_run(book, sample_sql);
    return book;
}

#endif
