/* Step 42's program: mutants, its idea, and the very nodes that a serial walk accepts. */
#include "testing.h"
#include "built.h"
#include "referee/play/player_process.h"
#include "serial_walk.h"

#define STEP "42_tree_walk"

static const struct edit kit[] = {SPLICED("walker.h"), {NULL}};

TEST(mutants_are_rejected_for_their_reason) {
    static const struct built_mutant mutants[] = {
        /* Criteria: the angle left out, and no accuracy. */
        {{{"(errand.angle * errand.angle)", "1000"}}, 200, OUTCOME_WRONG, "more than the angle"},
        {{{"d2 >= sizes.x && ", ""}, {"d2 * scale >= sizes.y", "d2 >= sizes.x"}},
         200,
         OUTCOME_WRONG,
         "more than the angle"},
        /* Distances from the middle of a group, and to the farther face of its box. */
        {{{"- box->half.x", "- 0"}, {"- box->half.y", "- 0"}},
         200,
         OUTCOME_WRONG,
         "more than the a"},
        {{{"box->centre.x) - box->half.x", "box->centre.x) + box->half.x"}},
         200,
         OUTCOME_WRONG,
         "more than the a"},
        /* The pull. */
        {{{"scale = part.w * inverse * inverse * inverse", "scale = part.w * inverse * inverse"}},
         200,
         OUTCOME_WRONG,
         "it is m / s^3"},
        {{{"part.x - group->own[p].x, y = part.y - group->own[p].y",
           "group->own[p].x - part.x, y = group->own[p].y - part.y"},
          {"part.z - group->own[p].z", "group->own[p].z - part.z"}},
         200,
         OUTCOME_WRONG,
         "the opposite direction"},
        /* The list: places of lanes, what is left behind it, and its last part. */
        {{{"list[count + __popc(all & ((1u << group->lane) - 1))] = part",
           "list[count + group->lane] = part"}},
         300,
         OUTCOME_NOT_FINITE,
         "has the acceleration"},
        {{{"part = list[WARP + group->lane];", "part = list[group->lane];"}},
         200,
         OUTCOME_WRONG,
         "more than the a"},
        {{{"add_list(group, list, count);\n    return", "return"}},
         200,
         OUTCOME_WRONG,
         "more than the a"},
        /* What waits: children over each other, and those of earlier lanes. */
        {{{"waiting[place + k]", "waiting[wait + k]"}}, 2000, OUTCOME_WRONG, "feels"},
        {{{"wait += all;", "wait += all > 0;"}}, 200, OUTCOME_WRONG, "wait for their turn"},
        /* Bodies of leaves: of a wrong leaf, and only the first 32. */
        {{{"links.x - place, owner", "links.x, owner"}},
         1000,
         OUTCOME_MEMORY,
         "behind the 16000 bytes"},
        {{{"begin < all; begin += WARP", "begin < min(all, WARP); begin += WARP"}},
         200,
         OUTCOME_WRONG,
         "more than the a"},
        /* Groups that nobody takes. */
        {{{"if (first >= errand.n)", "if (first >= errand.n - GROUP)"}},
         600,
         OUTCOME_UNWRITTEN,
         "from memory that was never written"},
        /* Of a group that is cut: what its whole has felt, and a half that is left out. */
        {{{"group->a[p] = make_float3(0, 0, 0);", ""}},
         1000,
         OUTCOME_WRONG,
         "more than the a",
         .variant = "morton"},
        {{{"group.size = group.begin & -group.begin;", "group.begin = GROUP;"}},
         1000,
         OUTCOME_UNWRITTEN,
         "from memory that was never written",
         .variant = "morton"},
        /* Warps that do not wait for their lanes. */
        {{{"__syncwarp(); /* all have read", "/* all have read"}},
         600,
         OUTCOME_RACE,
         "two threads",
         .build = "thread"},
        {{{"count += __popc(all);\n    __syncwarp();", "count += __popc(all);"}},
         600,
         OUTCOME_RACE,
         "two threads",
         .build = "thread"},
        {{{"part = list[WARP + group->lane];\n        __syncwarp();",
           "part = list[WARP + group->lane];"}},
         600,
         OUTCOME_RACE,
         "two threads",
         .build = "thread"},
        /* Masks of half a warp: in a vote, whose halves then part; in a shuffle from the other
         * half; in a wait for it; and a mask that names lanes which do not come. */
        {{{"__ballot_sync(ALL_LANES, has)", "__ballot_sync(0xffffu << (group->lane & 16), has)"}},
         600,
         OUTCOME_WARP_MASK,
         "lanes that meet need the same call"},
        {{{"__shfl_up_sync(ALL_LANES, sum", "__shfl_up_sync(0xffffu << (lane & 16), sum"}},
         600,
         OUTCOME_WARP_MASK,
         "lane 16 reads from lane 15, which the mask 0xffff0000 leaves out"},
        {{{"__syncwarp(); /* all have read",
           "__syncwarp(0xffffu << (lane & 16)); /* all have read"}},
         600,
         OUTCOME_RACE,
         "two threads",
         .build = "thread"},
        {{{"part = list[WARP + group->lane];\n        __syncwarp();",
           "part = list[WARP + group->lane];\n        if (group->lane < count)\n            "
           "__syncwarp();"}},
         600,
         OUTCOME_WARP_MASK,
         "lanes that meet need the same call"},
    };

    assert_builds_rejected(STEP, kit, mutants, sizeof mutants / sizeof *mutants);
}

