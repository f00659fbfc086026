/* Submissions of four students, and the grader's program that is run on them, with a script in the
 * referee's place. */
#ifndef GRADER_H
#define GRADER_H

#include "fake_course.h"
#include "problems/outcome.h"

static inline int enter(void **state) {
    return enter_course(state) || setenv("TOP", top, 1);
}

/* Judges a source by a word in it, and writes down that it ran. */
static const char honest[] =
    "#!/bin/sh\n"
    "read seed; echo \"$1 $5 $7\" >>runs; sleep 0.02\n"
    "word=$(sed -n 's/.*VERDICT \\([a-z-]*\\).*/\\1/p' $7)\n"
    "case $1$word in\n"
    "checkcompile) echo 'nbody.c:3: error: no' >&2; exit 7 ;;\n"
    "checkwrong) outcome=wrong code=32 ;;\n"
    "compareslow) echo '{\"outcome\": \"inconclusive\", \"message\": \"busy\"}'; exit 40 ;;\n"
    "compare*)\n"
    "    echo '{\"outcome\": \"accepted\", \"backend\": \"cpu\", \"solution\": {\"share\": 0.95,"
    " \"share_low\": 0.94, \"share_high\": 0.96}, \"previous\": {\"share\": 3, \"share_low\": 2.9,"
    " \"share_high\": 3.1}}'; exit 0 ;;\n"
    "*) outcome=accepted code=0 ;;\n"
    "esac\n"
    "verdict() { printf '{\"variant\": \"static\", \"aspect\": \"%s\", \"outcome\": \"%s\","
    " \"skipped\": false, \"expected\": false, \"error_l2\": 1e-6, \"error_p99\": 1e-6,"
    " \"error_max\": 1e-6, \"first_wrong_decimal\": 10, \"message\": \"%s\", \"cases\": [%s]}'"
    " $1 $2 \"$3\" \"$4\"; }\n"
    "cases=$(for n in 1 2 255 256 257 101 401 1000 1023 1024 1025 257 16385; do\n"
    "    printf '%s{\"n\": %s, \"distribution\": \"uniform\", \"outcome\": \"%s\", \"message\": "
    "\"\"}' "
    "\"$comma\" $n $outcome; comma=,; done)\n"
    "printf '{\"step\": \"%s\", \"source\": \"%s\", \"backend\": \"cpu\", \"seed\": %s, "
    "\"outcome\": \"%s\", \"code\": %s, \"verdicts\": [%s, %s, %s, %s], \"memory\": null, "
    "\"note\": \"\"}' $5 $7 $seed $outcome $code \"$(verdict results $outcome \"$outcome\" "
    "\"$cases\")\" \"$(verdict memory accepted '' '')\" \"$(verdict races accepted '' '')\" "
    "\"$(verdict technique accepted '' '')\"\n"
    "exit $code\n";

static inline void hand_in(const char *student, const char *step, const char *verdict) {
    char text[512];

    snprintf(text, sizeof text,
             "mkdir -p 'in/%s/%s' && { cat solutions/%s/nbody.c; echo '/* VERDICT %s, %s */'; } "
             ">'in/%s/%s/nbody.c'",
             student, step, step, verdict, student, student, step);
    assert_int_equal(system(text), 0);
}

static inline int begin(void **state) {
    (void)state;
    write_script("build/referee", honest);
    if (system("rm -rf in out out2 runs && cp -r \"$TOP/solutions\" . && cp "
               "\"$TOP/grading/rubric.ini\" grading"))
        return -1;
    hand_in("Änne Öz", "02_openmp", "good");
    hand_in("bo", "02_openmp", "wrong");
    hand_in("cleo", "02_openmp", "compile");
    hand_in("dora", "02_openmp", "slow");
    hand_in("bo", "01_serial", "good");
    return 0;
}

/* The exit code of build/grade; what it says goes to the files out.txt and err.txt. */
__attribute__((format(printf, 1, 2))) static inline int grade(const char *format, ...) {
    char command[1024];
    size_t length = (size_t)snprintf(command, sizeof command, "\"$TOP\"/build/grade ");
    va_list arguments;
    int status;

    va_start(arguments, format);
    vsnprintf(command + length, sizeof command - length, format, arguments);
    va_end(arguments);
    strncat(command, " >out.txt 2>err.txt", sizeof command - strlen(command) - 1);
    status = system(command);
    return WEXITSTATUS(status);
}

static inline void assert_grades(int code, const char *arguments) {
    int got = grade("%s", arguments);

    if (got != code)
        fail_msg("ended with %d, not %d:\n%s%s", got, code, read_file("out.txt", NULL),
                 read_file("err.txt", NULL));
}

static inline void assert_says(const char *file, const char *words) {
    char *text = read_file(file, NULL);

    if (!text || !strstr(text, words))
        fail_msg("\"%s\" is not in %s:\n%s", words, file, text ? text : "(not there)");
    free(text);
}

/* Refused in one line. */
static inline void assert_refused(int code, const char *arguments, const char *words) {
    char *text;

    assert_grades(code, arguments);
    text = read_file("err.txt", NULL);
    assert_int_equal(count_lines(text), 1);
    free(text);
    assert_says("err.txt", words);
}

static inline int shell(const char *command) {
    return system(command) == 0;
}

static const char all[] = "grade --submissions in --out out";

#endif
