/* The texts again: links lead to files and headings, and what a reader is told to type exists. Runs
 * in a copy of the repository. */
#include "testing.h"
#include "command.h"

/* What the check says of this text: lines that begin with build/text.md, or nothing. */
static void expect_found(const char *text, const char *expected) {
    struct result result;
    char line[256] = "";

    write_file("build/text.md", text);
    result = run("common/report/texts/documents.sh build/text.md");
    if (*expected)
        snprintf(line, sizeof line, "build/text.md:%s\n", expected);
    assert_string_equal(result.err, line);
    assert_code(result, *expected ? 1 : 0);
}

TEST(test_links) {
    expect_found(
        "See [a](../README.md), [b](https://nowhere.example/x.md), ![c](../docs/film.png),\n"
        "[two\nlines](../docs/results/h200/README.md) and `[code](nowhere.md)`.\n\n"
        "    [code](nowhere.md)\n\n```\n[code](nowhere.md)\n```\n",
        "");
    expect_found("One.\n\nTwo\nlines: [a](../READYOU.md)\n", "4: ../READYOU.md leads to no file");
    expect_found("- [a](../docs/)\n- [b](../dogs/)\n", "2: ../dogs/ leads to no file");
    expect_found("| a | [b](text.txt) |\n", "1: text.txt leads to no file");
    expect_found("> ![a](a.svg)\n", "1: a.svg leads to no file");
    expect_found("[a](a;b)\n", "1: a;b leads to no file");
    expect_found("One\n>>>>>>> theirs\n", "2: a merge was not ended");
    /* A learner's file, which need not be there yet. */
    expect_found("[a](../steps/02_openmp/nbody.c)\n", "");
    expect_found("[a](../steps/02_openmp/nbody.cu)\n",
                 "1: ../steps/02_openmp/nbody.cu leads to no file");
}

TEST(test_headings) {
    expect_found(
        "# One thing, and `another` one\n[a](#one-thing-and-another-one)\n"
        "[b](../README.md#where-to-go-next) [c](text.md#twice-1)\n\n## Twice\n\n## Twice\n",
        "");
    expect_found("## See [this](../README.md): a_b - c?\n[a](#see-this-a_b---c)\n", "");
    expect_found("# One\n[a](#two)\n", "2: #two leads to no heading of build/text.md");
    expect_found("[a](../README.md#what-to-read)\n",
                 "1: ../README.md#what-to-read leads to no heading of build/../README.md");
    expect_found("## Once\n\n[a](#once-1)\n", "3: #once-1 leads to no heading of build/text.md");
    expect_found("```\n# code\n```\n\n[a](#code)\n",
                 "5: #code leads to no heading of build/text.md");
    expect_found("[a](../Makefile#all)\n",
                 "1: ../Makefile#all leads to no heading of build/../Makefile");
}

TEST(test_verbs_and_variables) {
    expect_found(
        "`make`, `make check STEP=02`, `make\nbench`, `make VERB STEP=NN`, `make ...`; make "
        "sense of `x`.\n\n    sh common/setup.sh && make run >log 2>&1 &\n"
        "    CPUCUDA_SEED=1 make check N=257 CC=gcc-12   # make haste MORE=1\n"
        "    make -C common && make -C steps/01_serial -j2 -s\n    make clean test\n"
        "    cmake lists, make: *** no\n",
        "");
    expect_found("Type `make chekc`.\n", "1: make has no verb chekc");
    expect_found("A\n`sh x; make\nall`.\n", "2: make has no verb all");
    expect_found("    make check STEPSS=02\n", "1: make has no variable STEPSS");
    expect_found("x\n\n```\ncd course && make check Step=02\n```\n",
                 "4: make has no variable Step");
    expect_found("    make check brench N=1\n", "1: make has no verb brench");
    expect_found("    CPUCUDA_SEED=1 make jump\n", "1: make has no verb jump");
    expect_found("1. `make check SEEDS=...`\n", "1: make has no variable SEEDS");
}

TEST(test_steps_and_variants) {
    expect_found(
        "`make check STEP=05 VARIANT=aos`, `make check STEP=05_tiling VARIANT=soa`, `make run "
        "STEP=NN VARIANT=...`, `make bench STEP=12 ABLATE=1 VARIANT=without_tiling`, `make "
        "check STEP=<step>`, `make check STEP=90`, `make check STEP=05 OF=solutions`\n",
        "");
    expect_found("`make check STEP=99`\n", "1: there is no step 99");
    expect_found("`make check STEP=5`\n", "1: there is no step 5");
    expect_found("`make check STEP=05_tiles`\n", "1: there is no step 05_tiles");
    expect_found("    make check STEP=05 VARIANT=16\n", "1: 05_tiling has no variant 16");
    expect_found("    make check STEP=12 VARIANT=without_tiling\n",
                 "1: 12_float4 has no variant without_tiling");
    expect_found("    make check STEP=12 ABLATE=1 VARIANT=without_tiles\n",
                 "1: 12_float4 has no variant without_tiles");
}

