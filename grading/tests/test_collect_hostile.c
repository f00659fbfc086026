/* collect(): each kind of bad archive and file is refused with its reason, the rest of the
 * submission is taken, others are not touched, and nothing is written anywhere. Run from the
 * repository's root. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "submissions.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_place, leave_place)

static const char good[] = "+05_tiling anna/05_tiling/nbody.cu \"five\"\n";

/* Begins a tar.gz of anna's, with one good source. */
static void begin_anna(struct made *made) {
    begin(made, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_GZIP);
    add_text(made, "anna/05_tiling/nbody.cu", "five");
}

/* Collects it. The good source is taken, and nothing else but what `more` says. */
static void gather_anna(struct made *made, const char *more) {
    char *at;

    finish_in(made, "anna.tar.gz");
    gather();
    assert_int_equal(submissions, 1);
    assert_found(good);
    if (!more)
        for (at = found; (at = strstr(at, "\n+")); at++)
            if (strncmp(at + 1, good, strlen(good)))
                fail_msg("more was taken:\n%s", found);
    if (more)
        assert_found(more);
}

static void test_links(void **state) {
    struct made made;

    (void)state;
    begin_anna(&made);
    add_any(&made, "anna/06_unroll/nbody.cu", AE_IFLNK, "/etc/passwd", NULL, 0);
    add_any(&made, "anna/07_device_integration/nbody.cu", AE_IFREG, "anna/05_tiling/nbody.cu", NULL,
            0);
    add_any(&made, "anna/08_rsqrt", AE_IFLNK, "/tmp", NULL, 0);
    add_text(&made, "anna/08_rsqrt/nbody.c", "through a link");
    gather_anna(&made, NULL);
    assert_found("!anna/06_unroll/nbody.cu: is a link; hand in the file itself");
    assert_found("!anna/07_device_integration/nbody.cu: is a link;");
    assert_found("!anna/08_rsqrt: is a link;");
    assert_not_found("root:");
}

static void test_special_files(void **state) {
    struct made made;

    (void)state;
    begin_anna(&made);
    add_any(&made, "anna/06_unroll/nbody.cu", AE_IFCHR, NULL, NULL, 0);
    add_any(&made, "anna/07/nbody.cu", AE_IFBLK, NULL, NULL, 0);
    add_any(&made, "anna/08_rsqrt/nbody.cu", AE_IFIFO, NULL, NULL, 0);
    gather_anna(&made, NULL);
    assert_found("!anna/06_unroll/nbody.cu: is a device, a pipe or a socket; only plain");
    assert_found("!anna/07/nbody.cu: is a device");
    assert_found("!anna/08_rsqrt/nbody.cu: is a device");
}

static void test_paths(void **state) {
    static char longest[4200] = "anna/06_unroll/";
    struct made made;

    (void)state;
    begin_anna(&made);
    add_text(&made, "/anna/06_unroll/nbody.cu", "absolute");
    add_text(&made, "C:/anna/07_device_integration/nbody.cu", "absolute");
    add_text(&made, "../../anna/08_rsqrt/nbody.cu", "above");
    add_text(&made, "anna/..", "above");
    add_text(&made, "anna/x/../09_ftz/nbody.cu", "above");
    add_text(&made, "anna/10_fp16\nx/nbody.cu", "control");
    add_text(&made, "anna/11_pinned/\x1b[31mnbody.cu", "control");
    memset(longest + strlen(longest), 'x', sizeof longest - 20 - strlen(longest));
    strcpy(longest + strlen(longest), "/nbody.cu");
    add_text(&made, longest, "long");
    gather_anna(&made, NULL);
    assert_found("!/anna/06_unroll/nbody.cu: has an absolute path; pack it with");
    assert_found("!C:/anna/07_device_integration/nbody.cu: has an absolute path");
    assert_found("!../../anna/08_rsqrt/nbody.cu: has a path with `..` in it; pack it from");
    assert_found("!anna/..: has a path with `..`");
    assert_found("!anna/x/../09_ftz/nbody.cu: has a path with `..`");
    assert_found("!anna/10_fp16?x/nbody.cu: has a control character in its name; rename it");
    assert_found("!anna/11_pinned/?[31mnbody.cu: has a control character");
    assert_found("!(a path of more than 4096 characters, or none): is no path that can be taken");
}

