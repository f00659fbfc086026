/* A learner's copy of the course for tests: skeletons in place, and what a learner's checks and
 * benches would have written, written by hand. */
#ifndef COURSE_H
#define COURSE_H

#include "command.h"
#include "record_files.h"

/* How many there are, in a command. */
#define STEPS "$(ls steps/*/manifest | wc -l)"

/* Makes it; the learner has done nothing yet. */
static inline int enter_course(void **state) {
    return enter_tree(state) || system("common/course/skeletons.sh && cp -a steps build/anew");
}

/* The learner begins anew. */
static inline int begin_anew(void **state) {
    (void)state;
    return system("rm -rf results build/steps steps answers.tsv submission-* && "
                  "cp -a build/anew steps");
}

__attribute__((format(printf, 1, 2))) static inline void shell(const char *format, ...) {
    char command[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command))
        fail_msg("failed: %s", command);
}

/* A line of the journal, at a time that is long past, or still to come. */
static inline void add_event(const char *year, const char *event, const char *step,
                             const char *result, const char *where, const char *text) {
    static const char header[] = "time_utc\\tevent\\tstep\\tresult\\twhere\\ttext\\n";

    shell(
        "mkdir -p results && { [ -e results/journal.tsv ] || printf '%s' "
        ">results/journal.tsv; } && printf '%%s-01-01T00:00:00Z\\t%%s\\t%%s\\t%%s\\t%%s\\t%%s\\n' "
        "%s %s %s %s '%s' '%s' >>results/journal.tsv",
        header, year, event, step, result, where, text);
}

/* A check that ended so, after the last save. */
static inline void add_check(const char *step, const char *result, const char *where,
                             const char *text) {
    add_event("2099", "check", step, result, where, text);
}

/* The name of a step's source, in a command. */
#define SOURCE_OF(step) "$(sed -n 's/^source = //p' steps/" step "/manifest)"

/* The learner has written the step as in the solution. */
static inline void solve(const char *step) {
    shell("cp solutions/%s/" SOURCE_OF("%s") " steps/%s", step, step, step);
    shell("[ ! -e solutions/%s/flags ] || cp solutions/%s/flags steps/%s", step, step, step);
}

/* What is in steps/ has been accepted. */
static inline void accept(const char *step) {
    shell("mkdir -p results/passed/%s", step);
    shell("cp steps/%s/" SOURCE_OF("%s") " results/passed/%s", step, step, step);
    shell("[ ! -e steps/%s/flags ] || cp steps/%s/flags results/passed/%s", step, step, step);
    add_check(step, "accepted", "-", "-");
}

/* A row of results/NAME.csv; `rate`, `speedup` and `limit` may be empty. */
static inline void add_row(const char *name, const char *step, const char *source, int n,
                           const char *rate, const char *speedup, const char *limit,
                           const char *verdict, const char *run) {
    shell("mkdir -p results && { [ -e results/%s.csv ] || echo '%s' >results/%s.csv; } && "
          "echo '2026-01-01T00:00:00Z,c,h,cpu,,,gcc,-O2,cpu,I,%s,v,%s,%d,10,10,1,1,1,%s,,,%s,,,,,"
          "%s,%s,nbody,uniform,1,1,referee,,%s,,,' >>results/%s.csv",
          name, ROWS_HEADER, name, step, source, n, rate, speedup, verdict, run, limit, name);
}

/* The command ended well and said each of the texts, to a NULL. */
static inline void assert_tells(struct result result, const char *const *texts) {
    assert_code(result, 0);
    for (; *texts; texts++)
        assert_says(result.out, *texts);
}

#define TELLS(command, ...)                                                                        \
    assert_tells(run("%s", command), (const char *const[]){__VA_ARGS__, NULL})

#endif
