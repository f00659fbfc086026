/* All that the grader writes of the sample gradebook, in a folder. For tests that start in the
 * repository's root. */
#ifndef EXPORTED_BOOK_H
#define EXPORTED_BOOK_H

#include "export.h"
#include "sample_book.h"

static int enter(void **state) {
    sqlite3 *book;

    (void)state;
    if (make_folder(folder))
        return -1;
    book = book_sample();
    assert_int_equal(export_all(book, &catalogue, folder), 0);
    sqlite3_close(book);
    return 0;
}

/* A file of the export; to be freed. */
static char *file(const char *name) {
    char path[256];
    char *text;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    text = read_file(path, NULL);
    if (!text)
        fail_msg("%s is not there", path);
    return text;
}

#endif