/* nvcc would run, read or write what an option of another kind names. */
static void test_flags(void **state) {
    static const char *const refused[] = {"--run", "-ccbin gcc",      "-Xcompiler -O3",
                                          "-ftz",  "-ftz=true,x",     "-o nbody",
                                          "@file", "-use_fast_mathx", "-ftz=true --run"};
    static const char *const taken[] = {"-ftz=true", "-use_fast_math -maxrregcount=64 # why",
                                        "-fmad=false\t-prec-div=true\r", ""};
    struct made made;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof refused / sizeof *refused; i++) {
        begin_anna(&made);
        add_text(&made, "anna/09_ftz/nbody.cu", "nine");
        add_text(&made, "anna/09_ftz/flags", refused[i]);
        gather_anna(&made, "+09_ftz anna/09_ftz/nbody.cu \"nine\"\n!");
        assert_found("!anna/09_ftz/flags: holds another option than -ftz=");
    }
    for (i = 0; i < sizeof taken / sizeof *taken; i++) {
        begin_anna(&made);
        add_text(&made, "anna/09_ftz/nbody.cu", "nine");
        add_text(&made, "anna/09_ftz/flags", *taken[i] ? taken[i] : "# nothing\n");
        gather_anna(&made, "+09_ftz anna/09_ftz/nbody.cu \"nine\"");
        assert_not_found("!anna");
    }
}

static void test_sources(void **state) {
    static char large[(256 << 10) + 1];
    struct made made;

    (void)state;
    memset(large, ' ', sizeof large);
    begin_anna(&made);
    add_any(&made, "anna/06_unroll/nbody.cu", AE_IFREG, NULL, large, sizeof large);
    add_any(&made, "anna/07/nbody.cu", AE_IFREG, NULL, "a\0b", 3);
    add_text(&made, "anna/08_rsqrt/nbody.cu", "");
    add_text(&made, "anna/09_ftz/nbody.cu", "nine");
    add_text(&made, "anna/09_ftz/flags", "-ftz=true\n# and\n-O3\n");
    add_text(&made, "anna/10_fp16/nbody.c", "of another kind");
    add_text(&made, "anna/11_pinned/kernel.cu", "not the step's file");
    add_text(&made, "anna/99_foo/nbody.cu", "no such step");
    add_text(&made, "anna/12_float3/nbody.cu", "no such name");
    add_text(&made, "anna/03/nbody_04.cu", "which?");
    add_text(&made, "anna/mine/nbody.cu", "which?");
    add_text(&made, "anna/tools.c", "which?");
    gather_anna(&made, "+09_ftz anna/09_ftz/nbody.cu \"nine\"\n!");
    assert_found("!anna/06_unroll/nbody.cu: is too large: a source may have 256 KiB");
    assert_found("!anna/07/nbody.cu: holds zero bytes, so it is no source text");
    assert_found("!anna/08_rsqrt/nbody.cu: is empty");
    assert_found("!anna/09_ftz/flags: holds more than one line of flags; one line, and comments");
    assert_found("!anna/10_fp16/nbody.c: the source of 10_fp16 is nbody.cu, and this is not");
    assert_found(
        "!anna/11_pinned/kernel.cu: only the step's own file is taken, 11_pinned/nbody.cu");
    assert_found("!anna/99_foo/nbody.cu: there is no step 99_foo; steps/catalogue.tsv lists");
    assert_found("!anna/12_float3/nbody.cu: there is no step 12_float3");
    assert_found("!anna/03/nbody_04.cu: its name says 04 and its folder 03; let both agree");
    assert_found("!anna/mine/nbody.cu: no name tells which step this is");
    assert_found("!anna/tools.c: no name tells which step this is");
    /* A byte less is taken. */
    begin_anna(&made);
    add_any(&made, "anna/06_unroll/nbody.cu", AE_IFREG, NULL, large, sizeof large - 1);
    gather_anna(&made, "+06_unroll");
}

static void test_two_for_a_step(void **state) {
    struct made made;

    (void)state;
    begin_anna(&made);
    add_text(&made, "anna/06_unroll/nbody.cu", "one");
    add_text(&made, "anna/nbody_06.cu", "other");
    add_text(&made, "anna/answers.tsv", "06\t1\tone\n");
    add_text(&made, "anna/x/answers.tsv", "06\t1\tother\n");
    gather_anna(&made, "+answers 06\t1\tone\n");
    assert_found("!anna/06_unroll/nbody.cu: anna/06_unroll/nbody.cu and anna/nbody_06.cu are both "
                 "for 06_unroll, and neither is taken; keep one");
    assert_found("!anna/nbody_06.cu: anna/06_unroll/nbody.cu and anna/nbody_06.cu are both");
    assert_found("!anna/x/answers.tsv: there is another answers.tsv, anna/answers.tsv, which");
    assert_not_found("+06");
}

