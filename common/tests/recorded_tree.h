/* A tree for tests of record.sh: steps that are manifests alone, and tools and a referee that say
 * in the file `calls` what is asked of them and write what the real ones write. The environment
 * says what they play:
 *   FAKE_GPU   set: the machine has one
 *   FAKE_HOST  the host of new rows
 *   FAIL       verbs of the referee that end with 34, as "bench timeline"
 *   MISSING    a variant that has no program here
 *   FOUND      a tool of compute-sanitizer that finds something in step 03, and ends with ENDS
 *   HANG       a verb of the referee that never ends; the file `hangs` is there then */
#ifndef RECORDED_TREE_H
#define RECORDED_TREE_H

#include "testing.h"
#include "scratch.h"
#include "referee/record/columns.h"

static const char fake_referee[] =
    "#!/bin/sh\n"
    "echo \"$*\" >>calls\n"
    "verb=$1\n"
    "while [ $# -gt 0 ]; do\n"
    "    case $1 in\n"
    "    --machine) to=results/$2 ;;\n"
    "    --step) step=$2 ;;\n"
    "    --variant) variant=$2 ;;\n"
    "    esac\n"
    "    shift\n"
    "done\n"
    "[ \"$verb\" != \"$HANG\" ] || { : >hangs; exec sleep 60; }\n"
    "case \" $FAIL \" in *\" $verb \"*) exit 34 ;; esac\n"
    "case $verb in\n"
    "machine) echo \"recorded as  ${FAKE_HOST:-host-1,a cpu,}\"; echo \"${FAKE_GPU:-no NVIDIA GPU "
    "found}\" ;;\n"
    "standalone)\n"
    "    [ \"$variant\" != \"${MISSING:-none}\" ] || exit 4\n"
    "    echo \"{\\\"step\\\": \\\"$step\\\", \\\"program\\\": \\\"/$step/$variant/standalone\\\", "
    "\\\"on_gpu\\\": 256, \\\"work\\\": 65536, \\\"per\\\": \\\"interaction\\\", "
    "\\\"examples\\\": [\\\"/$step/$variant/standalone 99 1\\\"]}\" ;;\n"
    "bench | timeline)\n"
    "    mkdir -p results\n"
    "    [ -e $to.csv ] || { echo '" ROWS_HEADER "' >$to.csv; echo '" FACTS_HEADER
    "' >$to-facts.csv; }\n"
    "    [ $verb != bench ] || echo \"time,commit,${FAKE_HOST:-host-1,a cpu,}\" >>$to.csv\n"
    "    echo \"run-of-$verb,,,fact,1,1,x\" >>$to-facts.csv ;;\n"
    "esac\n";

static const char fake_sanitizer[] =
    "#!/bin/sh\n"
    "echo \"compute-sanitizer $*\" >>calls\n"
    "case $*,$FOUND in *\"$2\"*03_*,$2) echo found; exit ${ENDS:-99} ;; "
    "esac\n";

static inline void put_script(const char *name, const char *text) {
    char path[160];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_deep(path, text, strlen(text));
    assert_int_equal(chmod(path, 0755), 0);
}

/* Of 04_second, `two` is quoted by its counts, and all but 14_later by a timeline. */
static const char quotes[] =
    "<!--= pc %.1f fact(ncu_slots 04_second two) -->1<!--/-->\n"
    "<!--= pc %.1f fact(timeline_n9_copies 03_first one) -->1<!--/--> and\n"
    "<!--= pc %.1f fact(timeline_n9_a 04_second one) + fact(ncu_fma 04_second_too three) -->1"
    "<!--/-->\n";

static inline int enter_recorded_tree(void **state) {
    (void)state;
    if (make_folder(folder) ||
        run("cp -R --parents common/report/record.sh common/report/steps.sh common/report/tools "
            "common/tests/fakes/bin $D; mkdir $D/bin $D/tmp; "
            "mv $D/common/tests/fakes/bin/ncu $D/bin/real_ncu; "
            "cp common/tests/fakes/bin/nvcc $D/bin"))
        return -1;
    write_manifests(folder, "01_serial\tI\tnbody\tnbody.c\n"
                            "02_openmp\tI\tnbody\tnbody.c\t01_serial\n"
                            "03_first\tI\tnbody\tnbody.cu\t02_openmp\n"
                            "04_second\tI\tnbody\tnbody.cu\t03_first\n"
                            "14_later\tII\tnbody\tnbody.cu\t04_second\n"
                            "15_last\tII\tnbody\tnbody.c\t01_serial\n");
    put_script("build/referee", fake_referee);
    put_script("bin/compute-sanitizer", fake_sanitizer);
    put_script("bin/ncu", "#!/bin/sh\n"
                          "for program; do case $program in *standalone) break ;; esac; done\n"
                          "echo \"ncu $program\" >>calls\nexec real_ncu \"$@\"\n");
    put_script("solutions/04_second/record.sh",
               "#!/bin/sh\necho \"own $1\" >>calls\necho run,04_second,,own,1,1,own >>$1\n");
    put_script("docs/text.md", quotes);
    return run("echo 'variants = one two three' >>$D/steps/04_second/manifest");
}

/* A new call with those variables; `calls` is what it asks. Its words go to `out` and `err`. The
 * exit code. */
static inline int record(const char *variables, const char *arguments) {
    return run("cd $D; rm -f calls hangs; NVCC=nvcc TMPDIR=$D/tmp PATH=$D/bin:$PATH env %s "
               "common/report/record.sh pc %s >out 2>err",
               variables, arguments);
}

static inline void begin_record(void) {
    run("rm -rf $D/results $D/calls");
}

/* The file's lines are these, but for seconds. */
static inline void assert_lines(const char *name, const char *lines) {
    char *text;

    assert_int_equal(run("sed 's/, [0-9]* s$//' $D/%s >$D/lines", name), 0);
    text = read_text("lines");
    assert_string_equal(text, lines);
    free(text);
}

/* The steps of which a piece was done, as "03_first 04_second". */
static inline void assert_done(const char *piece, const char *steps) {
    char *text;

    assert_int_equal(run("[ -e $D/results/pc-facts.csv ] || exit 0; grep ',recorded_%s,[0-9]*,s,' "
                         "$D/results/pc-facts.csv | cut -d, -f2 | paste -sd' '",
                         piece),
                     0);
    text = read_text("said");
    text[strcspn(text, "\n")] = 0;
    assert_string_equal(text, steps);
    free(text);
}

#endif