/* The output of a variant with edits after so many passes over a Plummer sphere. */
static void run(const char *variant, const struct edit *edits, int n, int passes, double accuracy,
                struct walk_parameters *parameters, struct tree_body *bodies,
                struct walk_force *out) {
    static const struct edit none[] = {{NULL}};
    static struct programs programs;
    const struct program *program = built(STEP, NULL, none, edits, variant, "plain", &programs);
    const size_t in_bytes = (size_t)n * sizeof *bodies, out_bytes = (size_t)n * sizeof *out;
    struct player_options options = {.name = "walk",
                                     .input_bytes = in_bytes,
                                     .output_bytes = out_bytes,
                                     .threads = 1,
                                     .workers = 1,
                                     .seed = 1};
    struct player *player;
    char message[512] = "";
    double seconds;

    if (!program)
        skip();
    options.path = program->path;
    walk_problem.set_parameters(parameters, "plummer", n, passes);
    parameters->accuracy = accuracy;
    walk_problem.generate(bodies, "plummer", n, 9);
    player = player_start(&options, message);
    if (!player || player_create(player, parameters, sizeof *parameters, in_bytes, out_bytes) ||
        player_run(player, bodies, out, passes, 60, &seconds))
        fail_msg("%s%s", message, player ? player_message(player) : "");
    player_end(player);
}

static const struct edit as_it_is[] = {{NULL, NULL}};

/* So fine an accuracy that nodes with b <= d are not all right. */
TEST(the_accuracy_counts) {
    enum { BODIES = 3000 };
    static const struct edit no_accuracy[] = {{"b2 / errand.accuracy", "b2"}, {NULL, NULL}};
    static const struct edit *const edits[] = {as_it_is, no_accuracy};
    static struct tree_body bodies[BODIES];
    static struct walk_force out[BODIES];

    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        struct walk_parameters parameters;
        struct judgement judgement;
        void *right;

        run("one", edits[e], BODIES, 2, 0x1p-16, &parameters, bodies, out);
        assert_non_null(right = walk_problem.answer(&parameters, bodies, "plummer", 2));
        walk_problem.judge(&parameters, bodies, right, out, "plummer", 2, 0.05, &judgement);
        free(right);
        if (judgement.outcome != (e ? OUTCOME_WRONG : OUTCOME_ACCEPTED))
            fail_msg("edit %zu, outcome %d: %s", e, judgement.outcome, judgement.message);
    }
}

/* Along Morton's curve groups are those of the serial tree. The first pass is by the angle, the
 * second one by the accuracy. A float at the edge of a criterion may decide otherwise. */
TEST(a_serial_walk_accepts_the_same) {
    enum { BODIES = 1800, GROUP_OF_TWO = 64 };
    static struct tree_body bodies[BODIES];
    static struct walk_force out[BODIES], right[BODIES];
    static double a[BODIES][3], known[BODIES];
    static long long memory[BODIES * 20];
    static const struct edit never_cut[] = {{"CUT ? 2 * GROUP", "0 ? 2"}, {NULL, NULL}};

    for (int passes = 1; passes <= 2; passes++) {
        struct walk_parameters parameters;
        int others = 0;

        run("morton", never_cut, BODIES, passes, 0x1p-7, &parameters, bodies, out);
        const struct tree_parameters of_tree = {BODIES, parameters.leaf};
        const struct tree tree = tree_in(&of_tree, memory);

        for (int pass = 1; pass <= passes; pass++) {
            struct tree_body first = bodies[0];
            int moved = tree_build(&of_tree, bodies, pass, &tree);

            assert_in_range(moved, 0, BODIES - 1);
            bodies[0] = bodies[moved];
            bodies[0].mass = first.mass;
            serial_walk(&parameters, bodies, &tree, GROUP_OF_TWO, pass > 1 ? known : NULL, NO_FAULT,
                        right, a);
            for (int i = 0; i < BODIES; i++)
                known[i] = sqrt(a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]);
            bodies[0] = first;
        }
        for (int i = 0; i < BODIES; i++) {
            double off =
                fabs(out[i].x - a[i][0]) + fabs(out[i].y - a[i][1]) + fabs(out[i].z - a[i][2]);

            others += out[i].bodies != right[i].bodies || out[i].nodes != right[i].nodes;
            if (out[i].bodies == right[i].bodies && out[i].nodes == right[i].nodes && off > 1e-5)
                fail_msg("pass %d: body %d is off by %.2g, by the same parts", passes, i, off);
        }
        if (others > BODIES / 10)
            fail_msg("pass %d: %d of %d bodies have other parts", passes, others, BODIES);
    }
}

/* One body per warp, which the other lanes have too, is a walk for each body. The check of all
 * solutions looks at twice as many bodies. */
TEST(the_idea_is_one_walk_for_many_bodies) {
    enum { BODIES = 1024 };
    static const struct edit alone[] = {{"enum { GROUP = PER_LANE * WARP", "enum { GROUP = 4"},
                                        {NULL, NULL}};
    char message[512];

    if (!built_follows(STEP, NULL, kit, as_it_is, BODIES, message))
        fail_msg("%s", message);
    assert_false(built_follows(STEP, NULL, kit, alone, BODIES, message));
    assert_non_null(strstr(message, "let a warp walk once for all bodies of a group"));
}

GROUP(read_catalogue_without_nvcc, NULL)
