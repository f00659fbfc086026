/* collect(): each kind of bad archive is refused with its reason, within its limits, and what is
 * whole in it is taken. Run from the repository's root. */
#include "testing.h"
#include "submissions.h"

TEST_IN(begin_folder, end_folder, test_encrypted) {
    struct made made;

    begin_zip_with(&made, "zip:encryption=traditional");
    add_text(&made, "anna/05_tiling/nbody.cu", "five");
    finish_in(&made, "anna.zip");
    gather();
    assert_found("@anna () [] anna.zip\n!anna/05_tiling/nbody.cu: is encrypted; pack it without a "
                 "password\n=");
}

TEST_IN(begin_folder, end_folder, test_entries) {
    struct made made;
    char name[64];
    int i;

    begin_anna(&made);
    for (i = 1; i < 2000; i++) {
        snprintf(name, sizeof name, "anna/%d.txt", i);
        add_text(&made, name, "");
    }
    gather_anna(&made, NULL);
    assert_not_found("\n!");
    begin_anna(&made);
    for (i = 1; i <= 2000; i++) {
        snprintf(name, sizeof name, "anna/%d.txt", i);
        add_text(&made, name, "");
    }
    gather_anna(&made, NULL);
    assert_found("!anna.tar.gz: has more than 2000 entries, and the rest is not taken");
}

/* 100 MiB of zeros in 100 KiB. Unpacking ends at the limit. */
TEST_IN(begin_folder, end_folder, test_bomb) {
    enum { SIZE = 100 << 20 };
    char *zeros = calloc(1, SIZE);
    struct made made;

    begin_anna(&made);
    add_any(&made, "anna/zeros", AE_IFREG, NULL, zeros, SIZE);
    add_text(&made, "anna/06_unroll/nbody.cu", "after it");
    free(zeros);
    gather_anna(&made, NULL);
    assert_found("!anna.tar.gz: unpacks to more than 64 MiB, and the rest is not taken");
}

/* A file whose holes count nothing on a disk counts all the same. */
TEST_IN(begin_folder, end_folder, test_sparse_bomb) {
    struct archive_entry *entry;
    struct made made;

    begin_anna(&made);
    entry = archive_entry_new();
    archive_entry_set_pathname(entry, "anna/holes");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, (int64_t)10 << 30);
    archive_entry_sparse_add_entry(entry, ((int64_t)10 << 30) - 1, 1);
    archive_write_header(made.archive, entry);
    archive_write_data(made.archive, "x", 1);
    archive_entry_free(entry);
    archive_write_free(made.archive);
    write_deep(in_place("anna.tar.gz"), made.bytes, made.used);
    free(made.bytes);
    gather();
    assert_found("+05_tiling anna/05_tiling/nbody.cu \"five\"\n");
    assert_found("!anna.tar.gz: unpacks to more than 64 MiB");
}

TEST_IN(begin_folder, end_folder, test_nested) {
    struct made made, inner, innermost;

    pack(&innermost, "anna", "too deep");
    begin_zip(&inner);
    add_text(&inner, "06_unroll/nbody.cu", "inner");
    finish_into(&innermost, &inner, "submission-anna.tar.gz");
    begin_zip(&made);
    add_text(&made, "05_tiling/nbody.cu", "outer");
    finish_into(&inner, &made, "work.zip");
    finish_in(&made, "anna.zip");
    gather();
    assert_found("\"outer\"");
    assert_found("@anna () [] anna.zip/work.zip\n+06_unroll 06_unroll/nbody.cu \"inner\"\n"
                 "!submission-anna.tar.gz: is an archive in an archive in an archive");
    assert_not_found("too deep");
}

/* What is around another archive and holds nothing itself is nothing to tell of. */
TEST_IN(begin_folder, end_folder, test_around) {
    struct made made, inner;

    begin_zip(&inner);
    add_text(&inner, "05_tiling/nbody.cu",
             "\xef\xbb\xbf"
             "five");
    add_text(&inner, "answers.tsv",
             "\xef\xbb\xbf"
             "05\t1\tyes\n");
    begin_zip(&made);
    add_text(&made, "README.txt", "see the zip");
    finish_into(&inner, &made, "work.zip");
    finish_in(&made, "anna.zip");
    begin_zip(&inner);
    begin_zip(&made);
    add_text(&inner, "notes.txt", "nothing");
    finish_into(&inner, &made, "work.zip");
    finish_in(&made, "ben.zip");
    gather();
    assert_found("@anna () [] anna.zip/work.zip\n+05_tiling 05_tiling/nbody.cu \"five\"\n"
                 "+answers 05\t1\tyes\n\n=");
    assert_found("@ben () [] ben.zip/work.zip\n!ben.zip/work.zip: there is no source of a step");
    assert_int_equal(submissions, 2);
}

/* An archive that a student has under two names is one, and nobody else's. */
TEST_IN(begin_folder, end_folder, test_two_names) {
    static const char *const names[] = {"submission-ada.tar.gz", "homework.tar.gz",
                                        "submission-ada (1).tar.gz"};
    struct made made;
    size_t i;

    for (i = 0; i < 3; i++) {
        pack(&made, "ada", "five");
        finish_in(&made, names[i]);
    }
    pack(&made, "ada", "another");
    finish_in(&made, "other.tar.gz");
    begin_zip(&made);
    add_text(&made, "05_tiling/nbody.cu", "five");
    finish_in(&made, "submission-Zo\xc3\xab.zip");
    gather();
    assert_found("!homework.tar.gz: holds the same as submission-ada (1).tar.gz, which counts for "
                 "ada");
    assert_found("!other.tar.gz: claims the id ada");
    assert_found("(Zo\xc3\xab)");
    assert_not_found("(submission-");
}