static void test_encrypted(void **state) {
    struct made made;

    (void)state;
    begin_zip_with(&made, "zip:encryption=traditional");
    add_text(&made, "anna/05_tiling/nbody.cu", "five");
    finish_in(&made, "anna.zip");
    gather();
    assert_found("@anna () [] anna.zip\n!anna/05_tiling/nbody.cu: is encrypted; pack it without a "
                 "password\n=");
}

static void test_entries(void **state) {
    struct made made;
    char name[64];
    int i;

    (void)state;
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
static void test_bomb(void **state) {
    enum { SIZE = 100 << 20 };
    char *zeros = calloc(1, SIZE);
    struct made made;

    (void)state;
    begin_anna(&made);
    add_any(&made, "anna/zeros", AE_IFREG, NULL, zeros, SIZE);
    add_text(&made, "anna/06_unroll/nbody.cu", "after it");
    free(zeros);
    gather_anna(&made, NULL);
    assert_found("!anna.tar.gz: unpacks to more than 64 MiB, and the rest is not taken");
}

/* A file whose holes count nothing on a disk counts all the same. */
static void test_sparse_bomb(void **state) {
    struct archive_entry *entry;
    struct made made;

    (void)state;
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
    put_bytes("anna.tar.gz", made.bytes, made.used);
    free(made.bytes);
    gather();
    assert_found(good);
    assert_found("!anna.tar.gz: unpacks to more than 64 MiB");
}

static void test_nested(void **state) {
    struct made made, inner, innermost;

    (void)state;
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

/* Cut off at every place: what is whole before it is taken, and something is said. */
static void test_truncated(void **state) {
    static const int filters[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_XZ};
    static const char *const names[] = {"anna.tar", "anna.tar.gz", "anna.tar.xz"};
    struct made made;
    size_t f, cut;

    (void)state;
    for (f = 0; f < 3; f++) {
        begin(&made, ARCHIVE_FORMAT_TAR_USTAR, filters[f]);
        add_text(&made, "anna/05_tiling/nbody.cu", "five");
        add_text(&made, "anna/06_unroll/nbody.cu", "six");
        finish(&made);
        for (cut = 1; cut < made.used && cut < 1500; cut += f ? 7 : 101) {
            put_bytes(names[f], made.bytes, cut);
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
static void test_damaged(void **state) {
    static const struct {
        int format, filter;
        const char *name;
    } forms[] = {{ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, "anna.zip"},
                 {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, "anna.tar.gz"},
                 {ARCHIVE_FORMAT_7ZIP, ARCHIVE_FILTER_NONE, "anna.7z"}};
    unsigned random = 12345;
    struct made made;
    size_t f, i;

    (void)state;
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
            put_bytes(forms[f].name, copy, made.used);
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
static void test_wrong_sizes(void **state) {
    struct made made;
    char *at;
    uint32_t wrong = 3;

    (void)state;
    begin_zip_with(&made, "zip:compression=store");
    add_text(&made, "anna/05_tiling/nbody.cu", "five");
    add_text(&made, "anna/06_unroll/nbody.cu", "sixsix");
    finish(&made);
    for (at = made.bytes; (at = memmem(at, made.used - (size_t)(at - made.bytes), "PK", 2)); at++)
        if (!memcmp(at, "PK\1\2", 4) && !memcmp(at + 46, "anna/06", 7))
            memcpy(at + 24, &wrong, 4);
        else if (!memcmp(at, "PK\3\4", 4) && !memcmp(at + 30, "anna/06", 7))
            memcpy(at + 22, &wrong, 4);
    put_bytes("anna.zip", made.bytes, made.used);
    free(made.bytes);
    gather();
    assert_found(
        "+05_tiling anna/05_tiling/nbody.cu \"five\"\n!anna/06_unroll/nbody.cu: is damaged "
        "or shorter or longer than the archive says");
}

static void test_no_archives(void **state) {
    (void)state;
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
    assert_found("@hans () [] hans\n!hans: there is no source of a step in it; 05_tiling/nbody.cu");
}

/* In a folder nothing is followed or waited for. */
static void test_folder(void **state) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    put("anna/05_tiling/nbody.cu", "five");
    put_bytes("anna/nbody_09.cu", calloc(1, (256 << 10) + 1), (256 << 10) + 1);
    put("secret/nbody_06.cu", "of others");
    mkdir(in_place("anna/06_unroll"), 0777);
    assert_int_equal(symlink("../../secret/nbody_06.cu", in_place("anna/06_unroll/nbody.cu")), 0);
    assert_int_equal(symlink("../secret", in_place("anna/07")), 0);
    mkdir(in_place("anna/08"), 0777);
    assert_int_equal(mkfifo(in_place("anna/08/nbody.cu"), 0666), 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/anna/s.cu", place);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(symlink("secret", in_place("ben")), 0);
    assert_int_equal(symlink("/etc/passwd", in_place("carl.zip")), 0);
    gather();
    close(listener);
    assert_found("@anna () [] anna\n+05_tiling 05_tiling/nbody.cu \"five\"\n!");
    assert_found("!nbody_09.cu: is too large: a source may have 256 KiB");
    assert_found("!06_unroll/nbody.cu: is a link");
    assert_found("!07: is a link");
    assert_found("!08/nbody.cu: is a device, a pipe or a socket");
    assert_found("!s.cu: is a device, a pipe or a socket");
    assert_found("@carl () [] carl.zip\n!carl.zip: is a link");
    assert_not_found("@ben");
    assert_int_equal(submissions, 3);
}

static void test_too_much(void **state) {
    char name[128], *text = malloc(256 << 10);
    struct made made;
    int i;

    (void)state;
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

/* Ids can be parts of paths, of CSV and of HTML, whatever the names are; two names, two ids. */
static void test_ids(void **state) {
    static const char *const names[] = {"a b",      "a_b",           "a<b>", "a..", "-a",
                                        "=1+2",     "a,b",           "*",    "\"a", "a\nb",
                                        "\xff\xfe", "\xe2\x80\xaex", "a;b",  "a&b"};
    char path[128], *at;
    size_t i, length;

    (void)state;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/nbody_05.cu", names[i]);
        put(path, "five");
    }
    gather();
    assert_int_equal(submissions, sizeof names / sizeof *names);
    assert_not_found("claims");
    for (at = strstr(found, "@"); at; at = strstr(at, "\n@"), at = at ? at + 1 : NULL) {
        length = strspn(++at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-");
        if (at[length] != ' ' || length == 0 || length > 60 || *at == '.' || *at == '-')
            fail_msg("an id is \"%.70s\"", at);
    }
    assert_found("@a_b () [] a_b\n");
}

/* A listing of everything but what other tests are doing. */
static char *listing(void) {
    FILE *stream;
    char command[256], *text = calloc(1, 4 << 20);

    snprintf(
        command, sizeof command,
        "{ find . -path ./build -prune -o -path ./.git -prune -o -printf '%%p %%s %%T@ %%m\\n'; "
        "find %s /var/tmp /dev/shm -printf '%%p %%s %%T@ %%m\\n'; ls -d /tmp/* | grep -v "
        "nbody-test; } 2>/dev/null",
        place);
    stream = popen(command, "r");
    assert_non_null(stream);
    text[fread(text, 1, (4 << 20) - 1, stream)] = 0;
    pclose(stream);
    return text;
}

static void test_nothing_is_written(void **state) {
    struct made made;
    char *before, *after;
    int i, same = 0;

    (void)state;
    begin_zip(&made);
    add_text(&made, "anna/05_tiling/nbody.cu", "five");
    add_text(&made, "../escaped.cu", "x");
    add_text(&made, "/tmp/escaped.cu", "x");
    finish_in(&made, "anna.zip");
    put("ben/05_tiling/nbody.cu", "five");
    for (i = 0; i < 10 && !same; i++) { /* others may write to these folders meanwhile */
        before = listing();
        gather();
        after = listing();
        same = !strcmp(before, after);
        free(before);
        free(after);
    }
    assert_true(same);
}

/* No process and no open file is left behind. */
static void test_nothing_is_left(void **state) {
    struct made made;
    int before, after;

    (void)state;
    begin_anna(&made);
    finish_in(&made, "anna.tar.gz");
    put("ben.zip", "damaged");
    before = dup(0);
    close(before);
    gather();
    after = dup(0);
    close(after);
    assert_int_equal(before, after);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_flags),
        TEST(test_links),
        TEST(test_special_files),
        TEST(test_paths),
        TEST(test_sources),
        TEST(test_two_for_a_step),
        TEST(test_encrypted),
        TEST(test_entries),
        TEST(test_bomb),
        TEST(test_sparse_bomb),
        TEST(test_nested),
        TEST(test_truncated),
        TEST(test_damaged),
        TEST(test_wrong_sizes),
        TEST(test_no_archives),
        TEST(test_folder),
        TEST(test_too_much),
        TEST(test_ids),
        TEST(test_nothing_is_written),
        TEST(test_nothing_is_left),
    };

    return cmocka_run_group_tests_name("collect hostile", tests, NULL, NULL);
}
