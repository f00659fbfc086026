/* Step 41's program: every variant at an odd length, mutants, and its idea. */
#include "testing.h"

#include "edited.h"
#include "problems/tree/tree_problem.h"
#include "referee/inspect/one_program.h"
#include "referee/judge/check_program.h"
#include "technique_of_step.h"

/* A build of the solution with the kit's headers in their place and edits. */
static const struct program *built(const struct edit *edits, const char *variant, const char *build,
                                   struct programs *programs) {
    struct edit all[8] = {SPLICED("octree.h"), SPLICED("grid_barrier.h")};
    struct options options = {.variant = variant};

    for (int i = 2; edits->from; i++)
        all[i] = *edits++;
    options.file = edited("solutions/41_tree_build/tree.cu", all);
    assert_int_equal(
        programs_choose(programs, catalogue_find(&catalogue, "41_tree_build"), &options, 0), 0);
    assert_int_equal(programs_build(programs, build, variant), 0);
    return programs_find(programs, variant, build);
}

TEST(every_variant_is_right_at_odd_sizes) {
    static struct programs programs;
    const struct options options = {.of = "solutions"};

    assert_int_equal(
        programs_choose(&programs, catalogue_find(&catalogue, "41_tree_build"), &options, 1), 0);
    assert_int_equal(programs_build(&programs, "plain", NULL), 0);
    assert_int_equal(programs.count, 4);
    for (int p = 0; p < programs.count; p++)
        for (int n = 1; n < 2000; n += 642) {
            const struct options odd = {.n = n, .seed = 1};
            static struct verdict verdict;

            if (!strcmp(programs.list[p].build, "missing"))
                skip();
            assert_int_equal(check_program(&programs, &programs.list[p], &odd, &verdict, NULL), 0);
            if (verdict.outcome)
                fail_msg("%s, n = %d: %s", programs.list[p].variant, n, verdict.message);
        }
}

#define UP   "add_up(&job, depth);\n        grid_barrier(job.arrived, goal += gridDim.x);"
#define DOWN "split(&job, depth);\n        grid_barrier(job.arrived, goal += gridDim.x);"

TEST(mutants_are_rejected_for_their_reason) {
    static const struct {
        struct edit edits[3];
        const char *build;
        int n;
        enum outcome outcome;
        const char *phrase;
        const char *variant; /* NULL: the default */
    } mutants[] = {
        /* The last bits of keys are not spread. */
        {{{"bits << 2) &", "bits << 1) &"}}, "plain", 600, OUTCOME_WRONG, "more than one eighth"},
        {{{"(one ^ other) - 1)", "(one ^ other))"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "in the same eighth"},
        /* Equal keys, and a body alone, do not reach the last level. */
        {{{"int level = LEVELS;", "int level = LEVELS - 1;"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "is of level 21"},
        {{{"end = middle;", "end = middle - 1;"}},
         "plain",
         600,
         OUTCOME_MEMORY,
         "an index is far off"},
        {{{"begin + (end - begin) / 2", "begin"}, {"- 1)) < digit", "- 1)) <= digit"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "has 1 children"},
        /* Children begin where the tree does. */
        {{{"child = end + atomicAdd", "child = atomicAdd"}},
         "plain",
         600,
         OUTCOME_MEMORY,
         "an index is far off"},
        {{{"child += __popc(children & ((1u << lane) - 1));", ""}},
         "plain",
         600,
         OUTCOME_MEMORY,
         "an index is far off"},
        {{{"links.y > job->leaf", "links.y >= job->leaf"}},
         "plain",
         16,
         OUTCOME_WRONG,
         "or of level 21, is a leaf"},
        {{{"half = CHILDREN / 2;", "half = CHILDREN / 4;"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "are all its bodies added up"},
        {{{"(float)(x / mass)", "(float)x"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "the sum divided by theirs"},
        {{{"(double)part.w * part.x", "(double)part.x"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "centre of mass at x"},
        /* Cells by floats. */
        {{{"((double)body.x - cube->x) * scale)", "(body.x - cube->x) * (float)scale)"}},
         "plain",
         2000,
         OUTCOME_WRONG,
         "are cells numbered in double"},
        {{{"if (octree->made++ > 0)", "if (octree->made++ > 1000)"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "as they are in the first build"},
        /* A depth is added up before the one below it. */
        {{{UP, "add_up(&job, depth);\n"}}, "thread", 600, OUTCOME_RACE, "two threads of one block"},
        {{{DOWN, "split(&job, depth);\n"}}, "plain", 600, OUTCOME_BARRIER, "build_in_one"},
        /* Votes and shuffles are no fence. */
        {{{"__syncwarp(); /* shuffles", "/* shuffles"}},
         "thread",
         600,
         OUTCOME_RACE,
         "two threads of one block"},
        /* Children's own moments are forgotten; moments are about no centre; none is stored. */
        {{{"more = job->moments[links.z + k];", ""}},
         "plain",
         600,
         OUTCOME_WRONG,
         "with the moments that its children have",
         "quadrupoles"},
        {{{"y = part.y - centre.y", "y = part.y"}},
         "plain",
         600,
         OUTCOME_WRONG,
         "has the second moment",
         "quadrupoles"},
        {{{"job->moments[i] = moments;", "(void)0;"}},
         "plain",
         600,
         OUTCOME_NOT_FINITE,
         "has the second moment xx",
         "quadrupoles"},
    };
    static struct programs programs;
    int wrong = 0;

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        const struct options options = {.n = mutants[m].n, .seed = 1};
        const struct program *program =
            built(mutants[m].edits, mutants[m].variant ? mutants[m].variant : "barrier",
                  mutants[m].build, &programs);
        static struct verdict verdict;
        int said;

        if (!program)
            skip(); /* no compiler that could */
        assert_int_equal(check_program(&programs, program, &options, &verdict, NULL), 0);
        said = strstr(verdict.message, mutants[m].phrase) != NULL;
        for (int c = 0; c < verdict.case_count; c++)
            said = said || strstr(verdict.cases[c].message, mutants[m].phrase);
        if (verdict.outcome != mutants[m].outcome || !said || getenv("TELL"))
            print_message("mutant %zu: outcome %d, \"%s\"\n", m, verdict.outcome, verdict.message);
        if (verdict.outcome != mutants[m].outcome || !said)
            wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Of the file with edits. */
static int has_idea(const struct edit *edits, char message[512]) {
    enum { BODIES = 4096 };
    static struct programs programs;
    const struct program *trace = built(edits, "barrier", "trace", &programs);
    struct observed observed = {.n = BODIES, .iterations = 2};

    *message = 0;
    if (!trace)
        skip();
    assert_int_equal(count_run(&programs, trace, BODIES, 2, 1, &observed.counters), 0);
    return step_follows(&tree_problem, "41_tree_build", &observed, message);
}

TEST(the_idea_is_in_kernels_and_searches) {
    static const struct edit as_it_is[] = {{NULL, NULL}};
    static const struct edit linear[] = {{"begin + (end - begin) / 2", "begin"}, {NULL, NULL}};
    static const struct edit launches[] = {
        {"LAUNCHES ? LEVELS : -1", "LEVELS"}, {"if (!LAUNCHES)", "if (0)"}, {NULL, NULL}};
    char message[512];

    if (!has_idea(as_it_is, message))
        fail_msg("%s", message);
    assert_false(has_idea(linear, message));
    assert_non_null(strstr(message, "a search can drop half of them at a time"));
    assert_false(has_idea(launches, message));
    assert_non_null(strstr(message, "a build takes 47.5 kernels"));
}

GROUP(read_catalogue_without_nvcc, NULL)