TEST(test_paths) {
    expect_found(
        "`common/mk/step.mk`, `./docs/`, (`sh common/setup.sh`), `steps/NN_name/README.md`, "
        "`docs/results/<machine>/`, `solutions/*/nbody.c*`, `steps/02_openmp/nbody.c:27: no`, "
        "`results/x.csv`, `build/nothing`, `steps/90_example/manifest`, "
        "`docs/results/name/name.csv`, `common/{a,b}`, `nowhere/at/all.c`\n\n"
        "    cp solutions/nowhere.c here\n",
        "");
    expect_found("A\n`common/mk/steps.mk`\n", "2: common/mk/steps.mk is not there");
    expect_found("`sh common/set-up.sh FILE`\n", "1: common/set-up.sh is not there");
    expect_found("`steps/NN_name/README.txt`\n", "1: steps/NN_name/README.txt is not there");
    expect_found("`docs/results/<machine>/<machine>.pdf`\n",
                 "1: docs/results/<machine>/<machine>.pdf is not there");
    expect_found("`steps/02_openmp/nbody.cu`\n", "1: steps/02_openmp/nbody.cu is not there");
    expect_found("`solutions/13_exemple/nbody.c`\n",
                 "1: solutions/13_exemple/nbody.c is not there");
    expect_found("`common/nowhere.c:12: message`\n", "1: common/nowhere.c:12: is not there");
    expect_found("`make -C commons`, `make -C common/nowhere`\n", "1: common/nowhere is not there");
}

/* New verbs and variables need no word to this check. */
TEST(test_it_asks_the_makefile) {
    assert_int_equal(
        system("cp Makefile build/kept && printf '\\njump: referee  ## jump\\n\\t@:\\n' "
               ">>Makefile && sed -i 's/^VARIABLES := /&HEIGHT /' Makefile"),
        0);
    expect_found("`make jump HEIGHT=2`\n", "");
    assert_int_equal(system("cp build/kept Makefile"), 0);
    expect_found("`make jump`\n", "1: make has no verb jump");
    expect_found("`make check HEIGHT=2`\n", "1: make has no variable HEIGHT");
}

/* Words that the course does not use are told, with their line; code and other senses are not. */
TEST(test_words) {
    struct result result;

    write_file("build/text.md",
               "With 64 threads a block, 12 bytes\nan interaction.\n\n"
               "| slots | ncu, an interaction |\n\n"
               "- An item,\n  of five turns\n- a turn of the inner loop\n\n"
               "A and B in turns, two places by\nturns.\n\n"
               "> Two passes\n> over the banks\n\n"
               "## Prediction: waiting\n\n"
               "Issue is the limit. The limit is memory. Loads are under way.\n\n"
               "A grid's width, blocks that ask, words of tiles, it takes a number.\n\n"
               "A tree of halves, an exchange by swaps.\n\n"
               "**Part 2: lanes with the same digit.** The first lane counts for all.\n"
               "Counts of its own for each warp.\n\n"
               "The third law. Blocks that stay. Unequal rows. The tail of the grid.\n\n"
               "Needs and ceilings of the program of all cores.\n");
    result = run("common/report/texts/documents.sh build/text.md");
    assert_code(result, 1);
    result = run("common/report/texts/documents.sh build/text.md 2>&1 | "
                 "sed 's/build.text.md:\\([0-9]*\\): \"\\(.*\\)\": write ..*/\\1 \\2/'");
    assert_string_equal(
        result.out,
        "1 threads a block\n1 bytes an interaction\n4 ncu, an interaction\n7 five turns\n"
        "8 a turn\n8 turn of the inner loop\n10 in turns\n10 by turns\n"
        "13 passes over the banks\n16 prediction: waiting\n18 issue is the limit\n"
        "18 the limit is memory\n18 under way\n20 a grid's width\n20 blocks that ask\n"
        "20 words of tiles\n20 takes a number\n22 tree of halves\n22 exchange by swaps\n"
        "24 lanes with the same digit\n24 first lane counts for\n"
        "25 counts of its own for each warp\n27 third law\n27 blocks that stay\n"
        "27 unequal rows\n27 tail of the grid\n29 needs and ceilings\n"
        "29 program of all cores\n");
    expect_found("`threads a block`\n\n    threads a block\n\n```\nthe third law\n```\n"
                 "In step 04 a thread without a body returns. Newton's third law. The compiler\n"
                 "turns it round; in turn, one turns. The 32 bytes a thread loads.\n",
                 "");
}

TEST(test_every_text) {
    struct result result = run("common/report/texts/documents.sh");

    assert_string_equal(result.err, "");
    assert_code(result, 0);
    /* All of them are read: a fault at the end of any is found. */
    assert_int_equal(
        system("texts='README.md docs/glossary.md docs/concepts/reading-sass.md "
               "steps/05_tiling/README.md solutions/05_tiling/NOTES.md "
               "docs/results/two-cores/README.md'; "
               "for text in $texts; do printf '\\n`make haste`\\n' >>$text; done; "
               "if common/report/texts/documents.sh 2>build/text.err; then exit 1; fi; "
               "[ $(wc -l <build/text.err) -eq 6 ] && for text in $texts; do "
               "grep -q \"^$text:.*haste\" build/text.err || { echo $text; exit 1; }; done"),
        0);
}

GROUP(enter_tree, leave_tree)

/* A script that a page shows as a command is there and may be executed. */
TEST(test_scripts_of_documents_can_be_executed) {
    assert_int_equal(
        system(
            "find . -name '*.md' -exec cat {} + | sed -n "
            "'s|^    \\(\\./\\)\\{0,1\\}\\([a-z][a-z0-9_/-]*/[a-z_]*\\.sh\\).*|\\2|p' | sort -u | "
            "while read -r script; do [ -x $script ] || "
            "{ echo \"$script cannot be executed\"; exit 1; }; done"),
        0);
}
