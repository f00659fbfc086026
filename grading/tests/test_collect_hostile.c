/* collect(): each kind of bad file and name is refused with its reason, the rest of the submission
 * is taken, others are not touched, and nothing is written anywhere. Run from the repository's
 * root. */
#include "testing.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "submissions.h"

TEST_IN(begin_folder, end_folder, test_links) {
    struct made made;

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

TEST_IN(begin_folder, end_folder, test_special_files) {
    struct made made;

    begin_anna(&made);
    add_any(&made, "anna/06_unroll/nbody.cu", AE_IFCHR, NULL, NULL, 0);
    add_any(&made, "anna/07/nbody.cu", AE_IFBLK, NULL, NULL, 0);
    add_any(&made, "anna/08_rsqrt/nbody.cu", AE_IFIFO, NULL, NULL, 0);
    gather_anna(&made, NULL);
    assert_found("!anna/06_unroll/nbody.cu: is a device, a pipe or a socket; only plain");
    assert_found("!anna/07/nbody.cu: is a device");
    assert_found("!anna/08_rsqrt/nbody.cu: is a device");
}

TEST_IN(begin_folder, end_folder, test_paths) {
    static char longest[4200] = "anna/06_unroll/";
    struct made made;

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
TEST_IN(begin_folder, end_folder, test_flags) {
    static const char *const refused[] = {"--run", "-ccbin gcc",      "-Xcompiler -O3",
                                          "-ftz",  "-ftz=true,x",     "-o nbody",
                                          "@file", "-use_fast_mathx", "-ftz=true --run"};
    static const char *const taken[] = {"-ftz=true", "-use_fast_math -maxrregcount=64 # why",
                                        "-fmad=false\t-prec-div=true\r", ""};
    struct made made;
    size_t i;

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

TEST_IN(begin_folder, end_folder, test_sources) {
    static char large[(256 << 10) + 1];
    struct made made;

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
    assert_found("!anna/99_foo/nbody.cu: there is no step 99_foo; steps/ lists");
    assert_found("!anna/12_float3/nbody.cu: there is no step 12_float3");
    assert_found("!anna/03/nbody_04.cu: its name says 04 and its folder 03; let both agree");
    assert_found("!anna/mine/nbody.cu: no name tells which step this is");
    assert_found("!anna/tools.c: no name tells which step this is");
    /* A byte less is taken. */
    begin_anna(&made);
    add_any(&made, "anna/06_unroll/nbody.cu", AE_IFREG, NULL, large, sizeof large - 1);
    gather_anna(&made, "+06_unroll");
}

TEST_IN(begin_folder, end_folder, test_two_for_a_step) {
    struct made made;

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

/* In a folder nothing is followed or waited for. */
TEST_IN(begin_folder, end_folder, test_folder) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);

    put("anna/05_tiling/nbody.cu", "five");
    write_deep(in_place("anna/nbody_09.cu"), calloc(1, (256 << 10) + 1), (256 << 10) + 1);
    put("secret/nbody_06.cu", "of others");
    mkdir(in_place("anna/06_unroll"), 0777);
    assert_int_equal(symlink("../../secret/nbody_06.cu", in_place("anna/06_unroll/nbody.cu")), 0);
    assert_int_equal(symlink("../secret", in_place("anna/07")), 0);
    mkdir(in_place("anna/08"), 0777);
    assert_int_equal(mkfifo(in_place("anna/08/nbody.cu"), 0666), 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/anna/s.cu", folder);
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

/* Ids can be parts of paths, of CSV and of HTML, whatever the names are; two names, two ids. */
TEST_IN(begin_folder, end_folder, test_ids) {
    static const char *const names[] = {"a b",      "a_b",           "a<b>", "a..", "-a",
                                        "=1+2",     "a,b",           "*",    "\"a", "a\nb",
                                        "\xff\xfe", "\xe2\x80\xaex", "a;b",  "a&b"};
    char path[128], *at;
    size_t i, length;

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
    char command[512], *text = calloc(1, 4 << 20);

    snprintf(
        command, sizeof command,
        "{ find . -path ./build -prune -o -path ./.git -prune -o -printf '%%p %%s %%T@ %%m\\n'; "
        "find %s -printf '%%p %%s %%T@ %%m\\n'; find /var/tmp /dev/shm -name 'nbody-test.*' -prune "
        "-o -printf '%%p %%s %%T@ %%m\\n'; ls -d /tmp/* | grep -v "
        "nbody-test; } 2>/dev/null",
        folder);
    stream = popen(command, "r");
    assert_non_null(stream);
    text[fread(text, 1, (4 << 20) - 1, stream)] = 0;
    pclose(stream);
    return text;
}

TEST_IN(begin_folder, end_folder, test_nothing_is_written) {
    struct made made;
    char *before, *after;
    int i, same = 0;

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
TEST_IN(begin_folder, end_folder, test_nothing_is_left) {
    struct made made;
    int before, after;

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
