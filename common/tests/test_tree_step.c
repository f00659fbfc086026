/* Step 41's program: mutants, and its idea. */
#include "testing.h"
#include "built.h"

#define STEP "41_tree_build"

static const struct edit kit[] = {SPLICED("octree.h"), SPLICED("grid_barrier.h"), {NULL}};

#define UP   "add_up(&job, depth);\n        wait_for_grid(&job, &goal);"
#define DOWN "split(&job, depth);\n        wait_for_grid(&job, &goal);"

TEST(mutants_are_rejected_for_their_reason) {
    static const struct built_mutant mutants[] = {
        /* The last bits of keys are not spread. */
        {{{"bits << 2) &", "bits << 1) &"}}, 600, OUTCOME_WRONG, "more than one eighth"},
        {{{"(one ^ other) - 1)", "(one ^ other))"}}, 600, OUTCOME_WRONG, "in the same eighth"},
        /* Equal keys, and a body alone, do not reach the last level. */
        {{{"int level = LEVELS;", "int level = LEVELS - 1;"}},
         600,
         OUTCOME_WRONG,
         "is of level 21"},
        {{{"end = middle;", "end = middle - 1;"}}, 600, OUTCOME_MEMORY, "an index is far off"},
        {{{"begin + (end - begin) / 2", "begin"}, {"- 1)) < digit", "- 1)) <= digit"}},
         600,
         OUTCOME_WRONG,
         "has 1 children"},
        /* Children begin where the tree does. */
        {{{"child = end + atomicAdd", "child = atomicAdd"}},
         600,
         OUTCOME_MEMORY,
         "an index is far off"},
        {{{"child += __popc(children & ((1u << lane) - 1));", ""}},
         600,
         OUTCOME_MEMORY,
         "an index is far off"},
        {{{"links.y > job->leaf", "links.y >= job->leaf"}},
         16,
         OUTCOME_WRONG,
         "or of level 21, is a leaf"},
        {{{"half = CHILDREN / 2;", "half = CHILDREN / 4;"}},
         600,
         OUTCOME_WRONG,
         "are all its bodies added up"},
        {{{"(float)(x / mass)", "(float)x"}}, 600, OUTCOME_WRONG, "the sum divided by theirs"},
        {{{"(double)part.w * part.x", "(double)part.x"}},
         600,
         OUTCOME_WRONG,
         "centre of mass at x"},
        /* Cells by floats. */
        {{{"((double)body.x - cube->x) * scale)", "(body.x - cube->x) * (float)scale)"}},
         2000,
         OUTCOME_WRONG,
         "are cells numbered in double"},
        {{{"if (octree->made++ > 0)", "if (octree->made++ > 1000)"}},
         600,
         OUTCOME_WRONG,
         "as they are in the first build"},
        /* A depth is added up before the one below it. */
        {{{UP, "add_up(&job, depth);\n"}},
         600,
         OUTCOME_RACE,
         "two threads of one block",
         .build = "thread"},
        {{{DOWN, "split(&job, depth);\n"}}, 600, OUTCOME_BARRIER, "build_in_one"},
        /* The barrier of cooperative groups left out, in a launch that is not theirs, and by a
           block. */
        {{{UP, "add_up(&job, depth);\n"}},
         600,
         OUTCOME_RACE,
         "without order",
         .variant = "cooperative",
         .build = "thread"},
        {{{"if (COOPERATIVE)\n        CUDA_CHECK(cudaLaunch",
           "if (0)\n        CUDA_CHECK(cudaLaunch"}},
         600,
         OUTCOME_BARRIER,
         "whose launch is not cooperative",
         .variant = "cooperative"},
        {{{"unsigned goal = 0;", "unsigned goal = 0;\n    if (blockIdx.x == 1)\n        return;"}},
         600,
         OUTCOME_BARRIER,
         "block (1,0,0) left the kernel by the return",
         .variant = "cooperative"},
        /* Votes and shuffles are no fence. */
        {{{"__syncwarp(); /* shuffles", "/* shuffles"}},
         600,
         OUTCOME_RACE,
         "two threads of one block",
         .build = "thread"},
        /* Children's own moments are forgotten; moments are about no centre; none is stored. */
        {{{"more = job->moments[links.z + k];", ""}},
         600,
         OUTCOME_WRONG,
         "with the moments that its children have",
         .variant = "quadrupoles"},
        {{{"y = part.y - centre.y", "y = part.y"}},
         600,
         OUTCOME_WRONG,
         "has the second moment",
         .variant = "quadrupoles"},
        {{{"job->moments[i] = moments;", "(void)0;"}},
         600,
         OUTCOME_NOT_FINITE,
         "has the second moment xx",
         .variant = "quadrupoles"},
    };

    assert_builds_rejected(STEP, kit, mutants, sizeof mutants / sizeof *mutants);
}

TEST(the_idea_is_in_kernels_and_searches) {
    enum { BODIES = 4096 };
    static const struct edit as_it_is[] = {{NULL, NULL}};
    static const struct edit linear[] = {{"begin + (end - begin) / 2", "begin"}, {NULL, NULL}};
    static const struct edit launches[] = {
        {"LAUNCHES ? LEVELS : -1", "LEVELS"}, {"else if (!LAUNCHES)", "else if (0)"}, {NULL, NULL}};
    char message[512];

    if (!built_follows(STEP, NULL, kit, as_it_is, BODIES, message))
        fail_msg("%s", message);
    assert_false(built_follows(STEP, NULL, kit, linear, BODIES, message));
    assert_non_null(strstr(message, "a search can drop half of them at a time"));
    assert_false(built_follows(STEP, NULL, kit, launches, BODIES, message));
    assert_non_null(strstr(message, "a build takes 47.5 kernels"));
}

GROUP(read_catalogue_without_nvcc, NULL)