/* Cut off at every place: what is whole before it is taken, and something is said. */
TEST_IN(begin_folder, end_folder, test_truncated) {
    static const int filters[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_XZ};
    static const char *const names[] = {"anna.tar", "anna.tar.gz", "anna.tar.xz"};
    struct made made;
    size_t f, cut;

    for (f = 0; f < 3; f++) {
        begin(&made, ARCHIVE_FORMAT_TAR_USTAR, filters[f]);
        add_text(&made, "anna/05_tiling/nbody.cu", "five");
        add_text(&made, "anna/06_unroll/nbody.cu", "six");
        finish(&made);
        for (cut = 1; cut < made.used && cut < 1500; cut += f ? 7 : 101) {
            write_deep(in_place(names[f]), made.bytes, cut);
            gather();
            assert_int_equal(submissions, 1);
            if (!strstr(found, "\n!") && !strstr(found, "+06_unroll"))
                fail_msg("%s cut at %zu: nothing is said:\n%s", names[f], cut, found);
        }
        free(made.bytes);
        remove(in_place(names[f]));
    }
}

/* Bytes changed at random: nothing else is hurt by it. */
TEST_IN(begin_folder, end_folder, test_damaged) {
    static const struct {
        int format, filter;
        const char *name;
    } forms[] = {{ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, "anna.zip"},
                 {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, "anna.tar.gz"},
                 {ARCHIVE_FORMAT_7ZIP, ARCHIVE_FILTER_NONE, "anna.7z"}};
    unsigned random = 12345;
    struct made made;
    size_t f, i;

    put("ben/05_tiling/nbody.cu", "of ben");
    for (f = 0; f < sizeof forms / sizeof *forms; f++) {
        begin(&made, forms[f].format, forms[f].filter);
        add_text(&made, "anna/05_tiling/nbody.cu", "five");
        finish(&made);
        for (i = 0; i < 40; i++) {
            char *copy = malloc(made.used);
            int k;

            memcpy(copy, made.bytes, made.used);
            for (k = 0; k < 3; k++) {
                random = random * 1103515245 + 12345;
                copy[(random >> 8) % made.used] ^= (char)(1 << (random >> 4 & 7));
            }
            write_deep(in_place(forms[f].name), copy, made.used);
            free(copy);
            gather();
            assert_int_equal(submissions, 2);
            assert_found("@ben () [] ben\n+05_tiling 05_tiling/nbody.cu \"of ben\"\n=");
        }
        free(made.bytes);
        remove(in_place(forms[f].name));
    }
}

/* A zip that says of its entry another size than it has. */
TEST_IN(begin_folder, end_folder, test_wrong_sizes) {
    struct made made;
    char *at;
    uint32_t wrong = 3;

    begin_zip_with(&made, "zip:compression=store");
    add_text(&made, "anna/05_tiling/nbody.cu", "five");
    add_text(&made, "anna/06_unroll/nbody.cu", "sixsix");
    finish(&made);
    for (at = made.bytes; (at = memmem(at, made.used - (size_t)(at - made.bytes), "PK", 2)); at++)
        if (!memcmp(at, "PK\1\2", 4) && !memcmp(at + 46, "anna/06", 7))
            memcpy(at + 24, &wrong, 4);
        else if (!memcmp(at, "PK\3\4", 4) && !memcmp(at + 30, "anna/06", 7))
            memcpy(at + 22, &wrong, 4);
    write_deep(in_place("anna.zip"), made.bytes, made.used);
    free(made.bytes);
    gather();
    assert_found(
        "+05_tiling anna/05_tiling/nbody.cu \"five\"\n!anna/06_unroll/nbody.cu: is damaged "
        "or shorter or longer than the archive says");
}

TEST_IN(begin_folder, end_folder, test_no_archives) {
    put("anna.zip", "%PDF-1.4 and more");
    put("ben.pdf", "%PDF-1.4");
    put("carl.docx", "PK\3\4");
    put("dora.rar", "Rar!\x1a\7");
    put("emil.tar.gz", "");
    put("fred.cu", "whose?");
    put("gina.iso", "passed over");
    put("hans/essay.pdf", "%PDF");
    gather();
    assert_int_equal(submissions, 7);
    assert_found(
        "@anna () [] anna.zip\n!anna.zip: is no archive of a kind that is taken: zip, tar,");
    assert_found("!ben.pdf: is no archive of a kind");
    assert_found("!carl.docx: is no archive of a kind");
    assert_found("!dora.rar: is no archive of a kind");
    assert_found("!emil.tar.gz: is no archive of a kind");
    assert_found("!fred.cu: lies in no student's folder, so that nothing tells whose it is");
    assert_found("@hans () [] hans\n!hans: there is no source of a step in it; 01_serial/nbody.c");
}

TEST_IN(begin_folder, end_folder, test_too_much) {
    char name[128], *text = malloc(256 << 10);
    struct made made;
    int i;

    memset(text, ' ', 256 << 10);
    begin_anna(&made);
    for (i = 0; i < 33; i++) {
        snprintf(name, sizeof name, "anna/mine/%02d.c", 60 + i);
        add_any(&made, name, AE_IFREG, NULL, text, 256 << 10);
    }
    free(text);
    gather_anna(&made, NULL);
    assert_found("!anna/mine/91.c: is beyond the 8 MiB of sources that a submission may have");
    assert_found("! and 1 more\n");
    put("deep/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/05_tiling.cu", "five");
    put("deeper/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/05_tiling.cu", "five");
    gather();
    assert_found("@deep () [] deep\n+05_tiling");
    assert_found("@deeper () [] deeper\n!a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q: is no path");
}
